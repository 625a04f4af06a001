/** A quarter of the scenarios, see `simulation.ts`; four files, so that they share the workers. */
import { expect, test } from 'vitest';
import { quarter, runSeeds } from './seeds.ts';

const count = quarter;
const first = 1;

test(`RULE-01, RULE-02, RULE-03, RULE-09, A08: scenarios ${first} to ${first + count - 1} agree with the auditor`, async () => {
  const ran = await runSeeds(first, count);
  expect(ran.scenarios).toBe(count);
  // The scenarios are meaningful: decided commands and crossings, survived failures, restarted engines.
  expect(ran.settled).toBeGreaterThan(8 * count);
  expect(ran.crossings).toBeGreaterThan(count);
  expect(ran.failures).toBeGreaterThan(count / 5);
  expect(ran.engines).toBeGreaterThan(count * 1.3);
}, 140_000);
