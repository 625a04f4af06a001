/**
 * The simulated market: the real hub behind a feed that repeats itself, runs back, falls silent, jumps and closes.
 * The hub's result is trusted here (it has its own tests); the engine's is not.
 */
import {
  asPrice,
  asSize,
  type MarketView,
  minuteMs,
  type Price,
  parseDecimal,
  type Quote,
  type QuotedBook,
  type Size,
  type TradingPair,
  toNumber,
} from '@fulcrum/domain';
import { createHub, type Hub } from '../../src/features/market/hub.ts';
import type { Bus } from '../../src/platform/bus/index.ts';
import type { ManualClock } from '../../src/platform/clock/index.ts';
import type { Log } from '../../src/platform/log/index.ts';

const price = (text: string): Price => asPrice(parseDecimal(text));
const size = (text: string) => asSize(parseDecimal(text));

const pairOf = (
  symbol: string,
  type: TradingPair['type'],
  [tickSize, minPrice, maxPrice]: readonly [string, string, string],
  [stepSize, minQty, maxQty]: readonly [string, string, string],
): TradingPair => ({
  ...{ id: symbol, symbol, name: symbol, nickname: null, type, baseAsset: symbol, quoteAsset: 'USDT' },
  ...{ tickSize: price(tickSize), minPrice: price(minPrice), maxPrice: price(maxPrice) },
  ...{ stepSize: size(stepSize), minQty: size(minQty), maxQty: size(maxQty) },
  tradingHours: '24/7',
  sortOrder: 0,
});

/** Fine and coarse ticks, whole and broken sizes; the last makes margins that round. */
export const simulatedPairs: readonly TradingPair[] = [
  pairOf('BTCUSDT', 'crypto', ['0.01', '0.01', '1000000'], ['0.00001', '0.00001', '9000']),
  pairOf('COARSE', 'commodity', ['0.25', '0.25', '1000000'], ['1', '5', '1000000']),
  pairOf('EUR/USD', 'forex', ['0.00001', '0.00001', '1000000'], ['1', '1', '10000000']),
  pairOf('DUSTUSDT', 'crypto', ['0.0000001', '0.0000001', '1000'], ['0.1', '0.1', '1000000000']),
];
const firstPrices: Readonly<Record<string, string>> = {
  BTCUSDT: '26000',
  COARSE: '812.5',
  'EUR/USD': '1.0731',
  DUSTUSDT: '0.0000613',
};

/** What the first level of a book holds one tick from the middle. */
const firstLevels: Readonly<Record<string, string>> = {
  BTCUSDT: '0.2',
  COARSE: '8',
  'EUR/USD': '4000',
  DUSTUSDT: '200000',
};

interface SimulatedQuote {
  readonly mid: Price;
  readonly at: number;
  readonly spread?: bigint;
  readonly source?: QuotedBook['source'];
}

/**
 * Three levels on either side, `spread`, twice and six times as many ticks from the middle. The first holds little, so that orders
 * sweep them and go beyond.
 */
export function simulatedBook(
  { symbol, tickSize }: TradingPair,
  { mid, at, spread = 1n, source = 'modelled' }: SimulatedQuote,
): QuotedBook {
  const unit = size(firstLevels[symbol] ?? '1');
  const side = (direction: bigint) => {
    const levels = new Map<bigint, Size>();
    for (const times of [1n, 2n, 6n]) {
      const level = mid + direction * times * spread * tickSize;
      // A market at its lowest price has a bid.
      levels.set(level < tickSize ? tickSize : level, asSize(unit * times * times));
    }
    return [...levels].map(([level, held]) => ({ price: asPrice(level), size: held }));
  };
  return {
    ...{ quoteId: `${symbol}@${mid}@${spread}`, source, mid, at, minuteVolume: asSize(unit * 30n) },
    ...{ bids: side(-1n), asks: side(1n) },
  };
}

/** The spread is that of a minute, as that of a model row is. */
const spreadsOfMinutes = [1n, 3n, 2n] as const;
const spreadAt = (at: number): bigint =>
  spreadsOfMinutes[Math.floor(at / minuteMs) % spreadsOfMinutes.length] ?? 1n;

/** An immutable moment of the market. */
export interface MarketInstant extends MarketView {
  readonly at: number;
  book(symbol: string): QuotedBook | undefined;
}

export class SimulatedMarket {
  readonly pairs: readonly TradingPair[];
  readonly #clock: ManualClock;
  readonly #makeHub: () => Hub;
  #hub: Hub;
  readonly #latest = new Map<string, { price: number; marketTime: number; isOpen: boolean }>();
  /** Late ticks that were the only ones since a start. */
  readonly #late = new Map<string, number>();

  constructor(
    pairs: readonly TradingPair[],
    { clock, bus, log }: { clock: ManualClock; bus: Bus; log: Log },
  ) {
    this.pairs = pairs;
    this.#clock = clock;
    const config = { sessions: '24x7', staleAfterS: null } as const;
    this.#makeHub = () => createHub({ pairs, config, clock, bus, log });
    this.#hub = this.#makeHub();
    for (const { symbol } of pairs) {
      this.#latest.set(symbol, { price: Number(firstPrices[symbol]), marketTime: clock.now(), isOpen: true });
    }
  }

  pairAt(at: number): TradingPair {
    const pair = this.pairs[at % this.pairs.length];
    if (!pair) throw new RangeError('no pairs');
    return pair;
  }

  /** The feed sends a price, while the market's time advances; `moves` are applied to the last sent price. */
  report(symbol: string, next: number, { isOpen = true, breaks = false } = {}): void {
    const latest = this.#latest.get(symbol);
    if (!latest || !Number.isFinite(next) || next <= 0) return;
    this.#latest.set(symbol, { price: next, marketTime: this.#clock.now(), isOpen });
    this.#emit(symbol, breaks);
  }

  /** As after a start without stored prices: no symbol has a price until the feed sends one. */
  forget(): void {
    this.#hub = this.#makeHub();
  }

  /** The same tick once more. */
  repeat(symbol: string): void {
    this.#emit(symbol, false);
  }

  /** Staff accept the held price, if there is one. */
  acceptHeld(symbol: string): void {
    const held = this.#hub.holds().find((hold) => hold.symbol === symbol);
    if (held) this.#hub.acceptHeld(held);
  }

  /** Staff reject the held price, if there is one: it counts as never sent. */
  rejectHeld(symbol: string): void {
    const held = this.#hub.holds().find((hold) => hold.symbol === symbol);
    const latest = this.#latest.get(symbol);
    if (!held || !latest) return;
    const marketTime = this.#hub.price(symbol)?.marketTime ?? latest.marketTime;
    this.#latest.set(symbol, { ...latest, price: toNumber(held.last.price), marketTime });
    this.#hub.rejectHeld(held);
  }

  /** A tick of a moment ago, which arrives too late. */
  reportLate(symbol: string, late: number): void {
    const latest = this.#latest.get(symbol);
    // After a start it is the first price, and another one of that time the next.
    if (!this.#hub.price(symbol) || this.#late.has(symbol)) this.#late.set(symbol, late);
    if (latest)
      this.#hub.take({
        symbol,
        source: 'simulated',
        price: late,
        marketTime: latest.marketTime - 1_000,
        marketOpen: true,
      });
  }

  reportNonsense(symbol: string): void {
    this.#hub.take({ symbol, source: 'simulated', price: 'twelve', marketTime: this.#clock.now() });
    this.#hub.take({ symbol, source: 'simulated', price: -1, marketTime: this.#clock.now() });
  }

  #emit(symbol: string, breaks: boolean): void {
    this.#late.delete(symbol);
    const latest = this.#latest.get(symbol);
    if (!latest) return;
    const { price: quoted, marketTime, isOpen: marketOpen } = latest;
    this.#hub.take({ symbol, source: 'simulated', price: quoted, marketTime, marketOpen, breaks });
  }

  /** The last price of the feed, which is not always the current one. */
  lastReported(symbol: string): number {
    return this.#latest.get(symbol)?.price ?? 1;
  }

  /** The newest price of the feed, accepted or not. */
  newestReport(symbol: string): number {
    return this.#late.get(symbol) ?? this.lastReported(symbol);
  }

  isShut(symbol: string): boolean {
    return this.#latest.get(symbol)?.isOpen === false;
  }

  priceOf(symbol: string): number {
    const last = this.#hub.price(symbol);
    return last ? toNumber(last.price) : this.lastReported(symbol);
  }

  /** As `viewOf` of features/trading builds it, copied so that later ticks do not change it. */
  at(now: number): MarketInstant {
    const quotes = new Map<string, Quote>();
    const bookOf = new Map<string, QuotedBook>();
    for (const pair of this.pairs) {
      const { symbol } = pair;
      const last = this.#hub.price(symbol);
      if (!last) continue;
      const { price: mid, pricedAt } = last;
      bookOf.set(symbol, simulatedBook(pair, { mid, at: pricedAt, spread: spreadAt(pricedAt) }));
      const stale = this.#hub.isStale(symbol, now);
      const { price, held, marketOpen, source } = last;
      quotes.set(symbol, { price, stale, held, marketOpen, source });
    }
    return {
      at: now,
      pair: (symbol) => this.pairs.find((pair) => pair.symbol === symbol),
      quote: (symbol) => quotes.get(symbol),
      book: (symbol) => bookOf.get(symbol),
    };
  }
}
