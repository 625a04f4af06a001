/**
 * The only place where a feed's tick becomes a price. Invariants: a price is positive and on the pair's ticks. Per symbol,
 * neither market time nor receive time goes back unless the source confirms a break. In a closed market the price does not
 * move. The price of a symbol in use never changes its source by itself. While a price is held, the last one is stale.
 * Every accepted price, and every change of its state, is published once and stored.
 */
import type { Tick } from '@fulcrum/contract';
import { type Price, type TradingPair, toNumber } from '@fulcrum/domain';
import type { Config } from '../../platform/config/index.ts';
import type { Services } from '../../platform/services.ts';
import type { FeedTick, Source } from './feed.ts';
import { createJumpGuard, type JumpGuard } from './jump-guard.ts';
import {
  emptyDayFigures,
  type NormalizedTick,
  normalizeDayFigures,
  normalizeTick,
} from './normalize-tick.ts';
import { type HeldJump, type MarketPrice, type StoredPrice, tickOf } from './price.ts';
import { createPriceStates, isProvider, type PriceObservation } from './price-state.ts';

/** A faulty source repeats itself many times a second; one warning per minute and symbol is enough. */
const warnEveryMs = 60_000;

/** A price that waits for staff. Times in ms since the epoch. */
export interface HeldPrice {
  readonly symbol: string;
  /** `jump`: absurd against the last price (A106). `source`: it comes from another source than the last one. */
  readonly kind: 'jump' | 'source';
  readonly price: Price;
  readonly source: Source;
  readonly last: Pick<MarketPrice, 'price' | 'source'>;
  /** Receive time and the market's own time of it. */
  readonly pricedAt: number;
  readonly marketTime: number;
  /** Since when prices are held back. */
  readonly since: number;
}

export interface Hub {
  take(tick: FeedTick): void;
  /** Replaces the listed pairs. Prices of pairs that stay are kept, the others are dropped. */
  setPairs(pairs: readonly TradingPair[]): void;
  /**
   * Restores prices of an earlier process, shown with their age. Where `sourceOf` does not name the price's own source,
   * nothing opens on it before that source has sent a tick. A live source continues, so its first tick is compared with the
   * last price before the start (A106); any other source replaces it unconditionally. A held price stays held (A110), and its
   * confirmation starts over with the first tick.
   */
  restore(prices: readonly StoredPrice[], sourceOf: (symbol: string) => Source | null): void;
  /** The newest price that is held back of each symbol. */
  holds(): HeldPrice[];
  /**
   * Accepts this price that `holds` reported, after a staff decision (A106), but no price that came after it: those are
   * compared with it. False when nothing is held for that reason any more.
   */
  acceptHeld(held: HeldPrice): boolean;
  /**
   * Drops this price that `holds` reported: the last price stays, and the next absurd one is held again. If its source differs
   * from that of the last price, still nothing opens. False when nothing is held for that reason any more.
   */
  rejectHeld(held: HeldPrice): boolean;
  /** Symbols whose last price comes from another source than their present one. */
  heldForSourceChange(): string[];
  /** These symbols are no longer in use: the hub accepts the prices that it held because of their source. */
  release(symbols: Iterable<string>): void;
  price(symbol: string): MarketPrice | undefined;
  prices(): readonly MarketPrice[];
  /** Whether nothing may open or fire on it at `now`: missing, too old, held, or behind its market. */
  isStale(symbol: string, now: number): boolean;
  /** Call about once a second: publishes the prices whose state changed without a tick, at their old age. */
  refreshStates(): void;
  ticks(): Tick[];
  /** Prices, or held prices, that changed since the last call; those that `isDue` excludes stay in the queue. */
  takeChanged(isDue?: (price: MarketPrice) => boolean): StoredPrice[];
  /** Returns prices that could not be stored to the queue; newer ones keep their place. */
  returnChanged(prices: readonly StoredPrice[]): void;
  /** Receive time of the last tick of a source. */
  lastTickAt(): number | null;
  /** How many prices were taken over: each has this number when it is published, so what is decided then saw none later. */
  tickCount(): number;
}

export interface HubOptions extends Pick<Services, 'clock' | 'bus' | 'log'> {
  readonly pairs: readonly TradingPair[];
  readonly config: Pick<Config, 'sessions' | 'staleAfterS'>;
  /** Whether the symbol has an open position or a waiting order; left out: none has. */
  readonly isInUse?: (symbol: string) => boolean;
  /** Called with each tick that may become a price. */
  readonly onTick?: (source: Source, at: number) => void;
}

interface SymbolState {
  pair: TradingPair;
  jumps: JumpGuard;
  /** The held price; `newest` is null while a source has not sent a tick yet. */
  hold: {
    readonly kind: HeldPrice['kind'];
    readonly newest: NormalizedTick | null;
    readonly since: number;
  } | null;
  last: MarketPrice | null;
  /** Market time of the last tick taken from the running source; null before the first. */
  tickedAt: number | null;
  isOpenBySource: boolean;
  isHeldBySource: boolean;
  /** The last price is a closing price: nothing trades on it before the first price of the next session. */
  isClosingPrice: boolean;
  warnedAt: number;
}

export function createHub(options: HubOptions): Hub {
  const { pairs, config, clock, bus, log, isInUse = () => false, onTick } = options;
  const states = createPriceStates(config);
  const markets = new Map<string, SymbolState>(pairs.map((pair) => [pair.symbol, createSymbolState(pair)]));
  const changed = new Map<string, MarketPrice>();
  let lastTickAt: number | null = null;
  let tickCount = 0;

  function take(tick: FeedTick): void {
    const market = markets.get(tick.symbol);
    if (!market) return;
    const now = clock.now();
    const normalized = normalizeTick(tick, market.pair, now);
    if (normalized === null) {
      const { price: received, marketTime } = tick;
      warn(market, { received, marketTime }, 'an unacceptable price was dropped');
      return;
    }
    lastTickAt = Math.max(lastTickAt ?? normalized.pricedAt, normalized.pricedAt);
    onTick?.(normalized.source, now);
    const { last } = market;
    const isOfOtherSource = last !== null && last.source !== normalized.source;
    if (isOfOtherSource && isInUse(tick.symbol)) {
      holdPrice(market, 'source', normalized, now);
      return;
    }
    const breaks = isOfOtherSource || tick.breaks === true;
    if (!breaks && (isOlder(market, normalized, now) || isDuplicate(market, normalized))) return;
    if (!breaks && isShut(market, normalized, now)) freezeAtClose(market, normalized, now);
    else admit(market, normalized, breaks, now);
  }

  /**
   * Compares by receive time as well as market time: a cached price makes no newer one older, nor itself younger. A tick that
   * is older than an absurd price does not contradict that price. After the clock was set back, earlier receive times lie in
   * the future and are ignored.
   */
  function isOlder({ tickedAt, last, hold }: SymbolState, normalized: NormalizedTick, now: number): boolean {
    // After a restart only the live market goes on, with what was held back of it.
    if (last === null || (tickedAt === null && !isProvider(normalized.source))) return false;
    for (const before of [tickedAt, hold?.kind === 'jump' ? hold.newest?.marketTime : undefined]) {
      if (typeof before !== 'number') continue;
      // `normalizeTick` cut a provider time in the future to the present.
      const isAhead = isProvider(normalized.source) && before > now;
      if (normalized.marketTime < before && !isAhead) return true;
    }
    return tickedAt !== null && normalized.pricedAt < last.pricedAt && last.pricedAt <= now;
  }

  /** A failing source repeats its last price: with the same age it is a duplicate. */
  function isDuplicate(
    { tickedAt, last, isOpenBySource, isHeldBySource }: SymbolState,
    normalized: NormalizedTick,
  ): boolean {
    if (tickedAt === null || last === null) return false;
    const isSameStatus =
      normalized.isOpenBySource === isOpenBySource && normalized.isHeldBySource === isHeldBySource;
    return (
      isSameStatus &&
      normalized.price === last.price &&
      normalized.pricedAt === last.pricedAt &&
      normalized.marketTime === tickedAt
    );
  }

  /** The closing price is the last one of the session, whatever the source sends later; a polled source may send it late. */
  function isShut({ pair, tickedAt, last }: SymbolState, normalized: NormalizedTick, now: number): boolean {
    if (tickedAt === null || last === null || states.isOpen(pair, { ...normalized, isWithheld: false }, now))
      return false;
    return normalized.source !== 'yahoo' || normalized.marketTime <= last.marketTime;
  }

  function freezeAtClose(market: SymbolState, normalized: NormalizedTick, now: number): void {
    if (!market.last) return;
    market.tickedAt = getOrderTime(market, normalized);
    market.isOpenBySource = normalized.isOpenBySource;
    market.isHeldBySource = normalized.isHeldBySource;
    const { pricedAt, marketTime } = normalized;
    publish(market, { ...market.last, pricedAt, marketTime }, now);
  }

  /** `breaks`: the tick is not compared with earlier ones. */
  function admit(market: SymbolState, normalized: NormalizedTick, breaks: boolean, now: number): void {
    const { pair, last } = market;
    const isOpen = states.isOpen(pair, { ...normalized, isWithheld: false }, now);
    // A restart must not make a price of one that was held back before it.
    const goesOn = market.tickedAt !== null || isProvider(normalized.source);
    // After a break, and for the first price after a close, there is no price to compare with (A106).
    const isCompared = !breaks && goesOn && !(market.isClosingPrice && isOpen);
    const previous = isCompared ? last : null;
    if (previous === null) {
      market.jumps = createJumpGuard(pair.type);
    } else if (
      !market.jumps.admits(toNumber(previous.price), toNumber(normalized.price), normalized.marketTime)
    ) {
      holdPrice(market, 'jump', normalized, now);
      return;
    }
    market.hold = null;
    market.tickedAt = getOrderTime(market, normalized);
    market.isOpenBySource = normalized.isOpenBySource;
    market.isHeldBySource = normalized.isHeldBySource;
    // A provider that lags still shows the price of the close.
    if (isOpen && !states.isDelayed(normalized.source, normalized.marketTime, now))
      market.isClosingPrice = false;
    const { price, source, pricedAt, marketTime, day } = normalized;
    // A tick without figures keeps the last ones of the day, if they come from the same source.
    const figures = day ? normalizeDayFigures(day) : last?.source === source ? last : emptyDayFigures;
    publish(market, { ...figures, symbol: pair.symbol, price, source, pricedAt, marketTime }, now);
  }

  function holdPrice(
    market: SymbolState,
    kind: HeldPrice['kind'],
    normalized: NormalizedTick,
    now: number,
  ): void {
    const { hold, last, pair } = market;
    const { newest = null, since = now } = hold?.kind === kind ? hold : {};
    // An earlier tick is not the newest, unless the clock was set back.
    if (newest && normalized.pricedAt < newest.pricedAt && newest.pricedAt <= now) return;
    market.hold = { kind, newest: normalized, since: newest === null ? now : since };
    refreshState(market, now);
    if (kind === 'jump' && market.last) changed.set(pair.symbol, market.last);
    const details = { price: toNumber(normalized.price), last: last && toNumber(last.price) };
    if (kind === 'jump') warn(market, details, 'an absurd price is held back');
    else if (newest === null) {
      const sources = { source: normalized.source, lastSource: last?.source };
      log.warn(
        { symbol: pair.symbol, ...details, ...sources },
        'a price of another source is held back; accept_price lets it through',
      );
    }
  }

  /** What speaks for or against the last price at this moment. */
  function observe({ hold, isOpenBySource, isClosingPrice }: SymbolState, price: PricedAt): PriceObservation {
    const { source, pricedAt, marketTime } = price;
    // Nothing trades at a price that a newer one contradicts (A110).
    const isWithheld = hold !== null || isClosingPrice;
    return { source, pricedAt, marketTime, isOpenBySource, isWithheld };
  }

  /** Takes the price over, publishes it and hands it to the store. */
  function publish(
    market: SymbolState,
    price: Omit<MarketPrice, 'state' | 'marketOpen' | 'held'>,
    now: number,
  ): void {
    const state = states.getState(market.pair, observe(market, price), now);
    const marketOpen = state !== 'closed';
    if (!marketOpen) {
      market.isClosingPrice = true;
      // Of a session that is over; the first price of the next one is exempt (A106).
      if (market.hold?.kind === 'jump') market.hold = null;
    }
    const published: MarketPrice = { ...price, state, marketOpen, held: isHeld(market) };
    market.last = published;
    changed.set(published.symbol, published);
    tickCount += 1;
    bus.publish('market.tick', tickOf(published));
  }

  /** Publishes the price again when it is worth something else now. */
  function refreshState(market: SymbolState, now: number): void {
    const { last, pair } = market;
    if (!last) return;
    const state = states.getState(pair, observe(market, last), now);
    if (state !== last.state || isHeld(market) !== last.held) publish(market, last, now);
  }

  function warn(market: SymbolState, details: object, message: string): void {
    const now = clock.now();
    if (now - market.warnedAt < warnEveryMs) return;
    market.warnedAt = now;
    log.warn({ symbol: market.pair.symbol, ...details }, message);
  }

  function knownPrices(): MarketPrice[] {
    return [...markets.values()].flatMap(({ last }) => last ?? []);
  }

  function acceptHeld({ symbol, kind, since, price, source, pricedAt, marketTime }: HeldPrice): boolean {
    const market = markets.get(symbol);
    if (market?.hold?.kind !== kind || market.hold.since !== since || !market.hold.newest) return false;
    admit(market, { ...market.hold.newest, price, source, pricedAt, marketTime }, true, clock.now());
    return true;
  }

  function rejectHeld({ symbol, kind, since }: HeldPrice): boolean {
    const market = markets.get(symbol);
    if (market?.hold?.kind !== kind || market.hold.since !== since) return false;
    if (kind === 'jump') {
      market.hold = null;
      market.jumps = createJumpGuard(market.pair.type);
    } else {
      market.hold = { kind, newest: null, since };
    }
    refreshState(market, clock.now());
    return true;
  }

  return {
    take,
    setPairs(listed) {
      const symbols = new Set(listed.map(({ symbol }) => symbol));
      for (const symbol of markets.keys()) {
        if (symbols.has(symbol)) continue;
        markets.delete(symbol);
        changed.delete(symbol);
      }
      for (const pair of listed) {
        const market = markets.get(pair.symbol);
        if (market) market.pair = pair;
        else markets.set(pair.symbol, createSymbolState(pair));
      }
    },
    restore(prices, sourceOf) {
      const now = clock.now();
      for (const { heldBack = null, ...price } of prices) {
        const market = markets.get(price.symbol);
        if (!market) continue;
        // A polled market may have opened and closed since: its hours decide, not the last tick.
        market.isOpenBySource = price.marketOpen || isProvider(price.source);
        market.isClosingPrice = !price.marketOpen;
        if (heldBack && states.isOpen(market.pair, observe(market, price), now))
          market.hold = toHold(heldBack, price.source);
        else if (sourceOf(price.symbol) !== price.source)
          market.hold = { kind: 'source', newest: null, since: now };
        const normalized = observe(market, price);
        const state = states.getState(market.pair, normalized, now);
        market.last = { ...price, state, marketOpen: state !== 'closed', held: isHeld(market) };
        // It closed while the server was down.
        if (state === 'closed') market.isClosingPrice = true;
        if (state !== price.state) changed.set(price.symbol, market.last);
      }
    },
    holds: () =>
      [...markets.values()].flatMap(({ pair, hold, last }) => {
        if (!hold?.newest || !last) return [];
        const { kind, since, newest } = hold;
        const { price, source, pricedAt, marketTime } = newest;
        return { symbol: pair.symbol, kind, price, source, last, pricedAt, marketTime, since };
      }),
    acceptHeld,
    rejectHeld,
    heldForSourceChange: () =>
      [...markets].flatMap(([symbol, { hold }]) =>
        hold?.kind === 'source' && hold.newest !== null ? symbol : [],
      ),
    release(symbols) {
      for (const symbol of symbols) {
        const market = markets.get(symbol);
        if (market?.hold?.kind === 'source' && market.hold.newest)
          admit(market, market.hold.newest, true, clock.now());
      }
    },
    price: (symbol) => markets.get(symbol)?.last ?? undefined,
    prices: knownPrices,
    isStale(symbol, now) {
      const market = markets.get(symbol);
      return !market?.last || states.isStale(market.pair, observe(market, market.last), now);
    },
    refreshStates() {
      const now = clock.now();
      for (const market of markets.values()) refreshState(market, now);
    },
    ticks: () => knownPrices().map(tickOf),
    takeChanged(isDue = () => true) {
      const prices = [...changed.values()].filter(isDue);
      for (const { symbol } of prices) changed.delete(symbol);
      return prices.map((price) => ({ ...price, heldBack: toHeldJump(markets.get(price.symbol)) }));
    },
    returnChanged(prices) {
      for (const { heldBack: _heldBack, ...price } of prices) {
        if (markets.has(price.symbol) && !changed.has(price.symbol)) changed.set(price.symbol, price);
      }
    },
    lastTickAt: () => lastTickAt,
    tickCount: () => tickCount,
  };
}

/** The time against which the next tick is compared; a time that is not the source's own is ignored. */
const getOrderTime = ({ tickedAt }: SymbolState, { marketTime, isAhead }: NormalizedTick): number =>
  isAhead ? (tickedAt ?? 0) : marketTime;

/** A source without any tick yet has no price that could be held. */
const isHeld = ({ hold, isHeldBySource }: SymbolState): boolean =>
  isHeldBySource || (hold !== null && hold.newest !== null);

/** What a restart must not forget; what is held because of its source is known at each start. */
function toHeldJump(market: SymbolState | undefined): HeldJump | null {
  if (market?.hold?.kind !== 'jump' || !market.hold.newest) return null;
  const { since, newest } = market.hold;
  const { price, pricedAt, marketTime } = newest;
  return { price, pricedAt, marketTime, since };
}

function toHold({ since, ...heldBack }: HeldJump, source: Source): SymbolState['hold'] {
  const defaults = { isAhead: false, isOpenBySource: true, isHeldBySource: false, day: null };
  const newest: NormalizedTick = { ...heldBack, ...defaults, source };
  return { kind: 'jump', newest, since };
}

type PricedAt = Pick<MarketPrice, 'source' | 'pricedAt' | 'marketTime'>;

const createSymbolState = (pair: TradingPair): SymbolState => ({
  pair,
  jumps: createJumpGuard(pair.type),
  hold: null,
  last: null,
  tickedAt: null,
  isOpenBySource: true,
  isHeldBySource: false,
  isClosingPrice: false,
  warnedAt: -Infinity,
});
