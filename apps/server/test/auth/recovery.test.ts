import { createHash } from 'node:crypto';
import { minuteMs } from '@fulcrum/domain';
import { createClient } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { endRecoveries } from '../../src/features/identity/index.ts';
import { bearer, makeStaff, password, server, shareAuthServer } from './harness.ts';
import { linkIn, mailsIn, secretsIn } from './mailbox.ts';

shareAuthServer({ publicUrl: 'https://trade.example.test/app' });

/** A browser: the official client as the web app makes it, with a storage of its own. */
function browser(on = server, headers: Record<string, string> = {}) {
  const stored = new Map<string, string>();
  const client = createClient(on.url, on.secrets.anonKey, {
    global: { headers },
    auth: {
      flowType: 'pkce',
      autoRefreshToken: false,
      detectSessionInUrl: false,
      persistSession: true,
      storageKey: 'browser',
      storage: {
        getItem: (key) => stored.get(key) ?? null,
        setItem: (key, value) => void stored.set(key, value),
        removeItem: (key) => void stored.delete(key),
      },
    },
  });
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => events.push(event));
  return { client, events };
}

/** Delivers what waits and returns the newest mail to this address. */
async function newestMail(email: string, on = server): Promise<string> {
  await on.mails.pass();
  const mail = mailsIn(on.outbox).findLast((raw) => raw.includes(`To: ${email}\n`));
  if (mail === undefined) throw new Error(`no mail to ${email}`);
  return mail;
}

async function requestReset(email: string, from = browser()) {
  const { error } = await from.client.auth.resetPasswordForEmail(email, {
    redirectTo: 'https://evil.example/auth/callback',
  });
  expect(error).toBeNull();
  const raw = await newestMail(email);
  return { ...from, raw, ...secretsIn(raw) };
}

const verify = (tokenHash: string, headers: Record<string, string> = {}, on = server) =>
  on.call('POST', '/verify', { type: 'recovery', token_hash: tokenHash }, headers);
const exchange = (code: string, verifier: string) =>
  server.call('POST', '/token?grant_type=pkce', { auth_code: code, code_verifier: verifier });
const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code;

describe('a forgotten password', () => {
  test('AUTH-34, CALL-05: the mail links to the callback of PUBLIC_URL, whatever the request contains', async () => {
    const { email } = await server.register();
    const { raw } = await requestReset(email);
    const link = linkIn(raw);
    expect(link.origin + link.pathname).toBe('https://trade.example.test/app/auth/callback');
    expect([...link.searchParams.keys()]).toEqual(['code', 'token_hash', 'type']);
    expect(link.searchParams.get('type')).toBe('recovery');
    expect(raw).toContain('From: Fulcrum <no-reply@fulcrum.example.test>\n');
    expect(raw).toContain('Auto-Submitted: auto-generated\n');
    expect(raw).toMatch(/text\/plain[\s\S]+text\/html/);
    expect(raw).toContain('If you did not request');
    expect(raw).not.toContain('evil');
  });

  test('AUTH-50, AUTH-34: the requesting browser exchanges the code, receives PASSWORD_RECOVERY and sets a new password', async () => {
    const { email, userId } = await server.register();
    const { client, events, code } = await requestReset(email);
    const { data, error } = await client.auth.exchangeCodeForSession(code!);
    expect(error).toBeNull();
    expect(data.user!.id).toBe(userId);
    expect(events).toContain('PASSWORD_RECOVERY');
    expect((await client.auth.updateUser({ password: 'another-horse' })).error).toBeNull();
    const again = await server.client().auth.signInWithPassword({ email, password: 'another-horse' });
    expect(again.error).toBeNull();
    expect((await server.client().auth.signInWithPassword({ email, password })).error).not.toBeNull();
  });

  test('CALL-09, A54: another device signs in with the link’s token and receives PASSWORD_RECOVERY', async () => {
    const { email, userId } = await server.register();
    const { tokenHash, code } = await requestReset(email);
    const other = browser();
    const missing = await other.client.auth.exchangeCodeForSession(code!);
    expect(missing.error!.name).toBe('AuthPKCECodeVerifierMissingError');
    const { data, error } = await other.client.auth.verifyOtp({ type: 'recovery', token_hash: tokenHash });
    expect(error).toBeNull();
    expect(data.user!.id).toBe(userId);
    expect(other.events).toContain('PASSWORD_RECOVERY');
    expect((await other.client.auth.updateUser({ password: 'another-horse' })).error).toBeNull();
  });

  test('CALL-05: a client without PKCE gets a link without a code, which works by its token', async () => {
    const { email } = await server.register();
    const client = server.client();
    expect((await client.auth.resetPasswordForEmail(email)).error).toBeNull();
    const { code, tokenHash } = secretsIn(await newestMail(email));
    expect(code).toBeNull();
    expect((await verify(tokenHash)).status).toBe(200);
  });

  test('AUTH-14: is a sign-in like any other, and admits an owner locked out by guesses', async () => {
    const { email, userId } = await server.register();
    for (let i = 0; i < 10; i += 1) {
      await server.call('POST', '/token?grant_type=password', { email, password: `guess-${i}` });
    }
    server.clock.advance(minuteMs);
    const { tokenHash } = await requestReset(email);
    const session = (await (await verify(tokenHash)).json()) as { access_token: string };
    const read = await server.call('GET', '/user', undefined, bearer(session.access_token));
    expect(await read.json()).toMatchObject({
      id: userId,
      last_sign_in_at: new Date(server.clock.now()).toISOString(),
    });
    expect((await server.call('POST', '/token?grant_type=password', { email, password })).status).toBe(200);
  });

  test('AUTH-40: choosing the new password ends the other sessions', async () => {
    const { email, session } = await server.register();
    const { client, code } = await requestReset(email);
    await client.auth.exchangeCodeForSession(code!);
    await client.auth.updateUser({ password: 'another-horse' });
    expect((await server.call('GET', '/user', undefined, bearer(session.access_token))).status).toBe(403);
  });

  test('AUTH-34: works for staff and for a restricted account as their sign-in does', async () => {
    const { email } = await makeStaff(server, 'manager');
    const { tokenHash } = await requestReset(email);
    expect(await (await verify(tokenHash)).json()).toMatchObject({
      user: { app_metadata: { role: 'manager' } },
    });
    const restricted = await server.register();
    await server.db.query(`update app.users set restricted_at = now() where id = $1`, [restricted.userId]);
    expect((await verify((await requestReset(restricted.email)).tokenHash)).status).toBe(200);
  });
});

describe('in a page whose refresh token is in the cookie', () => {
  const fromPage = { 'x-fulcrum-session': 'cookie', origin: 'https://trade.example.test' };

  test('AUTH-50: the code and the token put it there, and the body holds the placeholder', async () => {
    const { email } = await server.register();
    const page = browser(server, fromPage);
    const first = await requestReset(email, page);
    const exchanged = await page.client.auth.exchangeCodeForSession(first.code!);
    expect(exchanged.data.session!.refresh_token).toBe('kept-in-cookie');

    const { tokenHash } = await requestReset(email);
    const answer = await verify(tokenHash, fromPage);
    expect(await answer.json()).toMatchObject({ refresh_token: 'kept-in-cookie' });
    const [cookie = ''] = answer.headers.get('set-cookie')!.split(';', 1);
    expect(cookie).toMatch(/^__Host-fulcrum-rt-[\w-]+=[\w-]+$/);
    const refreshed = await server.call(
      'POST',
      '/token?grant_type=refresh_token',
      { refresh_token: 'kept-in-cookie' },
      { ...fromPage, cookie },
    );
    expect(refreshed.status).toBe(200);
  });

  test('AUTH-50: a foreign page cannot have the cookie set, and the link stays unused', async () => {
    const { email } = await server.register();
    const { tokenHash } = await requestReset(email);
    const foreign = { ...fromPage, origin: 'https://evil.example' };
    expect((await verify(tokenHash, foreign)).status).toBe(403);
    expect((await verify(tokenHash)).status).toBe(200);
  });
});

describe('a recovery link', () => {
  test('AUTH-34: works once; code and token use each other up', async () => {
    const { email } = await server.register();
    const first = await requestReset(email);
    await first.client.auth.exchangeCodeForSession(first.code!);
    const byToken = await verify(first.tokenHash);
    expect([byToken.status, await codeOf(byToken)]).toEqual([403, 'otp_expired']);

    const second = await requestReset(email);
    expect((await verify(second.tokenHash)).status).toBe(200);
    const { error } = await second.client.auth.exchangeCodeForSession(second.code!);
    expect(error).toMatchObject({ status: 404, code: 'flow_state_not_found' });
    expect((await verify(second.tokenHash)).status).toBe(403);
  });

  test('AUTH-34: pressed ten times at once begins one session', async () => {
    const { email, userId } = await server.register();
    const { tokenHash } = await requestReset(email);
    const answers = await Promise.all(Array.from({ length: 10 }, () => verify(tokenHash)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const { rows } = await server.db.query(
      `select count(*)::int as sessions from app.sessions where user_id = $1`,
      [userId],
    );
    // The other one is the sign-up's.
    expect(rows).toEqual([{ sessions: 2 }]);
  });

  test('AUTH-34: uses up all other open links of its user, and none of other users', async () => {
    const { email } = await server.register();
    const stranger = await server.register();
    const [one, two] = [await requestReset(email), await requestReset(email)];
    const theirs = await requestReset(stranger.email);
    expect((await verify(one.tokenHash)).status).toBe(200);
    expect((await verify(two.tokenHash)).status).toBe(403);
    expect((await verify(theirs.tokenHash)).status).toBe(200);
  });

  test('AUTH-34: works for 30 minutes after its mail was written', async () => {
    const { email } = await server.register();
    const [one, two] = [await requestReset(email), await requestReset(email)];
    server.clock.advance(30 * minuteMs - 1);
    expect((await verify(one.tokenHash)).status).toBe(200);
    const late = await server.register();
    const third = await requestReset(late.email);
    server.clock.advance(30 * minuteMs);
    const answer = await verify(third.tokenHash);
    expect([answer.status, await codeOf(answer)]).toEqual([403, 'otp_expired']);
    expect(await codeOf(await exchange(third.code!, 'v'.repeat(43)))).toBe('flow_state_not_found');
    expect((await verify(two.tokenHash)).status).toBe(403);
  });

  test('AUTH-50: its code needs the verifier of the requesting browser; a wrong one leaves the token usable', async () => {
    const { email } = await server.register();
    const { code, tokenHash } = await requestReset(email);
    const answer = await exchange(code!, 'v'.repeat(43));
    expect([answer.status, await codeOf(answer)]).toEqual([400, 'bad_code_verifier']);
    expect((await verify(tokenHash)).status).toBe(200);
  });

  test('AUTH-50: a browser that requested twice has the last verifier; the earlier link works by its token', async () => {
    const { email } = await server.register();
    const page = browser();
    const [before] = [await requestReset(email, page), await requestReset(email, page)];
    const { error } = await page.client.auth.exchangeCodeForSession(before.code!);
    expect(error).toMatchObject({ status: 400, code: 'bad_code_verifier' });
    const { data } = await page.client.auth.verifyOtp({ type: 'recovery', token_hash: before.tokenHash });
    expect(data.session).not.toBeNull();
  });

  test('AUTH-34: is void after a change of the password', async () => {
    const { email, client } = await server.register();
    const { tokenHash, code } = await requestReset(email);
    server.clock.advance(minuteMs);
    expect((await client.auth.updateUser({ password: 'another-horse' })).error).toBeNull();
    expect((await verify(tokenHash)).status).toBe(403);
    expect((await exchange(code!, 'v'.repeat(43))).status).toBe(400);
  });

  test('A50: is void once the email was changed', async () => {
    const { email, userId } = await server.register();
    const { tokenHash } = await requestReset(email);
    await server.db.transaction(async (tx) => {
      await tx.query(`update app.users set email = 'moved-' || email where id = $1`, [userId]);
      await endRecoveries(tx, userId, new Date(server.clock.now()));
    });
    expect((await verify(tokenHash)).status).toBe(403);
  });

  test('AUTH-34: of an account that is deleted meanwhile is void', async () => {
    const { email, userId } = await server.register();
    const { tokenHash } = await requestReset(email);
    await server.db.query(`delete from app.users where id = $1`, [userId]);
    expect((await verify(tokenHash)).status).toBe(403);
  });

  test('AUTH-34: is found nowhere in the database, only the SHA-256 of its parts', async () => {
    const { email } = await server.register();
    const { code, tokenHash } = await requestReset(email);
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const { rows } = await server.db.query<{ all: string }>(
      `select (select string_agg(r::text, ' ') from app.recoveries r) || (select string_agg(m::text, ' ') from app.mails m) as all`,
    );
    expect(rows[0]!.all).not.toContain(code);
    expect(rows[0]!.all).not.toContain(tokenHash);
    expect(rows[0]!.all).toContain(sha256(code!));
    expect(rows[0]!.all).toContain(sha256(tokenHash));
  });
});

describe('malformed requests', () => {
  test.each([
    ['no email', {}, 'Email is required'],
    ['no address', { email: 'somebody' }, 'Email is invalid'],
    [
      'a plain challenge',
      { email: 'a@b.cd', code_challenge: 'c'.repeat(43), code_challenge_method: 'plain' },
      'code_challenge_method must be s256',
    ],
    [
      'a short challenge',
      { email: 'a@b.cd', code_challenge: 'c', code_challenge_method: 's256' },
      'base64url',
    ],
    [
      'a challenge without its method',
      { email: 'a@b.cd', code_challenge: 'c'.repeat(43) },
      'belong together',
    ],
  ])('CALL-05: %s is refused', async (_, body, message) => {
    const answer = await server.call('POST', '/recover', body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining(message),
    });
  });

  test('CALL-05: the method is read in either case', async () => {
    for (const method of ['s256', 'S256']) {
      const body = { email: 'a@b.cd', code_challenge: 'c'.repeat(43), code_challenge_method: method };
      expect((await server.call('POST', '/recover', body)).status).toBe(200);
    }
  });

  test('CALL-09: a code or token that was never given out, and a link of another kind', async () => {
    expect(await codeOf(await verify('t'.repeat(43)))).toBe('otp_expired');
    expect(await codeOf(await exchange('c'.repeat(43), 'v'.repeat(43)))).toBe('flow_state_not_found');
    const { error } = await server.client().auth.verifyOtp({ type: 'magiclink', token_hash: 't'.repeat(43) });
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
  });
});
