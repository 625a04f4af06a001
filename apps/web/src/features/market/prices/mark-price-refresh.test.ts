import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { log } from '../../../shared/log/log.ts';
import { type SignedIn, useSession } from '../../../shared/session/index.ts';
import { markFrameReceived } from './frames.ts';
import { startMarkPriceRefresh } from './mark-price-refresh.ts';

type Rules = 'standard' | 'as-specified';
interface Answer {
  readonly data: object | null;
  readonly error: { readonly message: string } | null;
  readonly status: number;
}
const done: Answer = { data: { prices_updated: 0 }, error: null, status: 200 };

let answers: ((answer: Answer) => void)[] = [];
let called: string[] = [];
let page: EventTarget & { document: { visibilityState: DocumentVisibilityState } };
let stop = () => {};

function signIn(rules: Rules = 'standard'): void {
  const rpc = (name: string) => {
    called.push(name);
    return new Promise<Answer>((resolve) => answers.push(resolve));
  };
  const supabase = { rest: { rpc }, config: { rules } } as unknown as SignedIn['supabase'];
  const user = { id: 'u1' } as SignedIn['user'];
  useSession.setState(
    { status: 'signed-in', user, accountId: user.id, account: null, supabase, impersonation: null },
    true,
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  answers = [];
  called = [];
  markFrameReceived(Number.NEGATIVE_INFINITY);
  page = Object.assign(new EventTarget(), { document: { visibilityState: 'visible' as const } });
  useSession.setState({ status: 'loading' }, true);
  stop = startMarkPriceRefresh(page);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  useSession.setState({ status: 'signed-out', hasEnded: false }, true);
});

test('ROUTE-32, RULE-23: requests every 5 s, and only for a signed-in user', async () => {
  await vi.advanceTimersByTimeAsync(10_000);
  expect(answers).toHaveLength(0);
  signIn();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(answers).toHaveLength(1);
  answers[0]?.(done);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(answers).toHaveLength(2);
  expect(called).toEqual(['update_position_mark_prices', 'update_position_mark_prices']);
});

test('RULE-24: one request at a time', async () => {
  signIn();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(answers).toHaveLength(1);
  answers[0]?.(done);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(answers).toHaveLength(2);
});

test('RULE-25: a failed request is repeated after 1, 2 and 3 s, then logged and left to the next interval', async () => {
  signIn();
  await vi.advanceTimersByTimeAsync(5_000);
  const logged = log.entries.length;
  const fail = (n: number) => answers[n]?.({ data: null, error: { message: 'no' }, status: 500 });
  for (const [n, waitMs] of [1_000, 2_000, 3_000].entries()) {
    fail(n);
    await vi.advanceTimersByTimeAsync(waitMs - 1);
    expect(answers).toHaveLength(n + 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(answers).toHaveLength(n + 2);
  }
  expect(log.entries.slice(logged)).toEqual([]);
  fail(3);
  await vi.advanceTimersByTimeAsync(0);
  expect(log.entries.slice(logged)).toMatchObject([{ level: 'warn' }]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(answers).toHaveLength(5);
});

test('ROUTE-32: sends nothing while prices arrive or while the page is hidden', async () => {
  signIn();
  await vi.advanceTimersByTimeAsync(4_000);
  markFrameReceived(Date.now());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answers).toHaveLength(0);
  page.document.visibilityState = 'hidden';
  await vi.advanceTimersByTimeAsync(20_000);
  expect(answers).toHaveLength(0);
  page.document.visibilityState = 'visible';
  await vi.advanceTimersByTimeAsync(5_000);
  expect(answers).toHaveLength(1);
});

test('A33: under the stated rules it requests although prices arrive', async () => {
  signIn('as-specified');
  await vi.advanceTimersByTimeAsync(4_000);
  markFrameReceived(Date.now());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(answers).toHaveLength(1);
});

test('ROUTE-33: stops when the page is left, resumes when it returns, and ends with the app', async () => {
  signIn();
  page.dispatchEvent(new Event('pagehide'));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(answers).toHaveLength(0);
  page.dispatchEvent(new Event('pageshow'));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(answers).toHaveLength(1);
  answers[0]?.(done);
  stop();
  page.dispatchEvent(new Event('pageshow'));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(answers).toHaveLength(1);
});
