import { AppError } from '@fulcrum/contract';
import { hourMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { createFetchLog } from './fetch-log.ts';
import { createSingleFlight } from './single-flight.ts';

test('ranges that touch or overlap become one, and only what was answered is covered', () => {
  const fetchLog = createFetchLog();
  fetchLog.addAnswer({ from: 10, to: 20 });
  fetchLog.addAnswer({ from: 40, to: 50 });
  expect(fetchLog.covers({ from: 15, to: 45 }, 0)).toBe(false);
  fetchLog.addAnswer({ from: 20, to: 30 });
  fetchLog.addAnswer({ from: 29, to: 41 });
  expect(fetchLog.covers({ from: 10, to: 50 }, 0)).toBe(true);
  expect(fetchLog.covers({ from: 9, to: 11 }, 0)).toBe(false);
  fetchLog.addAnswer({ from: 60, to: 60 });
  expect(fetchLog.covers({ from: 60, to: 61 }, 0)).toBe(false);
});

test('the ranges of a series are bounded: the oldest in time is forgotten', () => {
  const fetchLog = createFetchLog();
  for (let from = 0; from < 2000; from += 20) fetchLog.addAnswer({ from, to: from + 10 });
  expect(fetchLog.covers({ from: 0, to: 10 }, 0)).toBe(false);
  expect(fetchLog.covers({ from: 1980, to: 1990 }, 0)).toBe(true);
});

test('the beginning of a history is valid for hours, a provider without any bar for minutes', () => {
  const fetchLog = createFetchLog();
  fetchLog.markBeginning(100, 0, 'older');
  fetchLog.addAnswer({ from: 100, to: 200 });
  expect(fetchLog.covers({ from: -Infinity, to: 200 }, hourMs)).toBe(true);
  expect(fetchLog.covers({ from: -Infinity, to: 200 }, 7 * hourMs)).toBe(false);
  const empty = createFetchLog();
  empty.markBeginning(100, 0, 'atAll');
  expect(empty.covers({ from: -Infinity, to: 100 }, 60_000)).toBe(true);
  expect(empty.covers({ from: -Infinity, to: 100 }, hourMs)).toBe(false);
});

test('bars that are no longer stored are requested again', () => {
  const fetchLog = createFetchLog();
  fetchLog.addAnswer({ from: 100, to: 200 });
  fetchLog.markBeginning(100, 0, 'older');
  fetchLog.addNewest(200, 0);
  const answers = fetchLog.answerCount();
  fetchLog.forget();
  expect(fetchLog.covers({ from: 150, to: 160 }, 1)).toBe(false);
  expect(fetchLog.covers({ from: 0, to: 100 }, 1)).toBe(false);
  expect(fetchLog.newest()).toBeNull();
  // What was read before is out of date.
  expect(fetchLog.answerCount()).not.toBe(answers);
});

test('a failure is remembered for a minute', () => {
  const fetchLog = createFetchLog();
  fetchLog.addFailure('cause', 0);
  expect(fetchLog.failure(59_999)).toMatchObject({ cause: 'cause' });
  expect(fetchLog.failure(60_000)).toBeNull();
});

test('flights: one per key, so many at once, so many waiting, and one more is refused', async () => {
  const flights = createSingleFlight<string>({ underWay: 1, waiting: 1 });
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
