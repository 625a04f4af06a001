/**
 * Every price of the page, outside React. One socket channel per topic however many ask (`prices` for all symbols,
 * `prices:{symbol}` for the one in view); each subscriber names the rate it can stand, has the last value at once and is
 * left alone while the page is hidden. Invariant: a price never goes back to an older one.
 *
 * Ages are measured on the server's clock: the smallest delay seen between a price and its arrival is taken for the
 * difference of the clocks. Known limitation: before the first price has moved that difference is unknown and taken as 0.
 */
import type { Tick } from '@fulcrum/contract';
import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js';
import { log } from '../../../shared/log/log.ts';
import type { LiveSource } from '../../../shared/numbers/index.ts';
import { noteFollowing, noteFrame, noteHalt } from './frames.ts';
import { createGate, type Gate } from './throttle.ts';

/** Without a frame for this long the socket is asked whether it still lives. */
const silenceMs = 5_000;
const watchEveryMs = 1_000;
const allSymbols = 'prices';
/** The server's own limits: one frame a second for all symbols, four for one. */
const defaultEveryMs = 250;

/** The last price of a symbol. One that came with the catalogue does not know the market's own time. */
export interface LastPrice extends Omit<Tick, 'market_time'> {
  readonly market_time: string | null;
}

export type FeedState = 'connecting' | 'live' | 'silent';
type Realtime = Pick<
  RealtimeClient,
  'channel' | 'removeChannel' | 'connect' | 'isConnected' | 'sendHeartbeat' | 'setAuth'
>;

interface Followed {
  /** Null until the topic's earlier channel is gone and the socket knows its token. */
  channel: RealtimeChannel | null;
  followers: number;
}

export interface PriceStream {
  /** Joins `prices` (null) or `prices:{symbol}` until the returned function is called. */
  readonly follow: (symbol: string | null) => () => void;
  readonly latest: (symbol: string) => LastPrice | undefined;
  /** Takes over prices that came another way, such as with the list of pairs. Older ones are ignored. */
  readonly take: (prices: readonly LastPrice[]) => void;
  /** Calls back after a change of the symbol's price, at most every `everyMs`. */
  readonly subscribe: (symbol: string, changed: () => void, everyMs?: number) => () => void;
  /** One figure of the symbol's tick for a `LiveFigure`. */
  readonly source: (symbol: string, pick: (tick: LastPrice) => number | null, everyMs?: number) => LiveSource;
  /** Age of the symbol's price in ms; Infinity without one. */
  readonly ageMs: (symbol: string) => number;
  /** The market's present, which differs from the wall's while a recorded day is replayed; ms since the epoch. */
  readonly marketNow: (symbol: string) => number;
  readonly state: () => FeedState;
}

interface PriceFrame {
  readonly ticks: readonly Tick[];
  readonly halted?: boolean;
}

const isPriceFrame = (payload: unknown): payload is PriceFrame =>
  typeof payload === 'object' && payload !== null && 'ticks' in payload && Array.isArray(payload.ticks);

export function createPriceStream(realtime: Realtime, page: Document = document): PriceStream {
  const ticks = new Map<string, LastPrice>();
  const gates = new Map<string, Set<Gate>>();
  const followed = new Map<string, Followed>();
  /** Topics whose channel is on its way out: the client would hand out the dying one for the same topic. */
  const leaving = new Map<string, Promise<unknown>>();
  let lastFrameAt: number | null = null;
  let askedAt = 0;
  let startedAt = 0;
  let watch: ReturnType<typeof setInterval> | undefined;
  let clockLead: number | null = null;

  const isHidden = () => page.visibilityState === 'hidden';

  function takeOne(tick: LastPrice): void {
    const held = ticks.get(tick.symbol);
    if (held && tick.priced_at < held.priced_at) return;
    if (held && tick.priced_at > held.priced_at) {
      const delay = Date.now() - Date.parse(tick.priced_at);
      clockLead = Math.min(clockLead ?? delay, delay);
    }
    // The catalogue repeats a price without the market's own time, which is then the one known.
    const isRepeat = held?.priced_at === tick.priced_at && tick.market_time === null;
    ticks.set(tick.symbol, isRepeat ? { ...tick, market_time: held.market_time } : tick);
    for (const gate of gates.get(tick.symbol) ?? []) gate.pass();
  }
  const take = (frame: readonly LastPrice[]) => {
    for (const tick of frame) takeOne(tick);
  };

  function onFrame(topic: string, payload: unknown): void {
    if (!isPriceFrame(payload)) return;
    if (topic === allSymbols) noteHalt(payload.halted === true);
    // A halt is told even where no price has come yet.
    if (payload.ticks.length === 0) return;
    lastFrameAt = Date.now();
    noteFrame(lastFrameAt);
    take(payload.ticks);
  }

  /** A dead link is found only after a minute, and a client that gave up stays down: look after it here. */
  function lookAfterSocket(): void {
    const now = Date.now();
    if (isHidden() || now - Math.max(lastFrameAt ?? 0, askedAt) < silenceMs) return;
    askedAt = now;
    if (!realtime.isConnected()) {
      realtime.connect();
      return;
    }
    // The second heartbeat without an answer makes the client connect anew.
    realtime.sendHeartbeat().catch((cause: unknown) => log.warn('The socket does not answer', cause));
  }

  function onVisibility(): void {
    for (const set of gates.values()) for (const gate of set) gate.shut(isHidden());
  }

  async function join(topic: string, entry: Followed): Promise<void> {
    await leaving.get(topic);
    // A private join before the socket knows its token would be refused.
    await realtime.setAuth();
    if (followed.get(topic) !== entry) return;
    const channel = realtime.channel(topic, { config: { private: topic !== allSymbols } });
    entry.channel = channel;
    channel
      .on('broadcast', { event: 'tick' }, ({ payload }) => onFrame(topic, payload))
      .subscribe((status, cause) => {
        if (status !== 'CHANNEL_ERROR' && status !== 'TIMED_OUT') return;
        log.warn(`${topic}: ${status}`, cause);
        // What was heard before may be over; the next join tells.
        if (topic === allSymbols && followed.get(topic) === entry) noteHalt(false);
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
    if (watch !== undefined) return;
    startedAt = askedAt = Date.now();
    noteFollowing(startedAt);
    watch = setInterval(lookAfterSocket, watchEveryMs);
    page.addEventListener('visibilitychange', onVisibility);
  }
  function stop(): void {
    clearInterval(watch);
    watch = undefined;
    noteFollowing(null);
    lastFrameAt = null;
    page.removeEventListener('visibilitychange', onVisibility);
  }

  function follow(symbol: string | null): () => void {
    const topic = symbol === null ? allSymbols : `${allSymbols}:${symbol}`;
    start();
    const held = followed.get(topic);
    if (held) {
      held.followers += 1;
    } else {
      const entry: Followed = { channel: null, followers: 1 };
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
      if (topic === allSymbols) noteHalt(false);
      if (entry.channel) leave(topic, entry.channel);
      if (followed.size === 0) stop();
    };
  }

  function subscribe(symbol: string, changed: () => void, everyMs = defaultEveryMs): () => void {
    const gate = createGate(changed, everyMs, isHidden());
    const set = gates.get(symbol) ?? new Set<Gate>();
    gates.set(symbol, set.add(gate));
    return () => {
      gate.close();
      set.delete(gate);
      if (set.size === 0) gates.delete(symbol);
    };
  }

  const pricedAt = (tick: LastPrice) => Date.parse(tick.priced_at) + (clockLead ?? 0);

  return {
    follow,
    take,
    subscribe,
    latest: (symbol) => ticks.get(symbol),
    source: (symbol, pick, everyMs) => ({
      get: () => {
        const tick = ticks.get(symbol);
        return tick ? pick(tick) : null;
      },
      subscribe: (changed) => subscribe(symbol, changed, everyMs),
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
  };
}
