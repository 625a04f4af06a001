import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkInvariants, ensureWallet, openWallet } from '../../src/features/wallet/index.ts';
import { createTestDatabase, type TestDatabase } from '../harness/index.ts';

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
    await openWallet(db, { accountId: userId, initialBalance: 10_000n * 100_000_000n });
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
    const equity = await db.query('select balance, equity from api.equity_snapshots where user_id = $1', [
      userId,
    ]);
    expect(equity.rows).toEqual([{ balance: '10000.00000000', equity: '10000.00000000' }]);
    await sound();
  });

  test('a second opening changes nothing, and twenty at once make one wallet', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        openWallet(db, { accountId: userId, initialBalance: BigInt(i + 1) }),
      ),
    );
    await openWallet(db, { accountId: userId, initialBalance: 5n });
    expect(await walletsOf(userId)).toHaveLength(1);
    await sound();
  });

  test('ENT-09 ENT-11: an empty one is zero, in USDT, and books nothing', async () => {
    await openWallet(db, { accountId: userId, initialBalance: 0n });
    expect(await walletsOf(userId)).toEqual([
      { balance: '0.00000000', available_balance: '0.00000000', currency: 'USDT', version: '0' },
    ]);
    const { rows } = await db.query('select 1 from app.transactions where user_id = $1', [userId]);
    expect(rows).toEqual([]);
  });

  test('a negative start balance is refused', async () => {
    await expect(openWallet(db, { accountId: userId, initialBalance: -1n })).rejects.toThrow(RangeError);
    expect(await walletsOf(userId)).toEqual([]);
  });
});

describe('reading a missing wallet', () => {
  test('RULE-26 A14: makes an empty one, once, however many read at the same time', async () => {
    await Promise.all(
      Array.from({ length: 10 }, () => ensureWallet(db, { role: 'trader', accountId: userId })),
    );
    expect(await walletsOf(userId)).toEqual([
      { balance: '0.00000000', available_balance: '0.00000000', currency: 'USDT', version: '0' },
    ]);
  });

  test('A14: changes no existing one and creates none for staff', async () => {
    await openWallet(db, { accountId: userId, initialBalance: 7n });
    await ensureWallet(db, { role: 'trader', accountId: userId });
    expect(await walletsOf(userId)).toMatchObject([{ balance: '0.00000007' }]);
    const staffId = randomUUID();
    await db.query(`insert into app.users (id, email, username, role) values ($1, $2, $3, 'admin')`, [
      staffId,
      `${staffId}@example.test`,
      staffId,
    ]);
    await ensureWallet(db, { role: 'admin', accountId: staffId });
    expect(await walletsOf(staffId)).toEqual([]);
  });
});
