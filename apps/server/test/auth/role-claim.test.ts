import { describe, expect, test } from 'vitest';
import { password, server, shareAuthServer } from './harness.ts';

shareAuthServer();

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

describe('a client that claims a role', () => {
  test('AUTH-24: becomes a trader without a manager, wherever it puts the claim', async () => {
    const answer = await server.call('POST', '/signup', {
      email: 'claimer@example.test',
      password,
      role: 'admin',
      app_metadata: { role: 'admin' },
      data: {
        username: 'claimer',
        phone_number: '+12025550101',
        role: 'admin',
        app_role: 'admin',
        manager_id: '00000000-0000-4000-8000-000000000000',
        initialBalance: 1_000_000,
        restricted_at: null,
      },
    });
    const session = (await answer.json()) as { access_token: string; user: { id: string } };
    const { rows } = await server.db.query(`select role, manager_id from app.users where id = $1`, [
      session.user.id,
    ]);
    expect(rows).toEqual([{ role: 'trader', manager_id: null }]);
    expect(claimsOf(session.access_token)).toMatchObject({ role: 'authenticated', app_role: 'trader' });
    expect(server.accounts.callerOf({ authorization: `Bearer ${session.access_token}` })).toMatchObject({
      role: 'trader',
      userId: session.user.id,
      actorId: session.user.id,
    });
  });

  test('AUTH-24: does not get it by an update of its user either', async () => {
    const { client, userId } = await server.register();
    const { error } = await client.auth.updateUser({ data: { role: 'admin' } });
    expect(error).toMatchObject({ status: 400 });
    const { rows } = await server.db.query(`select role from app.users where id = $1`, [userId]);
    expect(rows).toEqual([{ role: 'trader' }]);
  });
});
