/**
 * What the screen says of a pair's session. Invariant: an opening is announced only when the hours tell one that lies
 * ahead. Known limitation: a recording does not say whether it goes on, so its shut market is closed without an opening.
 */
import { ALWAYS_OPEN, isMarketOpen, nextOpening } from '@fulcrum/domain';
import type { Freshness } from './prices/freshness.ts';

export interface SessionMoment {
  readonly freshness: Freshness;
  readonly tradingHours: string;
  readonly isReplay: boolean;
  /** The market's present, ms since the epoch. */
  readonly marketNow: number;
}

/** When a shut market opens again, ms since the epoch; null while it is open, and when no hours tell. */
export function openingAfter({ freshness, tradingHours, isReplay, marketNow }: SessionMoment): number | null {
  if (freshness !== 'closed' || isReplay || isMarketOpen(tradingHours, marketNow)) return null;
  return nextOpening(tradingHours, marketNow);
}

export function sessionWord(moment: SessionMoment): string {
  const { freshness, tradingHours, isReplay, marketNow } = moment;
  if (freshness === 'missing') return 'No prices';
  if (freshness !== 'closed') return tradingHours === ALWAYS_OPEN ? 'Open 24/7' : 'Open';
  const opening = openingAfter(moment);
  if (opening !== null) return `Opens in ${waitText(opening - marketNow)}`;
  return isReplay && isMarketOpen(tradingHours, marketNow) ? 'Recording ended' : 'Closed';
}

const minutesPerHour = 60;
const minutesPerDay = 24 * minutesPerHour;

/** A wait in its two largest units, rounded up to the minute: `2 d 4 h`, `3 h 12 min`, `5 min`. */
export function waitText(ms: number): string {
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

const instant = (timeZone?: string) =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  });
const ofReader = instant();

/** An opening or closing (ms since the epoch) in the reader's zone: `Friday 20 November at 14:30 GMT`. */
export const instantInWords = (at: number, timeZone?: string): string =>
  (timeZone === undefined ? ofReader : instant(timeZone)).format(at);

/** The exact opening: `Opens on Friday 20 November at 14:30 GMT`. */
export const openingTitle = (opening: number, timeZone?: string): string =>
  `Opens on ${instantInWords(opening, timeZone)}`;
