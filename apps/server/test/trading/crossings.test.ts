/**
 * Crossings among commands: one queue, first come first served, through failures and restarts. The database and the
 * engine are real; only prices and the clock are the test's.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PostgresStore } from '../../src/features/trading/engine/postgres-store.ts';
import { StoreUnreachable } from '../../src/features/trading/engine/store.ts';
import { eventually } from '../harness/eventually.ts';
import {
  type EngineSetup,
  engineConfig,
  killEngineConnection,
  openEngine,
  type Trader,
} from './database-engine.ts';

let desk: EngineSetup;
let trader: Trader;
beforeEach(async () => {
  desk = await openEngine();
  trader = await desk.addTrader('1000');
});
afterEach(async () => {
  expect(await desk.invariants()).toMatchObject({ ok: true, violations: [] });
  await desk.dispose();
});

const statusOf = async (table: 'positions' | 'orders', id: string) => {
  const why = table === 'positions' ? 'close_reason' : 'reason';
  const { rows } = await desk.db.query<{ status: string; why: string | null }>(
    `select status, ${why} as why from app.${table} where id = $1`,
    [id],
  );
  return rows[0];
};
const count = async (condition: string): Promise<number> => {
  const { rows } = await desk.db.query<{ n: number }>(`select count(*)::int as n from ${condition}`);
  return rows[0]?.n ?? 0;
};
/** The first statement of that name is sent, then its connection is cut before the answer arrives. */
function loseAnswerOf(name: string): void {
  const query = pg.Client.prototype.query;
  const lost = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const result = await Reflect.apply(query, this, args);
    const [statement] = args as [{ name?: string }];
    if (!statement.name?.startsWith(name)) return result;
    lost.mockRestore();
    await killEngineConnection(desk.db);
    throw new Error('Connection terminated unexpectedly');
  } as never);
}

describe('one queue', () => {
  test('A20: orders that one tick reaches fill in the order in which they crossed, as far as the money goes', async () => {
    const poor = await desk.addTrader('29');
    const placed = [];
    for (const price of ['95', '96', '97']) {
      placed.push(await desk.placeOrder(poor, { type: 'LIMIT', price }));
    }
    desk.tick('BTCUSDT', '94');
    await desk.settle();
    const statuses = await Promise.all(placed.map(async ({ id }) => (await statusOf('orders', id))?.status));
    expect(statuses).toEqual(['FILLED', 'FILLED', 'FILLED']);
    // Nearest first: 97, 96, 95.
    const { rows } = await desk.db.query<{ price: number }>(
      `select o.price::float8 as price from app.orders o join app.positions p on p.id = o.position_id
       order by p.account_version`,
    );
    expect(rows.map(({ price }) => price)).toEqual([97, 96, 95]);
    expect(await desk.wallet(poor)).toMatchObject({
      balance: '29.00000000',
      available_balance: '0.80000000',
    });
  });

  test('A23: a click that came before the stop loss closes the position, and the stop loss finds no open position', async () => {
    const { id } = await desk.open(trader, { p_stop_loss_price: 95 });
    const click = desk.close(trader, id);
    await Promise.resolve();
    desk.tick('BTCUSDT', '95');
    expect(await click).toMatchObject({ status: 'closed', close_reason: 'manual' });
    await desk.settle();
    expect(await statusOf('positions', id)).toEqual({ status: 'closed', why: 'manual' });
    expect(await desk.notices(trader)).toEqual([]);
  });

  test('A23: a stop loss that came before the click closes the position, and the click is refused as already closed', async () => {
    const { id } = await desk.open(trader, { p_stop_loss_price: 95 });
    desk.tick('BTCUSDT', '95');
    await expect(desk.close(trader, id)).rejects.toMatchObject({ code: 'position_closed' });
    expect(await statusOf('positions', id)).toEqual({ status: 'closed', why: 'stop_loss' });
  });

  test('A21: a tick that comes while a batch is being written finds what that batch opened', async () => {
    const holder = new pg.Client({ connectionString: desk.db.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from app.wallets where user_id = $1 for update', [trader.userId]);
    const opening = desk.open(trader, { p_stop_loss_price: 95 });
    await eventually(() => expect(desk.trading.state().armed).toBe(3));
    desk.tick('BTCUSDT', '95');
    desk.tick('BTCUSDT', '100');
    await holder.query('rollback');
    await holder.end();
    const { id } = await opening;
    await desk.settle();
    expect(await statusOf('positions', id)).toEqual({ status: 'closed', why: 'stop_loss' });
  });

  test('A37: a crossing that waited too long is dropped, and checked again with a later price', async () => {
    const { id } = await desk.open(trader, { p_stop_loss_price: 95 });
    const holder = new pg.Client({ connectionString: desk.db.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from app.wallets where user_id = $1 for update', [trader.userId]);
    const other = desk.open(trader);
    await eventually(() => expect(desk.trading.state().armed).toBe(5));
    desk.tick('BTCUSDT', '94');
    desk.clock.advance(6_000);
    desk.setPrice('BTCUSDT', '98');
    await holder.query('rollback');
    await holder.end();
    await other;
    await desk.settle();
    expect(await statusOf('positions', id)).toMatchObject({ status: 'open' });
    expect(desk.trading.state()).toMatchObject({ armed: 5, queued: 0 });
    desk.tick('BTCUSDT', '95');
    await desk.settle();
    expect(await statusOf('positions', id)).toEqual({ status: 'closed', why: 'stop_loss' });
  });

  test('A05: one tick through 1,000 positions of 100 traders liquidates each once, and every wallet is exact', async () => {
    const traders = await Promise.all(Array.from({ length: 100 }, () => desk.addTrader('1000')));
    for (const one of traders) await Promise.all(Array.from({ length: 10 }, () => desk.open(one)));
    const { batches } = desk.trading.state();
    desk.tick('BTCUSDT', '90');
    await desk.settle();
    expect(await count(`app.positions where close_reason = 'liquidation' and realized_pnl = -10`)).toBe(
      1_000,
    );
    expect(await count(`api.wallets where balance = 900 and available_balance = 900`)).toBe(100);
    expect(await count(`app.notifications where kind = 'liquidation'`)).toBe(1_000);
    const state = desk.trading.state();
    expect(state).toMatchObject({ crossings: 1_000, armed: 0, positions: 0 });
    expect(state.batches - batches).toBe(1);
  });
});

describe('failures', () => {
  test('a connection lost after the commit of a liquidation: it is found committed, announced once, and done once', async () => {
    const { id } = await desk.open(trader);
    loseAnswerOf('engine_write');
    desk.tick('BTCUSDT', '90');
    await desk.settle();
    expect(await statusOf('positions', id)).toEqual({ status: 'closed', why: 'liquidation' });
    expect(await desk.notices(trader)).toHaveLength(1);
    const announced = desk.changes.filter(({ record }) => record?.id === id && record.status === 'closed');
    expect(announced).toHaveLength(1);
    expect(desk.trading.state()).toMatchObject({ armed: 0, staleAccounts: 0, halted: null });
  });

  test('a commit of unknown fate is announced when the account is read again: the wallet shows the gap', async () => {
    vi.spyOn(PostgresStore.prototype, 'isWritten').mockRejectedValueOnce(new StoreUnreachable('away'));
    loseAnswerOf('engine_write');
    await expect(desk.open(trader)).rejects.toMatchObject({ code: 'busy' });
    const { version } = await desk.wallet(trader);
    const newest = () => desk.changes.findLast(({ table }) => table === 'wallets')?.record?.version;
    await eventually(() => expect(newest()).toBe(Number(version)));
    // It is armed as well.
    desk.tick('BTCUSDT', '90');
    await desk.settle();
    expect(await desk.notices(trader)).toMatchObject([{ kind: 'liquidation' }]);
  });

  test('a connection lost before the commit of a stop loss: it is written by the next one', async () => {
    const { id } = await desk.open(trader, { p_stop_loss_price: 95 });
    const holder = new pg.Client({ connectionString: desk.db.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from app.wallets where user_id = $1 for update', [trader.userId]);
    desk.tick('BTCUSDT', '95');
    await eventually(async () => {
      const waiting = await desk.db.asOwner(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%engine_write%' and datname = current_database()`,
      );
      expect(waiting).toHaveLength(1);
    });
    await killEngineConnection(desk.db);
    await holder.query('rollback');
    await holder.end();
    await desk.settle();
    expect(await statusOf('positions', id)).toEqual({ status: 'closed', why: 'stop_loss' });
    expect(desk.trading.state()).toMatchObject({ armed: 0, staleAccounts: 0 });
  });

  test('what PostgreSQL refuses leaves the triggers as they were, and those of the others of its batch at work', async () => {
    desk.listUnbacked('GHOSTUSDT');
    desk.setPrice('GHOSTUSDT', '1');
    const { id } = await desk.open(trader, { p_stop_loss_price: 95 });
    const results = await Promise.allSettled([
      desk.open(trader, { p_stop_loss_price: 96 }),
      desk.open(trader, { p_symbol: 'GHOSTUSDT' }),
      desk.open(trader),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await eventually(() => expect(desk.trading.state()).toMatchObject({ armed: 8, staleAccounts: 0 }));
    desk.tick('BTCUSDT', '95');
    await desk.settle();
    expect(await statusOf('positions', id)).toEqual({ status: 'closed', why: 'stop_loss' });
    expect(desk.trading.state().armed).toBe(2);
  });

  test('A12: a manager who loses the trader while the command waits changes nothing, and the others of the batch are done', async () => {
    const manager = { ...(await desk.addAdmin()), role: 'manager' } as const;
    await desk.db.asOwner(`update app.users set role = 'manager' where id = $1`, [manager.userId]);
    await desk.db.asOwner('update app.users set manager_id = $1 where id = $2', [
      manager.userId,
      trader.userId,
    ]);
    const holder = new pg.Client({ connectionString: desk.db.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from app.wallets where user_id = $1 for update', [trader.userId]);
    const first = desk.open(trader);
    await eventually(() => expect(desk.trading.state().armed).toBe(2));
    const adjusted = desk.actions.adjust_wallet_balance(manager, {
      p_user_id: trader.userId,
      p_amount: 100,
      p_reason: 'a gift',
    });
    const lost = expect(adjusted).rejects.toMatchObject({ code: 'not_found' });
    await eventually(() => expect(desk.trading.state().queued).toBe(1));
    const second = desk.open(trader);
    await desk.db.asOwner('update app.users set manager_id = null where id = $1', [trader.userId]);
    await holder.query('rollback');
    await holder.end();
    await Promise.all([first, lost, second]);
    expect(await desk.wallet(trader)).toMatchObject({
      balance: '1000.00000000',
      available_balance: '980.00000000',
    });
    expect(await count('app.audit_log')).toBe(0);
    expect(desk.trading.state()).toMatchObject({ armed: 4, halted: null });
  });

  test('a wallet that changed behind the engine: the stop loss is decided again on the stored state', async () => {
    const { id } = await desk.open(trader, { p_stop_loss_price: 95 });
    await desk.db.asOwner('update app.wallets set version = version + 5 where user_id = $1', [trader.userId]);
    desk.tick('BTCUSDT', '95');
    await desk.settle();
    expect(await statusOf('positions', id)).toEqual({ status: 'closed', why: 'stop_loss' });
  });
});

describe('restarts', () => {
  test('waiting triggers are armed again and checked before the first tick', async () => {
    const { id } = await desk.open(trader, { p_stop_loss_price: 95 });
    const stays = await desk.open(trader, { p_side: 'SELL' });
    const order = await desk.placeOrder(trader, { type: 'LIMIT', price: '96' });
    await desk.trading.stop();
    desk.setPrice('BTCUSDT', '94');
    await desk.restart();
    await desk.settle();
    expect(await statusOf('positions', id)).toEqual({ status: 'closed', why: 'stop_loss' });
    expect(await statusOf('orders', order.id)).toMatchObject({ status: 'FILLED' });
    expect(await statusOf('positions', stays.id)).toMatchObject({ status: 'open' });
    expect(desk.trading.state()).toMatchObject({ crossings: 2, armed: 4 });
  });

  test('A01: waiting orders of another rule set refuse the start, by number', async () => {
    await desk.open(trader);
    await desk.placeOrder(trader, { type: 'LIMIT', price: '96' });
    await desk.trading.stop();
    const other = desk.create({ config: { ...engineConfig, rules: 'as-specified' } });
    await expect(other.start()).rejects.toMatchObject({
      name: 'StartError',
      message:
        'RULES=as-specified, but 1 open position and 1 waiting order follow the rule set standard: start with RULES=standard and close them first',
    });
    await desk.restart();
  });

  test('A73: a deleted account leaves nothing armed, and a later command for it is not found', async () => {
    await desk.open(trader, { p_stop_loss_price: 95 });
    await desk.placeOrder(trader, { type: 'LIMIT', price: '96' });
    const deleted = await desk.actions.delete_user_with_data(await desk.addAdmin(), {
      p_user_id: trader.userId,
      p_reason: 'requested it',
    });
    expect(deleted).toEqual({ user_id: trader.userId });
    await expect(desk.open(trader)).rejects.toMatchObject({ code: 'not_found' });
    expect(desk.trading.state()).toMatchObject({ armed: 0, positions: 0, orders: 0, halted: null });
    desk.tick('BTCUSDT', '90');
    await desk.settle();
    await expect(desk.close(trader, randomUUID())).rejects.toMatchObject({ code: 'not_found' });
    expect(await count(`app.users where id = '${trader.userId}'`)).toBe(0);
  });
});
