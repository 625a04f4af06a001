/** Staff whose role was removed, with a token of the old role. */
import { beforeAll, describe, expect, test } from 'vitest';
import { until } from '../realtime/realtime-server.ts';
import { server, shareUserServer, type TestUser, tokenOf } from './user-server.ts';

let boss: TestUser;
shareUserServer();
beforeAll(async () => {
  boss = await server.addUser('admin');
});

const demote = async (target: TestUser) => {
  const { error } = await boss.client.rpc('safe_update_user_profile', {
    user_id: target.id,
    new_role: 'trader',
  });
  if (error) throw error;
};

describe('a demoted admin', () => {
  test('is refused at once with the old admin token, and cannot refresh', async () => {
    const admin = await server.addUser('admin');
    const token = await tokenOf(admin.client);
    expect((await server.readAs(token)).status).toBe(200);
    await demote(admin);
    expect((await server.readAs(token)).status).toBe(401);
    expect((await admin.client.auth.refreshSession()).error).not.toBeNull();
    const again = await server.signIn(admin.email);
    const { data } = await again.from('users').select('id, role');
    expect(data).toEqual([{ id: admin.id, role: 'trader' }]);
  });

  test('also after a restart of the server', async () => {
    const admin = await server.addUser('admin');
    const token = await tokenOf(admin.client);
    await demote(admin);
    await server.restart();
    expect((await server.readAs(token)).status).toBe(401);
  });

  test('loses the channels at once', async () => {
    const admin = await server.addUser('admin');
    const statuses: string[] = [];
    await admin.client.realtime.setAuth();
    admin.client
      .channel(`user:${admin.id}`)
      .on('postgres_changes', { event: '*', schema: 'public', table: 'wallets' }, () => undefined)
      .subscribe((status) => statuses.push(status));
    await until(() => statuses.includes('SUBSCRIBED'));
    await demote(admin);
    await until(() => statuses.includes('CHANNEL_ERROR'));
  });

  test('an action that waited for the demotion to commit is refused', async () => {
    const admin = await server.addUser('admin');
    const target = await server.addUser('trader');
    const action = admin.client.rpc('admin_update_user_password', {
      p_user_id: target.id,
      p_new_password: 'mine-now',
    });
    const [, { status }] = await Promise.all([demote(admin), action]);
    const changed = await server.audit(target.id);
    // In either order: an action that took effect is an admin's action, and is in the audit log.
    expect(changed).toHaveLength(status === 200 ? 1 : 0);
    expect([200, 401]).toContain(status);
  });
});

describe('a demoted manager', () => {
  test('loses their traders, which then have no manager', async () => {
    const manager = await server.addUser('manager');
    const traders = [
      await server.addUser('trader', { managerId: manager.id }),
      await server.addUser('trader', { managerId: manager.id }),
    ];
    await demote(manager);
    const { rows } = await server.db.query(`select manager_id from app.users where id = any($1)`, [
      traders.map(({ id }) => id),
    ]);
    expect(rows).toEqual([{ manager_id: null }, { manager_id: null }]);
  });
});
