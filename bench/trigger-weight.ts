/**
 * Memory of a million armed triggers, in a process that holds nothing else; run with `--expose-gc`. It measures the
 * difference before and after of the heap with its buffers, and of the resident memory, which may still contain the halves
 * that the arrays left behind while they grew.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { asMoney, MAX_LEVERAGE, NO_FEE, type Position } from '@fulcrum/domain';
import { AccountCache } from '../apps/server/src/features/trading/engine/account-cache.ts';
import type { StoredAccount } from '../apps/server/src/features/trading/engine/store.ts';
import { TriggerIndex, triggerKinds } from '../apps/server/src/features/trading/triggers/trigger-index.ts';
import { ArmedPositionStore, createArmedIndex, createArmedPosition, symbol } from './armed-positions.ts';

const triggers = 1_000_000;
const positions = 100_000;
const positionsPerAccount = 10;

export interface WeightReport {
  readonly triggers: number;
  /** Of the triggers. */
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly positions: number;
  /** Of open positions as the engine stores those of active accounts, with their wallets. */
  readonly positionBytes: number;
}

interface Weight {
  readonly resident: number;
  readonly heap: number;
}

async function weigh(): Promise<Weight> {
  if (!globalThis.gc) throw new Error('start this with --expose-gc');
  for (let i = 0; i < 3; i += 1) {
    globalThis.gc();
    await sleep(50);
  }
  const { rss, heapUsed, external } = process.memoryUsage();
  return { resident: rss, heap: heapUsed + external };
}

const between = (before: Weight, after: Weight): Weight => ({
  resident: after.resident - before.resident,
  heap: after.heap - before.heap,
});

class ActiveAccounts extends ArmedPositionStore {
  override async readAccounts(accountIds: readonly string[]): Promise<readonly StoredAccount[]> {
    return accountIds.map((accountId) => {
      const own: Position[] = Array.from({ length: positionsPerAccount }, (_, n) =>
        createArmedPosition(n, accountId),
      );
      const margin = asMoney(own.reduce((sum, position) => sum + position.margin, 0n));
      const amounts = { available: asMoney(1_000_000n), margin, orderMargin: asMoney(0n) };
      return {
        ownerId: accountId,
        isArchived: false,
        terms: { rules: 'standard', feeRate: NO_FEE, leverageMax: MAX_LEVERAGE, fillProfile: 'exact' },
        wallet: { id: randomUUID(), accountId, ...amounts, version: positionsPerAccount },
        restricted: false,
        positions: own,
        orders: [],
        leverages: new Map(),
        trades: [],
      };
    });
  }
}

async function report(): Promise<WeightReport> {
  // Whatever the first of each costs once is no weight of theirs.
  const first = new TriggerIndex(triggerKinds);
  first.arm({ symbol, kind: 'stop', id: randomUUID(), accountId: randomUUID(), price: 1n, when: 'falls' });
  const empty = await weigh();
  const index = createArmedIndex(triggers);
  const armed = between(empty, await weigh());
  if (index.size !== triggers) throw new Error(`${index.size} of ${triggers} are armed`);

  const before = await weigh();
  const cache = new AccountCache(new ActiveAccounts(0, []), { accounts: positions, positions });
  const ids = Array.from({ length: positions / positionsPerAccount }, () => randomUUID());
  await cache.load(ids, 0);
  const held = between(before, await weigh());
  if (cache.size.positions !== positions) throw new Error(`${cache.size.positions} positions are held`);
  return {
    triggers,
    residentBytes: armed.resident,
    heapBytes: armed.heap,
    positions,
    positionBytes: held.heap,
  };
}

report().then(
  (message) => process.send?.(message, undefined, undefined, () => process.disconnect()),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
