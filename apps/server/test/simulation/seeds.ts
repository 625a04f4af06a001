/** Runs the scenarios of a range of seeds and fails with the first one that disagrees, shortened. */
import { type Scenario, scenarioOf } from './scenario.ts';
import { shrink, textOfShrunk } from './shrinking.ts';
import { Disagreement, type Outcome, runScenario } from './simulation.ts';

/** Scenarios of one file of four: 1,500 in every run, 10,400 in `npm run test:long`. */
export const quarter = process.env.TEST_VOLUME === 'long' ? 2_600 : 375;
/** Scenarios with several engines. */
export const lanesCount = process.env.TEST_VOLUME === 'long' ? 300 : 60;
/** Scenarios whose traders have several accounts. */
export const accountsCount = process.env.TEST_VOLUME === 'long' ? 1_500 : 200;
/** Scenarios whose traders have accounts with net positions. */
export const netCount = process.env.TEST_VOLUME === 'long' ? 2_000 : 120;

/** Scenarios with accounts of classes and programs, and with limits of their owners. */
export const limitsCount = process.env.TEST_VOLUME === 'long' ? 2_000 : 60;

export interface Ran {
  scenarios: number;
  /** Commands and crossings that the auditor judged. */
  settled: number;
  crossings: number;
  failures: number;
  engines: number;
  moves: number;
}

export type ScenarioSource = (seed: number) => Scenario;

export const nothingRan = (): Ran => ({
  scenarios: 0,
  settled: 0,
  crossings: 0,
  failures: 0,
  engines: 0,
  moves: 0,
});

/** Adds to `ran`, and resolves with what became of it. @throws Error with the seed, what differs and the shortened steps. */
export async function runSeed(seed: number, ran: Ran, of: ScenarioSource = scenarioOf): Promise<Outcome> {
  const scenario = of(seed);
  try {
    const outcome = await runScenario(scenario);
    const { settled, crossings, failures, engines, moves } = outcome;
    ran.scenarios += 1;
    ran.settled += settled;
    ran.crossings += crossings;
    ran.failures += failures;
    ran.engines += engines;
    ran.moves += moves;
    return outcome;
  } catch (error) {
    const shrunk = await shrink(scenario);
    const first = error instanceof Disagreement ? error.message : String((error as Error).stack);
    throw new Error(`${first}\n${shrunk ? textOfShrunk(shrunk) : 'it does not fail a second time'}`);
  }
}

export async function runSeeds(first: number, count: number, of: ScenarioSource = scenarioOf): Promise<Ran> {
  const ran = nothingRan();
  for (let seed = first; seed < first + count; seed += 1) await runSeed(seed, ran, of);
  return ran;
}
