/** The chart's nine timeframes (case matters: 1m is a minute, 1M a month) and their names. */
import type { Timeframe } from '@fulcrum/domain';

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
