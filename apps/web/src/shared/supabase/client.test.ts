/** Tests the client as this app creates it: what it sends, and its timeouts. Only the network is replaced. */
import type { PublicConfig } from '@fulcrum/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSupabase } from './client.ts';

interface Call {
  readonly path: string;
  readonly headers: Headers;
}

const origin = 'http://fulcrum.test';
/**
 * Four checks and a few seconds: the client rounds the end to whole seconds, so exactly four would be three in half of all
 * milliseconds.
 */
const lifeS = 125;
let calls: Call[] = [];
let made: ReturnType<typeof createSupabase> | null = null;

const answer: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const path = request.url.slice(origin.length);
  calls.push({ path, headers: request.headers });
  const session = {
    access_token: `token-${calls.length}`,
    token_type: 'bearer',
    expires_in: lifeS,
    refresh_token: `refresh-${calls.length}`,
    user: { id: 'user', aud: 'authenticated', app_metadata: {}, user_metadata: {}, created_at: '' },
  };
  if (!path.endsWith('/account_token')) return Response.json(path.startsWith('/auth') ? session : []);
  const { p_account_id: id } = await request.json();
  return id === 'gone'
    ? Response.json({ code: 'not_found', message: 'This account is gone.' }, { status: 404 })
    : Response.json({
        access_token: `account-of-${request.headers.get('authorization')?.replace('Bearer ', '')}`,
      });
};

function client(accountId: string | null = null): ReturnType<typeof createSupabase> {
  made = createSupabase({ anonKey: 'public' } as PublicConfig, { origin, accountId });
  return made;
}

beforeEach(() => {
  calls = [];
  vi.stubGlobal('fetch', answer);
});
afterEach(async () => {
  await made?.auth.stopAutoRefresh();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('CALL-01: calls of accounts, tables and procedures carry the name of the application', async () => {
  const { auth, rest } = client();
  await auth.signInWithPassword({ email: 'a@example.test', password: 'secret' });
  await rest.from('trading_pairs').select('symbol');
  await rest.rpc('get_candles', { p_symbol: 'BTCUSDT', p_timeframe: '1m' });
  expect(calls.map(({ path }) => path.split('?')[0])).toEqual([
    '/auth/v1/token',
    '/rest/v1/trading_pairs',
    '/rest/v1/rpc/get_candles',
  ]);
  expect(calls.map(({ headers }) => headers.get('x-application-name'))).toEqual([
    'fulcrum',
    'fulcrum',
    'fulcrum',
  ]);
});

describe('A112: a page of a trading account', () => {
  const authorizations = (path: string) =>
    calls.filter((call) => call.path.startsWith(path)).map(({ headers }) => headers.get('authorization'));

  test('every read and command carries the token of the account, requested once for each session token', async () => {
    const { auth, rest } = client('account');
    await auth.signInWithPassword({ email: 'a@example.test', password: 'secret' });
    await Promise.all([rest.from('wallets').select('*'), rest.from('orders').select('*')]);
    expect(authorizations('/rest/v1/rpc/account_token')).toEqual(['Bearer token-1']);
    expect(authorizations('/rest/v1/wallets')).toEqual(['Bearer account-of-token-1']);
    expect(authorizations('/rest/v1/orders')).toEqual(['Bearer account-of-token-1']);
    await auth.refreshSession();
    await rest.from('wallets').select('*');
    expect(authorizations('/rest/v1/wallets').at(-1)).toMatch(/^Bearer account-of-token-[^1]/);
  });

  test('a refusal of the account is the answer to what needed it, and nothing is sent for the main account', async () => {
    const { auth, rest } = client('gone');
    await auth.signInWithPassword({ email: 'a@example.test', password: 'secret' });
    const [first, second] = await Promise.all([
      rest.from('wallets').select('*'),
      rest.from('orders').select('*'),
    ]);
    expect(first.error).toMatchObject({ code: 'not_found', message: 'This account is gone.' });
    expect([first.status, second.status]).toEqual([404, 404]);
    expect(calls.some(({ path }) => path.startsWith('/rest/v1/wallets'))).toBe(false);
  });
});

test('AUTH-47: the client checks every 30 s and renews the token once it has 90 s left', async () => {
  vi.useFakeTimers();
  const { auth } = client();
  await auth.initialize();
  await auth.signInWithPassword({ email: 'a@example.test', password: 'secret' });
  const renewals = () => calls.filter(({ path }) => path.includes('grant_type=refresh_token')).length;
  await vi.advanceTimersByTimeAsync(29_000);
  expect(renewals()).toBe(0);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(renewals()).toBe(1);
  const { data } = await auth.getSession();
  expect(data.session?.access_token).not.toBe('token-1');
});

test('CALL-11, CALL-13, CALL-15: the socket sends a heartbeat every 30 s, times out after 10 s, and reconnects after 1, 2, 5 and 10 s', () => {
  const { realtime } = client();
  expect(realtime.heartbeatIntervalMs).toBe(30_000);
  expect(realtime.timeout).toBe(10_000);
  expect([1, 2, 3, 4, 5].map((tries) => realtime.reconnectAfterMs(tries))).toEqual([
    1_000, 2_000, 5_000, 10_000, 10_000,
  ]);
});
