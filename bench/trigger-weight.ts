/**
 * What a million armed triggers weigh, in a process that holds nothing else; run with `--expose-gc`. Measured is the
 * difference before and after: of the heap with its buffers, and of the resident memory, in which the halves that the
 * arrays left behind while they grew may still stand.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { asMoney, type Position, triggersOf } from '@fulcrum/domain';
import { AccountCache } from '../apps/server/src/features/trading/engine/accounts.ts';
import type { StoredAccount } from '../apps/server/src/features/trading/engine/store.ts';
import { TriggerIndex } from '../apps/server/src/features/trading/triggers/index.ts';
import { symbol, triggersPerPosition, WaitingStore, waitingPosition } from './waiting.ts';

const triggers = 1_000_000;
const positions = 100_000;
const positionsPerAccount = 10;

export interface WeightReport {
  readonly triggers: number;
  /** Of the triggers. */
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly positions: number;
  /** Of open positions as the engine keeps those of active accounts, with their wallets. */
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

function arm(index: TriggerIndex): void {
  const userId = randomUUID();
  for (let n = 0; n < triggers / triggersPerPosition; n += 1) {
    const position = waitingPosition(n, userId);
    for (const trigger of triggersOf(position)) index.arm({ ...trigger, id: position.id, userId, symbol });
  }
}

class ActiveAccounts extends WaitingStore {
  override async readAccounts(userIds: readonly string[]): Promise<readonly StoredAccount[]> {
    return userIds.map((userId) => {
      const own: Position[] = Array.from({ length: positionsPerAccount }, (_, n) =>
        waitingPosition(n, userId),
      );
      const margin = asMoney(own.reduce((sum, position) => sum + position.margin, 0n));
      const amounts = { available: asMoney(1_000_000n), margin, orderMargin: asMoney(0n) };
      return {
        wallet: { id: randomUUID(), userId, ...amounts, version: positionsPerAccount },
        restricted: false,
        positions: own,
        orders: [],
      };
    });
  }
}

async function report(): Promise<WeightReport> {
  // Whatever the first of each costs once is no weight of theirs.
  const first = new TriggerIndex();
  first.arm({ symbol, kind: 'stop', id: randomUUID(), userId: randomUUID(), price: 1n, when: 'falls' });
  const empty = await weigh();
  const index = new TriggerIndex();
  arm(index);
  const armed = between(empty, await weigh());
  if (index.size !== triggers) throw new Error(`${index.size} of ${triggers} are armed`);

  const before = await weigh();
  const cache = new AccountCache(new ActiveAccounts(0, []), { accounts: positions, positions });
  await cache.load(Array.from({ length: positions / positionsPerAccount }, () => randomUUID()));
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
