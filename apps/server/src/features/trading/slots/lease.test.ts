import { expect, test } from 'vitest';
import { createManualClock } from '../../../platform/clock/index.ts';
import { Lease } from './lease.ts';

test('an engine believes that it lives until 2.5 s after the start of the last beat that was acknowledged', () => {
  const clock = createManualClock(0);
  const lease = new Lease(clock);
  expect(lease.isHeld()).toBe(false);
  clock.advance(400);
  // Sent at 0, acknowledged at 400.
  lease.renew(0);
  clock.set(2_499);
  expect(lease.isHeld()).toBe(true);
  clock.set(2_500);
  expect(lease.isHeld()).toBe(false);
});

test('a beat that is acknowledged late renews from its start, and one of before shortens nothing', () => {
  const clock = createManualClock(0);
  const lease = new Lease(clock);
  lease.renew(1_000);
  lease.renew(0);
  clock.set(3_499);
  expect(lease.isHeld()).toBe(true);
  clock.set(10_000);
  // As after SIGSTOP: the answer was in the socket all the time.
  lease.renew(5_000);
  expect(lease.isHeld()).toBe(false);
});

test('it counts for how long it has been held without a gap', () => {
  const clock = createManualClock(0);
  const lease = new Lease(clock);
  for (const at of [0, 500, 1_000, 1_500]) {
    clock.set(at);
    lease.renew(at);
  }
  expect(lease.heldMs()).toBe(1_500);
  clock.set(4_000);
  expect(lease.heldMs()).toBe(0);
  lease.renew(4_000);
  clock.set(4_100);
  expect(lease.heldMs()).toBe(100);
});

test('the lease of an engine that has ended is never held again', () => {
  const lease = new Lease(createManualClock(0));
  lease.renew(0);
  lease.end();
  expect(lease.isHeld()).toBe(false);
  lease.renew(0);
  expect(lease.isHeld()).toBe(false);
});
