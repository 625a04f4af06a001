/**
 * The values that a step allows: prices in whole ticks, amounts in whole steps. Feeds compute in floating point and round
 * to the grid last, so that a tick, a candle's extreme and the engine's price are the same decimal.
 * Known limitation: exact up to 2^53 steps.
 */
import { decimalsOf, toNumber } from '@fulcrum/domain';

export type Grid = ReturnType<typeof createGrid>;

/** `step` in 1e-8, as pairs have it. */
export function createGrid(step: bigint) {
  // Whole units of the last decimal: dividing two integers rounds once, multiplying by 0.01 would round twice.
  const scale = 10 ** decimalsOf(step);
  const units = Math.round(toNumber(step) * scale);
  const of = (steps: number) => (steps * units) / scale;
  return {
    /** The value of so many steps, as the double nearest to that decimal. */
    fromSteps: of,
    /** The nearest value of the grid; never falls when `value` grows. */
    round: (value: number): number => of(Math.round((value * scale) / units)),
    /** How many whole steps fit into `value`. */
    floorToSteps: (value: number): number => Math.floor((value * scale) / units),
    /** How many steps a value of the grid is. */
    toSteps: (value: number): number => Math.round((value * scale) / units),
  };
}
