/** Scenarios whose traders have several accounts under terms of their own, see `simulation.ts`. */
import { expect, test } from 'vitest';
import { replayCommandLog } from '../harness/command-replay.ts';
import { simulatedPairs } from './market.ts';
import { accountsScenarioOf } from './scenario-variants.ts';
import { accountsCount as count, runSeeds } from './seeds.ts';
import { runScenario } from './simulation.ts';

const first = 110_001;

test(`A112: scenarios ${first} to ${first + count - 1} with several accounts of a user agree with the auditor, account by account`, async () => {
  const ran = await runSeeds(first, count, accountsScenarioOf);
  expect(ran.scenarios).toBe(count);
  expect(ran.settled).toBeGreaterThan(8 * count);
  expect(ran.crossings).toBeGreaterThan(count);
}, 140_000);

test('A112, invariant 11: their command logs give the same ledger and the same wallets through `decide` alone', async () => {
  const pairOf = (symbol: string) => simulatedPairs.find((pair) => pair.symbol === symbol);
  const used = { others: 0, archived: 0, restricted: 0, deleted: 0 };
  for (let seed = first; seed < first + 60; seed += 1) {
    const scenario = accountsScenarioOf(seed);
    const { adopted, commandLog, ledgerHash, database } = await runScenario(scenario);
    used.archived += database.changedOutside.size;
    for (const { restrictions, deletions, wallets } of database.batches) {
      used.restricted += restrictions.length;
      used.deleted += deletions.length;
      used.others += wallets.filter(({ after }) => !database.isMain(after.accountId)).length;
    }
    // A commit of unknown fate is in no command log.
    if (adopted > 0) continue;
    const replayed = replayCommandLog(commandLog, pairOf);
    expect(replayed.ledgerHash, `seed ${seed}`).toBe(ledgerHash);
    for (const [accountId, { wallet }] of replayed.accounts) {
      // The archiving is in no command log.
      if (database.changedOutside.has(accountId)) continue;
      expect(wallet, `seed ${seed}`).toEqual(database.wallets.get(accountId));
    }
  }
  // The scenarios are meaningful: trades of other accounts, archived ones, restrictions and deletions of their users.
  expect(used.others).toBeGreaterThan(200);
  expect(used.archived).toBeGreaterThan(5);
  expect(used.restricted).toBeGreaterThan(5);
  expect(used.deleted).toBeGreaterThan(2);
}, 60_000);
