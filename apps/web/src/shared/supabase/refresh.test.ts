/** Pins the auth library's own behaviour for an expiring session; this app relies on it and does not configure it. */
import { AuthClient, type Session } from '@supabase/auth-js';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const start = Date.UTC(2026, 10, 20, 15, 0);
beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A client with a session of so many seconds, and the times of its refresh requests, ms since the start. */
async function clientWith(secondsLeft: number, status: number) {
  const requestedAt: number[] = [];
  const session: Session = {
    access_token: 'header.payload.signature',
    refresh_token: 'the only one',
    token_type: 'bearer',
    expires_in: secondsLeft,
    expires_at: start / 1000 + secondsLeft,
    user: { id: 'u1', app_metadata: {}, user_metadata: {}, aud: 'authenticated', created_at: '' },
  };
  const stored = new Map([['kept', JSON.stringify(session)]]);
  const client = new AuthClient({
    url: 'http://auth.test',
    storageKey: 'kept',
    autoRefreshToken: false,
    detectSessionInUrl: false,
    persistSession: true,
    storage: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
    },
    fetch: async () => {
      requestedAt.push(Date.now() - start);
      const renewed = { ...session, expires_in: 3600, expires_at: Date.now() / 1000 + 3600 };
      return new Response(JSON.stringify(status === 200 ? renewed : { message: 'busy' }), { status });
    },
  });
  await client.initialize();
  return { client, requestedAt };
}

test('AUTH-49: a refresh that fails is repeated after 200 ms, each wait twice the one before, until 30 s are spent', async () => {
  const { client, requestedAt } = await clientWith(3600, 503);
  const refreshed = client.refreshSession();
  await vi.advanceTimersByTimeAsync(120_000);
  expect((await refreshed).error).toMatchObject({ name: 'AuthRetryableFetchError', status: 503 });
  // 200, 400, 800 … 12800 ms apart; the next wait would end after 30 s.
  expect(requestedAt).toEqual([0, 200, 600, 1400, 3000, 6200, 12600, 25400]);
});

test.each([
  ['more than three ticks of 30 s', 121, []],
  ['three ticks of 30 s', 90, [0]],
])('AUTH-47, AUTH-48: the check of a session with %s left', async (_what, secondsLeft, expected) => {
  const { client, requestedAt } = await clientWith(secondsLeft, 200);
  await client.startAutoRefresh();
  await vi.advanceTimersByTimeAsync(0);
  expect(requestedAt).toEqual(expected);
  await client.stopAutoRefresh();
});

test('AUTH-47, AUTH-48: the check runs every 30 s and renews once three ticks are left', async () => {
  const { client, requestedAt } = await clientWith(200, 200);
  await client.startAutoRefresh();
  await vi.advanceTimersByTimeAsync(89_999);
  expect(requestedAt).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(requestedAt).toEqual([90_000]);
  await client.stopAutoRefresh();
});
