/**
 * The user's own fills of a pair as the chart sees them, and the bars that they belong to. The chart knows nothing of
 * accounts: the text of a fill comes with it.
 */
import { barStart } from '@fulcrum/domain';
import type { BarSpec } from './bars.ts';

export interface FillMark {
  readonly id: string;
  /** Ms since the epoch. */
  readonly at: number;
  readonly side: 'BUY' | 'SELL';
  /** Side, size, price and, of a close, the result. */
  readonly text: string;
}

/** The fills of each bar, by the bar's timestamp. */
export function fillsByBar(
  fills: readonly FillMark[],
  { timeframe, tradingHours }: BarSpec,
): ReadonlyMap<number, readonly FillMark[]> {
  const byBar = new Map<number, FillMark[]>();
  for (const fill of fills) {
    const bar = barStart(timeframe, fill.at, tradingHours);
    const others = byBar.get(bar);
    if (others) others.push(fill);
    else byBar.set(bar, [fill]);
  }
  return byBar;
}
