import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { dayMs } from '@fulcrum/domain';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createLedgerMonitor,
  openWallet,
  type Violation,
  verifyLedger,
} from '../../src/features/wallet/index.ts';
import type { Queryable } from '../../src/platform/database/index.ts';
import { defaultLimits } from '../../src/platform/limits/index.ts';
import { eventually } from '../harness/eventually.ts';
import { testLog } from '../harness/index.ts';
import type { EngineSetup, Trader } from '../trading/database-engine.ts';
import { openEngineWithFees, spendDay, trade } from './day.ts';

let desk: EngineSetup;
beforeEach(async () => {
  desk = await openEngineWithFees();
});
afterEach(() => desk.dispose());

const whole = { ok: true, violations: [] };
const markOf = async () => {
  const { rows } = await desk.db.query<{ ledger_id: string; last: string }>(
    `select ledger_id, (select coalesce(max(id), 0) from app.ledger_entries) as last from app.checkpoints`,
  );
  const { ledger_id: mark, last } = rows[0]!;
  return { mark: Number(mark), last: Number(last) };
};
/**
 * A transaction of another test's database may delay the mark for a moment: transaction ids belong to the cluster.
 */
const expectMarkAtTheEnd = () =>
  eventually(async () => {
    expect(await verifyLedger(desk.db, 'minute')).toMatchObject(whole);
    const { mark, last } = await markOf();
    expect(mark).toBe(last);
  });
const take = (amount: number, userId: string) =>
  desk.db.asOwner('update app.wallets set available_balance = available_balance - $2 where user_id = $1', [
    userId,
    amount,
  ]);

describe('the minute pass', () => {
  test('has no start before a successful full pass, and then goes from mark to mark', async () => {
    const trader = await desk.addTrader('10000');
    // The engine's own monitor runs a full pass at the start, too.
    await eventually(() => expect(desk.trading.invariants().fullCheckedAt).not.toBeNull());
    await desk.db.asOwner(
      'update app.checkpoints set ledger_id = 0, checked_at = null, full_checked_at = null',
    );
    expect(await verifyLedger(desk.db, 'minute')).toBeNull();
    expect(await verifyLedger(desk.db, 'full')).toMatchObject(whole);
    for (let round = 0; round < 3; round += 1) {
      await trade(desk, trader);
      await expectMarkAtTheEnd();
    }
    const { rows } = await desk.db.query(
      `select c.user_id, c.ledger_id = (select max(id) from app.ledger_entries l where l.user_id = c.user_id) as latest,
              (c.cash, c.margin, c.order_margin) = (w.available_balance, w.margin, w.order_margin) as agrees
       from app.checkpoint_balances c join app.wallets w using (user_id)`,
    );
    expect(rows).toEqual([{ user_id: trader.userId, latest: true, agrees: true }]);
  });

  test('checks accounts with new entries, not all of them', async () => {
    const [busy, idle] = [await desk.addTrader('10000'), await desk.addTrader('10000')];
    await verifyLedger(desk.db, 'full');
    await take(1, idle.userId);
    await trade(desk, busy);
    expect(await verifyLedger(desk.db, 'minute')).toMatchObject(whole);
    await desk.open(idle);
    expect((await verifyLedger(desk.db, 'minute'))?.violations).toMatchObject([
      { invariant: 'a wallet is the sum of its ledger entries', detail: `wallet of ${idle.userId}` },
    ]);
    expect(await verifyLedger(desk.db, 'full')).toMatchObject({ ok: false });
  });

  test('does not go past a registration that has its ledger ids and is committed after later ones', async () => {
    const trader = await desk.addTrader('10000');
    await verifyLedger(desk.db, 'full');
    const userId = randomUUID();
    let commit = (): void => {};
    const registration = desk.db.transaction(async (tx) => {
      await tx.query(`insert into app.users (id, email, username, role) values ($1, $2, $3, 'trader')`, [
        userId,
        `${userId}@example.test`,
        userId,
      ]);
      await openWallet(tx, { accountId: userId, initialBalance: 500_000_000n });
      await new Promise<void>((resolve) => {
        commit = resolve;
      });
    });
    await eventually(async () => {
      const [row] = await desk.db.asOwner('select last_value as last from app.ledger_entries_id_seq');
      expect(Number(row?.last)).toBeGreaterThan((await markOf()).last);
    });
    const before = await markOf();
    await desk.open(trader);
    expect(await verifyLedger(desk.db, 'minute')).toMatchObject(whole);
    const held = await markOf();
    expect(held.last).toBeGreaterThan(before.last);
    expect(held.mark).toBe(before.mark);

    commit();
    await registration;
    await take(1, userId);
    expect((await verifyLedger(desk.db, 'minute'))?.violations).toMatchObject([
      { invariant: 'a wallet is the sum of its ledger entries', detail: `wallet of ${userId}` },
    ]);
    await take(-1, userId);
    await expectMarkAtTheEnd();
  });

  test('handles a mark in the middle of a group', async () => {
    await spendDay(desk, async () => {
      await verifyLedger(desk.db, 'full');
    });
    const { mark, last } = await markOf();
    for (let id = mark; id <= last; id += 7) {
      await desk.db.asOwner(
        `delete from app.checkpoint_balances; update app.checkpoints set ledger_id = ${id}`,
      );
      expect(await verifyLedger(desk.db, 'minute')).toMatchObject(whole);
    }
  });
});

test('A73: trading, registrations, staff and removals at full speed never look like a violation', async () => {
  await verifyLedger(desk.db, 'full');
  let isOver = false;
  const untilOver = async (work: (round: number) => Promise<unknown>): Promise<number> => {
    let rounds = 0;
    for (; !isOver; rounds += 1) await work(rounds);
    return rounds;
  };
  const traders: Trader[] = await Promise.all(Array.from({ length: 8 }, () => desk.addTrader('10000')));
  const admin = await desk.addAdmin();
  const { procedures, writes } = desk.trading;
  const resetsMax = defaultLimits.resetOfAccount.attemptsMax;
  const clicks = traders.map((trader) =>
    untilOver(async (round) => {
      desk.clock.advance(1);
      const { id } = await desk.open(trader, { p_leverage: 20, p_side: round % 2 === 0 ? 'BUY' : 'SELL' });
      const order = await desk.placeOrder(trader, { type: 'LIMIT', price: '50' });
      if (round % 3 === 0) await procedures.close_position(trader.caller, { p_position_id: id, p_size: 0.5 });
      await desk.close(trader, id);
      if (round % 5 !== 0) {
        await writes['orders.update'](trader.caller, [order.id], { status: 'CANCELED' });
      }
      const resets = Math.floor(round / 20);
      if (round % 20 === 19 && resets < resetsMax) await procedures.reset_account(trader.caller, {});
    }),
  );
  const registrations = [0, 1, 2].map(() => untilOver(() => desk.addTrader('3')));
  const removals = untilOver(async () => {
    const { userId } = await desk.addTrader('100');
    await desk.actions.delete_user_with_data(admin, { p_user_id: userId, p_reason: 'requested it' });
  });
  const prices = untilOver(async (round) => {
    desk.tick('BTCUSDT', String(100 + (round % 5)));
    await sleep(5);
  });
  try {
    for (let pass = 0; pass < 8; pass += 1) {
      const [full, minute] = await Promise.all([
        verifyLedger(desk.db, 'full'),
        verifyLedger(desk.db, 'minute'),
      ]);
      expect(full).toMatchObject(whole);
      expect(minute).toMatchObject(whole);
    }
  } finally {
    isOver = true;
  }
  const rounds = await Promise.all([...clicks, ...registrations, removals, prices]);
  expect(Math.min(...rounds)).toBeGreaterThan(1);
  expect(await verifyLedger(desk.db, 'minute')).toMatchObject(whole);
  expect(await verifyLedger(desk.db, 'full')).toMatchObject(whole);
  await expectMarkAtTheEnd();
}, 60_000);

describe('the monitor', () => {
  const createMonitor = (found: Violation[]) =>
    createLedgerMonitor({
      db: desk.db,
      clock: desk.clock,
      log: testLog,
      onViolation: (violation) => void found.push(violation),
      everyMs: 20,
    });

  test('has a full pass at the start, and the next one a day later', async () => {
    const trader = await desk.addTrader('10000');
    await trade(desk, trader);
    const found: Violation[] = [];
    const monitor = createMonitor(found);
    monitor.start();
    await eventually(() => expect(monitor.report().fullCheckedAt).not.toBeNull());
    const first = monitor.report().fullCheckedAt;
    await eventually(() => expect(monitor.report().checkedAt).not.toBe(first));
    expect(monitor.report()).toMatchObject({ ...whole, fullCheckedAt: first });

    desk.clock.advance(dayMs);
    await eventually(() => expect(monitor.report().fullCheckedAt).not.toBe(first));
    await monitor.stop();
    expect(found).toEqual([]);
  }, 60_000);

  test('reports a violation while trading continues, and retains it', async () => {
    const trader = await desk.addTrader('10000');
    const found: Violation[] = [];
    const monitor = createMonitor(found);
    monitor.start();
    await eventually(() => expect(monitor.report().fullCheckedAt).not.toBeNull());
    await take(1, trader.userId);
    await desk.open(trader);
    await eventually(() => expect(found.length).toBeGreaterThan(0));
    expect(found[0]).toMatchObject({ number: 2, invariant: 'a wallet is the sum of its ledger entries' });
    expect(monitor.report()).toMatchObject({ ok: false, violations: [{ number: 2 }] });
    await monitor.stop();
    expect(monitor.report().ok).toBe(false);
  }, 60_000);

  test('a first pass that takes longer than five minutes is no fault while it gets answers; a stuck one is', async () => {
    await desk.db.asOwner(
      'update app.checkpoints set ledger_id = 0, checked_at = null, full_checked_at = null',
    );
    const held = Promise.withResolvers<void>();
    let [answers, isStuck] = [0, false];
    const slow = (tx: Queryable): Queryable => ({
      query: async <Row>(...question: Parameters<Queryable['query']>) => {
        // After the first statements of the pass, so that a pass is running.
        if (answers === 20) {
          isStuck = true;
          await held.promise;
        }
        answers += 1;
        desk.clock.advance(60_000);
        return tx.query<Row>(...question);
      },
    });
    const db = new Proxy(desk.db, {
      get: (target, property) =>
        property === 'transaction'
          ? (work: (tx: Queryable) => Promise<unknown>) => target.transaction((tx) => work(slow(tx)))
          : Reflect.get(target, property, target),
    });
    const monitor = createLedgerMonitor({
      db,
      clock: desk.clock,
      log: testLog,
      onViolation: () => {},
      everyMs: 60_000,
    });
    const since = new Date(desk.clock.now()).toISOString().slice(11, 16);
    monitor.start();
    await eventually(() => expect(isStuck).toBe(true));
    expect(monitor.report()).toMatchObject({ ...whole, fullCheckedAt: null });
    // Meanwhile the report shows that it runs, and since when.
    expect(monitor.checks()[0]?.detail).toMatch(
      new RegExp(`^(being checked|\\d+ wallets?) since ${since} UTC$`),
    );
    desk.clock.advance(5 * 60_000 + 1);
    expect(monitor.report()).toMatchObject({ ok: false, violations: [{ number: 0 }] });
    held.resolve();
    await eventually(() => expect(monitor.report().fullCheckedAt).not.toBeNull());
    expect(monitor.report()).toMatchObject(whole);
    expect(monitor.checks()[0]?.detail).toMatch(/^\d+ (entry|entries)/);
    await monitor.stop();
  });

  test('reports an unknown result when no pass succeeded for five minutes', async () => {
    const db = new Proxy(desk.db, {
      get: (target, property) =>
        property === 'query' || property === 'transaction'
          ? () => Promise.reject(new Error('no database'))
          : Reflect.get(target, property, target),
    });
    const found: Violation[] = [];
    const log = { ...testLog, error: () => {} } as typeof testLog;
    const onViolation = (violation: Violation) => void found.push(violation);
    const monitor = createLedgerMonitor({ db, clock: desk.clock, log, onViolation, everyMs: 60_000 });
    monitor.start();
    expect(monitor.report().ok).toBe(true);
    desk.clock.advance(5 * 60_000 + 1);
    expect(monitor.report()).toMatchObject({
      ok: false,
      violations: [{ invariant: 'the ledger is verified every minute' }],
    });
    await monitor.stop();
    expect(found).toEqual([]);
  });
});
