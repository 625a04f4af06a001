import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkInvariants, verifyLedger } from '../../src/features/wallet/index.ts';
import { invariants } from '../../src/features/wallet/invariants.ts';
import { administer, createTestDatabase, type TestDatabase } from '../harness/index.ts';
import { afternoon, openEngineWithFees, spendDay } from './day.ts';

/** A day of all events, consistent up to its last row, with a checkpoint at noon; every test breaks a copy of it. */
let template: string;
beforeAll(async () => {
  const desk = await openEngineWithFees();
  await spendDay(desk, async () => {
    expect(await verifyLedger(desk.db, 'full')).toMatchObject({ ok: true, violations: [] });
  });
  await desk.trading.stop();
  template = desk.db.name;
  await desk.db.pool.end();
});
afterAll(() => administer(`drop database if exists ${template} with (force)`));

/** Bypasses all rules: without triggers and foreign keys. */
const past = (statement: string) => `set session_replication_role = replica; ${statement}`;
const isNew = `created_at >= '${afternoon}'`;
const ofLastBatch = `id = (select max(id) from app.ledger_entries where account = 'house:fees')`;

async function breakLedger<T>(tampering: string, work: (db: TestDatabase) => Promise<T>): Promise<T> {
  const db = await createTestDatabase(template);
  try {
    await db.asOwner(past(tampering));
    return await work(db);
  } finally {
    await db.close();
  }
}

const titlesOf = (report: { violations: readonly { invariant: string }[] } | null) =>
  report?.violations.map(({ invariant }) => invariant);

/** The planted violation, its statement, and the invariant that has to detect it. */
const planted: readonly (readonly [what: string, tampering: string, title: string])[] = [
  [
    'an entry without its counterpart',
    `insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id)
     select group_id, 'user:cash', user_id, 1, 'deposit', source_id from app.ledger_entries
     where kind = 'deposit' and user_id is not null order by id desc limit 1`,
    'each ledger group sums to zero',
  ],
  [
    'a fee that went elsewhere',
    `update app.ledger_entries set account = 'external' where ${ofLastBatch}`,
    'each ledger group moves the accounts of its kind',
  ],
  [
    'a group with house accounts only',
    `insert into app.ledger_entries (group_id, account, amount, kind, source_id)
     select g, account, amount, 'adjustment', g
     from (select gen_random_uuid() as g), (values ('house:pnl', 1), ('insurance', -1)) as e (account, amount)`,
    'each ledger group moves the accounts of its kind',
  ],
  [
    'an insurance that earns',
    `update app.ledger_entries set amount = -amount where account = 'insurance' and ${isNew}`,
    'each ledger group moves the accounts of its kind',
  ],
  ['entries that are gone', `update app.checkpoints set ledger_id = 1000000`, 'the ledger has lost no entry'],
  [
    'money from nowhere',
    `update app.wallets set available_balance = available_balance + 1 where available_balance > 1000`,
    'a wallet is the sum of its ledger entries',
  ],
  [
    'an account that is gone and still owns something',
    `insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id)
     select g, account, case account when 'user:cash' then g end, amount, 'deposit', g
     from (select gen_random_uuid() as g), (values ('user:cash', 1), ('external', -1)) as e (account, amount)`,
    'the ledger of a deleted account ends at zero',
  ],
  [
    'a margin that nothing holds',
    `update app.positions set margin = margin + 1 where status = 'open' and ${isNew}`,
    'what is locked is the margins of the open positions and the reserves of the waiting orders',
  ],
  [
    'a reserve that nothing holds',
    `update app.orders set reserved = reserved + 1 where status = 'NEW' and ${isNew}`,
    'what is locked is the margins of the open positions and the reserves of the waiting orders',
  ],
  [
    'a reopened position',
    `update app.positions set status = 'open', closed_at = null, close_price = null, realized_pnl = null,
       close_reason = null where status = 'closed' and ${isNew}`,
    'a position is opened once, and closed once or not at all',
  ],
  [
    'a part of nothing',
    `update app.positions set split_from = gen_random_uuid() where split_from is not null and ${isNew}`,
    'a position is opened once, and closed once or not at all',
  ],
  [
    'a position that was never booked',
    `update app.positions set split_from = id where split_from is null and ${isNew}`,
    'a position is opened once, and closed once or not at all',
  ],
  [
    'another margin than was booked',
    `update app.positions set margin = margin + 1 where status = 'open' and ${isNew}`,
    'the ledger holds the margin of an open position, and nothing of a closed one',
  ],
  [
    'a position that vanished',
    `delete from app.positions where status = 'closed' and ${isNew}`,
    'every ledger entry has its source',
  ],
  [
    'an order that vanished',
    `delete from app.orders where status = 'CANCELED' and ${isNew}`,
    'every ledger entry has its source',
  ],
  [
    'a realized PnL that was not booked',
    `update app.positions set realized_pnl = realized_pnl + 1 where status = 'closed' and ${isNew}`,
    'the realized PnL of a position is what was booked',
  ],
  [
    'a fee that was not booked',
    `update app.positions set fees = fees + 1 where ${isNew}`,
    'the fees of a position are what was booked',
  ],
  [
    'a loss beyond the margin',
    `do $$ declare c record; begin
       for c in select conname from pg_constraint where conrelid = 'app.positions'::regclass
                and pg_get_constraintdef(oid) like '%realized\\_pnl >=%' loop
         execute format('alter table app.positions drop constraint %I', c.conname);
       end loop;
     end $$;
     update app.positions set realized_pnl = -margin - 1 where close_reason = 'liquidation' and ${isNew}`,
    'a loss ends at the margin',
  ],
  [
    'a reserve that was not given back',
    `delete from app.ledger_entries where kind = 'release' and ${isNew}`,
    'an order holds its reserve while it waits, and gives it back once',
  ],
  [
    'an amendment that gave nothing back',
    `delete from app.ledger_entries where kind = 'release' and ${isNew}
       and source_id in (select id from app.orders where status = 'NEW')`,
    'an order holds its reserve while it waits, and gives it back once',
  ],
  [
    'a version of a waiting order that no amendment made',
    `update app.orders set version = version + 1 where status = 'NEW' and ${isNew}`,
    'only a LIMIT or STOP order waits, and none changes after its end',
  ],
  [
    'an order that waits again',
    `update app.orders set status = 'NEW' where status = 'CANCELED' and ${isNew}`,
    'only a LIMIT or STOP order waits, and none changes after its end',
  ],
  [
    'a MARKET order that waits',
    `update app.orders set status = 'NEW', position_id = null, version = 1 where type = 'MARKET' and ${isNew}`,
    'only a LIMIT or STOP order waits, and none changes after its end',
  ],
  [
    'an order that was changed after its end',
    `update app.orders set version = version + 1 where status = 'FILLED' and ${isNew}`,
    'only a LIMIT or STOP order waits, and none changes after its end',
  ],
  [
    'a fill without a position',
    `update app.orders set position_id = gen_random_uuid() where status = 'FILLED' and ${isNew}`,
    'a filled order opened one position of its own',
  ],
  [
    'an opening without an execution',
    `delete from app.executions where realized_pnl is null and ${isNew}`,
    'every opening and every close of a position is an execution',
  ],
  [
    'a close without an execution',
    `delete from app.executions where realized_pnl is not null and ${isNew}`,
    'every opening and every close of a position is an execution',
  ],
  [
    'an execution with another result than the position',
    `update app.executions set realized_pnl = realized_pnl + 1 where realized_pnl is not null and ${isNew}`,
    'every opening and every close of a position is an execution',
  ],
  [
    'an order that filled more than it traded',
    `update app.executions set size = size / 2 where order_id is not null and ${isNew}`,
    'what an order filled is the sum of its executions',
  ],
  [
    'an order of a position that is gone',
    `insert into app.orders (id, user_id, symbol, type, side, price, size, leverage, rules, status, reduce_only,
       bound_position_id, created_at, updated_at, version, account_version)
     select gen_random_uuid(), user_id, symbol, 'LIMIT', 'SELL', 1000, size, leverage, rules, 'NEW', true, id,
       closed_at, closed_at, 1, account_version
     from app.positions where closed_at >= '${afternoon}' limit 1`,
    'what waits for its trigger or for its position holds nothing, and an order of a position ends with it',
  ],
  [
    'two fills of one position',
    `update app.orders o set position_id = (
       select position_id from app.orders f where f.user_id = o.user_id and f.status = 'FILLED' and f.${isNew} limit 1)
     where status = 'FILLED' and ${isNew}`,
    'a filled order opened one position of its own',
  ],
  ...(['liquidation', 'stop_loss', 'take_profit'] as const).map(
    (reason) =>
      [
        `a ${reason} at a price that had not reached it`,
        `update app.positions set close_price = entry_price where close_reason = '${reason}' and ${isNew}`,
        'a liquidation, stop loss or take profit closed at a price that had reached it',
      ] as const,
  ),
  [
    'a take profit that there was not',
    `update app.positions set take_profit_price = null where close_reason = 'take_profit' and ${isNew}`,
    'a liquidation, stop loss or take profit closed at a price that had reached it',
  ],
  [
    'SEC-F2: an insurance that paid beside an open gain',
    `update app.positions o set symbol = p.symbol, side = 'SELL', entry_price = p.close_price + 1
     from app.positions p
     where p.close_reason = 'liquidation' and p.symbol = 'ETHUSDT' and p.${isNew} and o.user_id = p.user_id
       and o.status = 'open' and o.edited_at is null`,
    'the insurance pays only what no gain of the other side of the symbol could',
  ],
  [
    'a version that was set back',
    `update app.wallets set version = 1`,
    'no position or order is newer than its account',
  ],
  [
    'movements that no version counts',
    `update app.positions set account_version = 1; update app.orders set account_version = 1;
     update app.wallets set version = 1`,
    'the account version counts every movement of money',
  ],
  ...(['position.edit', 'funds.adjust', 'account.delete', 'account.restrict'] as const).map(
    (action) =>
      [
        `${action} without a trace`,
        `delete from app.audit_log where action = '${action}'`,
        'what staff did to an account is in the audit log',
      ] as const,
  ),
  [
    'funding that nothing has booked',
    `update app.positions set funding = funding - 1, funded_at = updated_at where status = 'closed' and ${isNew}`,
    'the funding of a position is what was booked, up to an instant that has been',
  ],
  [
    'a lost line',
    `delete from app.transactions where type = 'position_closed' and ${isNew}`,
    'each movement of the balance has its line in the history',
  ],
  [
    'a line with another amount',
    `update app.transactions set amount = amount + 1 where type = 'fee' and ${isNew}`,
    'each movement of the balance has its line in the history',
  ],
  [
    'an invented line',
    `insert into app.transactions (user_id, type, amount, status, description, created_at)
     select user_id, 'deposit', 1, 'completed', 'Initial balance', created_at from app.transactions
     where type = 'position_closed' and ${isNew} limit 1`,
    'each line of the history is a movement of the balance',
  ],
  [
    'a history with another balance',
    `update app.transactions set amount = amount + 1 where type = 'deposit'`,
    'the lines of the history sum to the balance',
  ],
  [
    'a notification about nothing',
    `update app.notifications set position_id = gen_random_uuid() where position_id is not null and ${isNew}`,
    'every notification is about something that is there',
  ],
  [
    'a checkpoint with other balances',
    `update app.checkpoint_balances set cash = cash + 1`,
    'a checkpoint equals the ledger of its time',
  ],
  [
    'counters that count something else',
    `update app.daily_totals set volume = volume + 1 where writer like 'engine%'`,
    'the totals of the consoles are a recount',
  ],
];

const ofTheLedger = [
  'each ledger group sums to zero',
  'each ledger group moves the accounts of its kind',
  'the ledger has lost no entry',
];
const ofTheTotals = 'the totals of the consoles are a recount';
const everyMinute = new Set([
  ...ofTheLedger,
  ...invariants.filter((invariant) => !invariant.fullPassOnly).map(({ title }) => title),
]);

test('neither pass finds a violation in a consistent ledger', async () => {
  await breakLedger('select', async (db) => {
    expect(await checkInvariants(db)).toMatchObject({ ok: true, violations: [] });
    expect(await verifyLedger(db, 'minute')).toMatchObject({ ok: true, violations: [] });
    expect(await verifyLedger(db, 'full')).toMatchObject({ ok: true, violations: [] });
  });
});

describe('A08: the full pass finds, and the minute pass too where it is above the checkpoint,', () => {
  test.each(planted)('%s', async (_what, tampering, title) => {
    await breakLedger(tampering, async (db) => {
      const before = await db.query('select ledger_id, checked_at from app.checkpoints');
      expect(titlesOf(await verifyLedger(db, 'full'))).toContain(title);
      const minute = await verifyLedger(db, 'minute');
      if (everyMinute.has(title)) expect(titlesOf(minute)).toContain(title);
      // An inconsistent ledger is no base for a checkpoint.
      if (minute?.ok === false) {
        expect((await db.query('select ledger_id, checked_at from app.checkpoints')).rows).toEqual(
          before.rows,
        );
      }
    });
  });

  test('covers every invariant', () => {
    const known = new Set([...ofTheLedger, ...invariants.map(({ title }) => title), ofTheTotals]);
    expect(new Set(planted.map(([, , title]) => title))).toEqual(known);
  });
});

test('an unbalanced ledger group, which the database refuses, is found by the full pass as well', async () => {
  const db = await createTestDatabase();
  const group = `insert into app.ledger_entries (group_id, account, amount, kind, source_id)
                 values ('00000000-0000-4000-8000-000000000001', 'house:pnl', 1, 'adjustment', gen_random_uuid())`;
  await expect(db.query(group)).rejects.toThrow('does not sum to zero');
  await db.asOwner(past(group));
  expect(titlesOf(await checkInvariants(db))).toEqual(
    expect.arrayContaining(['the ledger sums to zero', 'each ledger group sums to zero']),
  );
  await db.close();
});
