/**
 * Scenarios with accounts of classes, contests and challenges, and with limits that traders set for their accounts, see `simulation.ts`: each refusal and
 * each verdict is the auditor's, and where nothing fails the verdict is of the first instant that decides.
 */
import { expect, test } from 'vitest';
import { replayCommandLog } from '../harness/command-replay.ts';
import { simulatedPairs } from './market.ts';
import { limitsScenarioOf } from './scenario-variants.ts';
import { limitsCount as count, nothingRan, runSeed } from './seeds.ts';

const first = 260_001;

test(`A112: scenarios ${first} to ${first + count - 1} with locked accounts agree with the auditor, verdict by verdict`, async () => {
  const pairOf = (symbol: string) => simulatedPairs.find((pair) => pair.symbol === symbol);
  const ran = nothingRan();
  let staffRefused = 0;
  const found = new Map<string, number>();
  const add = (what: string): unknown => found.set(what, (found.get(what) ?? 0) + 1);
  for (let seed = first; seed < first + count; seed += 1) {
    const { commandLog, database, barred, adopted, ledgerHash } = await runSeed(seed, ran, limitsScenarioOf);
    for (const entry of commandLog) if (entry.kind === 'command') add(entry.outcome);
    for (const { verdict } of database.verdicts.values()) add(verdict.rule ?? verdict.outcome);
    staffRefused += barred;
    if (adopted > 0) continue;
    // Invariant 11.
    const replayed = replayCommandLog(commandLog, pairOf);
    expect(replayed.ledgerHash, `seed ${seed}`).toBe(ledgerHash);
  }
  expect(ran.scenarios).toBe(count);
  // The scenarios are meaningful: each limit refuses, each rule of a challenge decides.
  expect(staffRefused).toBeGreaterThan(count);
  const refusals = ['class_not_begun', 'class_over', 'contest_not_begun', 'contest_over'];
  const own = ['symbol_not_allowed', 'too_many_open', 'leverage_capped', 'own_limit_reached'];
  const verdicts = ['daily_loss', 'max_loss', 'passed'];
  for (const what of [...refusals, ...own, ...verdicts])
    expect(found.get(what) ?? 0, what).toBeGreaterThan(2);
}, 140_000);
