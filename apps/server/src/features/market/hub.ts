/**
 * The one place where a feed's tick becomes a price. Invariants: a price is positive and on the pair's ticks; per
 * symbol, market time never runs back unless the source vouches for it; outside honoured trading hours the price stands
 * still and the market is shut; every price taken over is published once and handed to the store.
 */
import type { Tick } from '@fulcrum/contract';
import { asPrice, isMarketOpen, type Price, roundToTick, type TradingPair, toNumber } from '@fulcrum/domain';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { FeedTick } from './feed.ts';
import { createJumpGuard, type JumpGuard } from './jump-guard.ts';
import { type MarketPrice, readPrice, tickOf } from './price.ts';

/** A faulty source says the same thing many times a second; once a minute and symbol is enough. */
const warnEveryMs = 60_000;
/** A37: an open market's price opens nothing from this age on. */
const staleAfterMs = { crypto: 15_000, other: 60_000 } as const;

export interface Hub {
  take(tick: FeedTick): void;
  /** Prices of an earlier process: shown with their age, replaced by the first tick whatever it says. */
  restore(prices: readonly MarketPrice[]): void;
  /** The absurd price that is held back at present (A106); undefined when none is. */
  heldPrice(symbol: string): Price | undefined;
  /** Lets the held price through, as staff may who know that it is right (A106). False when none was held. */
  acceptHeld(symbol: string): boolean;
  price(symbol: string): MarketPrice | undefined;
  prices(): readonly MarketPrice[];
  isStale(symbol: string, now: number): boolean;
  ticks(): Tick[];
  /** Prices that changed since the last call. */
  takeChanged(): MarketPrice[];
  /** Hands back prices whose storing failed; newer ones keep their place. */
  returnChanged(prices: readonly MarketPrice[]): void;
  lastTickAt(): number | null;
}

export interface HubOptions {
  readonly pairs: readonly TradingPair[];
  readonly config: Pick<Config, 'sessions' | 'staleAfterS'>;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Log;
}

interface Market {
  readonly pair: TradingPair;
  jumps: JumpGuard;
  /** The newest tick that the guard holds back. */
  held: FeedTick | null;
  last: MarketPrice | null;
  /** Market time of the last tick taken from the running source; null before the first. */
  tickedAt: number | null;
  warnedAt: number;
}

export function createHub({ pairs, config, clock, bus, log }: HubOptions): Hub {
  const markets = new Map<string, Market>(
    pairs.map((pair) => [
      pair.symbol,
      {
        pair,
        jumps: createJumpGuard(pair.type),
        held: null,
        last: null,
        tickedAt: null,
        warnedAt: -Infinity,
      },
    ]),
  );
  const changed = new Map<string, MarketPrice>();
  let lastTickAt: number | null = null;

  function take(tick: FeedTick): void {
    const market = markets.get(tick.symbol);
    if (!market) return;
    const received = readPrice(tick.price);
    const price = received && roundToTick(received, market.pair.tickSize, 'half-away-from-zero');
    if (price === null || price <= 0n || !Number.isFinite(tick.marketTime)) {
      warn(
        market,
        { received: tick.price, marketTime: tick.marketTime },
        'an unacceptable price was dropped',
      );
      return;
    }
    if (!tick.breaks && market.tickedAt !== null && tick.marketTime < market.tickedAt) return;

    const now = clock.now();
    lastTickAt = now;
    const isOpen = (tick.marketOpen ?? true) && isInSession(market.pair, tick.marketTime);
    const { last } = market;
    if (!isOpen && last && market.tickedAt !== null && !tick.breaks) {
      market.tickedAt = tick.marketTime;
      // The closing price is the last one of the session, whatever the source still says.
      keep(market, {
        ...last,
        pricedAt: now,
        marketTime: tick.marketTime,
        marketOpen: false,
        state: 'closed',
      });
      return;
    }

    // Nothing to compare with after a break, at the start, and for the first price after a close (A106).
    const previous = !tick.breaks && market.tickedAt !== null && last?.marketOpen ? last : null;
    if (previous === null) {
      market.jumps = createJumpGuard(market.pair.type);
    } else if (!market.jumps.admits(toNumber(previous.price), toNumber(price), tick.marketTime)) {
      warn(
        market,
        { price: toNumber(price), last: toNumber(previous.price) },
        'an absurd price is held back',
      );
      market.held = tick;
      return;
    }
    market.held = null;
    market.tickedAt = tick.marketTime;
    const figures = tick.day ?? null;
    keep(market, {
      symbol: tick.symbol,
      price: asPrice(price),
      source: tick.source,
      state: !isOpen
        ? 'closed'
        : tick.source === 'simulated' || tick.source === 'replay'
          ? tick.source
          : 'live',
      pricedAt: tick.receivedAt ?? now,
      marketTime: tick.marketTime,
      marketOpen: isOpen,
      // A tick without figures says nothing about the day: the last ones stand.
      priceChangePercent: figures ? finite(figures.priceChangePercent) : (last?.priceChangePercent ?? null),
      volume: figures ? (finite(figures.volume) ?? 0) : (last?.volume ?? 0),
      quoteVolume: figures ? (finite(figures.quoteVolume) ?? 0) : (last?.quoteVolume ?? 0),
      high24h: figures ? finite(figures.high) : (last?.high24h ?? null),
      low24h: figures ? finite(figures.low) : (last?.low24h ?? null),
    });
  }

  function keep(market: Market, price: MarketPrice): void {
    market.last = price;
    changed.set(price.symbol, price);
    bus.publish('market.tick', tickOf(price));
  }

  function isInSession(pair: TradingPair, marketTime: number): boolean {
    return config.sessions !== 'honour' || isMarketOpen(pair.tradingHours, marketTime);
  }

  function warn(market: Market, details: object, message: string): void {
    const now = clock.now();
    if (now - market.warnedAt < warnEveryMs) return;
    market.warnedAt = now;
    log.warn({ symbol: market.pair.symbol, ...details }, message);
  }

  function known(): MarketPrice[] {
    return [...markets.values()].flatMap(({ last }) => last ?? []);
  }

  return {
    take,
    restore(prices) {
      for (const price of prices) {
        const market = markets.get(price.symbol);
        if (market) market.last = price;
      }
    },
    heldPrice(symbol) {
      const held = markets.get(symbol)?.held;
      return (held && readPrice(held.price)) ?? undefined;
    },
    acceptHeld(symbol) {
      const held = markets.get(symbol)?.held;
      // As a source that vouches for the break: there is nothing to compare it with.
      if (held) take({ ...held, breaks: true });
      return held != null;
    },
    price: (symbol) => markets.get(symbol)?.last ?? undefined,
    prices: known,
    isStale(symbol, now) {
      const market = markets.get(symbol);
      if (!market?.last) return true;
      const byMarket = market.pair.type === 'crypto' ? staleAfterMs.crypto : staleAfterMs.other;
      const limitMs = config.staleAfterS === null ? byMarket : config.staleAfterS * 1000;
      return now - market.last.pricedAt > limitMs;
    },
    ticks: () => known().map(tickOf),
    takeChanged() {
      const prices = [...changed.values()];
      changed.clear();
      return prices;
    },
    returnChanged(prices) {
      for (const price of prices) if (!changed.has(price.symbol)) changed.set(price.symbol, price);
    },
    lastTickAt: () => lastTickAt,
  };
}

const finite = (value: number | null): number | null =>
  value !== null && Number.isFinite(value) ? value : null;
