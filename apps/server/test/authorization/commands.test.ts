/** Walks role x command, and on whose account a command acts. */
import { randomUUID } from 'node:crypto';
import type { ProcedureName } from '@fulcrum/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testPassword } from '../support/index.ts';
import { none, tableUnder } from './matrix.ts';
import { callers, createWorld, type Person, symbol, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const order = (claimed: string) => ({
  p_user_id: claimed,
  p_symbol: symbol,
  p_side: 'BUY',
  p_size: 0.01,
  p_leverage: 10,
});

async function openedBy(person: Person): Promise<string> {
  const { data, error } = await world.clientOf(person).rpc('open_position', order(world.idOf[person]));
  if (error) throw error;
  return data.id;
}

/** Somebody whom nobody else in this file needs, for what would end or change an account. */
async function bystander(): Promise<string> {
  const name = `by-${randomUUID().slice(0, 12)}`;
  const { accounts, db } = world.server.server;
  const user = await accounts.createUser(db, {
    email: `${name}@example.test`,
    username: name,
    password: testPassword,
    role: 'trader',
    managerId: null,
    initialBalance: null,
  });
  return user.id;
}

/** Well-formed arguments that concern `whose` account; every procedure has an entry. */
const argumentsFor: Record<ProcedureName, (whose: Person) => Promise<Record<string, unknown>>> = {
  open_position: async (whose) => order(world.idOf[whose]),
  close_position: async (whose) => ({
    p_position_id: whose === 'alice' || whose === 'bob' ? await openedBy(whose) : randomUUID(),
  }),
  get_candles: async () => ({ p_symbol: symbol, p_timeframe: '1m' }),
  update_position_mark_prices: async () => ({}),
  safe_update_user_profile: async (whose) => ({
    user_id: world.idOf[whose],
    new_phone_number: '+12025550111',
  }),
  admin_update_user_password: async () => ({
    p_user_id: await bystander(),
    p_new_password: `${testPassword}-new`,
    p_reason: 'test',
  }),
  admin_create_user: async () => {
    const name = `new-${randomUUID().slice(0, 12)}`;
    return {
      p_email: `${name}@example.test`,
      p_username: name,
      p_password: testPassword,
      p_role: 'trader',
    };
  },
  assign_user_to_manager: async () => ({
    p_user_id: await bystander(),
    p_manager_id: world.idOf.mona,
  }),
  list_sessions: async () => ({}),
  revoke_session: async (whose) => ({ p_id: (await world.signIn(whose)).sessionId }),
  impersonate_user: async () => ({ p_user_id: world.idOf.alice, p_reason: 'test' }),
  end_impersonation: async () => ({}),
};

test('X-20: who may call what', async () => {
  const outcomes: string[] = [];
  const expected: string[] = [];
  for (const line of tableUnder('Commands')) {
    const command = line.command as ProcedureName;
    for (const { role, person } of callers) {
      const args = await argumentsFor[command](person ?? 'alice');
      const { error, status } = await world.clientOf(person).rpc(command, args);
      const isDenied = error?.code === '42501' && status === (role === 'anon' ? 401 : 403);
      outcomes.push(`${role} ${command}: ${isDenied ? 'denied' : (error?.message ?? 'done')}`);
      expected.push(`${role} ${command}: ${line[role] === none ? 'denied' : 'done'}`);
    }
  }
  expect(outcomes).toEqual(expected);
});

test('RULE-37, X-20: open_position opens for the caller, whoever it claims to be', async () => {
  const { data } = await world.clientOf('alice').rpc('open_position', order(world.idOf.bob));
  expect(data.user_id).toBe(world.idOf.alice);
});

test('RULE-37, X-20: somebody else’s position is one that does not exist', async () => {
  const close = async (id: string) => {
    const { error, status } = await world.clientOf('alice').rpc('close_position', { p_position_id: id });
    return { status, error };
  };
  const foreign = await openedBy('bob');
  expect(await close(foreign)).toEqual(await close(randomUUID()));
  const { rows } = await world.server.db.query('select status from app.positions where id = $1', [foreign]);
  expect(rows).toEqual([{ status: 'open' }]);
});

test('X-20: somebody else’s session is one that does not exist', async () => {
  const end = async (id: string) => {
    const { error, status } = await world.clientOf('alice').rpc('revoke_session', { p_id: id });
    return { status, error };
  };
  const foreign = await world.signIn('bob');
  expect(await end(foreign.sessionId)).toEqual(await end(randomUUID()));
  expect((await foreign.client.rpc('list_sessions')).error).toBeNull();
});

test('X-20: nobody but an admin changes somebody else’s profile, or anybody’s role', async () => {
  for (const person of ['alice', 'mona', 'sam'] as const) {
    const update = (args: Record<string, unknown>) =>
      world.clientOf(person).rpc('safe_update_user_profile', args);
    const other = await update({ user_id: world.idOf.bob, new_username: 'taken-over' });
    expect([person, other.error?.code]).toEqual([person, 'not_allowed']);
    const role = await update({ user_id: world.idOf[person], new_role: 'admin' });
    expect([person, role.error?.code]).toEqual([person, 'not_allowed']);
  }
  const { rows } = await world.server.db.query(
    `select username from app.users where username = 'taken-over' or (role = 'admin' and id <> $1)`,
    [world.idOf.ada],
  );
  expect(rows).toEqual([]);
});

test('A45, X-20: a manager views as nobody but an assigned trader, and nobody views as an admin', async () => {
  const view = async (person: Person, whom: Person) => {
    const { client } = await world.signIn(person);
    const { error } = await client.rpc('impersonate_user', { p_user_id: world.idOf[whom], p_reason: 'test' });
    return error === null ? 'done' : 'refused';
  };
  expect(await view('mona', 'alice')).toBe('done');
  for (const whom of ['bob', 'sam', 'ada'] as const) expect(await view('mona', whom)).toBe('refused');
  expect(await view('ada', 'bob')).toBe('done');
  expect(await view('ada', 'ada')).toBe('refused');
});
