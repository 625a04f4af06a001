/** Logs a recording when it starts to play. */
import { minuteMs } from '@fulcrum/domain';
import type { Log } from '../../../../platform/log/index.ts';
import type { Recording } from './recording.ts';
import type { ReplayRun } from './run.ts';

/** A log line is no list of a hundred markets. */
const marketsShownMax = 20;
const iso = (instant: number): string => new Date(instant).toISOString();

export function logStart(
  log: Log,
  recordings: readonly Recording[],
  { begin, end }: Pick<ReplayRun, 'begin' | 'end'>,
  historyMs: number,
): void {
  const minutes = Math.round((end - begin) / minuteMs);
  const recorded = recordings.slice(0, marketsShownMax).map(({ symbol, candles }) => {
    const [from, to] = [candles[0]?.openTime ?? 0, (candles.at(-1)?.openTime ?? 0) + minuteMs];
    return `${symbol} ${iso(from)} to ${iso(to)}`;
  });
  log.info(
    { markets: recordings.length, recorded, historyMinutes: historyMs / minuteMs },
    `a recording of ${Math.floor(minutes / 60)} h ${minutes % 60} min plays`,
  );
}
