/** The chart's nine timeframes (case matters: 1m is a minute, 1M a month) and the one this browser chose last. */
import { type Timeframe, timeframes } from '@fulcrum/domain';
import { create } from 'zustand';

export { timeframes } from '@fulcrum/domain';

export const defaultTimeframe: Timeframe = '15m';

export const timeframeNames: Readonly<Record<Timeframe, string>> = {
  '1m': '1 minute',
  '5m': '5 minutes',
  '15m': '15 minutes',
  '30m': '30 minutes',
  '1h': '1 hour',
  '4h': '4 hours',
  '1d': '1 day',
  '1w': '1 week',
  '1M': '1 month',
};

const key = 'fulcrum-timeframe';

function remembered(): Timeframe {
  const stored = localStorage.getItem(key);
  return timeframes.find((timeframe) => timeframe === stored) ?? defaultTimeframe;
}

/** One choice for every chart of the page. */
export const useTimeframe = create<{ readonly timeframe: Timeframe }>(() => ({ timeframe: remembered() }));

export function chooseTimeframe(timeframe: Timeframe): void {
  localStorage.setItem(key, timeframe);
  useTimeframe.setState({ timeframe });
}
