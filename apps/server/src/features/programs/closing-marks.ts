/** The last accepted price of each symbol at the end of a contest, as it is stored. */
import {
  asPrice,
  type ClosingMark,
  type MarkState,
  markStates,
  parseDecimal,
  toDecimalString,
} from '@fulcrum/domain';
import { z } from 'zod';
import type { Market } from '../market/index.ts';

export const closingMark = z.object({
  price: z.string(),
  state: z.enum(markStates),
  /** The market's time of the price; missing in results from before 0082. */
  at: z.string().optional(),
  /** Where the price is from; missing in results of earlier releases. */
  source: z.string().optional(),
});

/** A simulated market ticks each second: a live price of it is not older when a contest is closed at it. */
export const liveMarkMs = 10_000;

export const closingMarks = z.object({
  /** When they were read. */
  at: z.string(),
  marks: z.record(z.string(), closingMark),
});
export type ClosingMarks = z.output<typeof closingMarks>;

function stateOf(market: Pick<Market, 'price' | 'isStale'>, symbol: string, now: number): MarkState {
  const last = market.price(symbol);
  if (last?.held) return 'held';
  if (last?.marketOpen === false) return 'shut';
  const isLate = last?.source === 'simulated' && now - last.marketTime > liveMarkMs;
  return isLate || market.isStale(symbol, now) ? 'old' : 'live';
}

/** Of these symbols; those that never had a price are missing. `now`: ms since the epoch. */
export function takeMarks(
  market: Pick<Market, 'price' | 'isStale'>,
  symbols: Iterable<string>,
  now: number,
): ClosingMarks {
  const marks: ClosingMarks['marks'] = {};
  for (const symbol of symbols) {
    const last = market.price(symbol);
    if (!last) continue;
    marks[symbol] = {
      ...{ price: toDecimalString(last.price), state: stateOf(market, symbol, now) },
      ...{ at: new Date(last.marketTime).toISOString(), source: last.source },
    };
  }
  return { at: new Date(now).toISOString(), marks };
}

/** As the engine's command has them. */
export const toCommandMarks = ({ marks }: ClosingMarks): Readonly<Record<string, ClosingMark>> =>
  Object.fromEntries(
    Object.entries(marks).map(([symbol, { price, state, source }]) => [
      symbol,
      { price: asPrice(parseDecimal(price)), state, ...(source !== undefined && { source }) },
    ]),
  );
