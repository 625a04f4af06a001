/** Walks role x command, and the account that a command changes. */
import { randomUUID } from 'node:crypto';
import { type ProcedureName, texts } from '@fulcrum/contract';
import { expect, test } from 'vitest';
import {
  argumentsFor,
  openedBy,
  order,
  pushDeviceOf,
  shareWorld,
  signalHookOf,
  waiting,
  world,
} from './command-arguments.ts';
import { none, tableUnder } from './matrix.ts';
import { callers, price, symbol, type UserName } from './world.ts';

shareWorld();

/** Of a main account the engine refuses them, which proves that the caller got there. */
const refusedByEngine: Readonly<Record<string, string>> = {
  set_leverage: texts.notPerpetual,
  adjust_margin: texts.notPerpetual,
};

test('X-20: each role may call the documented commands only', async () => {
  const outcomes: string[] = [];
  const expected: string[] = [];
  for (const line of tableUnder('Commands')) {
    const command = line.command as ProcedureName;
    world.server.feed.setPrice(symbol, price);
    for (const { role, userName: user } of callers) {
      const args = await argumentsFor[command](user ?? 'alice');
      const { error, status } = await world.clientOf(user).rpc(command, args);
      const isDenied = error?.code === '42501' && status === (role === 'anon' ? 401 : 403);
      outcomes.push(`${role} ${command}: ${isDenied ? 'denied' : (error?.message ?? 'done')}`);
      expected.push(
        `${role} ${command}: ${line[role] === none ? 'denied' : (refusedByEngine[command] ?? 'done')}`,
      );
    }
  }
  expect(outcomes).toEqual(expected);
});

test('RULE-37, X-20: open_position opens for the caller, whatever account the request names', async () => {
  const { data } = await world.clientOf('alice').rpc('open_position', order(world.idOf.bob));
  expect(data.user_id).toBe(world.idOf.alice);
});

test('RULE-37, X-20: another user’s position answers like a missing one', async () => {
  const close = async (id: string) => {
    const { error, status } = await world.clientOf('alice').rpc('close_position', { p_position_id: id });
    return { status, error };
  };
  const foreign = await openedBy('bob');
  expect(await close(foreign)).toEqual(await close(randomUUID()));
  const { rows } = await world.server.db.query('select status from app.positions where id = $1', [foreign]);
  expect(rows).toEqual([{ status: 'open' }]);
});

test('CALL-45, X-20: an order is the caller’s own; one that names another owner is refused', async () => {
  const placeOrder = (more: Record<string, unknown>) =>
    world
      .clientOf('alice')
      .from('orders')
      .insert({ ...waiting, ...more })
      .select('user_id, status, reserved')
      .single();
  const own = { user_id: world.idOf.alice, status: 'NEW', reserved: 40 };
  expect(await placeOrder({})).toMatchObject({ status: 201, data: own });
  expect(await placeOrder({ user_id: world.idOf.alice })).toMatchObject({ status: 201, data: own });
  const ordersOfBob = () =>
    world.server.db.query('select id from app.orders where user_id = $1 order by id', [world.idOf.bob]);
  const before = await ordersOfBob();
  const { status, error } = await placeOrder({ user_id: world.idOf.bob });
  expect([status, error?.code]).toEqual([403, 'not_allowed']);
  expect((await ordersOfBob()).rows).toEqual(before.rows);
});

test('CALL-46, X-20: another user’s order answers like a missing one', async () => {
  const placed = await world.clientOf('bob').from('orders').insert(waiting).select('id').single();
  expect(placed.error).toBeNull();
  const id: string = placed.data?.id;
  for (const user of ['alice', 'mona', 'ada'] as const) {
    const { status, data } = await world
      .clientOf(user)
      .from('orders')
      .update({ status: 'CANCELED' })
      .eq('id', id)
      .select('id');
    // Staff cannot cancel another user's order; a trader does not find it.
    expect([user, status, data]).toEqual(user === 'alice' ? [user, 200, []] : [user, 403, null]);
  }
  const { rows } = await world.server.db.query('select status from app.orders where id = $1', [id]);
  expect(rows).toEqual([{ status: 'NEW' }]);
});

test('X-20: take profit and stop loss of another user’s position answer like those of a missing one', async () => {
  const protect = async (id: string) => {
    const { status, error } = await world
      .clientOf('alice')
      .rpc('set_take_profit_stop_loss', { p_position_id: id, p_take_profit_price: 60_000 });
    return { status, error };
  };
  const foreign = await openedBy('bob');
  expect(await protect(foreign)).toEqual(await protect(randomUUID()));
  const { rows } = await world.server.db.query('select take_profit_price from app.positions where id = $1', [
    foreign,
  ]);
  expect(rows).toEqual([{ take_profit_price: null }]);
});

test('A12, A73, X-20: a manager’s scope ends with her traders, and staff cannot change their own funds', async () => {
  const ledger = () =>
    world.server.db.query(
      `select (select json_agg(w order by w.id) from app.wallets w) as wallets,
              (select count(*) from app.transactions) as transactions, (select count(*) from app.users) as users`,
    );
  const before = await ledger();
  const adjust = (user: UserName, whose: UserName) =>
    world
      .clientOf(user)
      .rpc('adjust_wallet_balance', { p_user_id: world.idOf[whose], p_amount: 5, p_reason: 'test' });
  const remove = (whose: UserName) =>
    world.clientOf('ada').rpc('delete_user_with_data', { p_user_id: world.idOf[whose], p_reason: 'test' });
  for (const refused of [
    await adjust('mona', 'bob'),
    await adjust('mona', 'mona'),
    await adjust('ada', 'ada'),
    await adjust('ada', 'sam'),
    await remove('ada'),
  ]) {
    expect(refused.error?.code).toMatch(/^(not_allowed|not_found|invalid_argument)$/);
  }
  expect((await ledger()).rows).toEqual(before.rows);
});

test('X-20: another user’s push device answers like a missing one', async () => {
  const remove = async (id: string) => {
    const { error, status } = await world.clientOf('alice').rpc('remove_push_device', { p_id: id });
    return { status, error };
  };
  const foreign = await pushDeviceOf('bob');
  expect(await remove(foreign)).toEqual(await remove(randomUUID()));
  const { rows } = await world.server.db.query('select from app.push_subscriptions where id = $1', [foreign]);
  expect(rows).toHaveLength(1);
});

test('A119, X-20: another user’s address for signals and account answer like missing ones', async () => {
  const foreign = await signalHookOf('bob');
  const ask = async (command: string, args: Record<string, unknown>) => {
    const { error, status } = await world.clientOf('alice').rpc(command, args);
    return { status, error };
  };
  const revoke = (id: string) => ask('revoke_signal_hook', { p_hook_id: id });
  expect(await revoke(foreign)).toEqual(await revoke(randomUUID()));
  for (const [command, more] of [
    ['create_signal_hook', { p_name: 'Mine' }],
    ['list_signal_hooks', {}],
    ['list_signals', {}],
    ['preview_signal', { p_body: '{}' }],
  ] as const) {
    const about = (accountId: string) => ask(command, { p_account_id: accountId, ...more });
    const answer = await about(world.idOf.bob);
    expect([command, answer.status]).toEqual([command, 404]);
    expect(answer).toEqual(await about(randomUUID()));
  }
  const { rows } = await world.server.db.query(
    'select revoked_at from app.signal_hooks where account_id = $1',
    [world.idOf.bob],
  );
  expect(rows).toEqual([{ revoked_at: null }]);
});

test('A09, X-20: a manager edits no position but her traders’', async () => {
  const foreign = await openedBy('bob');
  const edit = (user: UserName) =>
    world
      .clientOf(user)
      .from('positions')
      .update({ leverage: 5, reason: 'test' })
      .eq('id', foreign)
      .select('id');
  expect(await edit('mona')).toMatchObject({ status: 200, data: [] });
  for (const user of ['alice', 'bob', 'sam'] as const)
    expect(await edit(user)).toMatchObject({ status: 403, error: { code: '42501' } });
  const { rows } = await world.server.db.query('select leverage from app.positions where id = $1', [foreign]);
  expect(rows).toEqual([{ leverage: 10 }]);
});

test('X-20: another user’s session answers like a missing one', async () => {
  const end = async (id: string) => {
    const { error, status } = await world.clientOf('alice').rpc('revoke_session', { p_id: id });
    return { status, error };
  };
  const foreign = await world.signIn('bob');
  expect(await end(foreign.sessionId)).toEqual(await end(randomUUID()));
  expect((await foreign.client.rpc('list_sessions')).error).toBeNull();
});

test('X-20: only an admin changes another user’s profile, or any role', async () => {
  for (const user of ['alice', 'mona', 'sam'] as const) {
    const update = (args: Record<string, unknown>) =>
      world.clientOf(user).rpc('safe_update_user_profile', args);
    const other = await update({ user_id: world.idOf.bob, new_username: 'taken-over' });
    expect([user, other.error?.code]).toEqual([user, 'not_allowed']);
    const role = await update({ user_id: world.idOf[user], new_role: 'admin' });
    expect([user, role.error?.code]).toEqual([user, 'not_allowed']);
  }
  const { rows } = await world.server.db.query(
    `select username from app.users where username = 'taken-over' or (role = 'admin' and id <> $1)`,
    [world.idOf.ada],
  );
  expect(rows).toEqual([]);
});

test('A45, X-20: a manager impersonates assigned traders only, and no one impersonates an admin', async () => {
  const view = async (user: UserName, target: UserName) => {
    const { client } = await world.signIn(user);
    const { error } = await client.rpc('impersonate_user', {
      p_user_id: world.idOf[target],
      p_reason: 'test',
    });
    return error === null ? 'done' : 'refused';
  };
  expect(await view('mona', 'alice')).toBe('done');
  for (const target of ['bob', 'sam', 'ada'] as const) expect(await view('mona', target)).toBe('refused');
  expect(await view('ada', 'bob')).toBe('done');
  expect(await view('ada', 'ada')).toBe('refused');
});
