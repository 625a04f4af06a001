import { calendarEvent, impacts } from '@fulcrum/contract';
import { dayMs, hourMs } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { formatIndicator, getTenEvents, listPublications } from './calendar.ts';
import { createDraw } from './draws.ts';
import { indicators } from './indicators.ts';

const draw = createDraw('a seed');
const monday = Date.UTC(2026, 10, 23);
const year = listPublications(draw, monday - 365 * dayMs, monday);

describe('the ten events', () => {
  test('DASH-30, DASH-31: at any hour there are ten of the stated shape, the earliest first', () => {
    for (let hour = 0; hour < 14 * 24; hour += 5) {
      const events = getTenEvents(draw, monday + hour * hourMs);
      expect(events).toHaveLength(10);
      for (const event of events) {
        calendarEvent.parse(event);
        expect(impacts).toContain(event.impact);
      }
      const times = events.map(({ at }) => Date.parse(at));
      expect(times).toEqual([...times].sort((left, right) => left - right));
      expect(new Set(events.map(({ id }) => id)).size).toBe(10);
    }
  });

  test('a past event has its actual figure, a future one has none; nothing else of an event changes', () => {
    const before = getTenEvents(draw, monday);
    const next = before.find(({ actual, forecast }) => actual === null && forecast !== null);
    if (!next) throw new Error('nothing to come');
    const later = getTenEvents(draw, Date.parse(next.at)).find(({ id }) => id === next.id);
    expect(later).toEqual({ ...next, actual: expect.any(String) });
    expect(getTenEvents(draw, Date.parse(next.at) - 1).find(({ id }) => id === next.id)).toEqual(next);
  });

  test('the same seed and moment make the same events, another seed other figures', () => {
    expect(getTenEvents(createDraw('a seed'), monday)).toEqual(getTenEvents(draw, monday));
    expect(getTenEvents(createDraw('another'), monday)).not.toEqual(getTenEvents(draw, monday));
  });
});

describe('publications', () => {
  test('the actual figure of one is the previous of the next', () => {
    let compared = 0;
    for (const { id } of indicators) {
      const series = year.filter(({ indicator }) => indicator.id === id);
      series.slice(1).forEach(({ figures }, index) => {
        expect(figures?.previous).toBe(series[index]?.figures?.actual);
        compared += 1;
      });
    }
    expect(compared).toBeGreaterThan(500);
  });

  test('they come on working days, at the hour of their office whatever the season', () => {
    const payrolls = year.filter(({ indicator }) => indicator.title === 'Nonfarm Payrolls');
    expect(payrolls).toHaveLength(12);
    const local = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'America/New_York',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
    });
    for (const { at } of payrolls) expect(local.format(at)).toMatch(/^Fri,? 08:30$/);
    expect(new Set(payrolls.map(({ at }) => new Date(at).getUTCHours()))).toEqual(new Set([12, 13]));
    for (const { indicator } of year) expect(indicator.schedule[1]).toBeLessThanOrEqual(5);
  });

  test('figures stay near realistic values, and surprises are small', () => {
    for (const { indicator, figures } of year) {
      if (!figures) continue;
      const { base, spread, decimals } = indicator;
      const step = 10 ** -decimals;
      expect(Math.abs(figures.actual - base)).toBeLessThanOrEqual(2 * spread + step);
      expect(Math.abs(figures.actual - figures.forecast)).toBeLessThanOrEqual(spread + step);
    }
  });

  test('they are written with sign and unit', () => {
    const of = (title: string) => indicators.find((one) => one.title === title) ?? expect.unreachable();
    expect(formatIndicator(of('Retail Sales m/m'), 0.3)).toBe('+0.3%');
    expect(formatIndicator(of('Natural Gas Storage'), -18)).toBe('−18B');
    expect(formatIndicator(of('Continuing Claims'), 1940)).toBe('1,940K');
    expect(formatIndicator(of('ISM Services PMI'), 52)).toBe('52.0');
  });
});
