/** Scenarios with two or three engines, see `simulation.ts`: hand-overs of slots and endings at any point. */
import { expect, test } from 'vitest';
import { lanesScenarioOf } from './scenario-variants.ts';
import { lanesCount as count, runSeeds } from './seeds.ts';

const first = 90_001;

test(`scenarios ${first} to ${first + count - 1} with several engines agree with the auditor: no order lost or done twice, no slot with two owners`, async () => {
  const ran = await runSeeds(first, count, lanesScenarioOf);
  expect(ran.scenarios).toBe(count);
  // The scenarios are meaningful: hand-overs, ended engines, decided commands and crossings.
  expect(ran.moves).toBeGreaterThan(2 * count);
  expect(ran.engines).toBeGreaterThan(3 * count);
  expect(ran.settled).toBeGreaterThan(8 * count);
  expect(ran.crossings).toBeGreaterThan(count / 2);
}, 140_000);
