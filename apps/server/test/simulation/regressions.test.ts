/**
 * Seeds that once told the engine, the replay and the auditor apart, with what it was about. They stay, whatever the
 * scenarios of the day are.
 */
import { expect, test } from 'vitest';
import { replay } from '../../src/features/trading/replay.ts';
import { simulatedPairs } from './market.ts';
import { scenarioOf } from './scenario.ts';
import { runScenario } from './simulation.ts';

const stories: readonly (readonly [seed: number, story: string])[] = [
  [9, 'a crossing of a position that another one has closed in the batch before'],
  [60, 'a commit that was written, lost, and could not be looked up: its owner is told that we are busy'],
  [135, 'an order that a failed batch had armed under an id that was never stored'],
  [231, 'an engine whose successor starts while its commit is held'],
  [277, 'two engines deciding in the same turn, one of them fenced off'],
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

test('seed 50012: what is read after a commit that was lost comes after it on the tape', async () => {
  const outcome = await runScenario(scenarioOf(50_012));
  const pairOf = (symbol: string) => simulatedPairs.find((pair) => pair.symbol === symbol);
  expect(outcome.adopted).toBe(0);
  expect(replay(outcome.tape, pairOf).ledgerHash).toBe(outcome.ledgerHash);
});
