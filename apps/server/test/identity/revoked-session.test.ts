/** One's own sessions: seen, ended one by one, and gone at once on every door. */
import { randomUUID } from 'node:crypto';
import { minuteMs } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { testPassword } from '../harness/index.ts';
import { until } from '../realtime/realtime-server.ts';
import { claimsOf, refreshed, server, shareUserServer, tokenOf } from './user-server.ts';

shareUserServer();

const sessionId = async (client: Parameters<typeof tokenOf>[0]) => claimsOf(await tokenOf(client)).session_id;

describe('the list of sessions', () => {
  test('shows one’s own live ones, the last used first, the present one marked', async () => {
    const [user] = [await server.addUser('trader'), await server.addUser('trader')];
    server.clock.advance(minuteMs);
    const phone = await server.signIn(user.email);
    const ended = await server.signIn(user.email);
    await ended.auth.signOut({ scope: 'local' });
    server.clock.advance(minuteMs);
    await refreshed(user.client);
    const { data, error } = await user.client.rpc('list_sessions', {});
    expect(error).toBeNull();
    expect(data).toEqual([
      {
        id: await sessionId(user.client),
        created_at: expect.any(String),
        last_seen_at: expect.any(String),
        user_agent: expect.any(String),
        address: '127.0.0.1',
        current: true,
      },
      expect.objectContaining({ id: await sessionId(phone), current: false }),
    ]);
    expect(Date.parse(data[0].last_seen_at)).toBe(server.clock.now());
    expect(Date.parse(data[0].created_at)).toBe(server.clock.now() - 2 * minuteMs);
  });

  test('a user has at most a hundred; the longest unused one ends for the next', async () => {
    const user = await server.addUser('trader');
    const first = await sessionId(user.client);
    await server.db.query(
      `insert into app.sessions (user_id, created_at, auth_time, last_seen_at)
       select $1, t, t, t from (select $2::timestamptz + n * interval '1 second' as t from generate_series(1, 100) n) x`,
      [user.id, new Date(server.clock.now())],
    );
    server.clock.advance(5 * minuteMs);
    const newest = await server.signIn(user.email, testPassword);
    const { data } = await newest.rpc('list_sessions', {});
    expect(data).toHaveLength(100);
    expect(data[0].current).toBe(true);
    expect(data.map(({ id }: { id: string }) => id)).not.toContain(first);
  });
});

describe('a session that its owner ends', () => {
  test('is refused at once over the table API, cannot refresh, and the others go on', async () => {
    const user = await server.addUser('trader');
    const phone = await server.signIn(user.email);
    const lost = await tokenOf(phone);
    const p_id = await sessionId(phone);
    const { data } = await user.client.rpc('revoke_session', { p_id });
    expect(data).toEqual({ id: p_id });
    expect((await server.readAs(lost)).status).toBe(401);
    expect((await phone.auth.refreshSession()).error).not.toBeNull();
    expect((await user.client.auth.getUser()).error).toBeNull();
    await server.restart();
    expect((await server.readAs(lost)).status).toBe(401);
  });

  test('its socket loses its channels at once', async () => {
    const user = await server.addUser('trader');
    const phone = await server.signIn(user.email);
    const statuses: string[] = [];
    await phone.realtime.setAuth();
    phone.channel(`user:${user.id}`).subscribe((status) => statuses.push(status));
    await until(() => statuses.includes('SUBSCRIBED'));
    await user.client.rpc('revoke_session', { p_id: await sessionId(phone) });
    await until(() => statuses.includes('CHANNEL_ERROR'));
  });

  test('another user’s session, an ended one and a missing one give the same error', async () => {
    const [user, other] = [await server.addUser('admin'), await server.addUser('trader')];
    const phone = await server.signIn(user.email);
    const ended = await sessionId(phone);
    await phone.auth.signOut({ scope: 'local' });
    const answers = [];
    for (const p_id of [await sessionId(other.client), ended, randomUUID()]) {
      const { error, status } = await user.client.rpc('revoke_session', { p_id });
      answers.push([status, error?.code, error?.message]);
    }
    expect(answers).toEqual(answers.map(() => [404, 'not_found', 'Session not found']));
    expect((await other.client.auth.getUser()).error).toBeNull();
  });
});
