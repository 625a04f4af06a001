/**
 * The values that a step allows: prices in whole ticks, amounts in whole steps. Feeds compute in floating point and round
 * to the grid last, so that a tick, a candle's extreme and the engine's price are the same decimal.
 * Known limitation: exact up to 2^53 steps.
 */
import { decimalsOf, toNumber } from '@fulcrum/domain';

export interface Grid {
  /** The nearest value of the grid; never falls when `value` grows. */
  round(value: number): number;
  /** How many whole steps fit into `value`. */
  floorToSteps(value: number): number;
  /** How many steps a value of the grid is. */
  toSteps(value: number): number;
  /** The value of so many steps, as the double nearest to that decimal. */
  fromSteps(steps: number): number;
}

/** `step` in 1e-8, as pairs have it. */
export function createGrid(step: bigint): Grid {
  // Whole units of the last decimal: dividing two integers rounds once, multiplying by 0.01 would round twice.
  const scale = 10 ** decimalsOf(step);
  const units = Math.round(toNumber(step) * scale);
  const of = (steps: number) => (steps * units) / scale;
  return {
    fromSteps: of,
    round: (value) => of(Math.round((value * scale) / units)),
    floorToSteps: (value) => Math.floor((value * scale) / units),
    toSteps: (value) => Math.round((value * scale) / units),
  };
}
