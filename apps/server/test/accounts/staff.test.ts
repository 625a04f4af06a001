/** Staff and the accounts of a user: what they see, what they move, and what covers all accounts at once (A112). */
import { randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { refreshed } from '../identity/user-server.ts';
import { floor, reason, shareTradingServer, type TestUser } from '../trading/trading-server.ts';

let admin: TestUser;
let manager: TestUser;
let trader: TestUser;

shareTradingServer();
beforeAll(async () => {
  ({ admin } = floor);
  manager = await floor.addUser('manager');
});
beforeEach(async () => {
  floor.feed.setPrice('BTCUSDT', '100');
  trader = await floor.addUser('trader', { managerId: manager.id });
});

const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 1, p_leverage: 10 };
const waiting = { symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', price: 50, size: 1, leverage: 10 };

/** A practice account of 1,000 USDT with one open position and one waiting order. */
async function busyAccount(of: TestUser): Promise<{ readonly id: string; readonly client: SupabaseClient }> {
  const args = { p_name: randomUUID(), p_start_balance: 1_000 };
  const { data } = await of.client.rpc('create_account', args).throwOnError();
  const client = await floor.clientIn(of.client, data.id);
  await client.rpc('open_position', order).throwOnError();
  await client.from('orders').insert(waiting).throwOnError();
  return { id: data.id, client };
}

test('staff see the accounts of their traders, and no others', async () => {
  const account = await busyAccount(trader);
  for (const by of [admin, manager]) {
    const { data } = await by.client.rpc('list_accounts', { p_user_id: trader.id }).throwOnError();
    expect(data).toMatchObject([
      { id: trader.id, kind: 'main', balance: 10_000, equity: 10_000, open_positions: 0 },
      {
        id: account.id,
        kind: 'practice',
        balance: 1_000,
        equity: 1_000,
        open_positions: 1,
        waiting_orders: 1,
      },
    ]);
  }
  const stranger = await floor.addUser('manager');
  expect(await floor.call(stranger, 'list_accounts', { p_user_id: trader.id })).toMatchObject({
    status: 404,
  });
  const other = await floor.addUser('trader');
  expect(await floor.call(other, 'list_accounts', { p_user_id: trader.id })).toMatchObject({ status: 404 });
});

test('what staff read, list and count means main accounts', async () => {
  const overview = async () => {
    const { data } = await floor.call(admin, 'get_admin_overview', {});
    return [data?.trading_volume, data?.total_balance];
  };
  const before = await overview();
  const account = await busyAccount(trader);
  for (const table of ['positions', 'orders', 'wallets', 'transactions', 'equity_snapshots'] as const) {
    const { data } = await admin.client.from(table).select('user_id').eq('user_id', account.id);
    expect(data ?? []).toEqual([]);
  }
  const listed = await floor.call(admin, 'list_positions', { p_status: 'open', p_page_size: 100 });
  expect(JSON.stringify(listed.data)).not.toContain(account.id);
  expect(await overview()).toEqual(before);
});

test('funds move per account, with the account in the audit row; another user’s is refused', async () => {
  const account = await busyAccount(trader);
  const move = { p_user_id: trader.id, p_account_id: account.id, p_amount: 250, p_reason: reason };
  expect(await floor.call(manager, 'preview_funds', { ...move, p_reason: undefined })).toMatchObject({
    data: { after: { balance: 1_250 } },
  });
  expect((await floor.call(manager, 'adjust_wallet_balance', move)).data).toMatchObject({
    user_id: account.id,
    balance: 1_250,
  });
  expect(await floor.wallet(trader)).toMatchObject({ balance: 10_000 });
  const { data } = await admin.client
    .from('audit_log')
    .select('subject_id, detail')
    .eq('subject_id', trader.id)
    .eq('action', 'funds.adjust')
    .throwOnError();
  expect(data).toMatchObject([{ subject_id: trader.id, detail: { account_id: account.id, amount: 250 } }]);
  const other = await floor.addUser('trader', { managerId: manager.id });
  const wrong = await floor.call(manager, 'adjust_wallet_balance', { ...move, p_user_id: other.id });
  expect(wrong).toMatchObject({ status: 404 });
});

test('funds of an archived account are refused, by the preview as well', async () => {
  const args = { p_name: 'Done', p_start_balance: 1_000 };
  const { data } = await trader.client.rpc('create_account', args).throwOnError();
  await trader.client.rpc('archive_account', { p_account_id: data.id }).throwOnError();
  const move = { p_user_id: trader.id, p_account_id: data.id, p_amount: 250 };
  const refusal = 'This account is archived. It is read only.';
  expect((await floor.call(manager, 'preview_funds', move)).data).toMatchObject({ after: null, refusal });
  expect(await floor.call(manager, 'adjust_wallet_balance', { ...move, p_reason: reason })).toMatchObject({
    code: 'account_archived',
    message: refusal,
  });
});

test('staff list what one account has by p_account_id: positions, orders, transactions, ledger entries', async () => {
  const account = await busyAccount(trader);
  await floor.open(trader, { p_size: 2 });
  const of = { p_user_id: trader.id, p_account_id: account.id };
  for (const by of [admin, manager]) {
    const positions = await floor.call(by, 'list_positions', { ...of, p_status: 'open' });
    expect(positions.data).toMatchObject({
      total: 1,
      positions: [{ user_id: account.id, username: trader.username, size: 1 }],
    });
    const orders = await floor.call(by, 'list_orders', of);
    expect(orders.data).toMatchObject({ total: 1, rows: [{ user_id: account.id, ...waiting }] });
    const transactions = await floor.call(by, 'list_transactions', of);
    expect(transactions.data).toMatchObject({
      total: 1,
      rows: [{ user_id: account.id, type: 'deposit', amount: 1_000 }],
    });
    const ledger = await floor.call(by, 'list_ledger_entries', { ...of, p_page_size: 100 });
    const rows = (ledger.data?.rows ?? []) as { user_id: string; amount: number }[];
    expect(rows).toHaveLength(Number(ledger.data?.total));
    expect(new Set(rows.map(({ user_id }) => user_id))).toEqual(new Set([account.id]));
    expect(rows.reduce((sum, { amount }) => sum + amount, 0)).toBe(1_000);
  }
  // Without it the main account is meant, in the form of the table API.
  const main = await floor.call(admin, 'list_positions', { p_user_id: trader.id, p_status: 'open' });
  expect(main.data).toMatchObject({ total: 1, positions: [{ user_id: trader.id, size: 2 }] });
  for (const [list, table] of [
    ['list_orders', 'orders'],
    ['list_transactions', 'transactions'],
    ['list_ledger_entries', 'ledger_entries'],
  ] as const) {
    const { data } = await admin.client
      .from(table)
      .select('*')
      .eq('user_id', trader.id)
      .order('id', { ascending: false })
      .throwOnError();
    const listed = await floor.call(manager, list, { p_user_id: trader.id });
    expect(listed.data).toEqual({ rows: data, total: data.length });
  }
});

test('staff page through the records of an account, the latest first', async () => {
  const account = await busyAccount(trader);
  const of = { p_user_id: trader.id, p_account_id: account.id };
  await account.client.from('orders').insert(waiting).throwOnError();
  const pages = [];
  for (const p_page of [1, 2, 3]) {
    const { data } = await floor.call(admin, 'list_orders', { ...of, p_page, p_page_size: 1 });
    pages.push(data as { rows: { id: string }[]; total: number });
  }
  expect(pages.map(({ total }) => total)).toEqual([2, 2, 2]);
  const ids = pages.flatMap(({ rows }) => rows.map(({ id }) => id));
  const { data: own } = await account.client
    .from('orders')
    .select('id')
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .throwOnError();
  expect(ids).toEqual(own.map(({ id }) => id));
});

test('an account of another manager’s trader does not exist, nor does one of another user', async () => {
  const account = await busyAccount(trader);
  const stranger = await floor.addUser('manager');
  const other = await floor.addUser('trader', { managerId: manager.id });
  const lists = {
    list_positions: { p_status: 'open' },
    export_positions: { p_status: 'open', p_time_zone: 'UTC' },
    list_orders: {},
    list_transactions: {},
    list_ledger_entries: {},
  };
  for (const [name, args] of Object.entries(lists)) {
    for (const [by, p_user_id, p_account_id] of [
      [stranger, trader.id, account.id],
      [manager, other.id, account.id],
      [admin, other.id, account.id],
      [admin, trader.id, randomUUID()],
    ] as const) {
      const refused = await floor.call(by, name, { ...args, p_user_id, p_account_id });
      expect(refused, name).toMatchObject({
        status: 404,
        code: 'not_found',
        message: 'This account is gone. Choose another one.',
      });
    }
  }
  const refused = await floor.call(stranger, 'list_positions', {
    p_status: 'open',
    p_account_id: account.id,
  });
  expect(refused.status).toBe(404);
});

test('the file of an account’s positions has them alone; its name and its audit row name the account', async () => {
  const account = await busyAccount(trader);
  await floor.open(trader, { p_symbol: 'BTCUSDT', p_size: 2 });
  const { data: row } = await trader.client
    .from('trading_accounts')
    .select('name')
    .eq('id', account.id)
    .single()
    .throwOnError();
  const { data: link } = await floor.call(manager, 'export_positions', {
    ...{ p_user_id: trader.id, p_account_id: account.id },
    ...{ p_status: 'open', p_time_zone: 'UTC', p_with_ids: true },
  });
  expect(link?.file_name).toContain(`open_positions_${trader.username}_${row.name}_`);
  const { data: session } = await manager.client.auth.getSession();
  const headers = { apikey: floor.anonKey, authorization: `Bearer ${session.session?.access_token}` };
  const file = await fetch(`${floor.url}${link?.url}`, { headers });
  const [, ...lines] = (await file.text()).trim().split('\r\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(new RegExp(`^${trader.username},`));
  const { rows } = await floor.db.query(
    `select distinct detail ->> 'account_id' as account from app.audit_log where subject_id = $1 and action like 'positions.%'`,
    [trader.id],
  );
  expect(rows).toEqual([{ account: account.id }]);
});

test('restricting a user cancels the orders of all accounts, and none of them opens anything', async () => {
  const account = await busyAccount(trader);
  await trader.client.from('orders').insert(waiting).throwOnError();
  const restrict = { p_user_id: trader.id, p_restricted: true, p_reason: reason };
  expect((await floor.call(admin, 'restrict_user', restrict)).data).toMatchObject({ restricted: true });
  for (const client of [trader.client, account.client]) {
    const { data } = await client.from('orders').select('status').throwOnError();
    expect(data).toEqual([{ status: 'CANCELED' }]);
    expect((await client.rpc('open_position', order)).error).toMatchObject({ code: 'account_restricted' });
  }
  await floor.call(admin, 'restrict_user', { ...restrict, p_restricted: false });
  expect((await account.client.rpc('open_position', order)).error).toBeNull();
});

test('staff who follow everybody get no changes of another account', async () => {
  const account = await busyAccount(trader);
  const seen: string[] = [];
  await admin.client.realtime.setAuth();
  const channel = admin.client.channel(`user:${admin.id}`);
  await new Promise<void>((resolve, reject) => {
    channel
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'positions' }, (change) =>
        seen.push((change.new as { user_id: string }).user_id),
      )
      .subscribe((status, error) => {
        if (status === 'SUBSCRIBED') resolve();
        else if (status === 'CHANNEL_ERROR') reject(error ?? new Error(status));
      });
  });
  await account.client.rpc('open_position', order).throwOnError();
  await floor.open(trader);
  await eventually(async () => expect(seen).toEqual([trader.id]));
  await admin.client.removeChannel(channel);
});

test('orders of a user who became staff are canceled in all accounts', async () => {
  const account = await busyAccount(trader);
  const promotion = { user_id: trader.id, new_role: 'support' };
  await admin.client.rpc('safe_update_user_profile', promotion).throwOnError();
  await eventually(async () => {
    const { rows } = await floor.db.query('select status from app.orders where user_id = $1', [account.id]);
    expect(rows).toEqual([{ status: 'CANCELED' }]);
  });
});

test('deleting a user closes and books out all accounts; their ledger ends at zero', async () => {
  const account = await busyAccount(trader);
  await floor.open(trader);
  floor.feed.setPrice('BTCUSDT', '103');
  const gone = await floor.call(admin, 'delete_user_with_data', { p_user_id: trader.id, p_reason: reason });
  expect(gone.status).toBe(200);
  const { rows } = await floor.db.query<{ sum: string; entries: number }>(
    `select sum(amount)::text as sum, count(*)::int as entries from app.ledger_entries where user_id = $1`,
    [account.id],
  );
  expect(Number(rows[0]?.sum)).toBe(0);
  expect(rows[0]?.entries).toBeGreaterThan(4);
  const left = await floor.db.query('select from app.trading_accounts where owner_id = $1', [trader.id]);
  expect(left.rowCount).toBe(0);
  expect((await account.client.rpc('open_position', order)).status).toBe(401);
});

test('staff act in an account of the target, with both in the audit row', async () => {
  const account = await busyAccount(trader);
  const visitor = await floor.addUser('manager');
  await floor.db.query('update app.users set manager_id = $2 where id = $1', [trader.id, visitor.id]);
  await visitor.client.rpc('impersonate_user', { p_user_id: trader.id, p_reason: reason }).throwOnError();
  floor.clock.advance(2_000);
  floor.feed.setPrice('BTCUSDT', '100');
  await refreshed(visitor.client);
  const impersonating = await floor.clientIn(visitor.client, account.id);
  // A tab renews its token: the account was entered once.
  await floor.clientIn(visitor.client, account.id);
  await floor.clientIn(visitor.client, trader.id);
  const { data } = await impersonating.rpc('open_position', order).throwOnError();
  expect(data.user_id).toBe(account.id);
  const { rows } = await floor.db.query(
    `select actor_id, on_behalf_of, subject_id, detail ->> 'account_id' as account from app.audit_log
     where action = 'position.open' and object_id = $1`,
    [data.id],
  );
  expect(rows).toEqual([
    { actor_id: visitor.id, on_behalf_of: trader.id, subject_id: trader.id, account: account.id },
  ]);
  const entered = await floor.db.query(
    `select actor_id, on_behalf_of, detail ->> 'account_id' as account from app.audit_log
     where action = 'impersonation.enter_account' and subject_id = $1`,
    [trader.id],
  );
  expect(entered.rows).toEqual([{ actor_id: visitor.id, on_behalf_of: trader.id, account: account.id }]);
  await visitor.client.rpc('end_impersonation').throwOnError();
  // The token ends with the impersonation.
  expect((await impersonating.rpc('open_position', order)).status).toBe(401);
});
