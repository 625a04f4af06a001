/**
 * The levels of the trading day: the session's volume-weighted average price, and the high and low of the day before.
 * They are computed from the loaded bars alone. Invariant: a day whose beginning is not loaded gives no level. Known
 * limitations: bars of a day or longer have none, and a bar counts at its typical price, (high + low + close) / 3.
 */
import { isIntraday, type Timeframe, tradingDay, tradingDayStart } from '@fulcrum/domain';
import type { Bar } from './bars.ts';

export interface DayLevel {
  readonly vwap: number | null;
  readonly high: number | null;
  readonly low: number | null;
  /** Bars are missing in the day that the figures come from. */
  readonly hasGap: boolean;
}

const none: DayLevel = { vwap: null, high: null, low: null, hasGap: false };

interface Day {
  readonly name: number;
  readonly isWhole: boolean;
  hasGap: boolean;
  high: number;
  low: number;
  turnover: number;
  volume: number;
}

/** One entry per bar, oldest first. */
export function dayLevels(
  bars: readonly Bar[],
  { timeframe, tradingHours }: { readonly timeframe: Timeframe; readonly tradingHours: string },
): DayLevel[] {
  if (!isIntraday(timeframe)) return bars.map(() => none);
  let before: Day | null = null;
  let day: Day | null = null;
  const levels: DayLevel[] = [];
  for (const { timestamp, high, low, close, volume, gap } of bars) {
    const name = tradingDay(tradingHours, timestamp);
    if (day === null || day.name !== name) {
      before = day;
      const isWhole: boolean = before !== null || timestamp <= tradingDayStart(tradingHours, name);
      day = { name, isWhole, hasGap: false, high, low, turnover: 0, volume: 0 };
      // Bars that are missing before the day's first one belong to the day before.
      if (gap === true && before !== null) before.hasGap = true;
    } else if (gap === true) day.hasGap = true;
    day.high = Math.max(day.high, high);
    day.low = Math.min(day.low, low);
    day.turnover += ((high + low + close) / 3) * volume;
    day.volume += volume;
    const known = before?.isWhole === true ? before : null;
    levels.push({
      vwap: day.isWhole && day.volume > 0 ? day.turnover / day.volume : null,
      high: known?.high ?? null,
      low: known?.low ?? null,
      hasGap: day.hasGap || known?.hasGap === true,
    });
  }
  return levels;
}
