/**
 * Reads the markets for the generator. Bars of a quarter of an hour are read once per quarter and market, minutes only of
 * bars in which a jump may hide, all of them once for everybody who asks. Markets whose bars would have to be asked of a provider
 * with a small budget are read by their own day figures alone.
 * Invariant: nobody waits longer than `waitMs`: what is not read by then is used as it was, and is there the next time.
 * Known limitations: what polled markets said is remembered from the first look of this process on.
 */
import { hourMs, type MarketType, minuteMs, type TradingPair, toNumber } from '@fulcrum/domain';
import type { DashboardDependencies } from '../index.ts';
import { type Followed, followedSymbols, type Reading, type Sighting } from './followed.ts';
import { barsToLookInto, jumpFrom, jumpsIn } from './jumps.ts';
import { type Tape, withPrice } from './tape.ts';

const quarterMs = 15 * minuteMs;
/** Two days and a little: sentiment compares the day with the day before. Shares rest over the weekend. */
const barsOf: Readonly<Record<MarketType, number>> = {
  crypto: 200,
  commodity: 300,
  forex: 300,
  stock: 370,
  index: 370,
};
const waitMs = 3_000;
/** After a failure, and for minutes that are not over. */
const againMs = 20_000;
const readAtATime = 4;
const jumpsBackMs = 12 * hourMs;
const minutesReadAtOnce = 12;
const minutesKept = 200;
const sightingsKept = 96;
/** Markets besides those that are always followed, and how far in a usual-sized day one of them has to go. */
const straysMax = 4;
const strayFrom: Readonly<Record<MarketType, number>> = {
  crypto: 7,
  stock: 5,
  commodity: 4,
  index: 3,
  forex: 1.5,
};

interface Kept {
  readonly tape: Tape;
  /** The quarter of an hour in which it was read. */
  readonly quarter: number;
  readonly readAt: number;
}

export interface Reader {
  read(): Promise<Reading>;
}

type Dependencies = Pick<DashboardDependencies, 'market' | 'timers' | 'log'>;

export function createReader({ market, timers, log }: Dependencies): Reader {
  const kept = new Map<string, Kept>();
  /** By symbol and the bar's beginning. */
  const minutes = new Map<string, { readonly tape: Tape; readonly readAt: number }>();
  const seen = new Map<string, Sighting[]>();
  let refreshing: Promise<void> | null = null;

  /** @returns null when it could not be read */
  async function barsFrom(
    symbol: string,
    timeframe: '15m' | '1m',
    limit: number,
    before: number | null,
  ): Promise<Tape | null> {
    const lengthMs = timeframe === '1m' ? minuteMs : quarterMs;
    try {
      const bars = await market.candles(symbol, timeframe, { limit, before });
      return bars.map(({ open_time, open, high, low, close, quote_volume: turnover }) => {
        const from = Date.parse(open_time);
        return { from, to: from + lengthMs, open, high, low, close, turnover };
      });
    } catch (error) {
      log.debug({ err: error, symbol }, 'bars for the made-up feeds could not be read');
      return null;
    }
  }

  const hasBars = (symbol: string): boolean => {
    const source = market.price(symbol)?.source;
    return source !== undefined && source !== 'yahoo';
  };

  /** Those that are followed, and those that moved the most. */
  function pairsToRead(): TradingPair[] {
    const followed = new Set(followedSymbols);
    const pairs = market.pairs();
    const strays = pairs
      .filter(({ symbol }) => !followed.has(symbol) && hasBars(symbol))
      .map((pair) => ({ pair, moved: Math.abs(dayPercentOf(pair.symbol) ?? 0) / strayFrom[pair.type] }))
      .filter(({ moved }) => moved >= 1)
      .sort((left, right) => right.moved - left.moved)
      .slice(0, straysMax);
    return [...pairs.filter(({ symbol }) => followed.has(symbol)), ...strays.map(({ pair }) => pair)];
  }

  const dayPercentOf = (symbol: string): number | null => market.price(symbol)?.priceChangePercent ?? null;

  async function refreshBars({ symbol, type }: TradingPair): Promise<void> {
    const now = timers.now();
    const quarter = Math.floor(now / quarterMs);
    const known = kept.get(symbol);
    if (known?.quarter === quarter || (known && Math.abs(now - known.readAt) < againMs)) return;
    const tape = await barsFrom(symbol, '15m', barsOf[type], null);
    // A failure is remembered too, so that a provider in trouble is not asked with every look.
    if (tape) kept.set(symbol, { tape, quarter, readAt: now });
    else kept.set(symbol, { tape: known?.tape ?? [], quarter: known?.quarter ?? -1, readAt: now });
  }

  function tapeOf(symbol: string, now: number): Tape {
    const price = market.price(symbol);
    const tape = kept.get(symbol)?.tape ?? [];
    return price ? withPrice(tape, toNumber(price.price), now) : tape;
  }

  async function refreshMinutes(pair: TradingPair): Promise<void> {
    const { symbol, type } = pair;
    const now = timers.now();
    const tape = tapeOf(symbol, now);
    const question = { tape, threshold: jumpFrom(tape, type, now), now, spanMs: jumpsBackMs };
    for (const { from, to } of barsToLookInto(question).slice(-minutesReadAtOnce)) {
      const key = `${symbol} ${from}`;
      const known = minutes.get(key);
      if (known && (known.readAt >= to || Math.abs(now - known.readAt) < againMs)) continue;
      const read = await barsFrom(symbol, '1m', quarterMs / minuteMs, to);
      const own = (read ?? known?.tape ?? []).filter((bar) => bar.from >= from && bar.to <= to);
      minutes.delete(key);
      minutes.set(key, { tape: own, readAt: now });
      const oldest = minutes.size > minutesKept ? minutes.keys().next() : undefined;
      if (oldest && !oldest.done) minutes.delete(oldest.value);
    }
  }

  async function refresh(): Promise<void> {
    const pairs = pairsToRead();
    const waiting = pairs.filter(({ symbol }) => hasBars(symbol));
    const work = async (): Promise<void> => {
      for (let pair = waiting.shift(); pair; pair = waiting.shift()) {
        await refreshBars(pair);
        await refreshMinutes(pair);
      }
    };
    await Promise.all(Array.from({ length: readAtATime }, work));
    const wanted = new Set(pairs.map(({ symbol }) => symbol));
    for (const symbol of kept.keys()) if (!wanted.has(symbol)) kept.delete(symbol);
  }

  function look(symbol: string, now: number): readonly Sighting[] {
    const price = market.price(symbol);
    const known = seen.get(symbol) ?? [];
    if (!price || price.priceChangePercent === null || price.state !== 'live') return known;
    const last = known.at(-1);
    if (last && Math.floor(last.at / quarterMs) === Math.floor(now / quarterMs)) return known;
    const sighting = { at: now, price: toNumber(price.price), dayPercent: price.priceChangePercent };
    const next = [...known, sighting].slice(-sightingsKept);
    seen.set(symbol, next);
    return next;
  }

  function followed(pair: TradingPair, now: number): Followed {
    const { symbol, type } = pair;
    if (!hasBars(symbol))
      return { pair, tape: [], jumps: [], jumpFrom: Infinity, sightings: look(symbol, now) };
    const tape = tapeOf(symbol, now);
    const threshold = jumpFrom(tape, type, now);
    const jumps = jumpsIn({
      tape,
      threshold,
      now,
      spanMs: jumpsBackMs,
      minutesOf: (from) => {
        const known = minutes.get(`${symbol} ${from}`)?.tape;
        return known && known.length > 0 ? known : undefined;
      },
    });
    return { pair, tape, jumps, jumpFrom: threshold, sightings: [] };
  }

  return {
    async read() {
      refreshing ??= refresh()
        .catch((error: unknown) => log.warn({ err: error }, 'the made-up feeds could not read the markets'))
        .finally(() => {
          refreshing = null;
        });
      await firstOf(refreshing, timers);
      const now = timers.now();
      const dayPercents = new Map(
        market.pairs().flatMap(({ symbol }) => {
          const percent = dayPercentOf(symbol);
          return percent === null ? [] : [[symbol, percent] as const];
        }),
      );
      return { now, markets: pairsToRead().map((pair) => followed(pair, now)), dayPercents };
    },
  };
}

/** Resolves with `work`, or after `waitMs`. */
async function firstOf(work: Promise<void>, timers: Dependencies['timers']): Promise<void> {
  let cancel = (): void => {};
  const limit = new Promise<void>((resolve) => {
    cancel = timers.after(waitMs, resolve);
  });
  await Promise.race([work, limit]);
  cancel();
}
