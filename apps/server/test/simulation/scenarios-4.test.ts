/** A quarter of the 10,400 scenarios that every test run takes, see `simulation.ts`; four files, so that they share the workers. */
import { expect, test } from 'vitest';
import { runSeeds } from './seeds.ts';

const count = 2_600;
const first = 7801;

test(`RULE-34, A09, A10, A12, A72, A73, A102, A108: scenarios ${first} to ${first + count - 1} agree with the auditor`, async () => {
  const ran = await runSeeds(first, count);
  expect(ran.scenarios).toBe(count);
  // That they are worth something: commands and crossings judged, failures survived, engines started anew.
  expect(ran.settled).toBeGreaterThan(8 * count);
  expect(ran.crossings).toBeGreaterThan(count);
  expect(ran.failures).toBeGreaterThan(count / 5);
  expect(ran.engines).toBeGreaterThan(count * 1.3);
}, 140_000);
