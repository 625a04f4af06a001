import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '../log/log.ts';
import { RequestError } from '../supabase/request.ts';
import { createQueryClient, queryKeys } from './index.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const userId = '0192f3a4-5b6c-7d8e-9f01-23456789abcd';

test.each([
  [['staff', 'users', { search: '' }], 'staff users could not be read'],
  [queryKeys.positions(userId, 'open'), 'positions could not be read'],
  [queryKeys.transactions(userId), 'transactions could not be read'],
  [queryKeys.sessions(userId), 'sessions could not be read'],
  [queryKeys.chatUnread(userId), 'chat-unread could not be read'],
  [queryKeys.supportPresence(userId), 'support-presence could not be read'],
])(
  'ERR-73, ERR-74, A93: a failure of reading %j is logged once, without the user',
  async (queryKey, message) => {
    const log = createLog(() => undefined);
    const refused = new RequestError('no', '42501', 403);
    const reading = createQueryClient(log).fetchQuery({ queryKey, queryFn: () => Promise.reject(refused) });
    await expect(reading).rejects.toBe(refused);
    expect(log.entries).toMatchObject([{ level: 'warn', category: 'reads', message, data: refused }]);
  },
);

test('DASH-39: a failure of a widget is logged once, by the widget’s name', async () => {
  const log = createLog(() => undefined);
  const refused = new RequestError('no', '42501', 403);
  const reading = createQueryClient(log).fetchQuery({
    queryKey: queryKeys.widget('news'),
    queryFn: () => Promise.reject(refused),
    meta: { what: 'News Feed' },
  });
  await expect(reading).rejects.toBe(refused);
  expect(log.entries).toMatchObject([
    { level: 'warn', category: 'reads', message: 'News Feed could not be read', data: refused },
  ]);
});

test('A93: a query that succeeds at the second attempt is no failure', async () => {
  const log = createLog(() => undefined);
  let attempts = 0;
  const rows = await createQueryClient(log).fetchQuery({
    queryKey: queryKeys.wallet(userId),
    queryFn: () => {
      attempts += 1;
      return attempts === 1
        ? Promise.reject(new RequestError('busy', 'busy', 503))
        : Promise.resolve([attempts]);
    },
    retry: 1,
    retryDelay: 0,
  });
  expect(rows).toEqual([2]);
  expect(log.entries).toEqual([]);
});

describe('A93: a request without an answer', () => {
  const countAttempts = async (onLine: boolean, error: RequestError): Promise<number> => {
    vi.useFakeTimers();
    vi.stubGlobal('navigator', { onLine });
    const queryFn = vi.fn(() => Promise.reject(error));
    const reading = createQueryClient(createLog(() => undefined))
      .fetchQuery({
        queryKey: queryKeys.journal(userId),
        queryFn,
        ...(defaultRetry !== undefined && { retry: defaultRetry }),
      })
      .catch((cause: unknown) => cause);
    await vi.runAllTimersAsync();
    expect(await reading).toBe(error);
    return queryFn.mock.calls.length;
  };
  const { retry: defaultRetry } = createQueryClient().getDefaultOptions().queries ?? expect.unreachable();
  const unanswered = new RequestError('', '', 0);

  test('is retried three times while there is a network', async () => {
    expect(await countAttempts(true, unanswered)).toBe(4);
  });
  test('fails at once without one', async () => {
    expect(await countAttempts(false, unanswered)).toBe(1);
  });
  test('excludes answers: busy is retried whatever the browser reports', async () => {
    expect(await countAttempts(false, new RequestError('busy', 'busy', 503))).toBe(4);
  });
});
