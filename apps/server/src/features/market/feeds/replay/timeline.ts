/**
 * The time that a replay plays. Recordings of different days run side by side by time of day, each counted from its first
 * midnight. A market whose recording has no candles for a while is closed until the next one. While every market is closed,
 * the replay plays one minute, so days follow one another and each close is emitted.
 * Invariant: played time rises with recorded time; both are equal until the first minute that is left out.
 */
import { minuteMs } from '@fulcrum/domain';
import type { Recording } from './recording.ts';

/** Longer than what thin trading leaves out, shorter than the shortest break of a market's own (an hour). */
const closedAfterMs = { crypto: 15 * minuteMs, other: 30 * minuteMs } as const;
/** What is played of time in which every market is closed. */
const closurePlayedMs = minuteMs;

/** Whether the market closes with the end of this candle. */
export function closesAfter({ candles, type }: Recording, index: number): boolean {
  const [candle, next] = [candles[index], candles[index + 1]];
  if (!candle || !next) return true;
  const silentMs = next.openTime - candle.openTime - minuteMs;
  return silentMs > (type === 'crypto' ? closedAfterMs.crypto : closedAfterMs.other);
}

interface OpenSpan {
  readonly from: number;
  readonly to: number;
}

export type Timeline = ReturnType<typeof createTimeline>;

export function createTimeline(recordings: readonly Recording[]) {
  const openSpans = recordings.flatMap(getOpenSpans).sort((left, right) => left.from - right.from);
  /** From each of these recorded instants on, no time is left out until the next one. */
  const pieces: { readonly recorded: number; readonly played: number }[] = [];
  let openUntil = Number.NaN;
  for (const { from, to } of openSpans) {
    const last = pieces.at(-1);
    if (!last) pieces.push({ recorded: from, played: from });
    else if (from > openUntil + closurePlayedMs) {
      pieces.push({ recorded: from, played: last.played + (openUntil - last.recorded) + closurePlayedMs });
    }
    openUntil = last ? Math.max(openUntil, to) : to;
  }

  const begin = pieces[0]?.played ?? 0;
  /** Played ms since the first midnight, of recorded ms since it. */
  function playedAt(recorded: number): number {
    const index = Math.max(
      pieces.findLastIndex((piece) => piece.recorded <= recorded),
      0,
    );
    const piece = pieces[index];
    if (!piece) return recorded;
    const played = piece.played + recorded - piece.recorded;
    return Math.min(played, (pieces[index + 1]?.played ?? Number.POSITIVE_INFINITY) - 1);
  }
  return {
    playedAt,
    recordedAt(played: number): number {
      const piece = pieces.findLast((one) => one.played <= played) ?? pieces[0];
      return piece ? piece.recorded + played - piece.played : played;
    },
    /** Where the first candle begins and the last one ends, in played ms. */
    begin,
    end: openSpans.length > 0 ? playedAt(openUntil) : begin,
  };
}

/** When the market of a recording is open, in recorded ms since its midnight. */
function getOpenSpans(recording: Recording): OpenSpan[] {
  const { candles, midnight } = recording;
  const openSpans: OpenSpan[] = [];
  let first = 0;
  for (const [index, { openTime }] of candles.entries()) {
    if (!closesAfter(recording, index)) continue;
    const from = (candles[first]?.openTime ?? openTime) - midnight;
    openSpans.push({ from, to: openTime + minuteMs - midnight });
    first = index + 1;
  }
  return openSpans;
}
