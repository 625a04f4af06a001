/**
 * Engines as members of a cluster, two of them in this process on a real PostgreSQL: slots move to an engine that joins, away from one that
 * leaves or is ended; the fence refuses what comes late, in both orders of each race. `leases.long.test.ts` kills and stops processes.
 */
import { randomUUID } from 'node:crypto';
import type { Command } from '@fulcrum/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { slotOf } from '../../src/features/trading/engine/slots.ts';
import {
  CommandLate,
  OutcomeUnknown,
  readMembership,
  SlotMoved,
  type Trading,
  type TradingDependencies,
} from '../../src/features/trading/index.ts';
import { changeSlots } from '../../src/features/trading/slots/store.ts';
import type { Database } from '../../src/platform/database/index.ts';
import { eventually } from '../harness/eventually.ts';
import { type EngineSetup, engineConfig, openEngine, type Trader, usdt } from './database-engine.ts';
import { closeSessions, holdBatch, openSession, waiting } from './held-batch.ts';

let desk: EngineSetup;
let trader: Trader;
const running: Trading[] = [];

beforeEach(async () => {
  desk = await openEngine();
  trader = await desk.addTrader('1000');
  await desk.trading.stop();
  // Members would wait for two seconds before they end what they find.
  await desk.db.asOwner('update app.engine_slots set engine = null');
  await desk.db.asOwner('update app.engines set ended_at = now()');
});
afterEach(async () => {
  await closeSessions();
  await Promise.all(running.splice(0).map((trading) => trading.stop()));
  await desk.dispose();
});

const memberOptions = (more: Partial<TradingDependencies> = {}): Partial<TradingDependencies> => ({
  config: { ...engineConfig, engineLanes: 1 },
  member: {
    ...{ processId: randomUUID(), name: 'test', version: 'test' },
    openBeatConnection: desk.db.openBeatConnection,
  },
  ...more,
});
async function join(more?: Partial<TradingDependencies>): Promise<Trading> {
  const trading = desk.create(memberOptions(more));
  await trading.start();
  running.push(trading);
  return trading;
}

const epochOf = (trading: Trading): number => trading.slots.held()[0]?.engine ?? 0;
const slotsOf = (trading: Trading): readonly number[] => trading.slots.held()[0]?.slots ?? [];
const countOf = (trading: Trading): number => slotsOf(trading).length;
const open = (trading: Trading, by: Trader = trader, more: object = {}) =>
  trading.procedures.open_position(by.caller, {
    ...{ p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 1, p_leverage: 10, p_entry_price: null },
    ...more,
  });
const countPositions = async (): Promise<number> =>
  Number((await desk.db.asOwner('select count(*) from app.positions'))[0]?.count);
const sound = async () => expect(await desk.invariants()).toMatchObject({ ok: true, violations: [] });

/** As another engine ends this one. */
const end = (trading: Trading) => {
  const over = [epochOf(trading)];
  return changeSlots(desk.db, () => ({ over, owners: new Map() }), true);
};

test('the first member has all slots, a second one gets half of them, and what it leaves goes back', async () => {
  const first = await join();
  expect(countOf(first)).toBe(256);
  const { id } = (await open(first, trader, { p_stop_loss_price: 95, p_client_id: 'once' })) as {
    id: string;
  };
  let hints = 0;
  const stopListening = first.slots.onChange(() => {
    hints += 1;
  });
  const second = await join();
  await eventually(() => expect([countOf(first), countOf(second)]).toEqual([128, 128]));
  expect(hints).toBeGreaterThanOrEqual(8);
  stopListening();
  const map = await readMembership(desk.db);
  const byEngine = Map.groupBy(map.owners.keys(), (slot) => map.owners[slot]);
  expect(byEngine.get(epochOf(second))).toEqual(slotsOf(second).toSorted((a, b) => a - b));
  expect(map.engines.map(({ silentMs, isLocked }) => [Number(silentMs) < 3_000, isLocked])).toEqual([
    [true, true],
    [true, true],
  ]);

  const [owner, other] = slotsOf(first).includes(slotOf(trader.userId)) ? [first, second] : [second, first];
  await expect(open(other)).rejects.toBeInstanceOf(SlotMoved);
  expect(await open(owner, trader, { p_stop_loss_price: 95, p_client_id: 'once' })).toMatchObject({ id });
  await open(owner);
  await owner.stop();
  await eventually(() => expect(countOf(other)).toBe(256));
  // What waits there is armed by now, or soon.
  await eventually(() => expect(other.state()).toMatchObject({ armed: 5 }));
  await expect(open(owner)).rejects.toBeInstanceOf(SlotMoved);
  desk.tick('BTCUSDT', '94');
  await eventually(async () =>
    expect(
      await desk.db.asOwner('select status, close_reason from app.positions where id = $1', [id]),
    ).toEqual([{ status: 'closed', close_reason: 'stop_loss' }]),
  );
  expect(other.state()).toMatchObject({ halted: null, running: true });
  await sound();
});

test('what is reached while a slot has no engine is done at that price, once, by what was waiting for it by then', async () => {
  const members = [await join(), await join()];
  await eventually(() => expect(members.map(countOf)).toEqual([128, 128]));
  const owner = async (): Promise<Trading> =>
    eventually(() => {
      const found = members.find((member) => slotsOf(member).includes(slotOf(trader.userId)));
      if (!found) throw new Error('the slot has no engine');
      return found;
    });
  const opened = (id: string, stopLoss: number) =>
    eventually(async () => open(await owner(), trader, { p_stop_loss_price: stopLoss, p_client_id: id }));
  const closed = () =>
    desk.db.asOwner(
      `select stop_loss_price::float8 as stop_loss, close_reason, close_price::float8 from app.positions where status = 'closed'`,
    );
  await opened('reached', 95);
  await opened('not reached', 93);
  desk.clock.advance(1_000);
  await end(await owner());
  desk.tick('BTCUSDT', '94.5');
  desk.clock.advance(100);
  desk.tick('BTCUSDT', '100');
  const reached = [{ stop_loss: 95, close_reason: 'stop_loss', close_price: 94.5 }];
  await eventually(async () => expect(await closed()).toEqual(reached));

  // This one is younger than the fall.
  await opened('too late', 97);
  await end(await owner());
  await opened('after it', 91);
  const armed = () => members.reduce((sum, member) => sum + member.state().armed, 0);
  // Stop loss, liquidation and warning of each of the three.
  await eventually(() => expect(armed()).toBe(9));
  await opened('at last', 91);
  expect(await closed()).toEqual(reached);
  expect(await countPositions()).toBe(5);
  await sound();
});

test('a batch has the number of the prices that it was decided on, not that of an earlier one that it closes at; alone it has none', async () => {
  let seq = 7;
  const market = { ...desk.market, priceNumber: () => ({ term: 3, seq }) };
  const member = await join({ market });
  const batches = () =>
    desk.db.asOwner(
      `select b.price_term::int as term, b.price_seq::int as seq, x.price::float8 from app.engine_batches b
       join app.executions x on x.xmin = b.xmin order by b.committed_at, b.price_seq desc`,
    );
  const made = [{ term: 3, seq: 7, price: 100 }];
  await open(member, trader, { p_stop_loss_price: 95 });
  expect(await batches()).toEqual(made);
  desk.clock.advance(1_000);
  await end(member);
  seq = 8;
  desk.tick('BTCUSDT', '94.5');
  desk.clock.advance(100);
  seq = 9;
  desk.tick('BTCUSDT', '100');
  made.push({ term: 3, seq: 9, price: 94.5 });
  await eventually(async () => expect(await batches()).toEqual(made));

  await member.stop();
  desk.clock.advance(1_000);
  await desk.restart();
  await desk.open(trader);
  expect(await batches()).toEqual([...made, { term: null, seq: null, price: 100 }]);
});

test('a server alone and a cluster never run on one database, in either order', async () => {
  const member = await join();
  const alone = desk.create();
  await expect(alone.start()).rejects.toMatchObject({
    name: 'StartError',
    message: 'another Fulcrum engine is running on this database',
  });
  await open(member);
  await member.stop();
  await desk.restart();
  await expect(desk.create(memberOptions()).start()).rejects.toMatchObject({
    name: 'StartError',
    message: 'a Fulcrum server that is no member of a cluster is running on this database',
  });
  await desk.open(trader);
  expect(desk.trading.slots.held()).toEqual([]);
  await sound();
});

test('an engine that is ended before its batch answers moved, and begins again with a row of its own', async () => {
  const member = await join();
  const epoch = epochOf(member);
  const session = await openSession(desk);
  await session.query('begin');
  await session.query('select from app.engines where ended_at is null for update');
  const opened = open(member).catch((error: unknown) => error);
  await waiting(desk, 'engine_write');
  await session.query('update app.engine_slots set engine = null');
  await session.query('update app.engines set ended_at = clock_timestamp() where ended_at is null');
  await session.query('commit');
  expect(await opened).toBeInstanceOf(SlotMoved);
  expect(await countPositions()).toBe(0);
  await eventually(() => expect(countOf(member)).toBe(256));
  expect(epochOf(member)).toBeGreaterThan(epoch);
  await open(member);
  expect(member.state()).toMatchObject({ halted: null, running: true, positions: 1, armed: 2 });
  await sound();
});

test('an engine that is ended after its batch has begun: the ending waits, and the batch is answered', async () => {
  const member = await join();
  const epoch = epochOf(member);
  await open(member);
  const letGo = await holdBatch(desk, trader);
  const opened = open(member);
  await waiting(desk, 'engine_write');
  const ended = end(member);
  await waiting(desk, 'for update');
  await letGo();
  await opened;
  await ended;
  expect(await countPositions()).toBe(2);
  await eventually(() => expect(epochOf(member)).toBeGreaterThan(epoch));
  await eventually(() => expect(countOf(member)).toBe(256));
  await open(member);
  await sound();
});

test('a slot that is another engine’s is refused by the commit, and the engine ends itself', async () => {
  const member = await join();
  const epoch = epochOf(member);
  await open(member);
  await desk.db.asOwner(
    `with other as (insert into app.engines (heard_at, takes_slots) values (clock_timestamp(), false) returning id)
     update app.engine_slots set engine = other.id from other where slot = $1`,
    [slotOf(trader.userId)],
  );
  await expect(open(member)).rejects.toBeInstanceOf(SlotMoved);
  expect(await countPositions()).toBe(1);
  await eventually(() => expect(countOf(member)).toBe(255));
  expect(epochOf(member)).toBeGreaterThan(epoch);
  const living = await desk.db.asOwner('select from app.engines where ended_at is null and id = $1', [epoch]);
  expect(living).toEqual([]);
});

test('a commit whose outcome the ended engine cannot read is unknown, and the repeat gets its answer', async () => {
  const member = await join();
  await open(member);
  const letGo = await holdBatch(desk, trader);
  const opened = open(member, trader, { p_client_id: 'once' }).catch((error: unknown) => error);
  await waiting(desk, 'engine_write');
  // Its answer is lost: the session is ended right behind the batch, and the engine with it.
  const [writing] = await desk.db.asOwner(
    `select pid from pg_stat_activity where query like '%engine_write%' and wait_event_type = 'Lock' and datname = current_database()`,
  );
  const ended = end(member);
  await waiting(desk, 'for update');
  await desk.db.asOwner('select pg_terminate_backend($1)', [writing?.pid]);
  await letGo();
  await ended;
  expect(await opened).toBeInstanceOf(OutcomeUnknown);
  await eventually(() => expect(countOf(member)).toBe(256));
  await open(member, trader, { p_client_id: 'once' });
  await open(member, trader, { p_client_id: 'once' });
  expect(await countPositions()).toBe(2);
  await sound();
});

test('what is decided after its time is refused as late, but for what was done before', async () => {
  const member = await join();
  const { caller, userId } = trader;
  const origin = {
    accountId: userId,
    ownerId: userId,
    actorId: caller.actorId,
    authority: null,
    reason: null,
  };
  const command: Command = {
    ...{
      kind: 'open' as const,
      symbol: 'BTCUSDT',
      side: 'BUY' as const,
      size: usdt('1') as never,
      leverage: 10,
    },
    ...{ expectedPrice: null, takeProfitPrice: null, stopLossPrice: null },
  };
  const key = { ownerId: userId, clientId: 'once', procedure: 'open_position', bodyHash: 'ab'.repeat(32) };
  const now = desk.clock.now();
  await expect(member.engine.submit(origin, command, key, now - 1)).rejects.toBeInstanceOf(CommandLate);
  const answer = await member.engine.submit(origin, command, key, now);
  desk.clock.advance(1_000);
  expect(await member.engine.submit(origin, command, key, now)).toEqual(answer);
  const other = { ...key, clientId: 'twice' };
  await expect(member.engine.submit(origin, command, other, now)).rejects.toBeInstanceOf(CommandLate);
  expect(await countPositions()).toBe(1);
});

test('an idle engine that loses its session gets its lock back before the others end it', async () => {
  const first = await join();
  const second = await join();
  const epochs = [epochOf(first), epochOf(second)];
  await eventually(() => expect(countOf(second)).toBe(128));
  // Both have polled for long enough to end the other one.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  const locks = await desk.db.asOwner(
    `select pid from pg_locks where locktype = 'advisory' and granted and objid = $1 and objsubid = 2
       and classid = ${0x46554c45} and database = (select oid from pg_database where datname = current_database())`,
    [epochs[1]],
  );
  expect(locks).toHaveLength(1);
  await desk.db.asOwner('select pg_terminate_backend($1)', [locks[0]?.pid]);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect([epochOf(first), epochOf(second)]).toEqual(epochs);
  expect([countOf(first), countOf(second)]).toEqual([128, 128]);
});

test('an engine that does not get its lock back ends itself and begins again', async () => {
  const member = await join();
  const epoch = epochOf(member);
  // As if PostgreSQL still had the lost session.
  const ghost = await openSession(desk);
  const locked = ghost.query('select pg_advisory_lock($1, $2)', [0x46554c45, epoch]);
  await waiting(desk, 'pg_advisory_lock');
  const [writing] = await desk.db.asOwner(
    `select pid from pg_locks where locktype = 'advisory' and granted and objid = $1 and objsubid = 2
       and classid = ${0x46554c45} and database = (select oid from pg_database where datname = current_database())`,
    [epoch],
  );
  await desk.db.asOwner('select pg_terminate_backend($1)', [writing?.pid]);
  await locked;
  await eventually(() => {
    expect(epochOf(member)).toBeGreaterThan(epoch);
    expect(countOf(member)).toBe(256);
  });
  await open(member);
  await sound();
});

test('an engine that does not beat stops by itself after 2.5 s, the others end it after 3 s, and it begins again', async () => {
  const first = await join();
  let isCutOff: boolean = false;
  const openBeatConnection = (): Database => {
    const beats = desk.db.openBeatConnection();
    return {
      ...beats,
      query: (...args) => (isCutOff ? Promise.reject(new Error('cut off')) : beats.query(...args)),
    };
  };
  const { member } = memberOptions();
  const second = await join(member && { member: { ...member, openBeatConnection } });
  await eventually(() => expect(countOf(second)).toBe(128));
  const epoch = epochOf(second);
  const [slot = 0] = slotsOf(second);
  isCutOff = true;
  const cutOffAt = performance.now();
  await eventually(() => expect(countOf(second)).toBe(0));
  expect(performance.now() - cutOffAt).toBeGreaterThan(1_500);
  // It still owns them, and no engine takes their commands.
  expect((await readMembership(desk.db)).owners[slot]).toBe(epoch);
  await eventually(() => expect(countOf(first)).toBe(256));
  isCutOff = false;
  await eventually(() => expect(countOf(second)).toBe(128));
  expect(epochOf(second)).toBeGreaterThan(epoch);
});

test('a halt and its end reach the engines of other processes without a command', async () => {
  const first = await join();
  const second = await join();
  const admin = await desk.addAdmin();
  await open(first.slots.held()[0]?.slots.includes(slotOf(trader.userId)) ? first : second);
  await first.halts.halt(admin, 'Prices look wrong');
  await eventually(() =>
    expect(second.state()).toMatchObject({ haltCause: 'staff', halted: 'Prices look wrong' }),
  );
  // An engine that begins meanwhile follows it as well.
  await end(second);
  await eventually(() => expect(countOf(second)).toBeGreaterThan(0));
  await eventually(() => expect(second.state()).toMatchObject({ haltCause: 'staff' }));
  await eventually(() => expect(first.invariants().fullCheckedAt).not.toBeNull());
  await first.halts.resume(admin, 'They are right');
  await eventually(() => expect(second.state()).toMatchObject({ haltCause: null, running: true }));
  await eventually(async () => {
    const owner = slotsOf(first).includes(slotOf(trader.userId)) ? first : second;
    await open(owner);
  });
  await sound();
});
