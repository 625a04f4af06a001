import { hourMs, minuteMs } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { claimsOf, refreshed, server, shareUserServer, tokenOf } from './user-server.ts';

shareUserServer();

const audited = async (subjectId: string) =>
  (await server.audit(subjectId)).map(({ actor_id, action, reason, detail }) => ({
    actor_id,
    action,
    reason,
    cause: detail.cause,
  }));

describe('impersonation', () => {
  test('AUTH-52: the next refresh returns a token of the target that names the staff member', async () => {
    const [admin, trader] = [await server.addUser('admin'), await server.addUser('trader')];
    const before = claimsOf(await tokenOf(admin.client));
    const started = await server.impersonate(admin, trader);
    expect(started).toEqual({
      user_id: trader.id,
      username: trader.username,
      role: 'trader',
      until: new Date(server.clock.now() + hourMs).toISOString(),
    });

    const { data } = await admin.client.auth.getSession();
    expect(data.session?.user).toMatchObject({
      id: trader.id,
      email: trader.email,
      user_metadata: { username: trader.username },
    });
    const claims = claimsOf(data.session!.access_token);
    expect(claims).toMatchObject({
      sub: trader.id,
      app_role: 'trader',
      act: { sub: admin.id, id: expect.any(String) },
      session_id: before.session_id,
    });
    const { data: user } = await admin.client.auth.getUser();
    expect(user.user?.id).toBe(trader.id);
  });

  test('A45: the bar receives actor and reason, in the impersonating session only', async () => {
    const [admin, trader] = [await server.addUser('admin'), await server.addUser('trader')];
    const elsewhere = await server.signIn(admin.email);
    expect((await admin.client.rpc('get_acting')).data).toBeNull();
    const { until } = await server.impersonate(admin, trader);
    expect((await admin.client.rpc('get_acting')).data).toEqual({
      actor: admin.username,
      actor_role: 'admin',
      reason: 'The trader requested help',
      until,
    });
    for (const own of [elsewhere, trader.client]) expect((await own.rpc('get_acting')).data).toBeNull();
    await admin.client.rpc('end_impersonation');
    await refreshed(admin.client);
    expect((await admin.client.rpc('get_acting')).data).toBeNull();
  });

  test('AUTH-52: reads return the target’s rows, and none of the staff member’s', async () => {
    const [admin, trader] = [await server.addUser('admin'), await server.addUser('trader')];
    await server.impersonate(admin, trader);
    const { data: visible } = await admin.client.from('users').select('id');
    expect(visible).toEqual([{ id: trader.id }]);
    const { data: wallets } = await admin.client.from('wallets').select('user_id, balance');
    expect(wallets).toEqual([{ user_id: trader.id, balance: 10_000 }]);
  });

  test('AUTH-52, RULE-37: trading is for the target’s account', async () => {
    const [admin, trader] = [await server.addUser('admin'), await server.addUser('trader')];
    server.feed.setPrice('BTCUSDT', '60000');
    await server.impersonate(admin, trader);
    const { data, error } = await admin.client.rpc('open_position', {
      p_user_id: admin.id,
      p_symbol: 'BTCUSDT',
      p_side: 'BUY',
      p_size: 0.001,
      p_leverage: 10,
    });
    expect(error).toBeNull();
    expect(data.user_id).toBe(trader.id);
  });

  test('AUTH-52: start and end are in the audit log with the reason and both users', async () => {
    const [admin, trader] = [await server.addUser('admin'), await server.addUser('trader')];
    await server.impersonate(admin, trader);
    await admin.client.rpc('end_impersonation', {});
    expect(await audited(trader.id)).toEqual([
      {
        actor_id: admin.id,
        action: 'impersonation.start',
        reason: 'The trader requested help',
        cause: undefined,
      },
      { actor_id: admin.id, action: 'impersonation.end', reason: null, cause: 'ended by the actor' },
    ]);
  });

  test('AUTH-53: its end restores the staff member’s own token', async () => {
    const [admin, trader] = [await server.addUser('admin'), await server.addUser('trader')];
    await server.impersonate(admin, trader);
    const { data } = await admin.client.rpc('end_impersonation', {});
    expect(data).toEqual({ ended: true });
    const session = await refreshed(admin.client);
    expect(session.user.id).toBe(admin.id);
    expect(claimsOf(session.access_token)).toMatchObject({ sub: admin.id, app_role: 'admin' });
    expect(claimsOf(session.access_token).act).toBeUndefined();
    const { data: again } = await admin.client.rpc('end_impersonation', {});
    expect(again).toEqual({ ended: false });
  });

  test('AUTH-55, MGR-17: a manager impersonates a trader assigned to them', async () => {
    const manager = await server.addUser('manager');
    const trader = await server.addUser('trader', { managerId: manager.id });
    await server.impersonate(manager, trader);
    expect(claimsOf(await tokenOf(manager.client))).toMatchObject({
      sub: trader.id,
      act: { sub: manager.id },
    });
  });

  test('AUTH-56: an admin impersonates a manager and a support agent, with their role and no more', async () => {
    for (const role of ['manager', 'support'] as const) {
      const [admin, target] = [await server.addUser('admin'), await server.addUser(role)];
      await server.impersonate(admin, target);
      expect(claimsOf(await tokenOf(admin.client)).app_role).toBe(role);
      const { error } = await admin.client.rpc('admin_create_user', {
        p_email: 'x@example.test',
        p_username: 'x',
        p_password: 'correct-horse',
        p_role: 'admin',
      });
      expect(error?.code).toBe('42501');
    }
  });

  test('AUTH-52: the target’s own sessions, last login and token are untouched', async () => {
    const [admin, trader] = [await server.addUser('admin'), await server.addUser('trader')];
    const { data: before } = await trader.client.from('users').select('last_login').single();
    server.clock.advance(minuteMs);
    await server.impersonate(admin, trader);
    const { data: after, error } = await trader.client.from('users').select('last_login').single();
    expect(error).toBeNull();
    expect(after).toEqual(before);
    expect(claimsOf((await refreshed(trader.client)).access_token).act).toBeUndefined();
  });

  test('AUTH-52: survives a reload and a restart of the server', async () => {
    const [admin, trader] = [await server.addUser('admin'), await server.addUser('trader')];
    await server.impersonate(admin, trader);
    await server.restart();
    expect((await server.readAs(await tokenOf(admin.client))).status).toBe(200);
    expect((await refreshed(admin.client)).user.id).toBe(trader.id);
  });

  test('AUTH-52: a repeat after a lost response returns the same result', async () => {
    const [admin, trader] = [await server.addUser('admin'), await server.addUser('trader')];
    const ask = () =>
      admin.client.rpc('impersonate_user', { p_user_id: trader.id, p_reason: 'The trader requested help' });
    const first = await ask();
    server.clock.advance(minuteMs);
    expect((await ask()).data).toEqual(first.data);
    expect(await audited(trader.id)).toHaveLength(1);
  });

  test('AUTH-52: a reason has to be given', async () => {
    const [admin, trader] = [await server.addUser('admin'), await server.addUser('trader')];
    for (const p_reason of ['', '   ', 'x'.repeat(501)]) {
      const { error, status } = await admin.client.rpc('impersonate_user', {
        p_user_id: trader.id,
        p_reason,
      });
      expect([status, error?.code]).toEqual([400, 'invalid_argument']);
    }
    expect(await audited(trader.id)).toEqual([]);
  });
});

describe('the end of the hour', () => {
  test('AUTH-52: no token outlives it', async () => {
    const [admin, trader] = [await server.addUser('admin'), await server.addUser('trader')];
    const { until } = await server.impersonate(admin, trader);
    server.clock.advance(50 * minuteMs);
    const session = await refreshed(admin.client);
    const claims = claimsOf(session.access_token);
    expect(claims.sub).toBe(trader.id);
    expect(claims.exp).toBe(Math.floor(Date.parse(until) / 1000));
    expect(session.expires_in).toBe(claims.exp - claims.iat);
    server.clock.set(Date.parse(until));
    expect((await server.readAs(session.access_token)).status).toBe(401);
  });

  test('AUTH-48, AUTH-53: the refresh 90 s before it is the first of the staff member themselves', async () => {
    const [admin, trader] = [await server.addUser('admin'), await server.addUser('trader')];
    const { until } = await server.impersonate(admin, trader);
    server.clock.set(Date.parse(until) - 91_000);
    expect((await refreshed(admin.client)).user.id).toBe(trader.id);
    server.clock.advance(1_000);
    expect((await refreshed(admin.client)).user.id).toBe(admin.id);
    expect((await audited(trader.id)).at(-1)).toMatchObject({
      action: 'impersonation.end',
      cause: 'time is up',
    });
  });

  test('AUTH-52: one that was never ended does not block another', async () => {
    const [admin, trader] = [await server.addUser('admin'), await server.addUser('trader')];
    const other = await server.addUser('trader');
    await server.impersonate(admin, trader);
    await server.db.query(
      `update app.impersonations set started_at = started_at - interval '2 hours',
      until = until - interval '2 hours' where actor_id = $1`,
      [admin.id],
    );
    const own = await refreshed(admin.client);
    expect(own.user.id).toBe(admin.id);
    await server.impersonate(admin, other);
    expect(claimsOf(await tokenOf(admin.client)).sub).toBe(other.id);
  });
});
