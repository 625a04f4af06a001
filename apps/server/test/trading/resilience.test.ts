import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import {
  type EngineSetup,
  engineConfig,
  killEngineConnection,
  openEngine,
  tally,
} from './database-engine.ts';

let desk: EngineSetup;
beforeEach(async () => {
  desk = await openEngine();
});
afterEach(() => desk.dispose());

const sound = async () => expect(await desk.invariants()).toMatchObject({ ok: true, violations: [] });

const openPositions = async (userId: string): Promise<number> => {
  const { rows } = await desk.db.query<{ open: string }>(
    `select count(*) as open from app.positions where user_id = $1 and status = 'open'`,
    [userId],
  );
  return Number(rows[0]?.open);
};

test('a command that PostgreSQL refuses fails alone: the others of its batch are committed', async () => {
  desk.listUnbacked('GHOSTUSDT');
  desk.setPrice('GHOSTUSDT', '1');
  const trader = await desk.addTrader('1000');
  const results = await Promise.allSettled(
    Array.from({ length: 9 }, (_, i) => desk.open(trader, { p_symbol: i === 4 ? 'GHOSTUSDT' : 'BTCUSDT' })),
  );
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    true,
    true,
    true,
    false,
    true,
    true,
    true,
    true,
  ]);
  expect(await openPositions(trader.userId)).toBe(8);
  expect(await desk.wallet(trader)).toMatchObject({ available_balance: '920.00000000' });
  expect(desk.trading.state().halted).toBeNull();
  await sound();
});

test('a wallet that changed behind the engine is read again and the command decided on the stored state', async () => {
  const trader = await desk.addTrader('1000');
  await desk.open(trader);
  await desk.db.asOwner('update app.wallets set version = version + 5 where user_id = $1', [trader.userId]);
  await desk.open(trader);
  expect(await desk.wallet(trader)).toMatchObject({ available_balance: '980.00000000', version: '8' });
  await sound();
});

test('a connection killed before the commit: the command is written once and answered', async () => {
  const trader = await desk.addTrader('1000');
  await desk.open(trader);

  // A lock on the wallet's row stalls the batch until its connection dies.
  const holder = new pg.Client({ connectionString: desk.db.url });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select 1 from app.wallets where user_id = $1 for update', [trader.userId]);
  const answers = Promise.allSettled([desk.open(trader), desk.open(trader, { p_client_id: 'second' })]);
  await eventually(async () => {
    const waiting = await desk.db.asOwner(
      `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%engine_write%' and datname = current_database()`,
    );
    expect(waiting).toHaveLength(1);
  });
  await killEngineConnection(desk.db);
  await holder.query('rollback');
  await holder.end();

  expect(tally(await answers)).toEqual({ done: 2 });
  expect(await openPositions(trader.userId)).toBe(3);
  expect(await desk.wallet(trader)).toMatchObject({ available_balance: '970.00000000' });
  await sound();
});

test('a connection lost after the commit: the batch is found written and nothing is done twice', async () => {
  const trader = await desk.addTrader('1000');
  await desk.open(trader);

  const query = pg.Client.prototype.query;
  const lost = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const result = await Reflect.apply(query, this, args);
    const [statement] = args as [{ name?: string }];
    if (!statement.name?.startsWith('engine_write')) return result;
    lost.mockRestore();
    await killEngineConnection(desk.db);
    throw new Error('Connection terminated unexpectedly');
  } as never);

  const opened = await desk.open(trader, { p_client_id: 'once' });
  expect(await desk.open(trader, { p_client_id: 'once' })).toEqual(opened);
  expect(await openPositions(trader.userId)).toBe(2);
  expect(desk.changes.filter(({ record }) => record?.id === opened.id)).toHaveLength(1);
  await desk.open(trader);
  expect(await desk.wallet(trader)).toMatchObject({ available_balance: '970.00000000' });
  await sound();
});

test('a connection that breaks while the lock is taken again is returned, and the command still done', async () => {
  const trader = await desk.addTrader('1000');
  const { pool } = desk.db;
  const connections = pool.totalCount;
  await killEngineConnection(desk.db);
  // The engine knows of the loss: otherwise the first command finds the dead connection and reaches none of the steps below.
  await eventually(() => expect(pool.totalCount).toBeLessThan(connections));
  const query = pg.Client.prototype.query;
  const broken = new Set(['pg_try_advisory_lock', 'set confirmed_at']);
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const [text] = args;
    for (const step of broken) {
      if (typeof text !== 'string' || !text.includes(step)) continue;
      broken.delete(step);
      throw new Error('Connection terminated unexpectedly');
    }
    return Reflect.apply(query, this, args);
  } as never);

  // The engine retries the lock once; a connection lost after that fails the command, and the next command finds a
  // new one.
  await expect(desk.open(trader)).rejects.toMatchObject({ code: 'busy' });
  await desk.open(trader);
  spy.mockRestore();

  expect(broken.size).toBe(0);
  await eventually(() => expect(pool.totalCount - pool.idleCount).toBe(1));
  await sound();
});

test('a connection lost while idle is replaced at the next command', async () => {
  const trader = await desk.addTrader('1000');
  await desk.open(trader);
  await killEngineConnection(desk.db);
  await desk.open(trader);
  expect(await desk.wallet(trader)).toMatchObject({ available_balance: '980.00000000' });
  expect(desk.trading.state()).toMatchObject({ halted: null, epoch: 1 });
  await sound();
});

test('a second engine on the same database is refused with one line, and may start when the first has stopped', async () => {
  const second = desk.create();
  await expect(second.start()).rejects.toMatchObject({
    name: 'StartError',
    message: 'another Fulcrum engine is running on this database',
  });
  await desk.trading.stop();
  await second.start();
  expect(second.state()).toMatchObject({ running: true, epoch: 2 });
  await second.stop();
});

test('an engine whose epoch is over writes nothing and halts', async () => {
  const trader = await desk.addTrader('1000');
  await desk.db.asOwner('update app.engines set ended_at = now()');
  await expect(desk.open(trader)).rejects.toMatchObject({ code: 'trading_halted', status: 503 });
  expect(desk.trading.state().halted).toContain('epoch 1 is over');
  expect(await openPositions(trader.userId)).toBe(0);
  await sound();
});

test('A01: a start under another rule set is refused while positions are open, with their number', async () => {
  const trader = await desk.addTrader('1000');
  await desk.open(trader);
  await desk.open(trader);
  await desk.trading.stop();
  const other = desk.create({ config: { ...engineConfig, rules: 'as-specified' } });
  await expect(other.start()).rejects.toMatchObject({
    name: 'StartError',
    message:
      'RULES=as-specified, but 2 open positions follow the rule set standard: start with RULES=standard and close them first',
  });
  // The refused start released the lock.
  await desk.restart();
});

test('a restarted engine continues exactly where the last one stopped', async () => {
  const trader = await desk.addTrader('1000');
  const first = await desk.open(trader, { p_client_id: 'before' });
  await desk.restart();
  expect(await desk.open(trader, { p_client_id: 'before' })).toEqual(first);
  const second = await desk.open(trader);
  expect(second.account_version).toBe(first.account_version + 1);
  desk.setPrice('BTCUSDT', '103');
  expect(await desk.close(trader, first.id)).toMatchObject({ realized_pnl: 3, version: 2 });
  expect(await desk.wallet(trader)).toMatchObject({
    balance: '1003.00000000',
    available_balance: '993.00000000',
  });
  expect(desk.trading.state().epoch).toBe(2);
  await sound();
});

test('stopping finishes what is queued, then refuses', async () => {
  const trader = await desk.addTrader('1000');
  const queued = Promise.allSettled(Array.from({ length: 50 }, () => desk.open(trader)));
  // Submitted synchronously up to the queue, so all fifty are in it now.
  await Promise.resolve();
  const stopped = desk.trading.stop();
  expect(tally(await queued)).toEqual({ done: 50 });
  await stopped;
  await expect(desk.open(trader)).rejects.toMatchObject({ code: 'busy', status: 503 });
});

test('a full queue refuses at once', async () => {
  await desk.restart({ limits: { queue: 10 } });
  const trader = await desk.addTrader('1000');
  const results = await Promise.allSettled(Array.from({ length: 25 }, () => desk.open(trader)));
  expect(tally(results)).toEqual({ done: 10, busy: 15 });
  const refused = results.find((result) => result.status === 'rejected');
  expect(refused?.reason.message).toBe('The service is busy. Please try again shortly.');
});

test('idle accounts leave memory and come back unchanged', async () => {
  await desk.restart({ limits: { accounts: 2 } });
  const traders = await Promise.all(
    ['1000', '2000', '3000', '4000'].map((balance) => desk.addTrader(balance)),
  );
  for (const trader of [...traders, ...traders]) await desk.open(trader);
  expect(desk.trading.state()).toMatchObject({ accounts: 2, positions: 4 });
  expect(
    await Promise.all(traders.map(async (trader) => (await desk.wallet(trader)).available_balance)),
  ).toEqual(['980.00000000', '1980.00000000', '2980.00000000', '3980.00000000']);
  await sound();
});

test('a position id in capitals names the same position: its spelling does not halt trading', async () => {
  const trader = await desk.addTrader('1000');
  const { id } = await desk.open(trader);
  const closed = await desk.close(trader, id.toUpperCase(), 'once');
  expect(closed).toMatchObject({ id, status: 'closed' });
  expect(await desk.close(trader, id, 'once')).toEqual(closed);
  expect(desk.trading.state().halted).toBeNull();
  await sound();
});

test('an inconsistent ledger halts trading although the cleanup after the check fails', async () => {
  const trader = await desk.addTrader('1000');
  await desk.db.asOwner(
    'update app.wallets set available_balance = available_balance + 1 where user_id = $1',
    [trader.userId],
  );
  const { db } = desk;
  const query: typeof db.query = async (text, ...rest) => {
    if (text.startsWith('delete from app.engine_batches')) throw new Error('the disk is full');
    return db.query(text, ...rest);
  };
  await desk.restart({ db: { pool: db.pool, transaction: db.transaction, close: db.close, query } });
  await eventually(() => expect(desk.trading.state().halted ?? '').toContain('invariant violated'));
});

test('an inconsistent ledger halts trading, with the reason', async () => {
  const trader = await desk.addTrader('1000');
  const { id } = await desk.open(trader);
  await desk.db.asOwner(
    'update app.wallets set available_balance = available_balance + 1 where user_id = $1',
    [trader.userId],
  );
  await desk.restart();
  await eventually(() =>
    expect(desk.trading.state().halted).toContain('a wallet is the sum of its ledger entries'),
  );
  expect(desk.trading.invariants().ok).toBe(false);
  await expect(desk.close(trader, id)).rejects.toMatchObject({ code: 'trading_halted', status: 503 });
});
