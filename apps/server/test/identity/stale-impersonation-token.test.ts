/** An access token of an ended impersonation is refused by every protocol, also after a restart. */
import { describe, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { subscribed, until } from '../realtime/realtime-server.ts';
import { claimsOf, refreshed, server, shareUserServer, type TestUser, tokenOf } from './user-server.ts';

shareUserServer();

/** An admin and a manager, each acting as the manager's trader. */
async function startWithTokens() {
  const [boss, admin, manager] = [
    await server.addUser('admin'),
    await server.addUser('admin'),
    await server.addUser('manager'),
  ];
  const trader = await server.addUser('trader', { managerId: manager.id });
  await server.impersonate(admin, trader);
  await server.impersonate(manager, trader);
  const tokens = { admin: await tokenOf(admin.client), manager: await tokenOf(manager.client) };
  /** The name in the impersonation token, while it is accepted. */
  const alive = async () => ({
    admin: (await server.readAs(tokens.admin)).status === 200,
    manager: (await server.readAs(tokens.manager)).status === 200,
  });
  return { boss, admin, manager, trader, tokens, alive };
}

const edit = async (by: TestUser, whose: TestUser, change: Record<string, unknown>) => {
  const { error } = await by.client.rpc('safe_update_user_profile', { user_id: whose.id, ...change });
  if (error) throw error;
};

describe('a token of an impersonation that is over', () => {
  test('AUTH-53: ended by the button, its own only', async () => {
    const { admin, tokens, alive } = await startWithTokens();
    await admin.client.rpc('end_impersonation', {});
    expect(await alive()).toEqual({ admin: false, manager: true });
    const user = await fetch(`${server.url}/auth/v1/user`, {
      headers: { apikey: server.anonKey, authorization: `Bearer ${tokens.admin}` },
    });
    // Not the code that makes the client drop its session, which goes on.
    expect(user.status).toBe(401);
    expect(await user.json()).toMatchObject({ code: 'bad_jwt' });
    expect((await refreshed(admin.client)).user.id).toBe(admin.id);
  });

  test('AUTH-53: stays refused after a restart', async () => {
    const { admin, alive } = await startWithTokens();
    await admin.client.rpc('end_impersonation', {});
    await server.restart();
    expect(await alive()).toEqual({ admin: false, manager: true });
  });

  test('AUTH-55: a trader who is reassigned leaves the former manager’s scope at once', async () => {
    const { boss, manager, trader, alive } = await startWithTokens();
    const other = await server.addUser('manager');
    await boss.client.rpc('assign_user_to_manager', { p_user_id: trader.id, p_manager_id: other.id });
    expect(await alive()).toEqual({ admin: true, manager: false });
    expect((await refreshed(manager.client)).user.id).toBe(manager.id);
    expect((await server.audit(trader.id)).map(({ detail }) => detail.cause)).toContain('reassigned');
  });

  test('AUTH-56: a target whose role changes ends the impersonation', async () => {
    const { boss, trader, alive, admin } = await startWithTokens();
    await edit(boss, trader, { new_role: 'admin' });
    expect(await alive()).toEqual({ admin: false, manager: false });
    expect((await refreshed(admin.client)).user.id).toBe(admin.id);
  });

  test('AUTH-55: staff whose role changes lose the impersonation, and are signed out', async () => {
    const { boss, manager, trader, alive } = await startWithTokens();
    await edit(boss, manager, { new_role: 'support' });
    expect(await alive()).toEqual({ admin: true, manager: false });
    expect((await manager.client.auth.refreshSession()).error).not.toBeNull();
    const { rows } = await server.db.query(
      `select from app.impersonations where target_id = $1 and actor_id = $2 and ended_at is null`,
      [trader.id, manager.id],
    );
    expect(rows).toEqual([]);
  });

  test('AUTH-53: an end that was committed and never announced is detected', async () => {
    const { admin, alive } = await startWithTokens();
    // As when the connection is lost before PostgreSQL has answered the commit.
    await server.db.query(`update app.impersonations set ended_at = $1 where actor_id = $2`, [
      new Date(server.clock.now()),
      admin.id,
    ]);
    await eventually(async () => expect(await alive()).toEqual({ admin: false, manager: true }));
  });

  test('AUTH-53: the deletion of the target leaves the staff member’s session unchanged', async () => {
    const [admin, target] = [await server.addUser('admin'), await server.addUser('support')];
    await server.impersonate(admin, target);
    await server.db.query(`delete from app.users where id = $1`, [target.id]);
    const { error } = await admin.client.auth.getUser();
    expect(error).toMatchObject({ code: 'bad_jwt' });
    expect((await refreshed(admin.client)).user.id).toBe(admin.id);
  });

  test('AUTH-55: what was decided without a command is noticed at the next refresh', async () => {
    const { manager, trader } = await startWithTokens();
    await server.db.query(`update app.users set manager_id = null where id = $1`, [trader.id]);
    const session = await refreshed(manager.client);
    expect(claimsOf(session.access_token)).toMatchObject({ sub: manager.id, app_role: 'manager' });
    expect((await server.audit(trader.id)).map(({ detail }) => detail.cause)).toContain('no longer allowed');
  });

  test('AUTH-42: a sign-out ends the session’s impersonation as well', async () => {
    const { admin, trader, alive } = await startWithTokens();
    await admin.client.auth.signOut({ scope: 'global' });
    expect(await alive()).toEqual({ admin: false, manager: true });
    const { rows } = await server.db.query<{ ended: boolean }>(
      `select ended_at is not null as ended from app.impersonations where target_id = $1 and actor_id = $2`,
      [trader.id, admin.id],
    );
    expect(rows).toEqual([{ ended: true }]);
  });

  test('AUTH-53: a refresh at the same moment brings none that works', async () => {
    const { admin, trader } = await startWithTokens();
    const { data } = await admin.client.auth.getSession();
    const refresh = async (): Promise<string> => {
      const answer = await fetch(`${server.url}/auth/v1/token?grant_type=refresh_token`, {
        method: 'POST',
        headers: { apikey: server.anonKey, 'content-type': 'application/json' },
        body: JSON.stringify({ refresh_token: data.session?.refresh_token }),
      });
      const { access_token } = (await answer.json()) as { access_token: string };
      return access_token;
    };
    const around = [refresh(), refresh(), refresh()];
    const ended = admin.client.rpc('end_impersonation', {});
    around.push(refresh(), refresh(), refresh());
    const tokens = await Promise.all(around);
    expect((await ended).data).toEqual({ ended: true });
    for (const token of tokens) {
      const isImpersonated = claimsOf(token).sub === trader.id;
      expect((await server.readAs(token)).status).toBe(isImpersonated ? 401 : 200);
    }
  });

  test('AUTH-55: no impersonation begins during a concurrent reassignment of the trader', async () => {
    for (let n = 0; n < 5; n += 1) {
      const manager = await server.addUser('manager');
      const boss = await server.addUser('admin');
      const trader = await server.addUser('trader', { managerId: manager.id });
      const [begun, taken] = await Promise.all([
        manager.client.rpc('impersonate_user', { p_user_id: trader.id, p_reason: 'In a hurry' }),
        boss.client.rpc('assign_user_to_manager', { p_user_id: trader.id, p_manager_id: null }),
      ]);
      expect(taken.error).toBeNull();
      expect([200, 404]).toContain(begun.status);
      expect((await refreshed(manager.client)).user.id).toBe(manager.id);
    }
  });

  test('AUTH-53: a channel that was joined with it fails at once, and joins again as the staff member', async () => {
    const { admin, trader } = await startWithTokens();
    const statuses: string[] = [];
    await admin.client.realtime.setAuth();
    admin.client.channel(`user:${trader.id}`).subscribe((status) => statuses.push(status));
    await until(() => statuses.includes('SUBSCRIBED'));
    await admin.client.rpc('end_impersonation', {});
    await until(() => statuses.includes('CHANNEL_ERROR'));
    await refreshed(admin.client);
    await admin.client.removeAllChannels();
    await admin.client.realtime.setAuth();
    const answer = await subscribed(admin.client.channel(`user:${trader.id}`));
    expect(answer.status).toBe('CHANNEL_ERROR');
  });
});
