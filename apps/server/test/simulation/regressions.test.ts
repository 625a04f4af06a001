/**
 * Seeds that once exposed a difference between the engine, the replay and the auditor, each with its cause. They stay
 * when the scenarios change.
 */
import { expect, test } from 'vitest';
import { replayCommandLog } from '../harness/command-replay.ts';
import { simulatedPairs } from './market.ts';
import { scenarioOf } from './scenario.ts';
import { accountsScenarioOf, lanesScenarioOf, limitsScenarioOf, netScenarioOf } from './scenario-variants.ts';
import { runScenario } from './simulation.ts';

const stories: readonly (readonly [seed: number, story: string])[] = [
  [9, 'a crossing of a position that another one has closed in the batch before'],
  [60, 'a commit that was written, lost, and could not be looked up: its owner gets a busy error'],
  [135, 'an order that a failed batch had armed under an id that was never stored'],
  [231, 'an engine whose successor starts while its commit is held'],
  [277, 'two engines deciding at the same time, one of them fenced off'],
  [312, 'a second tick crosses another trigger of a position whose first crossing still waits'],
  [2532, 'an edit and a refusal in one millisecond, with a new price between them'],
  [3770, 'a client id of an account that was deleted'],
  [4611, 'a liquidation price that staff move while its crossing waits'],
  [7747, 'an edit whose first try is lost and whose second is decided at another price'],
];

test.each(stories)('seed %i: %s', async (seed) => {
  const { settled } = await runScenario(scenarioOf(seed));
  expect(settled).toBeGreaterThan(0);
});

test('seed 70142 with several accounts: a refused deletion leaves the prices of every account armed', async () => {
  const { settled } = await runScenario(accountsScenarioOf(70_142));
  expect(settled).toBeGreaterThan(0);
});

test('seed 300608 with several engines: one is ended that holds a commit and is about to take slots', async () => {
  const { settled } = await runScenario(lanesScenarioOf(300_608));
  expect(settled).toBeGreaterThan(0);
});

test.each([130_834, 131_676])(
  'seed %i with net positions: a second tick passes an order whose first crossing, which does not fill it, still waits',
  async (seed) => {
    const { settled } = await runScenario(netScenarioOf(seed));
    expect(settled).toBeGreaterThan(0);
  },
);

test.each([
  [316_244, 'a net position that has no price and closes in parts'],
  [324_409, 'a warning and the margin that takes it back in a batch of unknown fate'],
  [304_252, 'an order that has rested crosses at a sweep, and a tick comes before its turn'],
] as [number, string][])('seed %i with net positions: %s', async (seed) => {
  const { settled } = await runScenario(netScenarioOf(seed));
  expect(settled).toBeGreaterThan(0);
});

test.each([
  [270_136, 'the tick of a verdict fills the first order of its day, which makes one more trading day'],
  [270_617, 'the same at the first tick after a midnight'],
  [271_363, 'a judgement of before midnight is decided after it, when the auditor has seen the day end'],
  [271_856, 'the same, and the account has opened something on the new day'],
  [
    273_071,
    'a tick of the deadline liquidates, and the change of the account is judged in the same millisecond',
  ],
] as [number, string][])('seed %i with challenges: %s', async (seed) => {
  const { settled } = await runScenario(limitsScenarioOf(seed));
  expect(settled).toBeGreaterThan(0);
});

test.each([
  [275_031, 'staff correct the loss that the cool-down begins with, in the batch of an opening'],
  [275_593, 'a click in a net account that is barred by its limits, and that finds nothing in the book'],
  [278_088, 'the same with a take profit'],
] as [number, string][])('seed %i with limits of the owner: %s', async (seed) => {
  const { settled } = await runScenario(limitsScenarioOf(seed));
  expect(settled).toBeGreaterThan(0);
});

test('seed 50012: a read after a lost commit comes after it in the command log', async () => {
  const outcome = await runScenario(scenarioOf(50_012));
  const pairOf = (symbol: string) => simulatedPairs.find((pair) => pair.symbol === symbol);
  expect(outcome.adopted).toBe(0);
  expect(replayCommandLog(outcome.commandLog, pairOf).ledgerHash).toBe(outcome.ledgerHash);
});
