/**
 * The text about a pair's trading hours. Invariant: an opening is announced only when the hours contain a future one.
 * Known limitation: a recording does not state whether it continues, so its closed market has no opening. Within its
 * market's hours, the text states that nothing is recorded, whether the recording ended or has a gap.
 */
import { ALWAYS_OPEN, isMarketOpen, nextOpening } from '@fulcrum/domain';
import { formatLongInstant } from '../../shared/time/dates.ts';
import type { Freshness } from './prices/freshness.ts';

export interface TradingStatusInput {
  readonly freshness: Freshness;
  readonly tradingHours: string;
  readonly isReplay: boolean;
  /** The market's current time, ms since the epoch. */
  readonly marketNow: number;
}

/** When a closed market opens again, ms since the epoch; null while it is open or no opening is known. */
export function getNextOpening({
  freshness,
  tradingHours,
  isReplay,
  marketNow,
}: TradingStatusInput): number | null {
  if (freshness !== 'closed' || isReplay || isMarketOpen(tradingHours, marketNow)) return null;
  return nextOpening(tradingHours, marketNow);
}

export function getTradingStatusLabel(input: TradingStatusInput): string {
  const { freshness, tradingHours, isReplay, marketNow } = input;
  if (freshness === 'missing') return 'No prices';
  if (freshness !== 'closed') return tradingHours === ALWAYS_OPEN ? 'Open 24/7' : 'Open';
  const opening = getNextOpening(input);
  if (opening !== null) return `Opens in ${formatWait(opening - marketNow)}`;
  return isReplay && isMarketOpen(tradingHours, marketNow) ? 'Not recorded' : 'Closed';
}

const minutesPerHour = 60;
const minutesPerDay = 24 * minutesPerHour;

/** A wait in its two largest units, rounded up to the minute: `2 d 4 h`, `3 h 12 min`, `5 min`. */
export function formatWait(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  const [days, hours, rest] = [
    Math.floor(minutes / minutesPerDay),
    Math.floor((minutes % minutesPerDay) / minutesPerHour),
    minutes % minutesPerHour,
  ];
  const parts = [
    { figure: days, unit: 'd' },
    { figure: hours, unit: 'h' },
    { figure: rest, unit: 'min' },
  ];
  const first = parts.findIndex(({ figure }) => figure > 0);
  return parts
    .slice(first, first + 2)
    .filter(({ figure }) => figure > 0)
    .map(({ figure, unit }) => `${figure} ${unit}`)
    .join(' ');
}

/** The exact opening: `Opens on Friday 20 November at 14:30 GMT`. */
export const formatOpeningTitle = (opening: number, timeZone?: string): string =>
  `Opens on ${formatLongInstant(opening, timeZone)}`;
