import { expect, test } from 'vitest';
import { ledgerHash, replay } from '../../src/features/trading/replay.ts';
import { simulatedPairs } from './market.ts';
import { scenarioOf } from './scenario.ts';
import { type Outcome, runScenario } from './simulation.ts';

const pairOf = (symbol: string) => simulatedPairs.find((pair) => pair.symbol === symbol);
const seeds = Array.from({ length: 300 }, (_, i) => 50_001 + i);

test('the same seed takes the same course: 300 ledgers twice', async () => {
  for (const seed of seeds) {
    const [once, again] = [await runScenario(scenarioOf(seed)), await runScenario(scenarioOf(seed))];
    expect(again.ledgerHash, `seed ${seed}`).toBe(once.ledgerHash);
    expect(again.tape.length, `seed ${seed}`).toBe(once.tape.length);
  }
}, 60_000);

test('invariant 11: the tape through `decide` alone gives the ledger again: 300 tapes', async () => {
  let replayed = 0;
  for (const seed of seeds) {
    const outcome = await runScenario(scenarioOf(seed));
    // What was written without anybody knowing is on no tape.
    if (outcome.adopted > 0) continue;
    replayed += 1;
    const { ledgerHash: hash, accounts } = replay(outcome.tape, pairOf);
    expect(hash, `seed ${seed}`).toBe(outcome.ledgerHash);
    for (const [userId, { wallet }] of accounts) {
      expect(wallet, `seed ${seed}`).toEqual(outcome.database.wallets.get(userId));
    }
  }
  expect(replayed).toBeGreaterThan(seeds.length * 0.95);
}, 60_000);

/** A tape in which one price is another one. */
function withOtherPrice({ tape }: Outcome): Outcome['tape'] {
  const at = tape.findIndex(
    (entry) => entry.kind === 'command' && entry.command.kind === 'trigger' && entry.outcome === 'accepted',
  );
  return tape.map((entry, i) => {
    if (i !== at || entry.kind !== 'command' || entry.command.kind !== 'trigger') return entry;
    const price = (entry.command.price + 1n) as typeof entry.command.price;
    return { ...entry, command: { ...entry.command, price } };
  });
}

test('a tape with another price does not pass for the same', async () => {
  for (const seed of seeds) {
    const outcome = await runScenario(scenarioOf(seed));
    const isClosing = outcome.tape.some(
      (entry) =>
        entry.kind === 'command' && entry.command.kind === 'trigger' && entry.command.trigger === 'stop_loss',
    );
    if (!isClosing) continue;
    const changed = (): string => replay(withOtherPrice(outcome), pairOf).ledgerHash;
    let hash = '';
    try {
      hash = changed();
    } catch {
      // It diverged, which is as good.
      return;
    }
    if (hash === outcome.ledgerHash) continue;
    expect(hash).not.toBe(ledgerHash(outcome.database.ledger));
    return;
  }
  throw new Error('no tape with a stop loss');
});
