import { AppError } from '@fulcrum/contract';
import { expect, test } from 'vitest';
import { createAsked } from './asked.ts';
import { createFlights } from './flights.ts';

test('ranges that touch or overlap become one, and only what was answered is covered', () => {
  const asked = createAsked();
  asked.answered({ from: 10, to: 20 });
  asked.answered({ from: 40, to: 50 });
  expect(asked.covers({ from: 15, to: 45 }, 0)).toBe(false);
  asked.answered({ from: 20, to: 30 });
  asked.answered({ from: 29, to: 41 });
  expect(asked.covers({ from: 10, to: 50 }, 0)).toBe(true);
  expect(asked.covers({ from: 9, to: 11 }, 0)).toBe(false);
  asked.answered({ from: 60, to: 60 });
  expect(asked.covers({ from: 60, to: 61 }, 0)).toBe(false);
});

test('the ranges of a series are bounded: the oldest in time is forgotten', () => {
  const asked = createAsked();
  for (let from = 0; from < 2000; from += 20) asked.answered({ from, to: from + 10 });
  expect(asked.covers({ from: 0, to: 10 }, 0)).toBe(false);
  expect(asked.covers({ from: 1980, to: 1990 }, 0)).toBe(true);
});

test('where a history begins is believed for hours, a provider without anything for minutes', () => {
  const hour = 3_600_000;
  const asked = createAsked();
  asked.nothingBefore(100, 0, 'older');
  asked.answered({ from: 100, to: 200 });
  expect(asked.covers({ from: -Infinity, to: 200 }, hour)).toBe(true);
  expect(asked.covers({ from: -Infinity, to: 200 }, 7 * hour)).toBe(false);
  const empty = createAsked();
  empty.nothingBefore(100, 0, 'atAll');
  expect(empty.covers({ from: -Infinity, to: 100 }, 60_000)).toBe(true);
  expect(empty.covers({ from: -Infinity, to: 100 }, hour)).toBe(false);
});

test('what is stored no more is asked for again', () => {
  const asked = createAsked();
  asked.answered({ from: 100, to: 200 });
  asked.nothingBefore(100, 0, 'older');
  asked.answeredNewest(200, 0);
  const answers = asked.answers();
  asked.forget();
  expect(asked.covers({ from: 150, to: 160 }, 1)).toBe(false);
  expect(asked.covers({ from: 0, to: 100 }, 1)).toBe(false);
  expect(asked.newest()).toBeNull();
  // What was read before is out of date.
  expect(asked.answers()).not.toBe(answers);
});

test('a failure is remembered for a minute', () => {
  const asked = createAsked();
  asked.failed('cause', 0);
  expect(asked.failure(59_999)).toMatchObject({ cause: 'cause' });
  expect(asked.failure(60_000)).toBeNull();
});

test('flights: one per key, so many at once, so many waiting, and one more is refused', async () => {
  const flights = createFlights<string>({ underWay: 1, waiting: 1 });
  const first = Promise.withResolvers<string>();
  const begun: string[] = [];
  const fly = (key: string, work: () => Promise<string>) =>
    flights.join(key, () => {
      begun.push(key);
      return work();
    });
  const one = fly('a', () => first.promise);
  const same = fly('a', async () => 'never');
  const next = fly('b', async () => 'b');
  await expect(fly('c', async () => 'c')).rejects.toBeInstanceOf(AppError);
  expect(begun).toEqual(['a']);
  first.reject(new Error('failed'));
  await expect(one).rejects.toThrow('failed');
  await expect(same).rejects.toThrow('failed');
  expect(await next).toBe('b');
  expect(await fly('c', async () => 'c')).toBe('c');
  expect(begun).toEqual(['a', 'b', 'c']);
});
