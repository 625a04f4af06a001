/**
 * How long a trader has waited for an answer, against the target of five minutes. Pure: the current time is a
 * parameter.
 */
import { formatDuration } from '../../../shared/time/duration.ts';

const targetMs = 5 * 60_000;
const noticeMs = 2 * 60_000;
const hourS = 3_600;

export interface Wait {
  /** `m:ss`, from an hour on in its two largest units. */
  readonly text: string;
  /** Share of the target, at most 1. */
  readonly share: number;
  readonly level: 'calm' | 'long' | 'late';
  /** The accessible text, which does not depend on the colour. */
  readonly label: string;
}

const levelLabels = { calm: '', long: ', soon over the target', late: ', over the target' } as const;

export function getWait(since: string, nowMs: number): Wait {
  // The server's clock may be ahead of this one.
  const waitedMs = Math.max(0, nowMs - Date.parse(since));
  const seconds = Math.floor(waitedMs / 1_000);
  const level = waitedMs >= targetMs ? 'late' : waitedMs >= noticeMs ? 'long' : 'calm';
  const text =
    seconds >= hourS
      ? formatDuration(seconds)
      : `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, '0')}`;
  return {
    text,
    share: Math.min(1, waitedMs / targetMs),
    level,
    label: `Unanswered for ${formatDuration(seconds)}${levelLabels[level]}`,
  };
}
