/**
 * Every price of the page, outside React. There is one socket channel per topic for all subscribers: `prices` for all
 * symbols, `prices:{symbol}` for the shown one. Each subscriber sets its maximum rate, receives the last value at
 * once, and is not called while the page is hidden. Invariant: a price is never replaced by an older one.
 *
 * Ages are measured on the server's clock. The smallest delay between a price and its arrival counts as the
 * difference of the clocks. Known limitation: before the first price change that difference is unknown and taken as
 * 0.
 */
import type { RecordedClock, Tick } from '@fulcrum/contract';
import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js';
import { log } from '../../../shared/log/log.ts';
import type { LiveSource } from '../../../shared/numbers/index.ts';
import { markFrameReceived, setReplayClock, setTradingHalted, updateFollowers } from './frames.ts';
import { createThrottle, type Throttle } from './throttle.ts';

/** After this long without a frame, the stream checks that the socket is alive. */
const silenceMs = 5_000;
const watchdogEveryMs = 1_000;
/** Frames with at most this between them come each second; after so many of them a longer pause counts as late. */
const rhythm = { gapMs: 2_000, frames: 5, lateMs: 3_000 } as const;
const allSymbols = 'prices';
/** The server's own limits: one frame a second for all symbols, four for one. */
const defaultEveryMs = 250;

/** The last price of a symbol. A price from the catalogue lacks the market's own time. */
export interface LastPrice extends Omit<Tick, 'market_time'> {
  readonly market_time: string | null;
}

export type FeedState = 'connecting' | 'live' | 'silent';
type Realtime = Pick<
  RealtimeClient,
  'channel' | 'removeChannel' | 'connect' | 'isConnected' | 'sendHeartbeat' | 'setAuth'
>;

interface FollowedPrices {
  /** Null until the topic's earlier channel is gone and the socket has its token. */
  channel: RealtimeChannel | null;
  followers: number;
}

export interface PriceStream {
  /** Joins `prices` (null) or `prices:{symbol}` until the returned function is called. */
  readonly follow: (symbol: string | null) => () => void;
  readonly latest: (symbol: string) => LastPrice | undefined;
  /** Takes over prices from other sources, such as the list of pairs. Older ones are ignored. */
  readonly addPrices: (prices: readonly LastPrice[]) => void;
  /** Calls back after a change of the symbol's price, at most every `everyMs`. */
  readonly subscribe: (symbol: string, onChange: () => void, everyMs?: number) => () => void;
  /** One figure of the symbol's tick for a `LiveFigure`. */
  readonly source: (symbol: string, pick: (tick: LastPrice) => number | null, everyMs?: number) => LiveSource;
  /** Age of the symbol's price in ms; Infinity without one. */
  readonly ageMs: (symbol: string) => number;
  /** The market's current time, which differs from the wall clock during a replay; ms since the epoch. */
  readonly marketNow: (symbol: string) => number;
  readonly state: () => FeedState;
  /** Whether no frame has arrived for some seconds, although they came each second before. */
  readonly isLate: () => boolean;
}

interface PriceFrame {
  readonly ticks: readonly Tick[];
  readonly halted?: boolean;
  readonly replay?: RecordedClock;
}

const isPriceFrame = (payload: unknown): payload is PriceFrame =>
  typeof payload === 'object' && payload !== null && 'ticks' in payload && Array.isArray(payload.ticks);

export function createPriceStream(realtime: Realtime, page: Document = document): PriceStream {
  const ticks = new Map<string, LastPrice>();
  const throttles = new Map<string, Set<Throttle>>();
  const followed = new Map<string, FollowedPrices>();
  /** Topics whose channel is leaving: the client would return that channel for the same topic. */
  const leaving = new Map<string, Promise<unknown>>();
  let lastFrameAt: number | null = null;
  /** Frames in a row with the rhythm of a second. */
  let framesInRhythm = 0;
  let heartbeatAt = 0;
  let startedAt = 0;
  let watchdog: ReturnType<typeof setInterval> | undefined;
  let clockLead: number | null = null;

  const isHidden = () => page.visibilityState === 'hidden';

  function addPrice(tick: LastPrice): void {
    const known = ticks.get(tick.symbol);
    if (known && tick.priced_at < known.priced_at) return;
    if (known && tick.priced_at > known.priced_at) {
      const delay = Date.now() - Date.parse(tick.priced_at);
      clockLead = Math.min(clockLead ?? delay, delay);
    }
    // The catalogue repeats a price without the market's own time; the known time is then used.
    const isRepeat = known?.priced_at === tick.priced_at && tick.market_time === null;
    // The catalogue also lacks a hold; the stream reports its end (A110).
    if (isRepeat && known.held) return;
    ticks.set(tick.symbol, isRepeat ? { ...tick, market_time: known.market_time } : tick);
    for (const throttle of throttles.get(tick.symbol) ?? []) throttle.trigger();
  }
  const addPrices = (frame: readonly LastPrice[]) => {
    for (const tick of frame) addPrice(tick);
  };

  function onFrame(topic: string, payload: unknown): void {
    if (!isPriceFrame(payload)) return;
    if (topic === allSymbols) {
      setTradingHalted(payload.halted === true);
      setReplayClock(payload.replay ?? null);
    }
    // A halt is reported even before there is any price.
    if (payload.ticks.length === 0) return;
    const now = Date.now();
    framesInRhythm = lastFrameAt !== null && now - lastFrameAt <= rhythm.gapMs ? framesInRhythm + 1 : 0;
    lastFrameAt = now;
    markFrameReceived(now);
    addPrices(payload.ticks);
  }

  /**
   * The client notices a dead connection only after a minute, and does not retry after it gave up; the stream checks
   * it.
   */
  function checkSocket(): void {
    const now = Date.now();
    if (isHidden() || now - Math.max(lastFrameAt ?? 0, heartbeatAt) < silenceMs) return;
    heartbeatAt = now;
    if (!realtime.isConnected()) {
      realtime.connect();
      return;
    }
    // The second heartbeat without an answer makes the client reconnect.
    realtime.sendHeartbeat().catch((cause: unknown) => log.warn('The socket does not answer', cause));
  }

  function onVisibility(): void {
    for (const set of throttles.values()) for (const throttle of set) throttle.setPaused(isHidden());
  }

  async function join(topic: string, entry: FollowedPrices): Promise<void> {
    await leaving.get(topic);
    // The server would refuse a private join before the socket has its token.
    await realtime.setAuth();
    if (followed.get(topic) !== entry) return;
    const channel = realtime.channel(topic, { config: { private: topic !== allSymbols } });
    entry.channel = channel;
    channel
      .on('broadcast', { event: 'tick' }, ({ payload }) => onFrame(topic, payload))
      .subscribe((status, cause) => {
        if (status !== 'CHANNEL_ERROR' && status !== 'TIMED_OUT') return;
        log.warn(`${topic}: ${status}`, cause);
        // The last known state may be outdated; the next join reports it again.
        if (topic === allSymbols && followed.get(topic) === entry) setTradingHalted(false);
      });
  }

  function leave(topic: string, channel: RealtimeChannel): void {
    const gone = realtime
      .removeChannel(channel)
      .catch((cause: unknown) => log.warn(`Leaving ${topic} failed`, cause))
      .finally(() => {
        if (leaving.get(topic) === gone) leaving.delete(topic);
      });
    leaving.set(topic, gone);
  }

  function start(): void {
    if (watchdog !== undefined) return;
    startedAt = heartbeatAt = Date.now();
    updateFollowers(startedAt);
    watchdog = setInterval(checkSocket, watchdogEveryMs);
    page.addEventListener('visibilitychange', onVisibility);
  }
  function stop(): void {
    clearInterval(watchdog);
    watchdog = undefined;
    updateFollowers(null);
    lastFrameAt = null;
    framesInRhythm = 0;
    page.removeEventListener('visibilitychange', onVisibility);
  }

  function follow(symbol: string | null): () => void {
    const topic = symbol === null ? allSymbols : `${allSymbols}:${symbol}`;
    start();
    const previous = followed.get(topic);
    if (previous) {
      previous.followers += 1;
    } else {
      const entry: FollowedPrices = { channel: null, followers: 1 };
      followed.set(topic, entry);
      join(topic, entry).catch((cause: unknown) => log.warn(`${topic} could not be joined`, cause));
    }
    let left = false;
    return () => {
      const entry = followed.get(topic);
      if (left || !entry) return;
      left = true;
      entry.followers -= 1;
      if (entry.followers > 0) return;
      followed.delete(topic);
      if (topic === allSymbols) {
        setTradingHalted(false);
        setReplayClock(null);
      }
      if (entry.channel) leave(topic, entry.channel);
      if (followed.size === 0) stop();
    };
  }

  function subscribe(symbol: string, onChange: () => void, everyMs = defaultEveryMs): () => void {
    const throttle = createThrottle(onChange, everyMs, isHidden());
    const set = throttles.get(symbol) ?? new Set<Throttle>();
    throttles.set(symbol, set.add(throttle));
    return () => {
      throttle.dispose();
      set.delete(throttle);
      if (set.size === 0) throttles.delete(symbol);
    };
  }

  const pricedAt = (tick: LastPrice) => Date.parse(tick.priced_at) + (clockLead ?? 0);

  return {
    follow,
    addPrices,
    subscribe,
    latest: (symbol) => ticks.get(symbol),
    source: (symbol, pick, everyMs) => ({
      get: () => {
        const tick = ticks.get(symbol);
        return tick ? pick(tick) : null;
      },
      subscribe: (onChange) => subscribe(symbol, onChange, everyMs),
    }),
    ageMs: (symbol) => {
      const tick = ticks.get(symbol);
      return tick ? Math.max(0, Date.now() - pricedAt(tick)) : Number.POSITIVE_INFINITY;
    },
    marketNow: (symbol) => {
      const tick = ticks.get(symbol);
      const present = Date.now() - (clockLead ?? 0);
      return tick?.source === 'replay' && tick.market_time ? Date.parse(tick.market_time) : present;
    },
    state: () => {
      if (Date.now() - (lastFrameAt ?? startedAt) > silenceMs) return 'silent';
      return lastFrameAt === null ? 'connecting' : 'live';
    },
    isLate: () =>
      lastFrameAt !== null && framesInRhythm >= rhythm.frames && Date.now() - lastFrameAt > rhythm.lateMs,
  };
}
