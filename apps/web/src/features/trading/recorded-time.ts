/** Formats the time of a replay for the status bar: its date and time, and its speed or state. */
import type { RecordedClock } from '@fulcrum/contract';
import { formatSpeed } from '../../shared/time/speed.ts';

/** `Recorded Tue 13 Dec 2022 00:51:20 UTC · 60×`; `dateAndTime` is the time of the replay's clock. */
export function formatRecordedTime(dateAndTime: string, clock: RecordedClock | null): string {
  const plays = clock === null ? '' : ` · ${formatPace(clock)}`;
  return `Recorded ${dateAndTime}${plays}`;
}

function formatPace({ speed, paused, waits_for }: RecordedClock): string {
  if (waits_for !== null) return `Paused: staff decide about ${waits_for}`;
  if (paused) return 'Paused';
  return speed === 0 ? 'Ended' : formatSpeed(speed);
}
