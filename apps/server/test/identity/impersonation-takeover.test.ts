/** Impersonating staff cannot take over the target's account, nor hide their own session. */
import { describe, expect, test } from 'vitest';
import { testPassword } from '../harness/index.ts';
import { claimsOf, refreshed, server, shareUserServer, type TestUser, tokenOf } from './user-server.ts';

shareUserServer();

const notWhileImpersonating = 'This is not possible while impersonating a user.';

async function startImpersonation(): Promise<{ admin: TestUser; trader: TestUser }> {
  const [admin, trader] = [await server.addUser('admin'), await server.addUser('trader')];
  await server.impersonate(admin, trader);
  return { admin, trader };
}

const logout = async (token: string, scope: string) =>
  fetch(`${server.url}/auth/v1/logout?scope=${scope}`, {
    method: 'POST',
    headers: { apikey: server.anonKey, authorization: `Bearer ${token}` },
  });

describe('impersonating staff', () => {
  test('CALL-07: cannot change the password, even knowing it', async () => {
    const { admin, trader } = await startImpersonation();
    const { error } = await admin.client.auth.updateUser({
      password: 'mine-now',
      current_password: testPassword,
    });
    expect(error).toMatchObject({ status: 403, message: notWhileImpersonating });
    await server.signIn(trader.email);
  });

  test('CALL-50: cannot change email, name or phone', async () => {
    const { admin, trader } = await startImpersonation();
    for (const change of [
      { new_email: 'mine@example.test', current_password: testPassword },
      { new_username: 'mine-now' },
      { new_phone_number: '+12025550199' },
    ]) {
      const { error, status } = await admin.client.rpc('safe_update_user_profile', {
        user_id: trader.id,
        ...change,
      });
      expect([status, error?.message]).toEqual([403, notWhileImpersonating]);
    }
    const { data } = await trader.client.from('users').select('email, username, phone_number').single();
    expect(data).toEqual({ email: trader.email, username: trader.username, phone_number: null });
  });

  test('CALL-26, CALL-27, CALL-28, CALL-33: cannot make the documents’ own writes', async () => {
    const { admin, trader } = await startImpersonation();
    const { users, wallets } = { users: admin.client.from('users'), wallets: admin.client.from('wallets') };
    const answers = [
      await users.insert({ username: 'mine-now' }),
      await users.update({ last_login: new Date().toISOString() }).eq('id', trader.id),
      await wallets.insert({ user_id: trader.id, balance: 1 }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  test('cannot see or end the target’s sessions, nor hide among them', async () => {
    const { admin, trader } = await startImpersonation();
    const { session_id } = claimsOf(await tokenOf(trader.client));
    const listed = await admin.client.rpc('list_sessions', {});
    const revoked = await admin.client.rpc('revoke_session', { p_id: session_id });
    expect([listed.error?.message, revoked.error?.message]).toEqual([
      notWhileImpersonating,
      notWhileImpersonating,
    ]);
    expect((await trader.client.auth.getUser()).error).toBeNull();
  });

  test('AUTH-42: signing out ends the staff member’s sessions and never the target’s', async () => {
    for (const scope of ['local', 'global']) {
      const { admin, trader } = await startImpersonation();
      const elsewhere = await server.signIn(admin.email);
      const token = await tokenOf(admin.client);
      expect((await logout(token, scope)).status).toBe(204);
      expect((await server.readAs(token)).status).toBe(401);
      expect((await trader.client.auth.getUser()).error).toBeNull();
      expect((await elsewhere.auth.getUser()).error === null).toBe(scope === 'local');
      const { error } = await admin.client.auth.refreshSession();
      expect(error).not.toBeNull();
    }
  });

  test('AUTH-42: signing out ends the session also when the impersonation has just ended', async () => {
    const { admin } = await startImpersonation();
    const token = await tokenOf(admin.client);
    await admin.client.rpc('end_impersonation', {});
    expect((await logout(token, 'local')).status).toBe(204);
    const { error } = await admin.client.auth.refreshSession();
    expect(error).not.toBeNull();
  });

  test('AUTH-52: an account that they register is no session of theirs', async () => {
    const { admin, trader } = await startImpersonation();
    const answer = await fetch(`${server.url}/auth/v1/signup`, {
      method: 'POST',
      headers: {
        apikey: server.anonKey,
        authorization: `Bearer ${await tokenOf(admin.client)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ email: 'third@example.test', password: testPassword }),
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).not.toHaveProperty('access_token');
    expect((await refreshed(admin.client)).user.id).toBe(trader.id);
  });
});
