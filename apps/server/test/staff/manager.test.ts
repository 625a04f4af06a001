/**
 * The scope of a manager and its end (MGR-08, A83): another manager's trader does not exist for them, from the response of
 * the reassignment on.
 */
import { randomUUID } from 'node:crypto';
import { procedures } from '@fulcrum/contract';
import type { RealtimeChannel } from '@supabase/supabase-js';
import { beforeEach, expect, test } from 'vitest';
import { testPassword } from '../harness/index.ts';
import { refreshed } from '../identity/user-server.ts';
import { subscribed, until } from '../realtime/realtime-server.ts';
import { done, floor, shareTradingServer, type TestUser } from '../trading/trading-server.ts';

let mona: TestUser;
let max: TestUser;
let alice: TestUser;
let bob: TestUser;
shareTradingServer();
beforeEach(async () => {
  [mona, max] = [await floor.addUser('manager'), await floor.addUser('manager')];
  alice = await floor.addUser('trader', { managerId: mona.id });
  bob = await floor.addUser('trader', { managerId: max.id });
});

const reason = 'Agreed by phone';
const assign = async (trader: TestUser, to: TestUser | null) =>
  done(
    await floor.admin.client.rpc('assign_user_to_manager', {
      p_user_id: trader.id,
      p_manager_id: to?.id ?? null,
    }),
  );

interface Seen {
  readonly table: string;
  readonly userId: string;
  readonly id: string;
}

/** An open socket of the manager that asks for everything. */
async function listen(manager: TestUser): Promise<Seen[]> {
  await manager.client.realtime.setAuth();
  const seen: Seen[] = [];
  const channel: RealtimeChannel = manager.client.channel(`user:${manager.id}`);
  for (const table of ['wallets', 'positions', 'orders']) {
    channel.on('postgres_changes', { event: '*', schema: 'public', table }, (change) => {
      const row = change.new as { user_id: string; id: string };
      seen.push({ table, userId: row.user_id, id: row.id });
    });
  }
  expect(await subscribed(channel)).toEqual({ status: 'SUBSCRIBED' });
  return seen;
}
const positionsOf = (seen: readonly Seen[], { id }: TestUser) =>
  seen.filter(({ table, userId }) => table === 'positions' && userId === id).map((row) => row.id);

/** Tables whose rows a manager reads of their traders, with the column that names the trader. */
const tables = {
  users: 'id',
  wallets: 'user_id',
  positions: 'user_id',
  orders: 'user_id',
  transactions: 'user_id',
  ledger_entries: 'user_id',
  equity_snapshots: 'user_id',
} as const;
const countOf = async (manager: TestUser, table: keyof typeof tables, { id }: TestUser) => {
  const { count, error } = await manager.client
    .from(table)
    .select('*', { count: 'exact', head: true })
    .eq(tables[table], id);
  expect(error).toBeNull();
  return count;
};

test('MGR-08: after the response of a reassignment the former manager reads nothing more, on an open socket neither', async () => {
  const { id: first } = await floor.open(alice);
  await alice.client.from('orders').insert({
    symbol: 'BTCUSDT',
    type: 'LIMIT',
    side: 'BUY',
    price: 90,
    size: 1,
    leverage: 10,
    status: 'NEW',
  });
  const [former, next] = [await listen(mona), await listen(max)];
  const { id: second } = await floor.open(alice);
  await until(() => positionsOf(former, alice).includes(second));
  for (const table of [
    'users',
    'wallets',
    'positions',
    'orders',
    'transactions',
    'ledger_entries',
  ] as const) {
    expect(await countOf(mona, table, alice), table).toBeGreaterThan(0);
  }

  await assign(alice, max);
  // The clock is stopped: no cached answer has expired.
  const { id: third } = await floor.open(alice);
  await floor.call(alice, 'close_position', { p_position_id: first });
  await until(() => positionsOf(next, alice).length === 2);
  const own = await floor.addUser('trader', { managerId: mona.id });
  const { id: ofOwn } = await floor.open(own);
  // Changes come in the order of their commits: what came before this one and was hers has come.
  await until(() => positionsOf(former, own).includes(ofOwn));
  expect(positionsOf(former, alice)).toEqual([second]);
  expect(positionsOf(next, alice)).toEqual([third, first]);
  for (const table of Object.keys(tables) as (keyof typeof tables)[]) {
    expect(await countOf(mona, table, alice), table).toBe(0);
  }
  const edited = await mona.client.from('positions').update({ leverage: 5, reason }).eq('id', third).select();
  expect(edited.data).toEqual([]);
  expect(await countOf(max, 'positions', alice)).toBe(3);
});

test('MGR-08: in a stream of changes no change after the response arrives', async () => {
  const [former, next] = [await listen(mona), await listen(max)];
  const [before, after]: [string[], string[]] = [[], []];
  let answered = false;
  const trade = async () => {
    for (let round = 0; round < 24; round += 1) {
      const began = answered ? after : before;
      began.push((await floor.open(alice, { p_size: 0.01 })).id);
    }
  };
  const reassign = async () => {
    await until(() => positionsOf(former, alice).length >= 4);
    await assign(alice, max);
    answered = true;
  };
  await Promise.all([trade(), reassign()]);
  const { id: last } = await floor.open(alice, { p_size: 0.01 });
  await until(() => positionsOf(next, alice).includes(last));
  const own = await floor.addUser('trader', { managerId: mona.id });
  const { id: ofOwn } = await floor.open(own);
  await until(() => positionsOf(former, own).includes(ofOwn));
  expect(positionsOf(former, alice).filter((id) => after.includes(id))).toEqual([]);
  expect(positionsOf(next, alice)).toEqual(expect.arrayContaining(after));
  expect(before.length).toBeGreaterThan(0);
});

test('A45: an impersonation of the trader ends with the reassignment', async () => {
  await floor.impersonate(mona, alice);
  await mona.client.realtime.setAuth();
  const statuses: string[] = [];
  mona.client.channel(`user:${alice.id}`).subscribe((status) => statuses.push(status));
  await until(() => statuses.includes('SUBSCRIBED'));
  await assign(alice, null);
  await until(() => statuses.includes('CHANNEL_ERROR'));
  const { status } = await mona.client.from('wallets').select('id');
  expect(status).toBe(401);
  await refreshed(mona.client);
  expect(await countOf(mona, 'users', alice)).toBe(0);
  await mona.client.removeAllChannels();
});

/** What every procedure that a manager may call answers about a trader, or a position of one. */
const about: Readonly<
  Record<string, (of: { userId: string; positionId: string }) => Record<string, unknown>>
> = {
  adjust_wallet_balance: ({ userId }) => ({
    p_user_id: userId,
    p_amount: 5,
    p_reason: reason,
    p_client_id: randomUUID(),
  }),
  impersonate_user: ({ userId }) => ({ p_user_id: userId, p_reason: reason }),
  list_positions: ({ userId }) => ({ p_status: 'open', p_user_id: userId }),
  export_positions: ({ userId }) => ({ p_status: 'open', p_user_id: userId, p_time_zone: 'UTC' }),
  list_orders: ({ userId }) => ({ p_user_id: userId }),
  list_transactions: ({ userId }) => ({ p_user_id: userId }),
  list_ledger_entries: ({ userId }) => ({ p_user_id: userId }),
  preview_funds: ({ userId }) => ({ p_user_id: userId, p_amount: 5 }),
  preview_position_edit: ({ positionId }) => ({ p_position_id: positionId, p_changes: { leverage: 5 } }),
  get_position_history: ({ positionId }) => ({ p_position_id: positionId }),
};

const ofNoTrader: ReadonlySet<string> = new Set([
  'list_users',
  'quick_search',
  'list_classes',
  'list_class_members',
  'message_class',
  'save_contest',
  'save_challenge',
  // Of many traders: each row answers by itself (below).
  'find_user_ids',
  'adjust_funds_of_users',
  'preview_bulk_action',
]);
test('MGR-08, A83: every procedure answers 404 for another manager’s trader, as for a missing one', async () => {
  const { id: foreign } = await floor.open(bob);
  const { id: own } = await floor.open(alice);
  const forStaffAlone = procedures
    .filter(
      ({ roles }) => roles.some((role) => role === 'manager') && !roles.some((role) => role === 'trader'),
    )
    .map(({ name }) => name)
    // Lists of one's own, and classes and programs, which name no trader (test/classes, test/programs).
    .filter((name) => !ofNoTrader.has(name));
  expect(new Set(Object.keys(about))).toEqual(new Set<string>(forStaffAlone));
  for (const [name, argsOf] of Object.entries(about)) {
    const [mine, theirs, nobodys] = [
      { userId: alice.id, positionId: own },
      { userId: bob.id, positionId: foreign },
      { userId: randomUUID(), positionId: randomUUID() },
    ].map(argsOf);
    const [refused, missing] = [
      await floor.call(mona, name, theirs!),
      await floor.call(mona, name, nobodys!),
    ];
    expect(refused, name).toMatchObject({ status: 404, code: expect.stringContaining('not_found') });
    expect(refused, name).toEqual(missing);
    // An impersonating caller reaches no staff procedure: the others would be refused then.
    if (name !== 'impersonate_user') expect((await floor.call(mona, name, mine!)).status, name).toBe(200);
  }
  expect(await floor.wallet(bob)).toEqual({ balance: 10_000, available: 9_990 });
});

test('MGR-08, A12: a manager adjusts the funds of many own traders at once; another manager’s is refused as one who is missing', async () => {
  const carl = await floor.addUser('trader', { managerId: mona.id });
  const inBulk = [alice.id, bob.id, carl.id, mona.id, randomUUID()];
  const { data: shown } = await floor.call(mona, 'preview_bulk_action', {
    ...{ p_user_ids: inBulk, p_action: { kind: 'funds', change: 'add', amount: 25 } },
  });
  const command = {
    ...{ p_user_ids: inBulk, p_change: 'add', p_amount: 25, p_reason: reason, p_client_id: 'a-bulk' },
  };
  const { data: report } = await floor.call(mona, 'adjust_funds_of_users', command);
  const missing = { username: null, outcome: 'refused', message: 'User not found' };
  const done = (of: TestUser) => ({ user_id: of.id, username: of.username, outcome: 'done', message: null });
  expect(report).toEqual({
    rows: [
      done(alice),
      { user_id: bob.id, ...missing },
      done(carl),
      { user_id: mona.id, ...missing },
      { user_id: inBulk[4], ...missing },
    ],
  });
  expect(shown).toEqual({
    ...(report as object),
    balances: { before: 20_000, after: 20_050, lowest_after: 10_025, highest_after: 10_025 },
  });
  expect((await floor.call(mona, 'adjust_funds_of_users', command)).data).toEqual(report);
  expect([await floor.wallet(alice), await floor.wallet(bob)]).toMatchObject([
    { balance: 10_025 },
    { balance: 10_000 },
  ]);
  expect(await floor.audit(alice.id)).toMatchObject([{ action: 'funds.adjust', actor_id: mona.id }]);
  expect(await floor.audit(bob.id)).toEqual([]);
  const found = await floor.call(mona, 'find_user_ids', { p_managers: [max.id, mona.id] });
  expect(new Set((found.data as { ids: string[] }).ids)).toEqual(new Set([alice.id, carl.id]));
});

test('A72, A112: of the bulk actions a manager has funds alone', async () => {
  const p_user_ids = [alice.id];
  for (const kind of ['reset', 'restrict', 'lift', 'invite'])
    expect(await floor.call(mona, 'preview_bulk_action', { p_user_ids, p_action: { kind } })).toMatchObject({
      ...{ status: 403, code: 'not_allowed' },
    });
  const joining = { kind: 'class', class_id: randomUUID() };
  expect(await floor.call(mona, 'preview_bulk_action', { p_user_ids, p_action: joining })).toMatchObject({
    ...{ status: 403, code: 'not_allowed' },
  });
  for (const [name, more] of [
    ['reset_users', {}],
    ['restrict_users', { p_restricted: true }],
    ['invite_users_again', { p_links: 'file' }],
    ['assign_users_to_manager', { p_manager_id: mona.id }],
    ['add_class_members', { p_class_id: randomUUID() }],
  ] as const) {
    const { status } = await floor.call(mona, name, { p_user_ids, p_reason: reason, ...more });
    expect([name, status]).toEqual([name, 403]);
  }
});

test('MGR-08: a manager lists and finds their own traders only, whatever the request', async () => {
  const listed = async (args: Record<string, unknown>) => {
    const { data, error } = await mona.client.rpc('list_users', args);
    expect(error).toBeNull();
    return (data as { total: number; users: { id: string }[] }).users.map(({ id }) => id);
  };
  expect(await listed({})).toEqual([alice.id]);
  expect(await listed({ p_search: alice.id })).toEqual([alice.id]);
  for (const args of [
    { p_search: bob.id },
    { p_search: bob.email },
    { p_managers: [max.id] },
    { p_managers: ['none'] },
    { p_roles: ['manager', 'admin', 'support'] },
  ]) {
    expect(await listed(args)).toEqual([]);
  }
  const everything = await floor.call(mona, 'list_positions', { p_status: 'open' });
  expect(everything.data).toMatchObject({ positions: [], total: 0 });
});

test('MGR-08: a manager is notified at once when their trader is assigned, edited, removed or deleted, and of no other trader', async () => {
  const reported = new Map<string, number>();
  const listenTo = async (manager: TestUser) => {
    reported.set(manager.id, 0);
    await manager.client.realtime.setAuth();
    const channel = manager.client.channel(`user:${manager.id}`);
    channel.on('broadcast', { event: 'traders_changed' }, ({ payload }) => {
      expect(payload).toEqual({});
      reported.set(manager.id, (reported.get(manager.id) ?? 0) + 1);
    });
    expect(await subscribed(channel)).toEqual({ status: 'SUBSCRIBED' });
  };
  await Promise.all([listenTo(mona), listenTo(max)]);
  const received = (monas: number, maxs: number) =>
    until(() => reported.get(mona.id) === monas && reported.get(max.id) === maxs);
  const edit = (trader: TestUser, change: object) =>
    floor.admin.client.rpc('safe_update_user_profile', { user_id: trader.id, ...change });

  await assign(alice, max);
  await received(1, 1);
  done(await edit(alice, { new_username: `renamed ${alice.id.slice(0, 8)}` }));
  await received(1, 2);
  await assign(alice, mona);
  await received(2, 3);
  const { data: made } = await floor.admin.client
    .rpc('admin_create_user', {
      p_email: 'made-by-admin@fulcrum.test',
      p_username: 'Made by an admin',
      p_password: testPassword,
      p_role: 'trader',
      p_manager_id: max.id,
    })
    .throwOnError();
  expect(made).toMatchObject({ manager_id: max.id });
  await received(2, 4);
  // Changes of a trader without a manager are not sent, so the next event is the next one received.
  const nobodys = await floor.addUser('trader');
  done(await edit(nobodys, { new_username: `nobodys ${nobodys.id.slice(0, 8)}` }));
  done(
    await floor.admin.client.rpc('delete_user_with_data', {
      p_user_id: alice.id,
      p_reason: reason,
      p_client_id: randomUUID(),
    }),
  );
  await received(3, 4);
});

test('only the server sends the change of traders', async () => {
  await mona.client.realtime.setAuth();
  const sent = mona.client.channel(`user:${mona.id}`).httpSend('traders_changed', {});
  await expect(sent).rejects.toThrow('This event name is not open to clients.');
});

test('MGR-08: a reassignment of many ends access at once too, and so does the loss of the role', async () => {
  const former = await listen(mona);
  await floor.open(alice);
  await until(() => positionsOf(former, alice).length === 1);
  done(
    await floor.admin.client.rpc('assign_users_to_manager', { p_user_ids: [alice.id], p_manager_id: max.id }),
  );
  await floor.open(alice);
  const own = await floor.addUser('trader', { managerId: mona.id });
  const { id } = await floor.open(own);
  await until(() => positionsOf(former, own).includes(id));
  expect(positionsOf(former, alice)).toHaveLength(1);

  const statuses: string[] = [];
  await max.client.realtime.setAuth();
  max.client.channel(`user:${max.id}`).subscribe((status) => statuses.push(status));
  await until(() => statuses.includes('SUBSCRIBED'));
  done(await floor.admin.client.rpc('safe_update_user_profile', { user_id: max.id, new_role: 'support' }));
  await until(() => statuses.includes('CHANNEL_ERROR'));
  expect((await max.client.from('wallets').select('id')).status).toBe(401);
  const { data: traders } = await floor.admin.client.from('users').select('manager_id').eq('id', alice.id);
  expect(traders).toEqual([{ manager_id: null }]);
});
