import { hourMs, minuteMs } from '@fulcrum/domain';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../log/index.ts';
import { type ClusterClock, createClusterClock } from './cluster-clock.ts';

let [system, monotonic, database] = [0, 0, 0];
let clock: ClusterClock;
const log = createLog({ logLevel: 'silent' });
/** How long each question takes until PostgreSQL answers, and as long again until the answer is here. */
let trips: number[] = [];
const readTime = async () => {
  const trip = trips.shift() ?? 1;
  pass(trip);
  const time = database;
  pass(trip);
  return time;
};
const pass = (ms: number) => {
  system += ms;
  monotonic += ms;
  database += ms;
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  [system, monotonic, database, trips] = [1_000_000, 500, 1_000_000, []];
  clock = createClusterClock({
    log,
    system: () => system,
    monotonic: () => monotonic,
  });
});
afterEach(() => {
  clock.stop();
  vi.useRealTimers();
});

test('before it is measured the time is this machine’s, and the state shows it', () => {
  expect(clock.now()).toBe(1_000_000);
  expect(clock.state()).toEqual({ offsetMs: null, measuredAt: null, ok: false });
});

test('the time is PostgreSQL’s, by the quickest of three questions', async () => {
  database += 300;
  trips = [200, 5, 80];
  await clock.start(readTime);
  expect(clock.now()).toBe(database);
  expect(clock.state()).toEqual({ offsetMs: 300, measuredAt: new Date(database).toISOString(), ok: true });
});

test('a step of this machine’s clock changes nothing but what is reported', async () => {
  const warn = vi.spyOn(log, 'warn');
  await clock.start(readTime);
  system -= hourMs;
  pass(50);
  expect(clock.now()).toBe(database);
  expect(clock.state()).toMatchObject({ offsetMs: hourMs, ok: false });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(warn).toHaveBeenCalledExactlyOnceWith({ offset_ms: hourMs }, expect.any(String));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(warn).toHaveBeenCalledOnce();
  expect(clock.now()).toBe(database);
});

test('the time stands still rather than going back, unless PostgreSQL is far behind', async () => {
  await clock.start(readTime);
  const before = clock.now();
  database -= 200;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(clock.now()).toBe(before);
  pass(400);
  expect(clock.now()).toBe(database);
  database -= minuteMs;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(clock.now()).toBe(database);
});

test('without PostgreSQL the time goes on, and is reported as unknown after a minute', async () => {
  await clock.start(readTime);
  clock.stop();
  pass(2 * minuteMs);
  expect(clock.now()).toBe(database);
  expect(clock.state()).toMatchObject({ offsetMs: 0, ok: false });
});
