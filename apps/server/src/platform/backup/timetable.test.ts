import { hourMs } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { backupName, expiredBackups } from './folder.ts';
import { ageMaxMs, lastDue, nextDue } from './timetable.ts';

const at = (text: string) => Date.parse(`${text}Z`);
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16);
const once = [3 * 60 + 15];
const twice = [0, 18 * 60];

describe('a backup is due', () => {
  test.each([
    [once, '2026-11-24T03:14', '2026-11-23T03:15', '2026-11-24T03:15'],
    [once, '2026-11-24T03:15', '2026-11-24T03:15', '2026-11-25T03:15'],
    [twice, '2026-11-24T17:59', '2026-11-24T00:00', '2026-11-24T18:00'],
    [twice, '2026-12-31T23:59', '2026-12-31T18:00', '2027-01-01T00:00'],
    [[23 * 60 + 59], '2026-03-01T00:00', '2026-02-28T23:59', '2026-03-01T23:59'],
  ])('at %j: at %s last at %s and next at %s', (times, now, last, next) => {
    expect(iso(lastDue(times, at(now)))).toBe(last);
    expect(iso(nextDue(times, at(now)))).toBe(next);
  });

  test.each([
    [once, 30],
    [twice, 22.5],
    [[0, 6 * 60, 12 * 60, 18 * 60], 7.5],
  ])('at %j: the newest is too old after %d hours', (times, hours) => {
    expect(ageMaxMs(times) / hourMs).toBe(hours);
  });
});

test('a name holds the instant and the installation, and is allowed on every file system', () => {
  expect(backupName(at('2026-11-27T03:15:00'), '3f2a9c01-0000-4000-8000-000000000000')).toBe(
    'fulcrum-20261127T031500Z-3f2a9c01.fulcrum',
  );
});

test('the last days with a backup stay, whole, and the days without one do not count', () => {
  const instants = ['11-27T15:15', '11-27T03:15', '11-20T15:15', '11-20T03:15', '11-19T15:15', '10-01T03:15'];
  const retained = (days: number) => {
    const files = instants.map((text) => ({ file: text, at: at(`2026-${text}`) }));
    const expired = new Set(expiredBackups(files, days).map(({ file }) => file));
    return instants.filter((text) => !expired.has(text));
  };
  expect(retained(1)).toEqual(instants.slice(0, 2));
  expect(retained(2)).toEqual(instants.slice(0, 4));
  expect(retained(14)).toEqual(instants);
  expect(expiredBackups([], 1)).toEqual([]);
});
