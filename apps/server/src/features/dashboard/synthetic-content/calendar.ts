/**
 * The economic calendar: the publications of each series at its hours, with figures drawn from the seed, the series and the
 * number of the publication. Invariants: the actual figure of one publication is the previous figure of the next; an event
 * never changes, except that its actual figure appears when it is out.
 */
import type { CalendarEvent } from '@fulcrum/contract';
import { dayMs, minuteMs, zoneOf } from '@fulcrum/domain';
import type { Draw } from './draws.ts';
import { type Indicator, indicators } from './indicators.ts';
import { formatFigure, formatSignedFigure } from './wording.ts';

export interface Publication {
  readonly indicator: Indicator;
  /** Ms since the epoch. */
  readonly at: number;
  /** Rounded as they are written; null: a speech has none. */
  readonly figures: { readonly forecast: number; readonly previous: number; readonly actual: number } | null;
}

const shownPast = 3;
const shown = 10;
/** The weekly series alone fill the ten within a week on either side. */
const lookbackMs = 7 * dayMs;
const lookaheadMs = 14 * dayMs;

/** The instant at which the clock of the office shows `time` on the day of `midnight` (00:00 UTC of its date). */
function instantOf(midnight: number, { time, zone: name }: Indicator): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const wallClock = midnight + (hours * 60 + minutes) * minuteMs;
  const zone = zoneOf(name);
  // Offsets change at night: the one of an instant nearby is that of the hour of publication.
  return wallClock - zone.offsetAt(wallClock - zone.offsetAt(wallClock));
}

/** The number of the publication on that day, one more each time; null when there is none. */
function getPublicationNumber({ schedule: [week, weekday, quarterly] }: Indicator, midnight: number) {
  // 1 January 1970 was a Thursday.
  const daysSinceMonday = midnight / dayMs + 3;
  if ((daysSinceMonday % 7) + 1 !== weekday) return null;
  if (week === 0) return Math.floor(daysSinceMonday / 7);
  const date = new Date(midnight);
  if (Math.ceil(date.getUTCDate() / 7) !== week) return null;
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + 1;
  if (quarterly === undefined) return month;
  return month % 3 === quarterly ? Math.floor(month / 3) : null;
}

// No minus before a zero.
const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals)) + 0;

/** Neighbours share a draw, as real series move slowly; a central bank moves by whole steps. */
function drawActual(draw: Draw, { id, kind, base, spread, decimals }: Indicator, number: number): number {
  const steps =
    kind === 'policy'
      ? Math.round(draw(id, Math.floor(number / 2)) * 2) - 1
      : 2.4 * draw(id, number) + 1.6 * draw(id, number - 1) - 2;
  return rounded(base + spread * steps, decimals);
}

function drawFigures(draw: Draw, indicator: Indicator, number: number): Publication['figures'] {
  const { id, kind, spread, decimals } = indicator;
  if (kind === 'speech') return null;
  const [actual, previous] = [number, number - 1].map((each) => drawActual(draw, indicator, each));
  if (actual === undefined || previous === undefined) return null;
  const surprise = draw(id, 'surprise', number);
  // A central bank rarely surprises.
  if (kind === 'policy') return { forecast: surprise < 0.9 ? actual : previous, previous, actual };
  return { forecast: rounded(actual + (surprise - 0.5) * spread, decimals), previous, actual };
}

const impactOrder = { high: 0, medium: 1, low: 2 } as const;

/** All publications of `[from, to)`, by time, those of one instant by impact. */
export function listPublications(draw: Draw, from: number, to: number): Publication[] {
  const found: Publication[] = [];
  // A day of an office's clock begins up to 14 h before and ends up to 12 h after that of UTC.
  for (let midnight = Math.floor(from / dayMs - 1) * dayMs; midnight <= to + dayMs; midnight += dayMs) {
    for (const indicator of indicators) {
      const number = getPublicationNumber(indicator, midnight);
      const at = number === null ? null : instantOf(midnight, indicator);
      if (number === null || at === null || at < from || at >= to) continue;
      found.push({ indicator, at, figures: drawFigures(draw, indicator, number) });
    }
  }
  return found.sort(
    (left, right) =>
      left.at - right.at || impactOrder[left.indicator.impact] - impactOrder[right.indicator.impact],
  );
}

/** As it is written, with its unit. */
export const formatIndicator = ({ kind, decimals, unit }: Indicator, value: number): string =>
  `${(kind === 'signed' ? formatSignedFigure : formatFigure)(value, decimals)}${unit}`;

/** DASH-30: the last three that were published and the seven that come next, the earliest first. */
export function getTenEvents(draw: Draw, now: number): CalendarEvent[] {
  const past = listPublications(draw, now - lookbackMs, now + 1).slice(-shownPast);
  const coming = listPublications(draw, now + 1, now + lookaheadMs);
  return [...past, ...coming].slice(0, shown).map(({ indicator, at, figures }) => {
    const { id, country, title, impact } = indicator;
    return {
      id: `${id} ${new Date(at).toISOString()}`,
      at: new Date(at).toISOString(),
      country,
      title,
      impact,
      forecast: figures && formatIndicator(indicator, figures.forecast),
      previous: figures && formatIndicator(indicator, figures.previous),
      actual: figures && at <= now ? formatIndicator(indicator, figures.actual) : null,
    };
  });
}
