/**
 * Scenarios whose traders have accounts with net positions (A113, A114), see `simulation.ts`: their orders beside those of the other
 * accounts of the user, with failing commits, ended engines and a hostile feed.
 */
import { isWaiting } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { replayCommandLog } from '../harness/command-replay.ts';
import { simulatedPairs } from './market.ts';
import { netScenarioOf } from './scenario-variants.ts';
import { netCount as count, runSeeds } from './seeds.ts';
import { runScenario } from './simulation.ts';

const first = 130_001;

test(`A113, A114: scenarios ${first} to ${first + count - 1} with net positions agree with the auditor, order by order`, async () => {
  const ran = await runSeeds(first, count, netScenarioOf);
  expect(ran.scenarios).toBe(count);
  // The scenarios are meaningful: decided commands and crossings, survived failures, restarted engines, hand-overs.
  expect(ran.settled).toBeGreaterThan(20 * count);
  expect(ran.crossings).toBeGreaterThan(5 * count);
  expect(ran.failures).toBeGreaterThan(count);
  expect(ran.engines).toBeGreaterThan(2 * count);
  expect(ran.moves).toBeGreaterThan(count / 4);
}, 240_000);

test('A114, invariant 11: their command logs give the same ledger and the same wallets through `decide` alone', async () => {
  const pairOf = (symbol: string) => simulatedPairs.find((pair) => pair.symbol === symbol);
  const accepted = new Map<string, number>();
  const used = {
    makers: 0,
    takers: 0,
    flips: 0,
    adopted: 0,
    partlyFilledAtStart: 0,
    tradesAtStart: 0,
    replayed: 0,
  };
  for (let seed = first; seed < first + 60; seed += 1) {
    const scenario = netScenarioOf(seed);
    const { adopted, commandLog, ledgerHash, database } = await runScenario(scenario);
    const isNet = (accountId: string): boolean =>
      database.accounts.get(accountId)?.terms?.rules === 'perpetual';
    for (const { accountId, liquidity, flippedFrom } of database.executions) {
      if (!isNet(accountId)) continue;
      used[liquidity === 'maker' ? 'makers' : 'takers'] += 1;
      if (flippedFrom) used.flips += 1;
    }
    for (const entry of commandLog) {
      if (entry.kind === 'command' && entry.outcome === 'accepted' && isNet(entry.accountId)) {
        const { kind } = entry.command;
        accepted.set(kind, (accepted.get(kind) ?? 0) + 1);
      }
      if (entry.kind !== 'read') continue;
      for (const { orders, trades } of entry.accounts) {
        if (orders.some(({ status, filledSize }) => isWaiting(status) && filledSize > 0n))
          used.partlyFilledAtStart += 1;
        if (trades.length > 0) used.tradesAtStart += 1;
      }
    }
    used.adopted += adopted;
    // A commit of unknown fate is in no command log, and of several engines each has its own.
    if (adopted > 0 || scenario.engines > 1) continue;
    used.replayed += 1;
    const replayed = replayCommandLog(commandLog, pairOf);
    expect(replayed.ledgerHash, `seed ${seed}`).toBe(ledgerHash);
    for (const [accountId, { wallet }] of replayed.accounts)
      expect(wallet, `seed ${seed}`).toEqual(database.wallets.get(accountId));
  }
  for (const kind of ['open', 'place', 'fill', 'amend', 'cancel', 'close', 'trigger'] as const)
    expect(accepted.get(kind), kind).toBeGreaterThan(15);
  for (const kind of ['set_leverage', 'adjust_margin', 'reverse', 'protect', 'reset', 'restrict'] as const)
    expect(accepted.get(kind), kind).toBeGreaterThan(2);
  // Fills of either kind, commits whose result was found in the store, and what an engine has to read again.
  expect(used.makers).toBeGreaterThan(40);
  expect(used.takers).toBeGreaterThan(200);
  expect(used.flips).toBeGreaterThan(10);
  expect(used.adopted).toBeGreaterThan(2);
  expect(used.partlyFilledAtStart).toBeGreaterThan(30);
  expect(used.replayed).toBeGreaterThan(35);
  expect(used.tradesAtStart).toBeGreaterThan(100);
}, 60_000);
