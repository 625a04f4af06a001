/** A quarter of the scenarios, see `simulation.ts`; four files, so that they share the workers. */
import { expect, test } from 'vitest';
import { quarter, runSeeds } from './seeds.ts';

const count = quarter;
const first = 5201;

test(`A03, A04, A05, A21, A23, A104, A110, ENG-3: scenarios ${first} to ${first + count - 1} agree with the auditor`, async () => {
  const ran = await runSeeds(first, count);
  expect(ran.scenarios).toBe(count);
  // The scenarios are meaningful: decided commands and crossings, survived failures, restarted engines.
  expect(ran.settled).toBeGreaterThan(8 * count);
  expect(ran.crossings).toBeGreaterThan(count);
  expect(ran.failures).toBeGreaterThan(count / 5);
  expect(ran.engines).toBeGreaterThan(count * 1.3);
}, 140_000);
