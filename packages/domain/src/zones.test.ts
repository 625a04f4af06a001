import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayMs, hourMs } from './time.ts';
import { setBounded, zoneOf } from './zones.ts';

const at = (text: string) => Date.parse(text);

describe('how far a zone is ahead of UTC', () => {
  test.each([
    ['America/New_York', '2026-03-08T07:00:00Z', -5, -4],
    ['America/New_York', '2026-11-01T06:00:00Z', -4, -5],
    ['America/Chicago', '2026-03-08T08:00:00Z', -6, -5],
    ['America/Chicago', '2026-11-01T07:00:00Z', -5, -6],
    ['Europe/London', '2026-03-29T01:00:00Z', 0, 1],
    ['Europe/London', '2026-10-25T01:00:00Z', 1, 0],
    ['Europe/Paris', '2026-03-29T01:00:00Z', 1, 2],
    ['Europe/Paris', '2026-10-25T01:00:00Z', 2, 1],
    ['Australia/Sydney', '2026-04-04T16:00:00Z', 11, 10],
    ['Australia/Sydney', '2026-10-03T16:00:00Z', 10, 11],
    // Not every change is by an hour: Lord Howe's is by half of one.
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', 11, 10.5],
  ])('%s at %s goes from %f to %f hours', (name, change, before, after) => {
    const zone = zoneOf(name);
    // In both directions, so that a cached offset of one side is never returned for the other.
    for (const _ of [1, 2]) {
      expect(zone.offsetAt(at(change) - 1) / hourMs).toBe(before);
      expect(zone.offsetAt(at(change)) / hourMs).toBe(after);
      expect(zone.offsetAt(at(change) - 48 * hourMs) / hourMs).toBe(before);
      expect(zone.offsetAt(at(change) + 48 * hourMs) / hourMs).toBe(after);
    }
  });

  test.each(['UTC', 'Asia/Tokyo', 'Asia/Hong_Kong', 'Asia/Kolkata'])('%s never changes', (name) => {
    const offset = { UTC: 0, 'Asia/Tokyo': 9, 'Asia/Hong_Kong': 8, 'Asia/Kolkata': 5.5 }[name];
    for (let day = at('2026-01-01'); day < at('2027-01-01'); day += dayMs) {
      expect(zoneOf(name).offsetAt(day) / hourMs).toBe(offset);
    }
  });

  test('property: the wall clock it gives is that of the runtime', () => {
    const zones = [
      'America/New_York',
      'America/Chicago',
      'Europe/London',
      'Europe/Paris',
      'Australia/Sydney',
    ];
    const instants = fc.integer({ min: at('1975-01-01') / 1000, max: at('2060-01-01') / 1000 });
    fc.assert(
      fc.property(fc.constantFrom(...zones), instants, (name, seconds) => {
        const wallClock = new Date(seconds * 1000).toLocaleString('sv-SE', { timeZone: name });
        const instant = seconds * 1000 + zoneOf(name).offsetAt(seconds * 1000);
        expect(new Date(instant).toISOString().slice(0, 19).replace('T', ' ')).toBe(wallClock);
      }),
      { numRuns: 2_000 },
    );
  });

  test('an unknown zone is refused', () => {
    expect(() => zoneOf('Nowhere/Land')).toThrow(RangeError);
  });
});

test('a full cache lets its oldest entry go', () => {
  const cache = new Map<string, number>();
  for (const [value, key] of ['a', 'b', 'c'].entries()) setBounded(cache, 2, key, value);
  expect([...cache.keys()]).toEqual(['b', 'c']);
});
