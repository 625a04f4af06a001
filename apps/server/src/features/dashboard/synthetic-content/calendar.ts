/**
 * The economic calendar: the publication times of each series, and generated figures, drawn from the seed, the series
 * and the number of the publication. Invariants: the actual figure of one publication is the previous figure of the next;
 * a published event never changes later, except that its actual figure appears.
 */
import type { CalendarEvent } from '@fulcrum/contract';
import { dayMs, minuteMs, tradingCalendar } from '@fulcrum/domain';
import type { Draws } from './draws.ts';
import { type Indicator, indicators, type Zone } from './indicators.ts';
import { formatFigure, formatSignedFigure } from './wording.ts';

/** Figures are rounded as they are written; null: a speech has none. */
export interface Publication {
  readonly indicator: Indicator;
  /** Ms since the epoch. */
  readonly at: number;
  readonly figures: Figures | null;
}

export interface Figures {
  readonly forecast: number;
  readonly previous: number;
  readonly actual: number;
}

const shownPast = 3;
const shown = 10;
/** Weekly series alone fill ten events in four days. */
const lookBackMs = 10 * dayMs;
const lookAheadMs = 14 * dayMs;

const clockOf = (zone: Zone) => tradingCalendar(`${zone}|Mon-Fri 09:00-17:00`).zone;

/** The instant at which the clock of `zone` shows `time` on the day of `midnight` (00:00 UTC of its date). */
function instantOf(midnight: number, time: string, zone: Zone): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const wall = midnight + (hours * 60 + minutes) * minuteMs;
  const clock = clockOf(zone);
  // Offsets change at night: the one of an instant nearby is that of the hour of publication.
  return wall - clock.offsetAt(wall - clock.offsetAt(wall));
}

/** Monday is 1, as in the table; 1 January 1970 was a Thursday. */
const weekdayOf = (midnight: number): number => ((midnight / dayMs + 3) % 7) + 1;

/** The number of the publication on that day, one more each time; null when there is none. */
function getPublicationNumber({ schedule }: Indicator, midnight: number): number | null {
  if (weekdayOf(midnight) !== schedule.weekday) return null;
  if (schedule.every === 'week') return Math.floor((midnight / dayMs + 3) / 7);
  const date = new Date(midnight);
  if (Math.ceil(date.getUTCDate() / 7) !== schedule.nth) return null;
  const { months } = schedule;
  if (!months) return date.getUTCFullYear() * 12 + date.getUTCMonth();
  const inYear = [...months].sort((a, b) => a - b).indexOf(date.getUTCMonth() + 1);
  return inYear < 0 ? null : date.getUTCFullYear() * months.length + inYear;
}

const rounded = (value: number, decimals: number): number => {
  const scale = 10 ** decimals;
  // No minus before a zero.
  return Math.round(value * scale) / scale + 0;
};

/** The figures of the publication with that number. Neighbours share two draws of three, as real series move slowly. */
function drawActual({ id, kind, base, spread, decimals }: Indicator, number: number, draws: Draws): number {
  if (kind === 'policy') {
    const steps = Math.max(-1, Math.min(1, Math.round(draws.bell(id, 'level', Math.floor(number / 3)))));
    return rounded(base + steps * spread, decimals);
  }
  const bells = [0, 1, 2].map((back) => draws.bell(id, number - back));
  const [now = 0, before = 0, earlier = 0] = bells;
  return rounded(base + spread * (0.7 * now + 0.5 * before + 0.3 * earlier), decimals);
}

function drawFigures(indicator: Indicator, number: number, draws: Draws): Figures | null {
  const { id, kind, spread, decimals } = indicator;
  if (kind === 'speech') return null;
  const actual = drawActual(indicator, number, draws);
  const previous = drawActual(indicator, number - 1, draws);
  if (kind === 'policy') {
    // A central bank rarely surprises.
    const forecast = draws.unit(id, 'expected', number) < 0.9 ? actual : previous;
    return { forecast, previous, actual };
  }
  const surprise = draws.bell(id, 'surprise', number) * spread * 0.35;
  return { forecast: rounded(actual - surprise, decimals), previous, actual };
}

/** By generator and by the day of the offices' clocks: a day is generated once and shared by all readers. */
const cachedDays = new WeakMap<Draws, Map<number, readonly Publication[]>>();
const cachedDaysMax = 128;

function getDay(draws: Draws, midnight: number): readonly Publication[] {
  const days = cachedDays.get(draws) ?? new Map<number, readonly Publication[]>();
  cachedDays.set(draws, days);
  const known = days.get(midnight);
  if (known) return known;
  const cached = indicators.flatMap((indicator): Publication[] => {
    const number = getPublicationNumber(indicator, midnight);
    if (number === null) return [];
    const at = instantOf(midnight, indicator.time, indicator.zone);
    return [{ indicator, at, figures: drawFigures(indicator, number, draws) }];
  });
  const oldest = days.size >= cachedDaysMax ? days.keys().next() : undefined;
  if (oldest && !oldest.done) days.delete(oldest.value);
  days.set(midnight, cached);
  return cached;
}

/** All publications of `[from, to)`, by time, those of one instant by impact. */
export function listPublications(draws: Draws, from: number, to: number): Publication[] {
  const found: Publication[] = [];
  // A day of an office's clock begins up to 14 h before and ends up to 12 h after that of UTC.
  const first = Math.floor((from - dayMs) / dayMs) * dayMs;
  for (let midnight = first; midnight <= to + dayMs; midnight += dayMs) {
    found.push(...getDay(draws, midnight).filter(({ at }) => at >= from && at < to));
  }
  return found.sort(
    (left, right) =>
      left.at - right.at ||
      impactOrder[left.indicator.impact] - impactOrder[right.indicator.impact] ||
      (left.indicator.id < right.indicator.id ? -1 : 1),
  );
}

const impactOrder = { high: 0, medium: 1, low: 2 } as const;

/** As it is written, with its unit; a change and a balance carry their sign. */
export function formatIndicatorFigure({ kind, decimals, unit }: Indicator, value: number): string {
  const isSigned = kind === 'change' || kind === 'balance';
  return `${(isSigned ? formatSignedFigure : formatFigure)(value, decimals)}${unit}`;
}

/** DASH-30: the last three that were published and the seven that come next, the earliest first. */
export function tenEvents(draws: Draws, now: number): CalendarEvent[] {
  const past = listPublications(draws, now - lookBackMs, now + 1).slice(-shownPast);
  const coming = listPublications(draws, now + 1, now + lookAheadMs);
  return [...past, ...coming].slice(0, shown).map((publication) => eventOf(publication, now));
}

function eventOf({ indicator, at, figures }: Publication, now: number): CalendarEvent {
  const { id, country, title, impact } = indicator;
  const text = (value: number | undefined) =>
    value === undefined ? null : formatIndicatorFigure(indicator, value);
  return {
    id: `${id} ${new Date(at).toISOString()}`,
    at: new Date(at).toISOString(),
    country,
    title,
    impact,
    forecast: text(figures?.forecast),
    previous: text(figures?.previous),
    actual: at <= now ? text(figures?.actual) : null,
  };
}
