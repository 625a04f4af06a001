/**
 * Whether the page still hears from the server, and whether what it shows can be traded on, in the words of one quiet line. A
 * blip is not worth a word: the line comes after some seconds without a link and goes a moment after the link is back. Time
 * before the first link is the page's start, which takes longer.
 */
export interface Sighting {
  readonly nowMs: number;
  /** The account's channel is joined. */
  readonly isLinked: boolean;
  /** What the browser believes about its network. */
  readonly isOnline: boolean;
  /** Since when prices that the page follows have not come; null while it follows none. */
  readonly silentSinceMs: number | null;
  readonly isTradingHalted: boolean;
}

export type Connection =
  | { readonly state: 'connected' }
  | { readonly state: 'back' | 'halted' }
  /** `sinceMs` is when the link was lost, or the last price came. */
  | { readonly state: 'offline' | 'reconnecting' | 'silent'; readonly sinceMs: number };

const startGraceMs = 10_000;
const graceMs = 3_000;
const silenceMs = 15_000;
const backMs = 4_000;
const connected: Connection = { state: 'connected' };

/** Answers one sighting after the other, in the order of time. */
export function createConnectionWatch(startedMs: number) {
  let lostMs: number | null = startedMs;
  let linkedMs: number | null = null;
  let backUntilMs = 0;
  let wasTold = false;

  const lost = ({ nowMs, isOnline }: Sighting): Connection => {
    lostMs ??= nowMs;
    if (nowMs - lostMs < (linkedMs === null ? startGraceMs : graceMs)) return connected;
    wasTold = true;
    return { state: isOnline ? 'reconnecting' : 'offline', sinceMs: lostMs };
  };

  return {
    see(sighting: Sighting): Connection {
      const { nowMs, isLinked, silentSinceMs, isTradingHalted } = sighting;
      if (!isLinked) return lost(sighting);
      if (lostMs !== null) linkedMs = nowMs;
      lostMs = null;
      if (wasTold) backUntilMs = nowMs + backMs;
      wasTold = false;
      if (nowMs < backUntilMs) return { state: 'back' };
      if (isTradingHalted) return { state: 'halted' };
      // A link that is new has not been silent for long.
      const sinceMs = Math.max(silentSinceMs ?? nowMs, linkedMs ?? nowMs);
      return nowMs - sinceMs < silenceMs ? connected : { state: 'silent', sinceMs };
    },
    /** Nobody looked for a while: what was seen before says nothing about now. */
    rest(nowMs: number): void {
      if (lostMs !== null) lostMs = nowMs;
      if (linkedMs !== null) linkedMs = nowMs;
    },
  };
}
