/** The chart's nine timeframes (case matters: 1m is a minute, 1M a month) and their names. */
import { type Timeframe, timeframes } from '@fulcrum/domain';

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

const minutesOf = { m: 1, h: 60, d: 1440, w: 10_080 } as const;
const timeframeMinutes: Readonly<Partial<Record<Timeframe, number>>> = {
  '1m': 1,
  '5m': 5,
  '15m': 15,
  '30m': 30,
  '1h': 60,
  '4h': 240,
  '1d': 1440,
  '1w': 10_080,
};

/**
 * The timeframe that a user types: `15`, `4h`, `1D`; a figure alone is minutes, and only a capital M is a month. Null
 * for one that the chart does not offer.
 */
export function parseTimeframe(text: string): Timeframe | null {
  const [, digits, unit = 'm'] = /^\s*(\d{1,5})\s*([a-zA-Z]?)\s*$/.exec(text) ?? [];
  if (digits === undefined) return null;
  const count = Number(digits);
  if (unit === 'M') return count === 1 ? '1M' : null;
  const named = unit === '' ? 'm' : unit.toLowerCase();
  if (named !== 'm' && named !== 'h' && named !== 'd' && named !== 'w') return null;
  const minutes = count * minutesOf[named];
  return timeframes.find((one) => timeframeMinutes[one] === minutes) ?? null;
}
