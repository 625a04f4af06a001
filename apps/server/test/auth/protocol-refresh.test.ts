/** How the unmodified client lives through lost answers, restarts and other tabs (its refresh has no lock between tabs). */
import { minuteMs } from '@fulcrum/domain';
import { createClient } from '@supabase/supabase-js';
import { describe, expect, test } from 'vitest';
import { startTestServer } from '../harness/index.ts';
import { type AuthServer, bearer, password, server, shareAuthServer, startAuthServer } from './harness.ts';
import { secretsIn, startSmtp } from './mailbox.ts';
import { startProxy } from './proxy.ts';

shareAuthServer();

/** What the tabs of one browser share. */
function createStorage() {
  const stored = new Map<string, string>();
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
}

function openTab(url: string, storage = createStorage(), anonKey = server.secrets.anonKey) {
  const client = createClient(url, anonKey, {
    auth: {
      flowType: 'pkce',
      autoRefreshToken: false,
      detectSessionInUrl: false,
      persistSession: true,
      storageKey: 'fulcrum-session',
      storage,
    },
  });
  const events: string[] = [];
  client.auth.onAuthStateChange((event) => events.push(event));
  return { client, events };
}

const liveTokens = async (userId: string) => {
  const { rows } = await server.db.query<{ live: number }>(
    `select count(*)::int as live from app.refresh_tokens t join app.sessions s on s.id = t.session_id
     where s.user_id = $1 and t.rotated_at is null and s.revoked_at is null`,
    [userId],
  );
  return rows[0]!.live;
};

describe('a refresh whose response is lost', () => {
  test('AUTH-49: is repeated by the client with the same token, and the session continues', async () => {
    const { email, userId } = await server.register();
    const proxy = await startProxy(server.url);
    const { client, events } = openTab(proxy.url);
    await client.auth.signInWithPassword({ email, password });
    const before = await liveTokens(userId);
    proxy.dropNextAnswer();
    const { data, error } = await client.auth.refreshSession();
    expect(error).toBeNull();
    expect(proxy.dropped()).toBe(1);
    expect(await liveTokens(userId), 'the lost one was really issued').toBe(before + 1);
    expect(data.user!.id).toBe(userId);
    expect(events).not.toContain('SIGNED_OUT');

    server.clock.advance(10 * minuteMs);
    expect((await client.auth.refreshSession()).error).toBeNull();
    await proxy.close();
  });

  test('AUTH-49, AUTH-51: with the server restarting in its middle, the new one answers the repetition', async () => {
    const { email, userId } = await server.register();
    const first = await startAuthServer({ database: server.db, clock: server.clock });
    const proxy = await startProxy(first.url);
    const { client, events } = openTab(proxy.url);
    await client.auth.signInWithPassword({ email, password });
    let second: AuthServer | undefined;
    proxy.dropNextAnswer(async () => {
      await first.stop();
      second = await startAuthServer({ database: server.db, clock: server.clock });
      proxy.redirect(second.url);
    });
    const { data, error } = await client.auth.refreshSession();
    expect(error).toBeNull();
    expect(data.user!.id).toBe(userId);
    expect(events).not.toContain('SIGNED_OUT');
    const read = await client.auth.getUser();
    expect(read.data.user!.id).toBe(userId);
    await proxy.close();
    await second!.stop();
  });

  test('AUTH-49: and repeated later than 60 s ends the session: client and thief look alike', async () => {
    const { email } = await server.register();
    const { client, events } = openTab(server.url);
    const { data } = await client.auth.signInWithPassword({ email, password });
    const lost = await server.call('POST', '/token?grant_type=refresh_token', {
      refresh_token: data.session!.refresh_token,
    });
    expect(lost.status).toBe(200);
    server.clock.advance(minuteMs + 1);
    const { error } = await client.auth.refreshSession();
    expect(error).toMatchObject({ status: 400, code: 'refresh_token_already_used' });
    // The client retains a session whose access token looks valid until it uses it.
    await client.auth.getUser();
    expect(events).toContain('SIGNED_OUT');
  });
});

describe('two tabs of one browser', () => {
  test('AUTH-47: that refresh at the same moment both stay signed in, then and later', async () => {
    const { email, userId } = await server.register();
    const storage = createStorage();
    const tabs = [openTab(server.url, storage), openTab(server.url, storage)];
    await tabs[0]!.client.auth.signInWithPassword({ email, password });
    for (let round = 0; round < 3; round += 1) {
      const refreshed = await Promise.all(tabs.map(({ client }) => client.auth.refreshSession()));
      // The slower one finds the other's session in the storage and leaves it there.
      const names = refreshed.map(({ error }) => error?.name ?? 'refreshed');
      expect(names).toContain('refreshed');
      for (const name of names) expect(['refreshed', 'AuthRefreshDiscardedError']).toContain(name);
      server.clock.advance(10 * minuteMs);
    }
    for (const { client, events } of tabs) {
      expect((await client.auth.refreshSession()).data.user!.id).toBe(userId);
      expect((await client.auth.getUser()).error).toBeNull();
      expect(events).not.toContain('SIGNED_OUT');
    }
  });

  test('AUTH-44: a logout in one is a logout in the other at its next call', async () => {
    const { email } = await server.register();
    const storage = createStorage();
    const [one, two] = [openTab(server.url, storage), openTab(server.url, storage)];
    await one.client.auth.signInWithPassword({ email, password });
    const { data } = await two.client.auth.getSession();
    await one.client.auth.signOut({ scope: 'local' });
    const token = data.session!.access_token;
    expect((await server.call('GET', '/user', undefined, bearer(token))).status).toBe(403);
    expect((await two.client.auth.getSession()).data.session).toBeNull();
  });
});

describe('a restart of the whole server', () => {
  test('AUTH-47: leaves access token, refresh token and an open recovery link working', async () => {
    const mailbox = await startSmtp();
    const whole = await startTestServer({ config: { smtp: mailbox.at } });
    try {
      const { email, client, userId } = await whole.signUpTrader();
      const { data } = await client.auth.getSession();
      const asking = openTab(whole.url, createStorage(), whole.anonKey);
      expect((await asking.client.auth.resetPasswordForEmail(email)).error).toBeNull();
      await expect.poll(() => mailbox.received.length).toBe(1);
      await whole.restart();
      expect((await client.auth.getUser(data.session!.access_token)).data.user!.id).toBe(userId);
      expect((await client.auth.refreshSession()).error).toBeNull();
      const { code } = secretsIn(mailbox.received[0]!.raw);
      const recovered = await asking.client.auth.exchangeCodeForSession(code!);
      expect(recovered.data.user!.id).toBe(userId);
      expect(asking.events).toContain('PASSWORD_RECOVERY');
    } finally {
      await whole.close();
      await mailbox.close();
    }
  });
});
