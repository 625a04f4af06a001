/**
 * Plays a plan through the engine of a past: intents at their minute, and between them the bars of the chart, with every price
 * at which something waits. An hour in which nothing of a symbol can act is one bar; any other is played minute by minute. So a stop fires at the minute in which the path crossed it, at its own
 * price, and no trade lies outside the bar that the chart shows.
 *
 * Known limitation: within a bar the path is taken as open, one extreme, the other, close.
 */
import { AppError, type Candle } from '@fulcrum/contract';
import { hourMs, type Price, toNumber } from '@fulcrum/domain';
import type { Past } from '../trading/index.ts';
import { priceOf } from './amounts.ts';
import { type Grain, grainMs, type PastBar, type PastBars } from './bars.ts';

/** Something that a user does in the past. */
export interface Intent {
  /** ms since the epoch. */
  readonly at: number;
  readonly symbol: string;
  /** `price` is that of the market at `at`. A refusal by the engine leaves the intent out. */
  readonly run: (past: Past, price: number, at: number) => Promise<void>;
}

interface PlayOptions {
  readonly past: Past;
  readonly intents: readonly Intent[];
  readonly bars: PastBars;
  /** The hours of a symbol by their opening. */
  readonly hours: (symbol: string) => Promise<ReadonlyMap<number, PastBar>>;
  readonly grain: Grain;
  /** The end of the past, ms since the epoch. */
  readonly until: number;
  readonly signal: AbortSignal;
}

const hourOf = (at: number): number => Math.floor(at / hourMs) * hourMs;

/** Resolves when the past has reached `until`. @throws when it is aborted, and what the engine throws but refusals */
export async function play({ past, intents, bars, hours, grain, until, signal }: PlayOptions): Promise<void> {
  const waiting = intents.toSorted((a, b) => a.at - b.at);
  for (let hour = hourOf(waiting[0]?.at ?? until); hour < until; hour += hourMs) {
    signal.throwIfAborted();
    const end = Math.min(hour + hourMs, until);
    const due = takeBefore(waiting, end);
    const calm: [symbol: string, bar: PastBar][] = [];
    const barsOf = new Map<string, readonly PastBar[]>();
    for (const symbol of new Set([...past.symbols(), ...due.map((intent) => intent.symbol)])) {
      const whole = (await hours(symbol)).get(hour);
      const isDue = due.some((intent) => intent.symbol === symbol);
      const isLast = hour + hourMs > until;
      if (whole && !isDue && !isLast && !isReached(past, symbol, whole)) calm.push([symbol, whole]);
      else if (whole) barsOf.set(symbol, await bars.within(symbol, hour, grain, until));
    }
    for (let at = hour; at < end && barsOf.size > 0; at += grainMs[grain]) {
      for (const intent of takeBefore(due, at + grainMs[grain])) await run(past, intent, barsOf, at);
      for (const [symbol, list] of barsOf) {
        const bar = list.find((one) => one.at === at);
        if (bar) await walk(past, symbol, bar, grainMs[grain]);
      }
    }
    for (const [symbol, { open, high, low, close }] of calm)
      for (const price of [open, high, low, close]) await past.tick(symbol, priceOf(price), end - 1);
    past.recordEquity(end);
  }
}

/** Whether something of the symbol acts within the bar, so that its minutes matter. */
const isReached = (past: Past, symbol: string, { high, low }: PastBar): boolean =>
  past
    .levels(symbol)
    .map(toNumber)
    .some((level) => level >= low && level <= high);

/** Removes the leading intents before an instant and returns them. */
function takeBefore(intents: Intent[], end: number): Intent[] {
  const count = intents.findIndex(({ at }) => at >= end);
  return intents.splice(0, count === -1 ? intents.length : count);
}

async function run(
  past: Past,
  { symbol, run }: Intent,
  barsOf: ReadonlyMap<string, readonly PastBar[]>,
  at: number,
): Promise<void> {
  const bar = barsOf.get(symbol)?.find((one) => one.at === at);
  // The market is shut: nothing happens.
  if (!bar) return;
  await past.tick(symbol, priceOf(bar.open), at);
  try {
    await run(past, bar.open, at);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'trading_halted') throw error;
  }
}

/** Parts of a bar at which its four prices are reached. */
const parts = [0, 0.3, 0.6, 0.95] as const;

async function walk(past: Past, symbol: string, bar: PastBar, lengthMs: number): Promise<void> {
  const { open, high, low, close } = bar satisfies Pick<Candle, 'open' | 'high' | 'low' | 'close'>;
  const corners = close >= open ? [open, low, high, close] : [open, high, low, close];
  const levels = past.levels(symbol).map((level) => ({ level, value: toNumber(level) }));
  let from = open;
  for (const [index, to] of corners.entries()) {
    const at = bar.at + Math.round(lengthMs * (parts[index] ?? 1));
    for (const level of crossed(levels, from, to)) await past.tick(symbol, level, at);
    await past.tick(symbol, priceOf(to), at);
    from = to;
  }
}

/** The levels on the way from one price to another, in their order. */
function crossed(
  levels: readonly { readonly level: Price; readonly value: number }[],
  from: number,
  to: number,
): Price[] {
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  return levels
    .filter(({ value }) => value > low && value < high)
    .toSorted((a, b) => (to > from ? a.value - b.value : b.value - a.value))
    .map(({ level }) => level);
}
