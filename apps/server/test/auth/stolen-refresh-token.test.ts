import { createHash } from 'node:crypto';
import { dayMs, minuteMs } from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import { bearer, server, shareAuthServer } from './harness.ts';

shareAuthServer();

const refresh = (token: string) =>
  server.call('POST', '/token?grant_type=refresh_token', { refresh_token: token });
const tokensOf = async (answer: Response) =>
  (await answer.json()) as { access_token: string; refresh_token: string };

describe('an attacker who copied a refresh token', () => {
  test('ends the session for both when the copy is used more than 60 s after the original', async () => {
    const { session, client } = await server.register();
    const owner = await tokensOf(await refresh(session.refresh_token));
    server.clock.advance(minuteMs + 1);
    const stolen = await refresh(session.refresh_token);
    expect(stolen.status).toBe(400);
    expect(await stolen.json()).toMatchObject({ code: 'refresh_token_already_used' });

    const after = await refresh(owner.refresh_token);
    expect(await after.json()).toMatchObject({ code: 'session_not_found' });
    const read = await server.call('GET', '/user', undefined, bearer(owner.access_token));
    expect(await read.json()).toMatchObject({ code: 'session_not_found' });
    // The official client takes that for the end of its session.
    const { error } = await client.auth.getUser();
    expect(error!.name).toBe('AuthSessionMissingError');
  });

  test('SEC-F11: another spelling of a token is an invented one: it ends no session and is no theft', async () => {
    const { session } = await server.register();
    const token = session.refresh_token;
    for (const spelling of [`${token}=`, `${token} `, `${token}\n`, `${token}!`, `.${token}`]) {
      const answer = await refresh(spelling);
      expect(answer.status, JSON.stringify(spelling)).toBe(400);
      expect(await answer.json()).toMatchObject({ code: 'refresh_token_not_found' });
    }
    const read = await server.call('GET', '/user', undefined, bearer(session.access_token));
    expect(read.status).toBe(200);
    expect((await refresh(token)).status).toBe(200);
  });

  test('the window counts from the first use, whatever siblings came after', async () => {
    const { session } = await server.register();
    await refresh(session.refresh_token);
    server.clock.advance(40_000);
    expect((await refresh(session.refresh_token)).status).toBe(200);
    server.clock.advance(40_000);
    expect((await refresh(session.refresh_token)).status).toBe(400);
  });

  test('finds no token in the database, only SHA-256', async () => {
    const { session, userId } = await server.register();
    expect(Buffer.from(session.refresh_token, 'base64url')).toHaveLength(48);
    const { rows } = await server.db.query<{ hash: Buffer }>(
      `select hash from app.refresh_tokens t join app.sessions s on s.id = t.session_id where s.user_id = $1`,
      [userId],
    );
    expect(rows.map((row) => row.hash)).toEqual([
      createHash('sha256').update(session.refresh_token).digest(),
    ]);
  });

  test('is detected however many refreshes came in between, and a session has a bounded number of rows', async () => {
    const { session, userId } = await server.register();
    let token = session.refresh_token;
    for (let i = 0; i < 460; i += 1) {
      if (i % 50 === 0) server.clock.advance(2 * minuteMs);
      token = (await tokensOf(await refresh(token))).refresh_token;
    }
    const { rows } = await server.db.query<{ stored: number }>(
      `select count(*)::int as stored from app.refresh_tokens t join app.sessions s on s.id = t.session_id where s.user_id = $1`,
      [userId],
    );
    expect(rows[0]!.stored).toBeLessThan(330);
    server.clock.advance(2 * minuteMs);
    expect((await refresh(token)).status).toBe(200);
    // The first token's row is gone, and still it ends the session.
    const stolen = await refresh(session.refresh_token);
    expect(await stolen.json()).toMatchObject({ code: 'refresh_token_already_used' });
    expect(await (await refresh(token)).json()).toMatchObject({ code: 'session_not_found' });
    expect(await (await refresh(session.refresh_token)).json()).toMatchObject({ code: 'session_not_found' });
  });

  test('cannot end a session with a token built from its id', async () => {
    const { session, client } = await server.register();
    const bytes = Buffer.from(session.refresh_token, 'base64url');
    for (const position of [16, 40]) {
      const forged = Buffer.from(bytes);
      forged[position]! ^= 1;
      const answer = await refresh(forged.toString('base64url'));
      expect(await answer.json()).toMatchObject({ code: 'refresh_token_not_found' });
    }
    expect((await client.auth.refreshSession()).error).toBeNull();
  });

  test('gets no session longer than the 30 days since its sign-in, however often it is refreshed', async () => {
    const { session } = await server.register();
    server.clock.advance(29 * dayMs);
    const { refresh_token } = await tokensOf(await refresh(session.refresh_token));
    server.clock.advance(dayMs);
    const answer = await refresh(refresh_token);
    expect(await answer.json()).toMatchObject({ code: 'session_expired' });
  });

  test('gets no session for a token that was never issued', async () => {
    const answer = await refresh('A'.repeat(43));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'refresh_token_not_found' });
  });
});
