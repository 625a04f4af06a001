/** The wallets of all users, and their ledgers. */
import { randomUUID } from 'node:crypto';
import type { SignedIn } from '@fulcrum/contract';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { createWalletLists } from '../../src/features/staff/wallets/index.ts';
import { eventually } from '../harness/eventually.ts';
import { floor, shareTradingServer, type TestUser } from '../trading/trading-server.ts';

let admin: TestUser;
let ada: TestUser;
let bob: TestUser;
shareTradingServer();
beforeAll(async () => {
  ({ admin } = floor);
  ada = await floor.addUser('trader');
  bob = await floor.addUser('trader');
  await floor.open(ada);
  await adjust(bob, -9_000);
});

const adjust = (whose: TestUser, p_amount: number) =>
  floor.call(admin, 'adjust_wallet_balance', {
    p_user_id: whose.id,
    p_amount,
    p_reason: 'Wire of 21 November',
  });
const list = async (args: Record<string, unknown> = {}) => {
  const { data, message } = await floor.call(admin, 'list_wallets', args);
  expect(message).toBeUndefined();
  return data as { total: number; wallets: Record<string, unknown>[] };
};
const reconcile = async (args: Record<string, unknown> = {}) =>
  (await floor.call(admin, 'reconcile_wallets', args)).data;

/** Past the books. */
const tamper = (whose: TestUser, by: number) =>
  floor.db.query(`update app.wallets set available_balance = available_balance + ${by} where user_id = $1`, [
    whose.id,
  ]);

describe('list_wallets', () => {
  test('ADMIN-82, A76: each with its owner, what it holds, and no drift from the ledger', async () => {
    const { total, wallets } = await list({ p_sort: 'balance', p_ascending: true });
    expect(total).toBe(2);
    expect(wallets).toMatchObject([
      {
        user_id: bob.id,
        username: bob.username,
        balance: 1_000,
        available_balance: 1_000,
        margin: 0,
        drift: 0,
      },
      {
        user_id: ada.id,
        username: ada.username,
        balance: 10_000,
        available_balance: 9_990,
        margin: 10,
        drift: 0,
      },
    ]);
    expect(Date.parse(String(wallets[0]?.last_updated))).not.toBeNaN();
  });

  test('pages follow one order; a search is a part of a name and no pattern, or an id', async () => {
    const pages = await Promise.all(
      [1, 2, 3].map((p_page) => list({ p_page, p_page_size: 1, p_sort: 'username', p_ascending: true })),
    );
    const sorted = [ada, bob].sort((one, two) => (one.username < two.username ? -1 : 1));
    expect(pages.map(({ wallets }) => wallets.map(({ user_id }) => user_id))).toEqual([
      [sorted[0]?.id],
      [sorted[1]?.id],
      [],
    ]);
    expect(await list({ p_search: ada.username.slice(3).toUpperCase() })).toMatchObject({
      total: 1,
      wallets: [{ user_id: ada.id }],
    });
    expect(await list({ p_search: bob.id })).toMatchObject({ wallets: [{ user_id: bob.id }] });
    for (const p_search of ['%', '_', '\\', 'nobody']) {
      expect(await list({ p_search })).toEqual({ total: 0, wallets: [] });
    }
  });

  test('staff other than admins are refused', async () => {
    const manager = await floor.addUser('manager');
    expect((await floor.call(manager, 'list_wallets', {})).status).toBe(403);
    expect((await floor.call(manager, 'reconcile_wallets', {})).status).toBe(403);
  });
});

describe('reconcile_wallets', () => {
  test('a balanced ledger has no drift, and concurrent callers share one result', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => reconcile()));
    expect(answers[0]).toMatchObject({
      wallets: 2,
      balance: '11000',
      ledger: '11000',
      drifting: [],
      drifting_total: 0,
    });
    expect(Number(answers[0]?.entries)).toBeGreaterThan(3);
    expect(await reconcile({ p_user_id: ada.id })).toMatchObject({ wallets: 1, balance: '10000' });
    const unknown = await floor.call(admin, 'reconcile_wallets', { p_user_id: randomUUID() });
    expect(unknown).toMatchObject({ status: 404, message: 'User not found' });
  });

  test('a caller beyond the timeout receives busy, and its retry gets the result of the same run', async () => {
    const { reconcile_wallets } = createWalletLists(
      { db: floor.db, reader: floor.db, clock: floor.clock },
      { timeoutMs: 0 },
    );
    const caller = {
      role: 'admin',
      userId: admin.id,
      actorId: admin.id,
      sessionId: null,
    } as unknown as SignedIn;
    const writer = new pg.Client({ connectionString: floor.databaseUrl });
    await writer.connect();
    const whileLocked = async (work: () => Promise<void>) => {
      await writer.query('begin; lock table app.wallets in access exclusive mode');
      try {
        await work();
      } finally {
        await writer.query('rollback');
      }
    };
    try {
      // The lock keeps the run from ending before the timeout of 0 ms.
      await whileLocked(() =>
        expect(reconcile_wallets(caller, {})).rejects.toMatchObject({
          code: 'busy',
          message: 'The ledger is still being read. Please try again shortly.',
        }),
      );
      await eventually(async () => expect(await reconcile_wallets(caller, {})).toMatchObject({ wallets: 2 }));
      // A retry gets the result once; the next call starts a new run.
      await whileLocked(() => expect(reconcile_wallets(caller, {})).rejects.toMatchObject({ code: 'busy' }));
    } finally {
      await writer.end();
    }
  });

  test('a wallet that the ledger does not know so is named, and left as it is', async () => {
    await tamper(bob, 0.5);
    expect(await reconcile()).toMatchObject({
      balance: '11000.5',
      ledger: '11000',
      drifting: [
        { user_id: bob.id, username: bob.username, balance: '1000.5', ledger: '1000', drift: '0.5' },
      ],
      drifting_total: 1,
    });
    const { wallets } = await list({ p_search: bob.id });
    expect(wallets).toMatchObject([{ balance: 1000.5, drift: 0.5 }]);
    expect(await reconcile({ p_user_id: ada.id })).toMatchObject({ drifting_total: 0 });
    await tamper(bob, -0.5);
  });
});

test('an order is exact also among amounts that are alike but for the last digit, and above what a whole number holds', async () => {
  const amounts = ['90000000000', '90000000000.00000001', '95000000000000.5', '95000000000000.50000001'];
  const rich = await Promise.all(amounts.map(() => floor.addUser('trader')));
  const put = (amountOf: (at: number) => string) =>
    Promise.all(
      rich.map(({ id }, at) =>
        floor.db.query('update app.wallets set available_balance = $2 where user_id = $1', [
          id,
          amountOf(at),
        ]),
      ),
    );
  // Past the ledger, for the duration of one check.
  await put((at) => amounts[at]!);
  for (const p_sort of ['balance', 'available_balance']) {
    const { wallets } = await list({ p_sort, p_page_size: 4 });
    expect(wallets.map(({ user_id }) => user_id)).toEqual(rich.map(({ id }) => id).reverse());
    const found = await list({ p_sort, p_search: 'trader', p_page_size: 3, p_page: 1 });
    expect(found.wallets.map(({ user_id }) => user_id)).toEqual(
      wallets.slice(0, 3).map(({ user_id }) => user_id),
    );
    expect(found.total).toBe(2 + amounts.length);
  }
  const behind = await list({ p_page: 50, p_search: 'trader' });
  expect(behind).toEqual({ total: 2 + amounts.length, wallets: [] });
  await put(() => '10000');
});
