import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkInvariants, ensureWallet, openWallet } from '../../src/features/wallet/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/index.ts';
import { openDesk } from '../trading/support.ts';

let db: TestDatabase;
let userId: string;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  userId = randomUUID();
  await db.query(`insert into app.users (id, email, username, role) values ($1, $2, $3, 'trader')`, [
    userId,
    `${userId}@example.test`,
    userId,
  ]);
});
afterAll(() => db.close());

const walletsOf = async (id: string) =>
  (
    await db.query(
      'select balance, available_balance, currency, version from api.wallets where user_id = $1',
      [id],
    )
  ).rows;
const sound = async () => expect(await checkInvariants(db)).toMatchObject({ ok: true, violations: [] });

describe('opening a wallet', () => {
  test('RULE-27 A13: the start balance is a completed deposit, double-entered', async () => {
    await openWallet(db, { userId, initialBalance: 10_000n * 100_000_000n });
    expect(await walletsOf(userId)).toEqual([
      { balance: '10000.00000000', available_balance: '10000.00000000', currency: 'USDT', version: '1' },
    ]);
    const { rows } = await db.query(
      'select type, amount, status, description, completed_at is not null as completed from api.transactions where user_id = $1',
      [userId],
    );
    expect(rows).toEqual([
      {
        type: 'deposit',
        amount: '10000.00000000',
        status: 'completed',
        description: 'Initial balance',
        completed: true,
      },
    ]);
    const ledger = await db.query(
      `select account, amount from app.ledger_entries
       where group_id in (select group_id from app.ledger_entries where user_id = $1) order by account`,
      [userId],
    );
    expect(ledger.rows).toEqual([
      { account: 'external', amount: '-10000.00000000' },
      { account: 'user:cash', amount: '10000.00000000' },
    ]);
    await sound();
  });

  test('a second opening changes nothing, and twenty at once make one wallet', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => openWallet(db, { userId, initialBalance: BigInt(i + 1) })),
    );
    await openWallet(db, { userId, initialBalance: 5n });
    expect(await walletsOf(userId)).toHaveLength(1);
    await sound();
  });

  test('ENT-09 ENT-11: an empty one is zero, in USDT, and books nothing', async () => {
    await openWallet(db, { userId, initialBalance: 0n });
    expect(await walletsOf(userId)).toEqual([
      { balance: '0.00000000', available_balance: '0.00000000', currency: 'USDT', version: '0' },
    ]);
    const { rows } = await db.query('select 1 from app.transactions where user_id = $1', [userId]);
    expect(rows).toEqual([]);
  });

  test('a negative start balance is refused', async () => {
    await expect(openWallet(db, { userId, initialBalance: -1n })).rejects.toThrow(RangeError);
    expect(await walletsOf(userId)).toEqual([]);
  });
});

describe('reading a wallet that is not there', () => {
  test('RULE-26 A14: makes an empty one, once, however many read at the same time', async () => {
    await Promise.all(Array.from({ length: 10 }, () => ensureWallet(db, { role: 'trader', userId })));
    expect(await walletsOf(userId)).toEqual([
      { balance: '0.00000000', available_balance: '0.00000000', currency: 'USDT', version: '0' },
    ]);
  });

  test('A14: leaves an existing one alone and makes none for staff', async () => {
    await openWallet(db, { userId, initialBalance: 7n });
    await ensureWallet(db, { role: 'trader', userId });
    expect(await walletsOf(userId)).toMatchObject([{ balance: '0.00000007' }]);
    const staffId = randomUUID();
    await db.query(`insert into app.users (id, email, username, role) values ($1, $2, $3, 'admin')`, [
      staffId,
      `${staffId}@example.test`,
      staffId,
    ]);
    await ensureWallet(db, { role: 'admin', userId: staffId });
    expect(await walletsOf(staffId)).toEqual([]);
  });
});

describe('the invariants see', () => {
  /** Each tampering is done past the application's rights; the named invariant must notice. */
  test.each([
    [
      'money from nowhere',
      'update app.wallets set available_balance = available_balance + 1',
      'a wallet is the sum of its ledger entries',
    ],
    [
      'a margin that nothing holds',
      `update app.positions set margin = margin + 1 where status = 'open'`,
      'available is the balance less the margins of the open positions',
    ],
    [
      'a realized PnL that was not booked',
      `update app.positions set realized_pnl = realized_pnl + 1 where status = 'closed'`,
      'an opening locks the margin and a closing books the realized PnL',
    ],
    [
      'a reopened position',
      `update app.positions set status = 'open', closed_at = null, close_price = null, realized_pnl = null, close_reason = null where status = 'closed'`,
      'a position is opened once, and closed once or not at all',
    ],
    [
      'a lost transaction',
      `delete from app.transactions where type = 'position_closed'`,
      'a closed position has one position_closed transaction with its realized PnL',
    ],
    [
      'a made-up transaction',
      `insert into app.transactions (user_id, type, amount, status) values (gen_random_uuid(), 'deposit', 1, 'completed')`,
      'no transaction without its position or deposit',
    ],
    [
      'a version that was set back',
      'update app.wallets set version = 1',
      'the account version counts every movement of money',
    ],
  ])('%s', async (_what, tampering, invariant) => {
    const desk = await openDesk();
    const trader = await desk.addTrader('1000');
    const { id } = await desk.open(trader);
    await desk.open(trader);
    desk.setPrice('BTCUSDT', '101');
    await desk.close(trader, id);
    expect(await desk.invariants()).toMatchObject({ ok: true, violations: [] });
    await desk.db.asOwner(tampering);
    const report = await desk.invariants();
    expect(report.ok).toBe(false);
    expect(report.violations.map((violation) => violation.invariant)).toContain(invariant);
    await desk.dispose();
  });

  test('an unbalanced ledger group, which the database refuses and the passes would see', async () => {
    const group = `insert into app.ledger_entries (group_id, account, amount, kind, source_id)
                   values ('00000000-0000-4000-8000-000000000001', 'house:pnl', 1, 'adjustment', gen_random_uuid())`;
    await expect(db.query(group)).rejects.toThrow('does not sum to zero');
    const own = await createTestDatabase();
    await own.asOwner('alter table app.ledger_entries disable trigger ledger_group_sums_to_zero');
    await own.asOwner(group);
    const { violations } = await checkInvariants(own);
    expect(violations.map(({ invariant }) => invariant)).toEqual(
      expect.arrayContaining(['the ledger sums to zero', 'each ledger group sums to zero']),
    );
    await own.close();
  });
});
