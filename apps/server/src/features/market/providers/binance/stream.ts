/**
 * Streams of the exchange over one websocket that reconnects. After it ends it is reopened after 1, 2, 4, 8 and 16 s (FEED-17
 * to FEED-19, A31), then only on a new reason (`tryAgain`, a new stream). The first event, not the handshake, counts as
 * success: a server that accepts and stays silent would get a connection a second for ever. A second connection takes over as
 * soon as it delivers, before the exchange ends the first one at 24 h or after it announced its end, so no price is missed.
 * Invariant: at most two connections, and fewer attempts than the exchange bans for, also where prices and books have a websocket each.
 * Known limitation: beyond 1000 streams (the exchange allows 1024 a connection) the rest is left out.
 */
import { minuteMs } from '@fulcrum/domain';
import type { Outbound } from '../../../../platform/outbound/index.ts';
import type { Services } from '../../../../platform/services.ts';
import { type Connection, type ConnectionEvents, openConnection } from './connection.ts';
import type { MarketEvent } from './frames.ts';
import type { Warn } from './warnings.ts';
import type { WeightBudget } from './weight.ts';

const retriesMax = 5;
const retryFirstMs = 1_000;
const retryMsMax = 30_000;
/** How long to wait before the next try, after so many of them: 1 s, doubled each time, 30 s at most (FEED-17, FEED-19). */
export const reconnectDelayMs = (retries: number): number =>
  Math.min(retryFirstMs * 2 ** retries, retryMsMax);

/** The exchange ends a connection after 24 h. */
const rolloverAfterMs = (24 * 60 - 10) * minuteMs;
const rolloverRetryMs = minuteMs;
const streamsMax = 1_000;
/** The exchange bans an address after 300 attempts within 5 minutes. */
const attempts = { max: 100, withinMs: 5 * minuteMs } as const;
/** A request for a price retries a dead websocket, but no more often than this. */
const requestedEveryMs = minuteMs;

interface BinanceStream {
  /** Sets the streams, as the exchange names them. A new one retries a websocket that was given up. */
  setStreams(streams: ReadonlySet<string>): void;
  /** Retries a websocket that was given up, once in `everyMs` at most; does nothing while it is up or reconnects. */
  tryAgain(everyMs?: number): void;
  /** To be called once a second. */
  checkConnections(): void;
  /** What is wrong with it, in one line; null while prices flow or it is on its way. */
  fault(): string | null;
  /** Resolves when no socket and no timer is left. */
  stop(): Promise<void>;
}

interface BinanceStreamOptions extends Pick<Services, 'timers' | 'log'> {
  /** With the path of single or of combined streams. */
  readonly url: string;
  /** What follows where it is down, as in "prices are polled". */
  readonly fallback: string;
  readonly outbound: Pick<Outbound, 'connect'>;
  readonly budget: WeightBudget;
  readonly warn: Warn;
  readonly take: (event: MarketEvent) => void;
}

export function createBinanceStream({
  url,
  fallback,
  outbound,
  budget,
  timers,
  warn,
  log,
  take,
}: BinanceStreamOptions): BinanceStream {
  let required: ReadonlySet<string> = new Set();
  /** Kept over reconnections, so that refused ones are not tried again each time. */
  const refused = new Set<string>();
  let current: Connection | null = null;
  /** The one that is to take over. */
  let next: Connection | null = null;
  const open = new Set<Connection>();
  let retries = 0;
  let cancelRetry: (() => void) | null = null;
  let gaveUp = false;
  /** The handshake was answered with 451, for good. */
  let isRefused = false;
  let lastEnd: string | null = null;
  let triedAgainAt = -Infinity;
  let rolloverNotBefore = -Infinity;
  /** The connection whose end was announced last. */
  let expiring: Connection | null = null;
  let stopped = false;
  const attemptedAt: number[] = [];

  const getStreamed = (): string[] =>
    [...required].filter((stream) => !refused.has(stream)).slice(0, streamsMax);

  function openSocket(events: Pick<ConnectionEvents, 'flowing' | 'closed'>): Connection {
    attemptedAt.push(timers.now());
    if (attemptedAt.length > attempts.max) attemptedAt.shift();
    const connection = openConnection({
      url,
      streams: getStreamed(),
      outbound,
      timers,
      warn,
      log,
      events: {
        opened: () => log.debug('the websocket of the exchange is open'),
        event: take,
        refused: (stream) => refused.add(stream),
        shutdown: () => {
          expiring = connection;
          if (connection === current) rollOver();
        },
        handshakeRefused({ status, retryAfter }) {
          isRefused ||= status === 451;
          // A ban applies to the address; 451 applies to the websocket's host alone.
          const headers: Record<string, string> = retryAfter === null ? {} : { 'retry-after': retryAfter };
          if (status !== 451) budget.recordAnswer({ status, headers, text: '' });
        },
        flowing: events.flowing,
        closed(why) {
          open.delete(connection);
          events.closed(why);
        },
      },
    });
    open.add(connection);
    return connection;
  }

  function connect(): void {
    cancelRetry = null;
    if (stopped || current || isRefused || getStreamed().length === 0) return;
    const notBefore = Math.max(bannedUntil(), attemptFreeAt());
    const now = timers.now();
    if (now < notBefore) {
      cancelRetry = timers.after(notBefore - now, connect);
      return;
    }
    const connection = openSocket({
      flowing() {
        if (retries > 0) log.info({ url }, 'a websocket of the exchange flows again');
        retries = 0;
      },
      closed: (why) => ended(connection, why),
    });
    current = connection;
  }

  /** 451 of the REST interface does not apply to the websocket, which has another host. */
  const bannedUntil = (): number => (budget.refusedUntil() === Infinity ? -Infinity : budget.refusedUntil());

  const attemptFreeAt = (): number => {
    const [oldest] = attemptedAt;
    return oldest === undefined || attemptedAt.length < attempts.max ? -Infinity : oldest + attempts.withinMs;
  };

  function ended(connection: Connection, why: string): void {
    if (stopped) return;
    if (connection === next) {
      next = null;
      rolloverNotBefore = timers.now() + rolloverRetryMs;
      log.warn({ why }, 'the websocket that was to take over ended; the old one stays');
      return;
    }
    // The connection was replaced, or closed on purpose.
    if (connection !== current) return;
    lastEnd = why;
    current = next;
    next = null;
    if (!current) retryLater(why);
  }

  function retryLater(why: string): void {
    if (isRefused || retries >= retriesMax) {
      gaveUp = true;
      log.error({ why }, `the websocket of the exchange is given up; ${fallback}`);
      return;
    }
    const delayMs = reconnectDelayMs(retries);
    retries += 1;
    log.warn({ why, delayMs, retry: retries }, 'the websocket of the exchange ended; opening it again');
    cancelRetry = timers.after(delayMs, connect);
  }

  /** Opens a second connection; the first goes when prices flow through the second. */
  function rollOver(): void {
    if (stopped || next || timers.now() < Math.max(rolloverNotBefore, bannedUntil(), attemptFreeAt())) return;
    const connection = openSocket({
      flowing() {
        retries = 0;
        if (connection !== next) return;
        const old = current;
        current = connection;
        next = null;
        if (old) void old.close('replaced');
      },
      closed: (why) => ended(connection, why),
    });
    next = connection;
  }

  function tryAgain(everyMs = requestedEveryMs): void {
    const now = timers.now();
    if (stopped || !gaveUp || isRefused || Math.abs(now - triedAgainAt) < everyMs) return;
    triedAgainAt = now;
    gaveUp = false;
    retries = 0;
    connect();
  }

  return {
    setStreams(streams) {
      const hasNew = [...streams].some((stream) => !required.has(stream));
      required = new Set(streams);
      // A symbol that is listed again is tried again.
      for (const stream of refused) if (!required.has(stream)) refused.delete(stream);
      if (required.size > streamsMax)
        warn('more streams than one websocket takes; the rest is left out', { streams: required.size });
      for (const connection of open) connection.setStreams(getStreamed());
      if (hasNew) tryAgain();
      if (!current && !cancelRetry && !gaveUp) connect();
    },
    tryAgain,
    checkConnections() {
      const now = timers.now();
      // Without a stream, silence proves nothing.
      if (getStreamed().length > 0) for (const connection of open) connection.closeIfSilent(now);
      const openedAt = current?.openedAt() ?? null;
      if (openedAt === null) return;
      if (expiring === current || now - openedAt >= rolloverAfterMs) rollOver();
    },
    fault() {
      if (isRefused) return 'The websocket of the exchange does not serve this location (HTTP 451).';
      if (gaveUp) return `The websocket of the exchange is down (${lastEnd}); ${fallback}.`;
      return retries > 0 ? `The websocket of the exchange is being opened again (${lastEnd}).` : null;
    },
    async stop() {
      stopped = true;
      cancelRetry?.();
      await Promise.all([...open].map((connection) => connection.close('stopped')));
    },
  };
}
