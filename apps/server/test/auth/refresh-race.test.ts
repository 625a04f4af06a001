import { minuteMs } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { server, shareAuthServer, startAuthServer } from './harness.ts';

shareAuthServer();

const refresh = (token: string) =>
  server.call('POST', '/token?grant_type=refresh_token', { refresh_token: token });
const tokenOf = async (answer: Response) =>
  ((await answer.json()) as { refresh_token: string }).refresh_token;

describe('refreshes that cross each other', () => {
  test('AUTH-47: ten parallel refreshes of one token all succeed, and every sibling works on', async () => {
    const { session, userId } = await server.register();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(session.refresh_token)));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 10 }, () => 200));
    const siblings = await Promise.all(answers.map(tokenOf));
    expect(new Set(siblings).size).toBe(10);
    server.clock.advance(20 * minuteMs);
    const next = await Promise.all(siblings.map(refresh));
    expect(next.every((answer) => answer.status === 200)).toBe(true);
    const { rows } = await server.db.query(
      `select count(*)::int as sessions from app.sessions where user_id = $1`,
      [userId],
    );
    expect(rows).toEqual([{ sessions: 1 }]);
  });

  test('AUTH-47: two tabs that refresh the same session both stay signed in', async () => {
    const { session, userId } = await server.register();
    const [one, two] = [server.client(), server.client()];
    await one.auth.setSession(session);
    await two.auth.setSession(session);
    const first = await one.auth.refreshSession();
    server.clock.advance(30_000);
    const second = await two.auth.refreshSession();
    expect([first.error, second.error]).toEqual([null, null]);
    expect(first.data.session!.refresh_token).not.toBe(second.data.session!.refresh_token);
    server.clock.advance(10 * minuteMs);
    for (const tab of [one, two]) expect((await tab.auth.refreshSession()).data.user!.id).toBe(userId);
  });

  test('AUTH-49: a client whose response was lost repeats with the same token, within 60 s', async () => {
    const { session } = await server.register();
    await refresh(session.refresh_token);
    server.clock.advance(minuteMs);
    const repeated = await refresh(session.refresh_token);
    expect(repeated.status).toBe(200);
    expect((await refresh(await tokenOf(repeated))).status).toBe(200);
  });

  test('AUTH-49: a refresh survives a restart of the server', async () => {
    const { session } = await server.register();
    const restarted = await startAuthServer({ database: server.db, clock: server.clock });
    const client = restarted.client();
    await client.auth.setSession(session);
    expect((await client.auth.refreshSession()).error).toBeNull();
    await restarted.stop();
  });

  test('AUTH-49, AUTH-51: a flood of refreshes gets 503, which the client retries, and never 429', async () => {
    const { session } = await server.register();
    const statuses: number[] = [];
    for (let i = 0; i < 70; i += 1) statuses.push((await refresh(session.refresh_token)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(59);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    server.clock.advance(minuteMs);
    expect((await refresh(session.refresh_token)).status).toBe(200);
  });
});
