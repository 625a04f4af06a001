/** Overload of the engine: a crash of prices, a load without a pause, a database that is away. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PostgresStore } from '../../src/features/trading/engine/postgres-store.ts';
import { StoreUnreachable } from '../../src/features/trading/engine/store.ts';
import { eventually } from '../harness/eventually.ts';
import { type EngineSetup, openEngine, type Trader, tally } from './database-engine.ts';

let desk: EngineSetup;
beforeEach(async () => {
  desk = await openEngine();
  // PostgreSQL does not know the symbol: an order in it is refused, and leaves its account stale.
  desk.listUnbacked('GHOSTUSDT');
  desk.setPrice('GHOSTUSDT', '1');
});
afterEach(async () => {
  vi.restoreAllMocks();
  expect(await desk.invariants()).toMatchObject({ ok: true, violations: [] });
  await desk.dispose();
});

const makeStale = async (traders: readonly Trader[]): Promise<void> => {
  const refused = traders.map((trader) => desk.open(trader, { p_symbol: 'GHOSTUSDT' }));
  expect((await Promise.allSettled(refused)).every(({ status }) => status === 'rejected')).toBe(true);
};

test('A05: a crash of prices queues only crossings that can be decided while fresh; the rest stays armed for later', async () => {
  await desk.restart({ limits: { queuedCrossings: 3 } });
  const trader = await desk.addTrader('1000');
  await Promise.all(Array.from({ length: 8 }, () => desk.open(trader)));
  desk.tick('BTCUSDT', '90');
  // Each liquidation has an armed warning as well; only one of the two is taken per position.
  expect(desk.trading.state().queued).toBeLessThanOrEqual(3);
  expect(desk.trading.state().armed).toBe(13);
  desk.tick('BTCUSDT', '90');
  expect(desk.trading.state().queued).toBeLessThanOrEqual(3);
  await eventually(() => {
    desk.tick('BTCUSDT', '90');
    expect(desk.trading.state()).toMatchObject({ armed: 0, queued: 0, positions: 0, crossings: 8 });
  });
  expect(await desk.wallet(trader)).toMatchObject({ balance: '920.00000000' });
});

test('A21: a stale account is read again between two batches, although the queue never runs empty', async () => {
  const doubted = await desk.addTrader('1000');
  const busy = await desk.addTrader('1000');
  const { id } = await desk.open(busy);
  const moves: Promise<unknown>[] = [];
  const move = () =>
    desk.trading.procedures.set_take_profit_stop_loss(busy.caller, {
      p_position_id: id,
      p_take_profit_price: 110 + (moves.length % 2),
      p_stop_loss_price: null,
    });
  await makeStale([doubted]);
  // While a batch is being written the next command arrives, and so on.
  const { commit } = PostgresStore.prototype;
  const load = vi.spyOn(PostgresStore.prototype, 'commit').mockImplementation(async function (
    this: PostgresStore,
    batch,
  ) {
    moves.push(move());
    await commit.call(this, batch);
  });
  moves.push(move());
  await eventually(() => expect(desk.trading.state().staleAccounts).toBe(0)).finally(async () => {
    load.mockRestore();
    await Promise.all(moves);
  });
});

test('stale accounts that were read again are evicted from memory', async () => {
  await desk.restart({ limits: { accounts: 2 } });
  const traders = await Promise.all(Array.from({ length: 5 }, () => desk.addTrader('1000')));
  await makeStale(traders);
  await eventually(() => expect(desk.trading.state().staleAccounts).toBe(0));
  expect(desk.trading.state().accounts).toBeLessThanOrEqual(2);
});

test('a database that is away delays one batch: commands queued behind it fail with it', async () => {
  await desk.restart({ limits: { batch: 1 } });
  const trader = await desk.addTrader('1000');
  const ready = vi
    .spyOn(PostgresStore.prototype, 'ready')
    .mockRejectedValueOnce(new StoreUnreachable('it is away'));
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => desk.open(trader)));
  expect(tally(results)).toEqual({ busy: 5 });
  expect(ready).toHaveBeenCalledOnce();
  ready.mockRestore();
  await desk.open(trader);
});

test('A112: one user who sends faster than is served fills only their own share of the queue, by all accounts together', async () => {
  await desk.restart({ limits: { queuePerUser: 5 } });
  const [flood, calm] = [await desk.addTrader('1000'), await desk.addTrader('1000')];
  const accounts = [flood, await desk.addAccount(flood, '1000')];
  const flooded = Promise.allSettled(Array.from({ length: 20 }, (_, i) => desk.open(accounts[i % 2]!)));
  const served = Promise.allSettled(Array.from({ length: 5 }, () => desk.open(calm)));
  expect(tally(await served)).toEqual({ done: 5 });
  expect(tally(await flooded)).toEqual({ done: 5, busy: 15 });
  // Its share is free again once it is worked off.
  await desk.open(flood);
});
