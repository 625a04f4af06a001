/** The list of users for staff and what is done to many of them, with the official client against the real server. */
import { randomUUID } from 'node:crypto';
import type { Database } from '@fulcrum/contract/database';
import { bulkUsersMax } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testPassword } from '../harness/index.ts';
import { startUserServer, type TestUser } from '../identity/user-server.ts';

type Functions = Database['public']['Functions'];
type ListArgs = Functions['list_users']['Args'];
type Server = Awaited<ReturnType<typeof startUserServer>>;

const of = ({ client }: TestUser) => client as SupabaseClient<Database>;

let server: Server;
let admin: TestUser;
let ada: TestUser;
let ben: TestUser;
let support: TestUser;
/** Traders, the oldest first: the first three are Ada's, the fourth Ben's, the others nobody's. */
let traders: TestUser[];

/** A trader's account without a session, as most are. Its name is written past the rules: staff meet older ones. */
async function account(username: string, managerId: string | null): Promise<TestUser> {
  const plain = username.toLowerCase().replace(/[^a-z0-9_-]/g, '');
  const email = `${plain}@list.example.test`;
  const { id } = await server.server.accounts.createUser(server.db, {
    email,
    username: plain,
    password: testPassword,
    role: 'trader',
    managerId,
    phoneNumber: null,
    initialBalance: 1_000_000_000_000n,
  });
  await server.db.query('update app.users set username = $2 where id = $1', [id, username]);
  return { id, email, username, client: server.client() };
}

beforeAll(async () => {
  server = await startUserServer();
  admin = await server.addUser('admin');
  [ada, ben, support] = await Promise.all([
    server.addUser('manager'),
    server.addUser('manager'),
    server.addUser('support'),
  ]);
  traders = [];
  const names = [
    ['Zoe.Martin', ada.id],
    ['lukas_brandt', ada.id],
    ['anna100%', ada.id],
    ['mei\\chen', ben.id],
    ['oliver', null],
    ['grace', null],
  ] as const;
  for (const [name, managerId] of names) {
    server.clock.advance(1000);
    traders.push(await account(name, managerId));
  }
  await server.db.query(`update app.users set kyc_status = 'pending' where id = any($1)`, [
    traders.slice(0, 2).map(({ id }) => id),
  ]);
});
afterAll(() => server.close());

async function list(by: TestUser, args: ListArgs = {}) {
  const { data } = await of(by).rpc('list_users', args).throwOnError();
  return data;
}
const namesOf = ({ users }: { readonly users: readonly { readonly username: string }[] }) =>
  users.map(({ username }) => username);
const byName = (...indexes: readonly number[]) => indexes.map((index) => traders[index]!.username);

describe('the list', () => {
  test('ADMIN-32, ADMIN-33: everybody, with the manager, the newest first', async () => {
    const { users, total } = await list(admin);
    expect(total).toBe(10);
    expect(users).toHaveLength(10);
    expect(namesOf({ users }).slice(0, 6)).toEqual(byName(5, 4, 3, 2, 1, 0));
    expect(users[2]).toMatchObject({
      id: traders[3]!.id,
      role: 'trader',
      manager_id: ben.id,
      manager: { id: ben.id, username: ben.username },
      wallet: { balance: 10000, available_balance: 10000 },
      last_login: null,
      restricted_at: null,
    });
    expect(users.find(({ id }) => id === support.id)).toMatchObject({ manager: null, wallet: null });
    // The same row as the table API gives.
    const { data: row } = await of(admin).from('users').select('*').eq('id', traders[0]!.id).single();
    expect(users[5]).toMatchObject({ ...row });
  });

  test('MGR-08: a manager finds the own traders only, by any search', async () => {
    expect(namesOf(await list(ada))).toEqual(byName(2, 1, 0));
    expect(await list(ada, { p_search: traders[3]!.id })).toMatchObject({ total: 0, users: [] });
    expect(await list(ada, { p_managers: [ben.id, 'none'] })).toMatchObject({ total: 0, users: [] });
    const { facets } = await list(ada);
    expect(facets.roles).toEqual({ trader: 3, manager: 0, support: 0, admin: 0 });
    expect(facets.managers.filter(({ users }) => users > 0)).toEqual([
      { id: ada.id, username: ada.username, users: 3 },
    ]);
    // A filter by id discloses no name.
    const named = await list(ada, { p_managers: [ben.id, traders[3]!.id] });
    const reported = named.facets.managers.map(({ username }) => username);
    expect(reported.filter((username) => username !== ada.username && username !== null)).toEqual([]);
  });

  test('only admins and managers read the list', async () => {
    const trader = await server.signIn(traders[5]!.email);
    for (const client of [trader, support.client]) {
      const { status } = await client.rpc('list_users', {});
      expect(status).toBe(403);
    }
  });

  test.each([
    ['part of a name in any case', 'MARTIN', [0]],
    ['part of an address', 'brandt@list', [1]],
    ['a percent sign is a percent sign', '%', [2]],
    ['an underscore is an underscore', '_brandt', [1]],
    ['a backslash is a backslash', '\\', [3]],
    ['quotes are quotes', "' or true --", []],
    ['blanks around it do not count', '  grace ', [5]],
  ] as const)('searches: %s', async (_, search, indexes) => {
    const { total, users } = await list(admin, { p_search: search });
    expect(namesOf({ users })).toEqual(byName(...indexes));
    expect(total).toBe(indexes.length);
  });

  test('an id finds its user', async () => {
    expect(namesOf(await list(admin, { p_search: traders[4]!.id.toUpperCase() }))).toEqual(byName(4));
  });

  test('facets narrow the list, and each counts what the others leave', async () => {
    const { total, users, facets } = await list(admin, {
      p_search: '@list',
      p_roles: ['trader'],
      p_kyc: ['pending'],
    });
    expect(namesOf({ users })).toEqual(byName(1, 0));
    expect(total).toBe(2);
    expect(facets.kyc).toEqual({ unverified: 4, pending: 2, verified: 0, rejected: 0 });
    expect(facets.roles).toEqual({ trader: 2, manager: 0, support: 0, admin: 0 });
    expect(facets.managers).toEqual([
      { id: ada.id, username: ada.username, users: 2 },
      { id: 'none', username: null, users: 0 },
    ]);
    expect(facets.restricted).toEqual({ yes: 0, no: 2 });
  });

  test('by manager, by none, and by both', async () => {
    expect(namesOf(await list(admin, { p_managers: [ada.id] }))).toEqual(byName(2, 1, 0));
    expect(namesOf(await list(admin, { p_managers: ['none'], p_search: '@list' }))).toEqual(byName(5, 4));
    const both = await list(admin, { p_managers: ['none', ben.id], p_kyc: ['verified'] });
    expect(both.total).toBe(0);
    // A requested manager is listed by name, even with no trader left.
    expect(both.facets.managers).toContainEqual({ id: ben.id, username: ben.username, users: 0 });
  });

  test('every order is total, and the other way round it is reversed', async () => {
    for (const sort of ['username', 'email', 'role', 'manager', 'created_at', 'last_login'] as const) {
      const up = await list(admin, { p_sort: sort, p_ascending: true });
      const down = await list(admin, { p_sort: sort, p_ascending: false });
      expect(namesOf(up)).toEqual(namesOf(down).toReversed());
    }
    expect(namesOf(await list(admin, { p_search: '@list', p_sort: 'username', p_ascending: true }))).toEqual(
      byName(2, 5, 1, 3, 4, 0),
    );
  });

  test('pages never repeat or skip a user', async () => {
    const seen: string[] = [];
    for (const p_page of [1, 2, 3, 4]) {
      const { users, total } = await list(admin, { p_sort: 'role', p_page, p_page_size: 3 });
      expect(total).toBe(10);
      seen.push(...users.map(({ id }) => id));
    }
    expect(new Set(seen).size).toBe(10);
    expect(seen).toHaveLength(10);
    expect(await list(admin, { p_page: 10_000, p_page_size: 100 })).toMatchObject({ total: 10, users: [] });
  });

  test.each([
    ['a page before the first', { p_page: 0 }],
    ['a page beyond the last one allowed', { p_page: 10_001 }],
    ['a page of too many', { p_page_size: 101 }],
    ['an unknown order', { p_sort: 'password_hash' }],
    ['an unknown role', { p_roles: ['owner'] }],
    ['a manager who is no id', { p_managers: ['me'] }],
    ['a search without end', { p_search: 'x'.repeat(101) }],
    ['half a surrogate pair', { p_search: '\ud800' }],
  ])('refuses %s', async (_, args) => {
    const { status } = await admin.client.rpc('list_users', args);
    expect(status).toBe(400);
  });

  test('the ids behind it are those of the same filter', async () => {
    const filter = { p_search: '@list', p_roles: ['trader'], p_restricted: false } as const;
    const { data } = await of(admin)
      .rpc('find_user_ids', { ...filter, p_roles: ['trader'] })
      .throwOnError();
    const { users } = await list(admin, { ...filter, p_roles: ['trader'] });
    expect(data).toEqual({ total: 6, ids: users.map(({ id }) => id) });
  });
});

const assign = async (by: TestUser, p_user_ids: string[], p_manager_id: string | null) =>
  (await of(by).rpc('assign_users_to_manager', { p_user_ids, p_manager_id }).throwOnError()).data.rows;
const actionsOn = async (id: string) => (await server.audit(id)).map(({ action }) => action);

describe('assigning many', () => {
  test('each row has its result, and a refused one does not stop the others', async () => {
    const [first, second, third] = await Promise.all([
      account('bulk-one', null),
      account('bulk-two', ada.id),
      account('bulk-three', ben.id),
    ]);
    const stranger = randomUUID();
    const rows = await assign(
      admin,
      [first.id, support.id, stranger, second.id, third.id.toUpperCase(), first.id],
      ada.id,
    );
    expect(rows).toEqual([
      { user_id: first.id, username: 'bulk-one', outcome: 'done', message: null },
      {
        user_id: support.id,
        username: support.username,
        outcome: 'refused',
        message: 'Only a trader has a manager.',
      },
      { user_id: stranger, username: null, outcome: 'refused', message: 'User not found' },
      { user_id: second.id, username: 'bulk-two', outcome: 'unchanged', message: null },
      { user_id: third.id, username: 'bulk-three', outcome: 'done', message: null },
    ]);
    const { total } = await list(ada, { p_search: 'bulk-' });
    expect(total).toBe(3);
    expect(await actionsOn(first.id)).toContain('user.edit');
    expect(await actionsOn(second.id)).not.toContain('user.edit');

    const taken = await assign(admin, [first.id, second.id], null);
    expect(taken.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    expect((await list(ada, { p_search: 'bulk-' })).total).toBe(1);
  });

  test('to a user who is no manager is refused for each', async () => {
    const rows = await assign(admin, [traders[4]!.id], support.id);
    expect(rows).toMatchObject([{ outcome: 'refused', message: 'Manager not found' }]);
  });

  test('accepts no more than it can report, and no user twice', async () => {
    const ids = Array.from({ length: bulkUsersMax + 1 }, () => randomUUID());
    for (const p_user_ids of [ids, []]) {
      const { status } = await of(admin).rpc('assign_users_to_manager', { p_user_ids, p_manager_id: null });
      expect(status).toBe(400);
    }
  });
});

describe('restricting many', () => {
  const restrict = async (by: TestUser, args: Functions['restrict_users']['Args']) =>
    (await of(by).rpc('restrict_users', args).throwOnError()).data.rows;

  test('A72: each is restricted with the reason, once, and a repeat is answered as before', async () => {
    const some = await Promise.all(['hold-one', 'hold-two', 'hold-three'].map((name) => account(name, null)));
    const ids = some.map(({ id }) => id);
    const args = {
      p_user_ids: [...ids, admin.id],
      p_restricted: true,
      p_reason: 'A check',
      p_client_id: 'hold',
    };
    const rows = await restrict(admin, args);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done', 'refused']);
    expect(rows[3]!.message).toMatch(/traders/i);
    expect(await restrict(admin, args)).toEqual(rows);
    const again = await restrict(admin, { ...args, p_client_id: 'another', p_user_ids: ids });
    expect(again.map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged', 'unchanged']);

    const { total, facets } = await list(admin, { p_search: 'hold-', p_restricted: true });
    expect(total).toBe(3);
    expect(facets.restricted).toEqual({ yes: 3, no: 0 });
    for (const id of ids) {
      const about = (await server.audit(id)).filter(({ reason }) => reason === 'A check');
      expect(about).toHaveLength(1);
    }
    const lifted = await restrict(admin, { p_user_ids: ids, p_restricted: false, p_reason: 'Checked' });
    expect(lifted.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done']);
  });

  test('requires a reason before any user is changed', async () => {
    const { status, error } = await of(admin).rpc('restrict_users', {
      p_user_ids: [traders[0]!.id],
      p_restricted: true,
      p_reason: '  ',
    });
    expect(status).toBe(400);
    expect(error?.message).toBe('Please give a reason.');
    expect((await list(admin, { p_restricted: true })).total).toBe(0);
  });

  test.each(['restrict_users', 'assign_users_to_manager'])('a manager may not: %s', async (name) => {
    const { status } = await ada.client.rpc(name, { p_user_ids: [traders[0]!.id] });
    expect(status).toBe(403);
  });
});
