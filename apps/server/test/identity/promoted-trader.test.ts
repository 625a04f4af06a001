/** A trader who becomes staff (A80): the wallet stays, the manager and the trader's rights end. */
import { expect, test } from 'vitest';
import { claimsOf, server, shareUserServer, tokenOf } from './user-server.ts';

shareUserServer();

test('A80, ADMIN-53: loses the manager at once, signs in as staff, keeps the wallet, and can have traders', async () => {
  const [boss, former] = [await server.addUser('admin'), await server.addUser('manager')];
  const user = await server.addUser('trader', { managerId: former.id });
  const apprentice = await server.addUser('trader');
  await server.impersonate(former, user);
  const [token, impersonationToken] = [await tokenOf(user.client), await tokenOf(former.client)];
  const wallet = `select balance, available_balance from app.wallets where user_id = $1`;
  const { rows: before } = await server.db.query(wallet, [user.id]);

  const { data: edited } = await boss.client.rpc('safe_update_user_profile', {
    user_id: user.id,
    new_role: 'manager',
  });
  expect(edited).toMatchObject({ role: 'manager', manager_id: null });

  for (const old of [token, impersonationToken]) expect((await server.readAs(old)).status).toBe(401);
  const client = await server.signIn(user.email);
  expect(claimsOf(await tokenOf(client)).app_role).toBe('manager');
  expect((await server.db.query(wallet, [user.id])).rows).toEqual(before);
  const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: '0.01', p_leverage: 10 };
  expect((await client.rpc('open_position', order)).error).toMatchObject({ code: '42501' });

  const assigned = await boss.client.rpc('assign_user_to_manager', {
    p_user_id: apprentice.id,
    p_manager_id: user.id,
  });
  expect(assigned.error).toBeNull();
  const { data: seen } = await client.from('users').select('id').eq('role', 'trader');
  expect(seen).toEqual([{ id: apprentice.id }]);
});
