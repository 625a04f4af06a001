import { expect, test } from 'vitest';
import { ledgerHash, replayCommandLog } from '../harness/command-replay.ts';
import { simulatedPairs } from './market.ts';
import { scenarioOf } from './scenario.ts';
import { type Outcome, runScenario } from './simulation.ts';

const pairOf = (symbol: string) => simulatedPairs.find((pair) => pair.symbol === symbol);
const seeds = Array.from({ length: 300 }, (_, i) => 50_001 + i);

test('the same seed takes the same course: 300 ledgers twice', async () => {
  for (const seed of seeds) {
    const [once, again] = [await runScenario(scenarioOf(seed)), await runScenario(scenarioOf(seed))];
    expect(again.ledgerHash, `seed ${seed}`).toBe(once.ledgerHash);
    expect(again.commandLog.length, `seed ${seed}`).toBe(once.commandLog.length);
  }
}, 60_000);

test('invariant 11: the command log through `decide` alone gives the same ledger: 300 logs', async () => {
  let replayed = 0;
  for (const seed of seeds) {
    const outcome = await runScenario(scenarioOf(seed));
    // A commit of unknown fate is in no command log.
    if (outcome.adopted > 0) continue;
    replayed += 1;
    const { ledgerHash: hash, accounts } = replayCommandLog(outcome.commandLog, pairOf);
    expect(hash, `seed ${seed}`).toBe(outcome.ledgerHash);
    for (const [accountId, { wallet }] of accounts) {
      expect(wallet, `seed ${seed}`).toEqual(outcome.database.wallets.get(accountId));
    }
  }
  expect(replayed).toBeGreaterThan(seeds.length * 0.95);
}, 60_000);

/** A command log with one changed price. */
function withOtherPrice({ commandLog }: Outcome): Outcome['commandLog'] {
  const at = commandLog.findIndex(
    (entry) => entry.kind === 'command' && entry.command.kind === 'trigger' && entry.outcome === 'accepted',
  );
  return commandLog.map((entry, i) => {
    if (i !== at || entry.kind !== 'command' || entry.command.kind !== 'trigger') return entry;
    const price = (entry.command.price + 1n) as typeof entry.command.price;
    return { ...entry, command: { ...entry.command, price } };
  });
}

test('a command log with another price does not pass for the same', async () => {
  for (const seed of seeds) {
    const outcome = await runScenario(scenarioOf(seed));
    const isClosing = outcome.commandLog.some(
      (entry) =>
        entry.kind === 'command' && entry.command.kind === 'trigger' && entry.command.trigger === 'stop_loss',
    );
    if (!isClosing) continue;
    const changed = (): string => replayCommandLog(withOtherPrice(outcome), pairOf).ledgerHash;
    let hash = '';
    try {
      hash = changed();
    } catch {
      // It diverged, which detects the change as well.
      return;
    }
    if (hash === outcome.ledgerHash) continue;
    expect(hash).not.toBe(ledgerHash(outcome.database.ledger));
    return;
  }
  throw new Error('no command log with a stop loss');
});
