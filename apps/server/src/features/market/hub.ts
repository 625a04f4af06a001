/**
 * The one place where a feed's tick becomes a price. Invariants: a price is positive and on the pair's ticks; per
 * symbol, neither market time nor the time of hearing runs back unless the source vouches for it; in a shut market the
 * price stands still; under somebody's position or order a price never passes from one source to another by itself;
 * every price taken over, and every change of what it is worth, is published once and handed to the store.
 */
import type { Tick } from '@fulcrum/contract';
import { type Price, type TradingPair, toNumber } from '@fulcrum/domain';
import type { Bus } from '../../platform/bus/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Config } from '../../platform/config/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { FeedTick, Source } from './feed.ts';
import { type Heard, hear, noFigures, readFigures } from './heard.ts';
import { createJumpGuard, type JumpGuard } from './jump-guard.ts';
import { type MarketPrice, tickOf } from './price.ts';
import { createPriceStates, type HeardPrice, isProvider } from './price-state.ts';

/** A faulty source says the same thing many times a second; once a minute and symbol is enough. */
const warnEveryMs = 60_000;

/** A price that waits for staff. Times in ms since the epoch. */
export interface HeldPrice {
  readonly symbol: string;
  /** `jump`: absurd against the last price (A106). `source`: it comes from another source than the last one. */
  readonly kind: 'jump' | 'source';
  readonly price: Price;
  readonly source: Source;
  readonly last: Pick<MarketPrice, 'price' | 'source'>;
  /** When it was heard, and the market's own time of it. */
  readonly pricedAt: number;
  readonly marketTime: number;
  /** Since when prices are held back. */
  readonly since: number;
}

export interface Hub {
  take(tick: FeedTick): void;
  /** Replaces the pairs that are listed. The prices of those that stay are kept, those of the others are forgotten. */
  list(pairs: readonly TradingPair[]): void;
  /**
   * Prices of an earlier process: shown with their age. Where `sourceOf` does not name the price's own source, nothing
   * opens on it before that source has spoken again. A live source goes on where it stood, so its first tick is compared
   * with the last one before the start (A106); any other replaces it whatever it says.
   */
  restore(prices: readonly MarketPrice[], sourceOf: (symbol: string) => Source | null): void;
  /** The newest price that is held back of each symbol. */
  holds(): HeldPrice[];
  /**
   * Lets this price through that `holds` told, as staff may who know that it is right (A106), and none that came after it:
   * those are compared with it. False when nothing is held back for that reason any more.
   */
  acceptHeld(held: HeldPrice): boolean;
  /**
   * Drops this price that `holds` told: the last one stands, and the next absurd one is held anew. Under another source than
   * the last price's nothing opens all the same. False when nothing is held back for that reason any more.
   */
  rejectHeld(held: HeldPrice): boolean;
  /** Symbols whose last price is of another source than what they get now. */
  heldBySource(): string[];
  /** Nobody's money hangs on these symbols any more: what was held back because of their source is let through. */
  release(symbols: Iterable<string>): void;
  price(symbol: string): MarketPrice | undefined;
  prices(): readonly MarketPrice[];
  /** Whether nothing may open or fire on it at `now`: missing, too old, held back, or behind its market. */
  isStale(symbol: string, now: number): boolean;
  /** To be called about once a second: publishes the prices whose state changed without a tick, at their old age. */
  review(): void;
  ticks(): Tick[];
  /** Prices that changed since the last call. */
  takeChanged(): MarketPrice[];
  /** Hands back prices whose storing failed; newer ones keep their place. */
  returnChanged(prices: readonly MarketPrice[]): void;
  /** When a source was last heard. */
  lastTickAt(): number | null;
}

export interface HubOptions {
  readonly pairs: readonly TradingPair[];
  readonly config: Pick<Config, 'sessions' | 'staleAfterS'>;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Log;
  /** Whether somebody's money hangs on the symbol; left out: on none. */
  readonly isInUse?: (symbol: string) => boolean;
  /** Told of each tick that may become a price. */
  readonly onHeard?: (source: Source, at: number) => void;
}

interface Market {
  pair: TradingPair;
  jumps: JumpGuard;
  /** What is kept back; `newest` is null while a source has not spoken yet. */
  hold: { readonly kind: HeldPrice['kind']; readonly newest: Heard | null; readonly since: number } | null;
  last: MarketPrice | null;
  /** Market time of the last tick taken from the running source; null before the first. */
  tickedAt: number | null;
  isOpenBySource: boolean;
  /** The last price is that of a close: nothing trades on it before the first one of the next session. */
  isOfClose: boolean;
  warnedAt: number;
}

export function createHub(options: HubOptions): Hub {
  const { pairs, config, clock, bus, log, isInUse = () => false, onHeard } = options;
  const states = createPriceStates(config);
  const markets = new Map<string, Market>(pairs.map((pair) => [pair.symbol, marketOf(pair)]));
  const changed = new Map<string, MarketPrice>();
  let lastTickAt: number | null = null;

  function take(tick: FeedTick): void {
    const market = markets.get(tick.symbol);
    if (!market) return;
    const now = clock.now();
    const heard = hear(tick, market.pair, now);
    if (heard === null) {
      const { price: received, marketTime } = tick;
      warn(market, { received, marketTime }, 'an unacceptable price was dropped');
      return;
    }
    lastTickAt = Math.max(lastTickAt ?? heard.pricedAt, heard.pricedAt);
    onHeard?.(heard.source, now);
    const { last } = market;
    const isOfOtherSource = last !== null && last.source !== heard.source;
    if (isOfOtherSource && isInUse(tick.symbol)) {
      keepBack(market, 'source', heard, now);
      return;
    }
    const breaks = isOfOtherSource || tick.breaks === true;
    if (!breaks && (isOlder(market, heard, now) || isSaidAgain(market, heard))) return;
    if (!breaks && isShut(market, heard, now)) standStill(market, heard, now);
    else admit(market, heard, breaks, now);
  }

  /**
   * Not by market time, and not by the time of hearing: a cached price makes no newer one older, nor itself younger. After a
   * clock that was set back what was heard before lies ahead, and says nothing.
   */
  function isOlder({ tickedAt, last }: Market, heard: Heard, now: number): boolean {
    if (tickedAt === null || last === null) return false;
    // A provider's own time was cut at the present when it was heard.
    const isTickedAhead = isProvider(heard.source) && tickedAt > now;
    if (heard.marketTime < tickedAt && !isTickedAhead) return true;
    return heard.pricedAt < last.pricedAt && last.pricedAt <= now;
  }

  /** A source that fails tells its last price again: at the same age it is no news. */
  function isSaidAgain({ tickedAt, last, isOpenBySource }: Market, heard: Heard): boolean {
    if (tickedAt === null || last === null) return false;
    const isSamePrice = heard.price === last.price && heard.isOpenBySource === isOpenBySource;
    return isSamePrice && heard.pricedAt === last.pricedAt && heard.marketTime === tickedAt;
  }

  /** The closing price is the last one of the session, whatever the source still says; a polled one may tell it late. */
  function isShut({ pair, tickedAt, last }: Market, heard: Heard, now: number): boolean {
    if (tickedAt === null || last === null || states.isOpen(pair, { ...heard, isWithheld: false }, now))
      return false;
    return heard.source !== 'yahoo' || heard.marketTime <= last.marketTime;
  }

  function standStill(market: Market, heard: Heard, now: number): void {
    if (!market.last) return;
    market.tickedAt = heard.marketTime;
    market.isOpenBySource = heard.isOpenBySource;
    const { pricedAt, marketTime } = heard;
    keep(market, { ...market.last, pricedAt, marketTime }, now);
  }

  /** `breaks`: nothing that came before speaks against it. */
  function admit(market: Market, heard: Heard, breaks: boolean, now: number): void {
    const { pair, last } = market;
    const isOpen = states.isOpen(pair, { ...heard, isWithheld: false }, now);
    // A restart must not make a price of one that was held back before it.
    const goesOn = market.tickedAt !== null || isProvider(heard.source);
    // Nothing to compare with after a break, and for the first price after a close (A106).
    const isCompared = !breaks && goesOn && !(market.isOfClose && isOpen);
    const previous = isCompared ? last : null;
    if (previous === null) {
      market.jumps = createJumpGuard(pair.type);
    } else if (!market.jumps.admits(toNumber(previous.price), toNumber(heard.price), heard.marketTime)) {
      keepBack(market, 'jump', heard, now);
      return;
    }
    market.hold = null;
    market.tickedAt = heard.marketTime;
    market.isOpenBySource = heard.isOpenBySource;
    // A provider that lags still shows the price of the close.
    if (isOpen && !states.isBehind(heard.source, heard.marketTime, now)) market.isOfClose = false;
    const { price, source, pricedAt, marketTime, day } = heard;
    // A tick without figures says nothing about the day: the last ones stand, if they are of the same source.
    const figures = day ? readFigures(day) : last?.source === source ? last : noFigures;
    keep(market, { ...figures, symbol: pair.symbol, price, source, pricedAt, marketTime }, now);
  }

  function keepBack(market: Market, kind: HeldPrice['kind'], heard: Heard, now: number): void {
    const { hold, last, pair } = market;
    const { newest = null, since = now } = hold?.kind === kind ? hold : {};
    // What was heard before is not the newest, unless the clock was set back.
    if (newest && heard.pricedAt < newest.pricedAt && newest.pricedAt <= now) return;
    market.hold = { kind, newest: heard, since: newest === null ? now : since };
    const details = { price: toNumber(heard.price), last: last && toNumber(last.price) };
    if (kind === 'jump') warn(market, details, 'an absurd price is held back');
    else if (newest === null) {
      const sources = { source: heard.source, lastSource: last?.source };
      log.warn(
        { symbol: pair.symbol, ...details, ...sources },
        'a price of another source is held back; accept_price lets it through',
      );
      judge(market, now);
    }
  }

  /** What speaks for or against the last price at this moment. */
  function heardOf({ hold, isOpenBySource, isOfClose }: Market, price: PricedAt): HeardPrice {
    const { source, pricedAt, marketTime } = price;
    const isWithheld = hold?.kind === 'source' || isOfClose;
    return { source, pricedAt, marketTime, isOpenBySource, isWithheld };
  }

  /** Takes the price over, publishes it and hands it to the store. */
  function keep(market: Market, price: Omit<MarketPrice, 'state' | 'marketOpen'>, now: number): void {
    const state = states.stateOf(market.pair, heardOf(market, price), now);
    const kept: MarketPrice = { ...price, state, marketOpen: state !== 'closed' };
    if (!kept.marketOpen) market.isOfClose = true;
    market.last = kept;
    changed.set(kept.symbol, kept);
    bus.publish('market.tick', tickOf(kept));
  }

  /** Publishes the price again when it is worth something else now. */
  function judge(market: Market, now: number): void {
    const { last, pair } = market;
    if (last && states.stateOf(pair, heardOf(market, last), now) !== last.state) keep(market, last, now);
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
    return true;
  }

  return {
    take,
    list(listed) {
      const symbols = new Set(listed.map(({ symbol }) => symbol));
      for (const symbol of markets.keys()) {
        if (symbols.has(symbol)) continue;
        markets.delete(symbol);
        changed.delete(symbol);
      }
      for (const pair of listed) {
        const market = markets.get(pair.symbol);
        if (market) market.pair = pair;
        else markets.set(pair.symbol, marketOf(pair));
      }
    },
    restore(prices, sourceOf) {
      const now = clock.now();
      for (const price of prices) {
        const market = markets.get(price.symbol);
        if (!market) continue;
        // A polled market may have opened and shut since: its hours decide, not what was last heard.
        market.isOpenBySource = price.marketOpen || isProvider(price.source);
        market.isOfClose = !price.marketOpen;
        if (sourceOf(price.symbol) !== price.source)
          market.hold = { kind: 'source', newest: null, since: now };
        const heard = heardOf(market, price);
        const state = states.stateOf(market.pair, heard, now);
        market.last = { ...price, state, marketOpen: state !== 'closed' };
        // It shut while nobody ran.
        if (state === 'closed') market.isOfClose = true;
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
    heldBySource: () =>
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
    prices: known,
    isStale(symbol, now) {
      const market = markets.get(symbol);
      return !market?.last || states.isStale(market.pair, heardOf(market, market.last), now);
    },
    review() {
      const now = clock.now();
      for (const market of markets.values()) judge(market, now);
    },
    ticks: () => known().map(tickOf),
    takeChanged() {
      const prices = [...changed.values()];
      changed.clear();
      return prices;
    },
    returnChanged(prices) {
      for (const price of prices) {
        if (markets.has(price.symbol) && !changed.has(price.symbol)) changed.set(price.symbol, price);
      }
    },
    lastTickAt: () => lastTickAt,
  };
}

type PricedAt = Pick<MarketPrice, 'source' | 'pricedAt' | 'marketTime'>;

const marketOf = (pair: TradingPair): Market => ({
  pair,
  jumps: createJumpGuard(pair.type),
  hold: null,
  last: null,
  tickedAt: null,
  isOpenBySource: true,
  isOfClose: false,
  warnedAt: -Infinity,
});
