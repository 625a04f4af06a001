/** One's own sessions: seen, ended one by one, and gone at once on every door. */
import { randomUUID } from 'node:crypto';
import { minuteMs } from '@fulcrum/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testPassword } from '../harness/index.ts';
import { until } from '../realtime/realtime-server.ts';
import { claimsOf, refreshed, startUserServer, tokenOf, type UserServer } from './user-server.ts';

let server: UserServer;
beforeAll(async () => {
  server = await startUserServer();
});
afterAll(() => server.close());

const sessionId = async (client: Parameters<typeof tokenOf>[0]) => claimsOf(await tokenOf(client)).session_id;

describe('the list of sessions', () => {
  test('shows one’s own live ones, the last used first, the present one marked', async () => {
    const [person] = [await server.person('trader'), await server.person('trader')];
    server.clock.advance(minuteMs);
    const phone = await server.signIn(person.email);
    const ended = await server.signIn(person.email);
    await ended.auth.signOut({ scope: 'local' });
    server.clock.advance(minuteMs);
    await refreshed(person.client);
    const { data, error } = await person.client.rpc('list_sessions', {});
    expect(error).toBeNull();
    expect(data).toEqual([
      {
        id: await sessionId(person.client),
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
    const person = await server.person('trader');
    const first = await sessionId(person.client);
    await server.db.query(
      `insert into app.sessions (user_id, created_at, auth_time, last_seen_at)
       select $1, t, t, t from (select $2::timestamptz + n * interval '1 second' as t from generate_series(1, 100) n) x`,
      [person.id, new Date(server.clock.now())],
    );
    server.clock.advance(5 * minuteMs);
    const newest = await server.signIn(person.email, testPassword);
    const { data } = await newest.rpc('list_sessions', {});
    expect(data).toHaveLength(100);
    expect(data[0].current).toBe(true);
    expect(data.map(({ id }: { id: string }) => id)).not.toContain(first);
  });
});

describe('a session that its owner ends', () => {
  test('is refused at once over the table API, cannot refresh, and the others go on', async () => {
    const person = await server.person('trader');
    const phone = await server.signIn(person.email);
    const lost = await tokenOf(phone);
    const p_id = await sessionId(phone);
    const { data } = await person.client.rpc('revoke_session', { p_id });
    expect(data).toEqual({ id: p_id });
    expect((await server.readAs(lost)).status).toBe(401);
    expect((await phone.auth.refreshSession()).error).not.toBeNull();
    expect((await person.client.auth.getUser()).error).toBeNull();
    await server.restart();
    expect((await server.readAs(lost)).status).toBe(401);
  });

  test('its socket loses its channels at once', async () => {
    const person = await server.person('trader');
    const phone = await server.signIn(person.email);
    const statuses: string[] = [];
    await phone.realtime.setAuth();
    phone.channel(`user:${person.id}`).subscribe((status) => statuses.push(status));
    await until(() => statuses.includes('SUBSCRIBED'));
    await person.client.rpc('revoke_session', { p_id: await sessionId(phone) });
    await until(() => statuses.includes('CHANNEL_ERROR'));
  });

  test('another user’s session, an ended one and a missing one give the same error', async () => {
    const [person, other] = [await server.person('admin'), await server.person('trader')];
    const phone = await server.signIn(person.email);
    const ended = await sessionId(phone);
    await phone.auth.signOut({ scope: 'local' });
    const answers = [];
    for (const p_id of [await sessionId(other.client), ended, randomUUID()]) {
      const { error, status } = await person.client.rpc('revoke_session', { p_id });
      answers.push([status, error?.code, error?.message]);
    }
    expect(answers).toEqual(answers.map(() => [404, 'not_found', 'Session not found']));
    expect((await other.client.auth.getUser()).error).toBeNull();
  });
});
