/** The store that a script finds on the page, against the real server and beside the screen. */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { signUp } from '../harness/session.ts';
import { positionRow } from '../harness/steps.ts';

interface Row {
  readonly id: string;
  readonly status: string;
}
interface Store {
  readonly selectedPair: string;
  readonly positions: readonly Row[];
  readonly orders: readonly (Row & { readonly quantity: number })[];
  readonly candles: readonly unknown[];
  readonly isLoading: boolean;
  readonly error: string | null;
}
type Call = readonly [action: string, ...claims: unknown[]];

/** Calls an action; what the store was while it ran, what came of it, and what it is afterwards. */
const call = (page: Page, [action, ...inputs]: Call) =>
  page.evaluate(
    async ({ name, args }) => {
      const { trading } = (
        globalThis as unknown as {
          fulcrum: { trading: { getState: () => Record<string, (...a: unknown[]) => Promise<unknown>> } };
        }
      ).fulcrum;
      const plain = () => JSON.parse(JSON.stringify(trading.getState()));
      const running = trading.getState()[name]?.(...args);
      const during = plain();
      const result = await running;
      return { during, result: JSON.parse(JSON.stringify(result ?? null)), after: plain() };
    },
    { name: action, args: inputs },
  ) as Promise<{ during: Store; result: Row | null; after: Store }>;

const isOffered = (page: Page) => page.evaluate(() => 'fulcrum' in globalThis);

test('X-08, X-09, X-10, RULE-13, RULE-14, RULE-15, RULE-16, RULE-17, RULE-18, RULE-22, A94: a script and the screen share one account', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'scripted', { at: '/trading?symbol=BTCUSDT' });
  await expect.poll(() => isOffered(page)).toBe(true);
  const keys = [
    'selectedPair',
    'orderBook',
    'trades',
    'candles',
    'orders',
    'positions',
    'isLoading',
    'error',
  ];
  const { after: first } = await call(page, ['fetchPositions']);
  expect(Object.keys(first)).toEqual(keys);
  expect(first).toMatchObject({
    selectedPair: 'BTCUSDT',
    orderBook: { bids: [], asks: [] },
    trades: [],
    positions: [],
    error: null,
  });

  const reread = page.waitForRequest(/rest\/v1\/positions\?.*status=eq\.open/);
  const opened = await call(page, [
    'openPosition',
    { symbol: 'BTCUSDT', side: 'BUY', size: '0.01', leverage: 10 },
  ]);
  await reread;
  expect(opened.during).toMatchObject({ isLoading: true, error: null });
  expect(opened.after).toMatchObject({ isLoading: false, error: null, positions: [{ status: 'open' }] });
  await expect(positionRow(page, 'BTCUSDT')).toContainText('10×');

  const rereadOrders = page.waitForRequest(/rest\/v1\/orders\?.*status=in\.(?:\(|%28)NEW/);
  const input = { symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', quantity: 0.02, price: 1000, leverage: 5 };
  const placed = await call(page, ['placeOrder', input]);
  await rereadOrders;
  expect(placed.result).toMatchObject({ status: 'NEW', quantity: 0.02 });
  expect(placed.after.orders).toMatchObject([{ status: 'NEW', quantity: 0.02 }]);
  await expect(page.getByRole('tab', { name: 'Open Orders (1)' })).toBeVisible();
  const canceled = await call(page, ['cancelOrder', placed.result?.id]);
  expect(canceled.result).toMatchObject({ status: 'CANCELED' });
  expect(canceled.after.orders).toEqual([]);

  const closing = page.waitForRequest(/rpc\/close_position/);
  const closed = await call(page, ['closePosition', opened.result?.id]);
  await closing;
  expect(closed.after).toMatchObject({ positions: [], error: null });
  await expect(page.getByText('No open positions')).toBeVisible();
  const unknown = await call(page, ['closePosition', '00000000-0000-4000-8000-000000000000']);
  expect(unknown).toMatchObject({ result: null, after: { isLoading: false, error: 'Position not found' } });

  await call(page, ['setSelectedPair', 'ETHUSDT']);
  await expect(page.getByRole('heading', { name: 'Trading ETHUSDT' })).toBeAttached();
  const bars = await call(page, ['fetchCandles', { timeframe: '1h', limit: 5 }]);
  expect(bars.after.candles).toHaveLength(5);
  await page.goto('/trading?symbol=SOLUSDT');
  await expect.poll(() => isOffered(page)).toBe(true);
  expect((await call(page, ['fetchOrders'])).after.selectedPair).toBe('SOLUSDT');

  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login/);
  expect(await isOffered(page)).toBe(false);
});

test('ERR-22, ERR-23, ERR-24, ERR-25, ERR-26, ERR-72: a failed action leaves the text of the error, or its own', async ({
  page,
}) => {
  await signUp(page, 'unlucky', { at: '/wallet' });
  await expect.poll(() => isOffered(page)).toBe(true);
  // Before anything was read an action shares the page's own reading, which went out before its path was blocked.
  expect((await call(page, ['fetchPositions'])).after.error).toBeNull();
  expect((await call(page, ['fetchOrders'])).after.error).toBeNull();
  const input = { symbol: 'BTCUSDT', type: 'LIMIT', side: 'BUY', quantity: 1, price: 1000 };
  const calls: readonly (readonly [text: string, path: RegExp, call: Call])[] = [
    ['Failed to fetch positions', /rest\/v1\/positions/, ['fetchPositions']],
    ['Failed to fetch orders', /rest\/v1\/orders/, ['fetchOrders']],
    ['Failed to place order', /rest\/v1\/orders/, ['placeOrder', input]],
    ['Failed to cancel order', /rest\/v1\/orders/, ['cancelOrder', 'a']],
    ['Failed to close position', /rpc\/close_position/, ['closePosition', 'a']],
  ];
  for (const [text, path, action] of calls) {
    await page.route(path, (route) => route.fulfill({ status: 400, body: '' }));
    expect((await call(page, action)).after, text).toMatchObject({ isLoading: false, error: text });
    await page.unroute(path);
    await page.route(path, (route) =>
      route.fulfill({ status: 400, json: { code: 'refused', message: 'Not today' } }),
    );
    expect((await call(page, action)).after, text).toMatchObject({ isLoading: false, error: 'Not today' });
    await page.unroute(path);
  }
});
