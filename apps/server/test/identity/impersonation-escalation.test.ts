/** Staff who try to gain rights, or to impersonate a user whom they may not. */
import { randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { claimsOf, refreshed, server, shareUserServer, tokenOf } from './user-server.ts';

shareUserServer();

const impersonate = async (client: SupabaseClient, userId: string) => {
  const { error, status } = await client.rpc('impersonate_user', { p_user_id: userId, p_reason: 'curious' });
  return { status, code: error?.code, message: error?.message };
};
const actions = async (actorId: string) =>
  (await server.db.query(`select from app.impersonations where actor_id = $1`, [actorId])).rowCount;

describe('staff who try to impersonate', () => {
  test('AUTH-56: an admin cannot impersonate an admin', async () => {
    const [admin, other] = [await server.addUser('admin'), await server.addUser('admin')];
    expect(await impersonate(admin.client, other.id)).toMatchObject({ status: 403, code: 'not_allowed' });
    expect(await actions(admin.id)).toBe(0);
    expect(await server.audit(other.id)).toEqual([]);
  });

  test('AUTH-52: no one impersonates themselves', async () => {
    for (const role of ['admin', 'manager'] as const) {
      const staff = await server.addUser(role);
      expect(await impersonate(staff.client, staff.id)).toMatchObject({ status: 403, code: 'not_allowed' });
      expect(await actions(staff.id)).toBe(0);
    }
  });

  test('AUTH-55: for a manager a foreign trader, other staff and a missing user give the same error', async () => {
    const [manager, other] = [await server.addUser('manager'), await server.addUser('manager')];
    const foreign = await server.addUser('trader', { managerId: other.id });
    const targets = [foreign, other, await server.addUser('support'), await server.addUser('admin')];
    const answers = [];
    for (const id of [randomUUID(), ...targets.map((target) => target.id)]) {
      answers.push(await impersonate(manager.client, id));
    }
    expect(answers).toEqual(
      answers.map(() => ({ status: 404, code: 'not_found', message: 'User not found' })),
    );
    expect(await actions(manager.id)).toBe(0);
  });

  test('AUTH-52: a trader and a support agent cannot impersonate', async () => {
    const target = await server.addUser('trader');
    for (const role of ['trader', 'support'] as const) {
      const { client } = await server.addUser(role);
      expect(await impersonate(client, target.id)).toMatchObject({ status: 403, code: '42501' });
    }
  });

  test('AUTH-52: an impersonated manager cannot impersonate that manager’s trader', async () => {
    const [admin, manager] = [await server.addUser('admin'), await server.addUser('manager')];
    const trader = await server.addUser('trader', { managerId: manager.id });
    await server.impersonate(admin, manager);
    expect(await impersonate(admin.client, trader.id)).toMatchObject({
      status: 403,
      code: 'not_allowed',
      message: 'This is not possible while impersonating a user.',
    });
    expect((await refreshed(admin.client)).user.id).toBe(manager.id);
  });

  test('AUTH-52: nor with the staff token that is still around', async () => {
    const [admin, one, two] = [
      await server.addUser('admin'),
      await server.addUser('trader'),
      await server.addUser('trader'),
    ];
    const own = await tokenOf(admin.client);
    await server.impersonate(admin, one);
    const again = await fetch(`${server.url}/rest/v1/rpc/impersonate_user`, {
      method: 'POST',
      headers: {
        apikey: server.anonKey,
        authorization: `Bearer ${own}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ p_user_id: two.id, p_reason: 'curious' }),
    });
    expect(again.status).toBe(409);
    expect((await refreshed(admin.client)).user.id).toBe(one.id);
  });

  test('AUTH-52: two at once give one', async () => {
    const admin = await server.addUser('admin');
    const targets = [await server.addUser('trader'), await server.addUser('trader')];
    const answers = await Promise.all(targets.map((target) => impersonate(admin.client, target.id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await actions(admin.id)).toBe(1);
  });

  test('AUTH-52: the token has only the target’s role, after every refresh', async () => {
    const [admin, trader] = [await server.addUser('admin'), await server.addUser('trader')];
    await server.impersonate(admin, trader);
    for (let n = 0; n < 3; n += 1) {
      const claims = claimsOf((await refreshed(admin.client)).access_token);
      expect([claims.sub, claims.app_role]).toEqual([trader.id, 'trader']);
    }
  });
});
