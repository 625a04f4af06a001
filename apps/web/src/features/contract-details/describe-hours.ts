/**
 * Describes a market's hours in words. The format is that of the domain's `hours.ts`, which also decides whether a
 * market is open. A part that does not match the format is shown as it is.
 */
import { ALWAYS_OPEN } from '@fulcrum/domain';

export interface HoursDescription {
  /** Such as `Monday to Friday, 09:30 to 16:00`, in the order of the week. */
  readonly lines: readonly string[];
  /** Such as `New York time`; null for a market that never closes. */
  readonly zone: string | null;
}

const days: Readonly<Record<string, string>> = {
  Mon: 'Monday',
  Tue: 'Tuesday',
  Wed: 'Wednesday',
  Thu: 'Thursday',
  Fri: 'Friday',
  Sat: 'Saturday',
  Sun: 'Sunday',
};
const segment = /^(\w{3})(?:-(\w{3}))? (\d{2}:\d{2})-(\d{2}:\d{2})$/;

function describeSpan(from: string, to: string): string {
  if (from === '00:00' && to === '24:00') return 'all day';
  if (from === '00:00') return `until ${to}`;
  return to === '24:00' ? `from ${from}` : `${from} to ${to}`;
}

function describeSegment(text: string): string {
  const [, first = '', last, from = '', to = ''] = segment.exec(text) ?? [];
  const start = days[first];
  if (start === undefined) return text;
  const end = last === undefined ? undefined : days[last];
  return `${end === undefined ? start : `${start} to ${end}`}, ${describeSpan(from, to)}`;
}

export function describeHours(tradingHours: string): HoursDescription {
  if (tradingHours === ALWAYS_OPEN) return { lines: ['All day, every day'], zone: null };
  const bar = tradingHours.indexOf('|');
  const zone = tradingHours.slice(0, Math.max(0, bar));
  const city = zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone;
  return {
    lines: tradingHours
      .slice(bar + 1)
      .split(';')
      .map(describeSegment),
    zone: `${city} time`,
  };
}
