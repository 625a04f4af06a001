/** Deletion of a user (CALL-53, A73): what is deleted, what stays, and that the user's sessions end. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { refreshed, tokenOf } from '../identity/user-server.ts';
import { until } from '../realtime/realtime-server.ts';
import { blob, jpeg } from '../storage/storage-server.ts';
import { done, floor, shareTradingServer, type TestUser } from './trading-server.ts';

let admin: TestUser;
shareTradingServer();
beforeAll(async () => {
  ({ admin } = floor);
});
beforeEach(() => {
  floor.feed.setPrice('BTCUSDT', '100');
});

const remove = (userId: string, more: Record<string, unknown> = {}, by = admin) =>
  floor.call(by, 'delete_user_with_data', { p_user_id: userId, p_reason: 'Requested deletion', ...more });

/** Every table with data of this user: by the user's id in any column, or by a text with the user's name or email. */
async function tracesOf({ id, email, username }: TestUser): Promise<Record<string, number>> {
  const { rows: tables } = await floor.db.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'app' and table_type = 'BASE TABLE' order by 1`,
  );
  const traces: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await floor.db.query<{ count: number }>(
      `select count(*)::int as count from app.${name} t where t::text ilike any($1)`,
      [[id, email, username].map((text) => `%${text}%`)],
    );
    if (rows[0]?.count) traces[name] = rows[0].count;
  }
  return traces;
}

async function busyTrader(managerId?: string): Promise<TestUser> {
  const trader = await floor.addUser('trader', managerId === undefined ? {} : { managerId });
  await floor.open(trader);
  const { id } = await floor.open(trader);
  await floor.call(trader, 'close_position', { p_position_id: id, p_client_id: 'close-1' });
  const limit = { symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', price: 90, size: 1, leverage: 10 };
  done(await trader.client.from('orders').insert(limit));
  done(await trader.client.from('favorites').insert({ symbol: 'BTCUSDT' }));
  done(
    await trader.client.storage
      .from('kyc-documents')
      .upload(`${trader.id}/selfie.jpg`, blob(jpeg()), { contentType: 'image/jpeg' }),
  );
  return trader;
}

describe('a trader', () => {
  test('CALL-53, A73: everything is deleted except the ledger and the audit log, under an id without a user', async () => {
    const trader = await busyTrader();
    await floor.call(admin, 'safe_update_user_profile', {
      user_id: trader.id,
      new_username: `renamed-${randomUUID().slice(0, 8)}`,
    });
    floor.feed.setPrice('BTCUSDT', '104');
    expect(await remove(trader.id)).toMatchObject({ status: 200, data: { user_id: trader.id } });

    const { checkpoint_balances: _, ...traces } = await tracesOf(trader);
    // The attempts with the user's email expire within the hour; ended sessions are ids, stored for a week.
    expect(Object.keys(traces)).toEqual([
      'attempt_limits',
      'audit_log',
      'deleted_sessions',
      'ledger_entries',
      'transactions',
    ]);

    const { rows: sums } = await floor.db.query(
      `select account, sum(amount)::float as sum from app.ledger_entries where user_id = $1 group by 1 order by 1`,
      [trader.id],
    );
    expect(sums).toEqual(sums.map((row) => ({ ...row, sum: 0 })));
    const { rows: lines } = await floor.db.query(
      `select type, amount::float, description from app.transactions where user_id = $1 order by amount`,
      [trader.id],
    );
    expect(lines).toMatchObject([
      { type: 'withdrawal', amount: -10_004, description: 'Account closed' },
      { type: 'position_closed', amount: 0 },
      { type: 'position_closed', amount: 4 },
      { type: 'deposit', amount: 10_000 },
    ]);
    expect((await floor.audit(trader.id)).at(-1)).toEqual({
      actor_id: admin.id,
      action: 'account.delete',
      reason: 'Requested deletion',
      detail: { orders_canceled: 1, positions_closed: 1, booked_out: -10_004 },
    });
  });

  test('A73: the audit log does not name the user', async () => {
    const { data, error } = await admin.client.rpc('admin_create_user', {
      p_email: `${randomUUID()}@example.test`,
      p_username: randomUUID().slice(0, 20),
      p_password: 'correct-horse-battery-9',
      p_role: 'trader',
    });
    expect(error).toBeNull();
    await floor.call(admin, 'safe_update_user_profile', {
      user_id: data.id,
      new_email: `new-${data.email}`,
      new_username: `new-${data.username}`,
    });
    expect((await remove(data.id)).status).toBe(200);
    const { rows } = await floor.db.query<{ row: string }>(
      `select a::text as row from app.audit_log a where subject_id = $1`,
      [data.id],
    );
    expect(rows).toHaveLength(3);
    for (const { row } of rows) {
      expect(row).not.toContain(data.email);
      expect(row).not.toContain(data.username);
    }
  });

  test('A73: sessions and sockets end, also for a user with two devices', async () => {
    const trader = await floor.addUser('trader');
    const second = await floor.signIn(trader.email);
    const tokens = [await tokenOf(trader.client), await tokenOf(second)];
    await trader.client.realtime.setAuth();
    const statuses: string[] = [];
    trader.client.channel(`user:${trader.id}`).subscribe((status) => void statuses.push(status));
    await until(() => statuses.includes('SUBSCRIBED'));
    expect((await remove(trader.id)).status).toBe(200);
    await until(() => statuses.includes('CHANNEL_ERROR'));
    for (const token of tokens) expect((await floor.readAs(token)).status).toBe(401);
    expect((await trader.client.auth.refreshSession()).error).not.toBeNull();
    await expect(floor.signIn(trader.email)).rejects.toThrow('Invalid login credentials');

    await floor.restart();
    for (const token of tokens) expect((await floor.readAs(token)).status).toBe(401);
  });

  test('A73, A45: an impersonation ends at once, and the audit log has both ends', async () => {
    const trader = await floor.addUser('trader');
    const helper = await floor.addUser('admin');
    await floor.impersonate(helper, trader);
    const impersonationToken = await tokenOf(helper.client);
    expect((await remove(trader.id)).status).toBe(200);
    expect((await floor.readAs(impersonationToken)).status).toBe(401);
    const { user } = await refreshed(helper.client);
    expect(user.id).toBe(helper.id);
    expect(await floor.audit(trader.id)).toMatchObject([
      { action: 'impersonation.start' },
      { actor_id: helper.id, action: 'impersonation.end', detail: { cause: 'account deleted' } },
      { action: 'account.delete' },
    ]);
  });

  test('A73: the email and the name are free again, without anything of the old account', async () => {
    const trader = await busyTrader();
    expect((await remove(trader.id)).status).toBe(200);
    const client = floor.client();
    const { data, error } = await client.auth.signUp({
      email: trader.email,
      password: 'correct-horse-battery-9',
      options: { data: { username: trader.username, phone_number: '+12025550100' } },
    });
    expect(error).toBeNull();
    expect(data.user?.id).not.toBe(trader.id);
    expect((await client.from('positions').select('id')).data).toEqual([]);
    expect((await client.from('wallets').select('balance').single()).data).toEqual({ balance: 10_000 });
  });

  test('A73: a repeat with the same client id gets the same answer; without one the user is not found', async () => {
    const trader = await floor.addUser('trader');
    const args = { p_client_id: `gone-${trader.id.slice(0, 8)}` };
    const first = await remove(trader.id, args);
    expect(first.status).toBe(200);
    expect(await remove(trader.id, args)).toEqual(first);
    expect(await remove(trader.id)).toMatchObject({ status: 404, message: 'User not found' });
    expect(await remove(admin.id, args)).toMatchObject({ code: 'idempotency_conflict' });
  });

  test('A73: of two admins at once one deletes, the other gets not found', async () => {
    const trader = await busyTrader();
    const other = await floor.addUser('admin');
    const answers = await Promise.all([remove(trader.id), remove(trader.id, {}, other)]);
    expect(answers.map(({ status }) => status).sort((one, two) => one - two)).toEqual([200, 404]);
  });

  test('A73: a concurrent command is closed with the account or gets not found', async () => {
    const trader = await floor.addUser('trader');
    const answers = await Promise.allSettled([
      remove(trader.id),
      ...Array.from({ length: 20 }, () => floor.open(trader)),
    ]);
    expect(answers[0]).toMatchObject({ status: 'fulfilled', value: { status: 200 } });
    const { rows } = await floor.db.query(`select 1 from app.positions where user_id = $1`, [trader.id]);
    expect(rows).toEqual([]);
    const { rows: sums } = await floor.db.query(
      `select coalesce(sum(amount), 0)::float as sum from app.ledger_entries where user_id = $1`,
      [trader.id],
    );
    expect(sums).toEqual([{ sum: 0 }]);
  });
});

describe('staff', () => {
  test('A73: traders of a deleted manager have none, and the manager’s session ends', async () => {
    const manager = await floor.addUser('manager');
    const trader = await floor.addUser('trader', { managerId: manager.id });
    await floor.impersonate(manager, trader);
    const impersonationToken = await tokenOf(manager.client);
    expect((await remove(manager.id)).status).toBe(200);
    expect((await floor.readAs(impersonationToken)).status).toBe(401);
    const { data } = await trader.client.from('users').select('manager_id').single();
    expect(data).toEqual({ manager_id: null });
    expect(await floor.audit(trader.id)).toMatchObject([
      { action: 'impersonation.start' },
      { action: 'impersonation.end', detail: { cause: 'account deleted' } },
    ]);
    expect((await tracesOf(manager)).users).toBeUndefined();
  });

  test('A73: support without a wallet', async () => {
    const support = await floor.addUser('support');
    expect((await remove(support.id)).status).toBe(200);
    expect((await tracesOf(support)).wallets).toBeUndefined();
  });

  test('A73: refused for admins, the own account, without a reason, to other roles and during impersonation', async () => {
    const other = await floor.addUser('admin');
    const trader = await floor.addUser('trader');
    for (const id of [other.id, admin.id]) {
      expect(await remove(id)).toMatchObject({
        status: 403,
        message: 'Admins and your own account cannot be deleted.',
      });
    }
    expect(await remove(trader.id, { p_reason: null })).toMatchObject({ code: 'reason_required' });
    expect(await remove(randomUUID())).toMatchObject({ status: 404, message: 'User not found' });
    for (const role of ['manager', 'support', 'trader'] as const) {
      expect((await remove(trader.id, {}, await floor.addUser(role))).status).toBe(403);
    }
    await floor.impersonate(other, trader);
    expect((await remove(trader.id, {}, other)).status).toBe(403);
    expect((await trader.client.auth.getUser()).error).toBeNull();
  });
});
