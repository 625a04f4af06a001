/** The user who can fund the caller's wallet (A102): the name of the caller's manager and no other data. */
import { expect, test } from 'vitest';
import { server, shareUserServer } from './user-server.ts';

shareUserServer();

test('A102: a trader learns the username of their manager, and that there is none', async () => {
  const [manager, admin] = [await server.addUser('manager'), await server.addUser('admin')];
  const trader = await server.addUser('trader', { managerId: manager.id });
  expect((await trader.client.rpc('get_my_manager')).data).toEqual({ username: manager.username });

  const take = { p_user_id: trader.id, p_manager_id: null };
  expect((await admin.client.rpc('assign_user_to_manager', take)).error).toBeNull();
  const alone = await trader.client.rpc('get_my_manager');
  expect(alone).toMatchObject({ status: 200, error: null, data: null });
});

test('X-20: discloses no other user’s manager, and accepts no name', async () => {
  const manager = await server.addUser('manager');
  await server.addUser('trader', { managerId: manager.id });
  const stranger = await server.addUser('trader');
  expect((await stranger.client.rpc('get_my_manager')).data).toBeNull();
  expect((await stranger.client.rpc('get_my_manager', { p_user_id: manager.id })).status).toBe(400);
  expect((await manager.client.rpc('get_my_manager')).status).toBe(403);
});

test('A45: staff who impersonate the trader receive it too', async () => {
  const manager = await server.addUser('manager');
  const trader = await server.addUser('trader', { managerId: manager.id });
  await server.impersonate(manager, trader);
  expect((await manager.client.rpc('get_my_manager')).data).toEqual({ username: manager.username });
});
