/** Two engines in one process (`ENGINE_LANES=2`): what one does must be right with two, and slots may move between them. */
import { hourMs, type Price } from '@fulcrum/domain';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { allSlots, slotOf } from '../../src/features/trading/engine/slots.ts';
import { eventually } from '../harness/eventually.ts';
import { type EngineSetup, engineConfig, openEngine, type Trader, tally, usdt } from './database-engine.ts';

const lanes = { config: { ...engineConfig, engineLanes: 2 } };
let desk: EngineSetup;
beforeEach(async () => {
  desk = await openEngine(lanes);
});
afterEach(() => desk.dispose());

const sound = async () => expect(await desk.invariants()).toMatchObject({ ok: true, violations: [] });

/** Slots go to the lanes in turn. */
async function traderIn(lane: number, balance = '1000'): Promise<Trader> {
  for (;;) {
    const trader = await desk.addTrader(balance);
    if (slotOf(trader.userId) % 2 === lane) return trader;
  }
}
const bothTraders = () => Promise.all([traderIn(0), traderIn(1)]);

/** Of the newest position of the trader. */
async function positionOf(trader: Trader) {
  const { rows } = await desk.db.query<{ status: string; close_reason: string | null }>(
    'select status, close_reason from app.positions where user_id = $1 order by created_at desc, id limit 1',
    [trader.userId],
  );
  return rows[0];
}

test('each lane writes its own accounts under its own epoch and its own row of the totals; figures are their sums', async () => {
  const [first, second] = await bothTraders();
  await Promise.all([desk.open(first), desk.open(second), desk.open(second)]);
  expect(
    await desk.db.asOwner(
      'select epoch::int, sum(commands)::int as commands from app.engine_batches group by 1',
    ),
  ).toEqual(
    expect.arrayContaining([
      { epoch: 1, commands: 1 },
      { epoch: 2, commands: 2 },
    ]),
  );
  expect(
    await desk.db.asOwner(
      'select writer, opened::int from app.daily_totals where opened > 0 order by writer',
    ),
  ).toEqual([
    { writer: 'engine:1', opened: 1 },
    { writer: 'engine:2', opened: 2 },
  ]);
  expect(
    await desk.db.asOwner(
      'select engine::int, count(*)::int as slots from app.engine_slots group by 1 order by 1',
    ),
  ).toEqual([
    { engine: 1, slots: 128 },
    { engine: 2, slots: 128 },
  ]);
  expect(desk.trading.state()).toMatchObject({ epoch: 2, accounts: 2, positions: 3, commands: 3, armed: 6 });
  await sound();
});

test('PostgreSQL finds the slot of an account as the engine does', async () => {
  const { rows } = await desk.db.query<{ id: string; slot: number }>(
    'select id, app.slot_of(id) as slot from (select gen_random_uuid() as id from generate_series(1, 1000)) random',
  );
  expect(rows.map(({ slot }) => slot)).toEqual(rows.map(({ id }) => slotOf(id)));
  expect(new Set(rows.map(({ slot }) => slot)).size).toBeGreaterThan(200);
});

test('one price closes positions of both lanes, those that were armed at the start too', async () => {
  const [first, second] = await bothTraders();
  for (const trader of [first, second]) await desk.open(trader, { p_stop_loss_price: 95 });
  await desk.restart();
  desk.tick('BTCUSDT', '94');
  for (const trader of [first, second]) {
    await eventually(async () =>
      expect(await positionOf(trader)).toEqual({ status: 'closed', close_reason: 'stop_loss' }),
    );
  }
  expect(desk.trading.state()).toMatchObject({ armed: 0, crossings: 2 });
  // The same database with one engine, and with two again.
  await desk.restart({ config: { ...engineConfig, engineLanes: 1 } });
  await desk.open(first);
  await desk.restart();
  await desk.open(second);
  await sound();
});

test('one client id of a staff member for accounts of two lanes: one is done, the other is a conflict', async () => {
  const [first, second] = await bothTraders();
  const admin = await desk.addAdmin();
  const deposit = (trader: Trader) =>
    desk.actions.adjust_wallet_balance(admin, {
      ...{ p_user_id: trader.userId, p_amount: 5, p_reason: 'Agreed', p_client_id: 'once' },
    });
  const results = await Promise.allSettled([deposit(first), deposit(second)]);
  expect(tally(results)).toEqual({ done: 1, idempotency_conflict: 1 });
  expect(tally(await Promise.allSettled([deposit(first), deposit(second)]))).toEqual({
    done: 1,
    idempotency_conflict: 1,
  });
  const { rows } = await desk.db.query(`select from app.transactions where type = 'deposit' and amount = 5`);
  expect(rows).toHaveLength(1);
  await sound();
});

test('staff restrict and delete accounts of either lane', async () => {
  const admin = await desk.addAdmin();
  for (const trader of await bothTraders()) {
    await desk.open(trader);
    const of = { p_user_id: trader.userId, p_reason: 'Agreed' };
    await desk.actions.restrict_user(admin, { ...of, p_restricted: true });
    await expect(desk.open(trader)).rejects.toMatchObject({ code: 'account_restricted' });
    await desk.actions.delete_user_with_data(admin, of);
    await expect(desk.open(trader)).rejects.toMatchObject({ code: 'not_found' });
  }
  expect(desk.trading.state()).toMatchObject({ accounts: 0, armed: 0, halted: null });
  await sound();
});

test('an admin’s halt waits for the batch of every lane; a resumed one fires what was crossed meanwhile in both', async () => {
  const [first, second] = await bothTraders();
  const admin = await desk.addAdmin();
  for (const trader of [first, second]) await desk.open(trader, { p_take_profit_price: 110 });
  const holder = new pg.Client({ connectionString: desk.db.url });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from app.wallets where user_id = $1 for update', [second.userId]);
  const held = desk.open(second);
  await eventually(async () =>
    expect(
      await desk.db.asOwner(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%engine_write%' and datname = current_database()`,
      ),
    ).toHaveLength(1),
  );
  // The other lane does not wait for it.
  await desk.open(first);
  let isHalted = false;
  const halting = desk.trading.halts.halt(admin, 'Prices look wrong').then(() => {
    isHalted = true;
  });
  await desk.clock.advance(10);
  expect(isHalted).toBe(false);
  await holder.query('rollback');
  await holder.end();
  await Promise.all([held, halting]);
  for (const trader of [first, second])
    await expect(desk.open(trader)).rejects.toMatchObject({ code: 'trading_halted' });
  desk.tick('BTCUSDT', '111');
  expect(desk.trading.state()).toMatchObject({ haltCause: 'staff', crossings: 0 });
  await eventually(() => expect(desk.trading.invariants().fullCheckedAt).not.toBeNull());
  await desk.trading.halts.resume(admin, 'They are right');
  for (const trader of [first, second])
    await eventually(async () => {
      const { rows } = await desk.db.query(
        `select from app.positions where user_id = $1 and close_reason = 'take_profit'`,
        [trader.userId],
      );
      expect(rows).toHaveLength(1);
    });
  await sound();
});

test('a halt that one lane meets, and the end of one lane, halt the other one as well', async () => {
  const [first, second] = await bothTraders();
  const admin = await desk.addAdmin();
  await desk.open(second);
  await desk.db.asOwner(`insert into app.halts (at, cause, reason) values (now(), 'staff', 'A row')`);
  await expect(desk.open(first)).rejects.toMatchObject({ code: 'trading_halted' });
  const { batches } = desk.trading.state();
  await expect(desk.open(second)).rejects.toMatchObject({ code: 'trading_halted' });
  expect(desk.trading.state()).toMatchObject({ batches, haltCause: 'staff', halted: 'A row' });
  await desk.trading.halts.resume(admin, 'Lifted');
  await Promise.all([desk.open(first), desk.open(second)]);

  await desk.db.asOwner('update app.engines set ended_at = now() where id = 1');
  await expect(desk.open(first)).rejects.toMatchObject({ code: 'trading_halted' });
  await expect(desk.open(second)).rejects.toMatchObject({ code: 'trading_halted' });
  expect(desk.trading.state()).toMatchObject({ haltCause: 'epoch', halted: 'engine epoch 1 is over' });
  await expect(desk.trading.halts.resume(admin, 'Again')).rejects.toMatchObject({ code: 'conflict' });
  await sound();
});

test('a lane that loses its connection gets it back, and a second server is refused while any lane lives', async () => {
  const [first, second] = await bothTraders();
  const lockOfLane = async (classid: number) => {
    const rows = await desk.db.asOwner(
      `select pid, objid::int from pg_locks where locktype = 'advisory' and granted and classid::bigint = $1
         and database = (select oid from pg_database where datname = current_database()) order by objid`,
      [classid],
    );
    return rows as { pid: number; objid: number }[];
  };
  const locks = await lockOfLane(0x46554c43);
  expect(locks.map(({ objid }) => objid)).toEqual([1, 0x101]);
  await desk.db.asOwner('select pg_terminate_backend($1)', [locks[1]?.pid]);
  await Promise.all([desk.open(first), desk.open(second)]);
  expect(desk.trading.state()).toMatchObject({ halted: null, epoch: 2, positions: 2 });

  const server = desk.create();
  await expect(server.start()).rejects.toMatchObject({ name: 'StartError' });
  await Promise.all([desk.open(first), desk.open(second)]);
  await sound();
});

test('a moved slot: positions and orders go on in the other lane, with their triggers and answers', async () => {
  const [first, second] = await bothTraders();
  const { id } = await desk.open(first, { p_stop_loss_price: 95, p_client_id: 'before' });
  await desk.placeOrder(first, { type: 'LIMIT', price: '97' });
  await desk.open(second, { p_stop_loss_price: 91 });
  const slots = [slotOf(first.userId)];
  await desk.trading.moveSlots(slots, 1);
  await desk.trading.moveSlots(slots, 1);
  expect(await desk.open(first, { p_stop_loss_price: 95, p_client_id: 'before' })).toMatchObject({ id });
  expect(desk.trading.state()).toMatchObject({ armed: 7, staleAccounts: 0, queued: 0 });
  desk.tick('BTCUSDT', '96');
  await eventually(() => expect(desk.trading.state()).toMatchObject({ crossings: 1, orders: 0 }));
  desk.tick('BTCUSDT', '94');
  await eventually(async () => {
    const { rows } = await desk.db.query<{ close_reason: string }>(
      'select close_reason from app.positions where id = $1',
      [id],
    );
    expect(rows).toEqual([{ close_reason: 'stop_loss' }]);
  });
  const written = await desk.db.asOwner(
    'select epoch::int, sum(commands)::int as commands from app.engine_batches group by 1 order by 1',
  );
  expect(written).toEqual([
    { epoch: 1, commands: 2 },
    { epoch: 2, commands: 3 },
  ]);
  await sound();
});

test('slots that move back and forth under orders: each order is done once or refused as busy', async () => {
  const traders = await Promise.all([traderIn(0, '100000'), traderIn(1, '100000'), traderIn(0, '100000')]);
  const outcomes: Promise<unknown>[] = [];
  let isMoving: boolean = true;
  const ordering = (async () => {
    for (let n = 0; isMoving; n += 1) {
      for (const trader of traders) {
        const opened = desk.open(trader, { p_client_id: `c${n}` });
        // Judged at the end.
        opened.catch(() => undefined);
        outcomes.push(opened);
      }
      await new Promise(setImmediate);
      if (n % 5 === 0) await Promise.allSettled(outcomes.slice(-3));
    }
  })();
  for (const to of [1, 0, 1]) {
    await desk.trading.moveSlots(allSlots, to);
    const owners = await desk.db.asOwner('select distinct engine::int from app.engine_slots');
    expect(owners).toEqual([{ engine: to + 1 }]);
  }
  isMoving = false;
  await ordering;
  const { done = 0, busy = 0, ...others } = tally(await Promise.allSettled(outcomes));
  expect(others).toEqual({});
  expect(done + busy).toBe(outcomes.length);
  expect(done).toBeGreaterThan(10);
  const { rows } = await desk.db.query<{ open: number }>('select count(*)::int as open from app.positions');
  expect(rows).toEqual([{ open: done }]);
  expect(desk.trading.state()).toMatchObject({ halted: null, positions: done, staleAccounts: 0 });
  await sound();
});

test('a past of accounts of two lanes is written under the epoch of each', async () => {
  const [first, second] = await bothTraders();
  const start = desk.clock.now() - hourMs;
  const past = await desk.trading.beginPast([first.userId, second.userId], start);
  const price = (text: string) => usdt(text) as Price;
  await past.tick('BTCUSDT', price('80'), start);
  for (const { userId } of [first, second]) {
    await past.submit(
      userId,
      {
        ...{ kind: 'open', symbol: 'BTCUSDT', side: 'BUY', size: usdt('1') as never, leverage: 10 },
        ...{ expectedPrice: null, takeProfitPrice: price('90'), stopLossPrice: null },
      },
      start + 1,
    );
  }
  // One price closes both, in a batch each.
  await past.tick('BTCUSDT', price('91'), start + 2);
  await past.write(async () => {});
  const written = await desk.db.asOwner(
    'select epoch::int, count(*)::int as batches from app.engine_batches group by 1 order by 1',
  );
  expect(written).toEqual([
    { epoch: 1, batches: 2 },
    { epoch: 2, batches: 2 },
  ]);
  for (const trader of [first, second]) {
    expect(await positionOf(trader)).toMatchObject({ close_reason: 'take_profit' });
    await desk.open(trader);
  }
  await sound();
});
