/**
 * The connection state that the status line shows: whether the server is reachable and whether prices are fresh. A short
 * interruption is not shown: the line appears after some seconds without a connection and disappears shortly after it is back.
 * The first connection of a page may take longer.
 */
export interface ConnectionSample {
  readonly nowMs: number;
  /** The account's channel is joined. */
  readonly isLinked: boolean;
  /** The network state that the browser reports. */
  readonly isOnline: boolean;
  /** Since when subscribed prices have not arrived; null without subscriptions. */
  readonly silentSinceMs: number | null;
  readonly isTradingHalted: boolean;
}

export type Connection =
  | { readonly state: 'connected' }
  | { readonly state: 'back' | 'halted' }
  /** `sinceMs` is when the connection was lost, or the last price arrived. */
  | { readonly state: 'offline' | 'reconnecting' | 'silent'; readonly sinceMs: number };

const startGraceMs = 10_000;
const graceMs = 3_000;
const silenceMs = 15_000;
const backMs = 4_000;
const connected: Connection = { state: 'connected' };

/** Creates a monitor; samples must be in order of time. */
export function createConnectionMonitor(startedMs: number) {
  let lostMs: number | null = startedMs;
  let linkedMs: number | null = null;
  let backUntilMs = 0;
  let wasShown = false;

  const lost = ({ nowMs, isOnline }: ConnectionSample): Connection => {
    lostMs ??= nowMs;
    if (nowMs - lostMs < (linkedMs === null ? startGraceMs : graceMs)) return connected;
    wasShown = true;
    return { state: isOnline ? 'reconnecting' : 'offline', sinceMs: lostMs };
  };

  return {
    see(sample: ConnectionSample): Connection {
      const { nowMs, isLinked, silentSinceMs, isTradingHalted } = sample;
      if (!isLinked) return lost(sample);
      if (lostMs !== null) linkedMs = nowMs;
      lostMs = null;
      if (wasShown) backUntilMs = nowMs + backMs;
      wasShown = false;
      if (nowMs < backUntilMs) return { state: 'back' };
      if (isTradingHalted) return { state: 'halted' };
      // A new connection cannot have been silent for long.
      const sinceMs = Math.max(silentSinceMs ?? nowMs, linkedMs ?? nowMs);
      return nowMs - sinceMs < silenceMs ? connected : { state: 'silent', sinceMs };
    },
    /** Resets the monitor after the page was hidden: older samples are meaningless. */
    rest(nowMs: number): void {
      if (lostMs !== null) lostMs = nowMs;
      if (linkedMs !== null) linkedMs = nowMs;
    },
  };
}
