/** The server goes away and comes back, and the account changes meanwhile, without a reload of the page. */
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, noApp, signIn } from '../harness/session.ts';
import { topicJoined } from '../harness/steps.ts';

const line = (page: Page) => page.locator('[data-connection]');
const connectionStatus = (page: Page) => page.getByRole('status', { name: 'Connection' });
const order = (side: string, price: number) => ({
  symbol: 'BTCUSDT',
  type: 'LIMIT',
  side,
  price,
  size: 0.01,
  leverage: 10,
});

test('a lost connection is shown in one line that moves nothing, and its end too; the account is right without a reload', {
  tag: '@core',
}, async ({ page, context, fulcrum }) => {
  const elsewhere = await ApiUser.signIn(fulcrum.url, 'trader');
  await signIn(page, 'trader@fulcrum.local', { at: '/trading?symbol=BTCUSDT' });
  await page.getByRole('tab', { name: /Open Orders/ }).click();
  const chart = page.getByRole('region', { name: 'Chart' });
  await expect(chart.getByRole('img')).toBeVisible();
  const rows = page.getByRole('row').filter({ hasText: 'BTCUSDT' });
  await expect(page.getByRole('tab', { name: /Open Orders \(\d+\)/ })).toBeVisible();
  const before = await rows.count();
  await page.evaluate(() => Object.assign(globalThis, { notReloaded: true }));
  const box = await chart.boundingBox();

  await fulcrum.stop('SIGKILL');
  await expect(line(page)).toHaveAttribute('data-connection', 'reconnecting');
  await expect(line(page)).toContainText(/Reconnecting… since \d\d:\d\d:\d\d UTC/);
  await expect(connectionStatus(page)).toHaveText('Reconnecting. What you see may be old.');
  expect(await chart.boundingBox()).toEqual(box);
  const ticket = await page.getByRole('complementary', { name: 'Order' }).boundingBox();
  const shown = await line(page).boundingBox();
  expect((ticket?.y ?? 0) + (ticket?.height ?? 0)).toBeLessThanOrEqual((shown?.y ?? 0) + 1);
  await context.setOffline(true);
  await expect(line(page)).toHaveAttribute('data-connection', 'offline');
  await expect(line(page)).toContainText('You are offline');
  await context.setOffline(false);

  // Shown for four seconds: awaited from now on, since the page may be back before this journey's own next step.
  const isBack = Promise.all([
    expect(line(page)).toHaveAttribute('data-connection', 'back', { timeout: 90_000 }),
    expect(connectionStatus(page)).toHaveText('Connected again', { timeout: 90_000 }),
  ]);
  await fulcrum.start();
  // Another page changes the account before this page is back.
  expect((await elsewhere.ask('orders', order('BUY', 1_000))).status).toBe(201);
  await isBack;
  await expect(rows).toHaveCount(before + 1);
  await expect(line(page)).toBeHidden();
  // And it follows again.
  await callApi(page, 'orders', order('BUY', 1_001));
  await expect(rows).toHaveCount(before + 2);
  expect(await page.evaluate(() => 'notReloaded' in globalThis)).toBe(true);
});

test('an answer that is older than a newer announcement reverts nothing', async ({ page }) => {
  await signIn(page, 'trader@fulcrum.local', { at: noApp });
  const joined = topicJoined(page);
  await page.goto('/trading?symbol=BTCUSDT');
  const tab = page.getByRole('tab', { name: /Open Orders \(\d+\)/ });
  await expect(tab).toBeVisible();
  const count = async () => Number(/\((\d+)\)/.exec((await tab.textContent()) ?? '')?.[1]);
  const before = await count();

  // The next read of the orders is answered late, with the state at its request.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let markRequested = () => {};
  const reading = new Promise<void>((resolve) => {
    markRequested = resolve;
  });
  await expect.poll(() => page.evaluate(() => 'fulcrum' in globalThis)).toBe(true);
  // The page reads them itself once more when it has joined: that reading is on its way by the end of this one.
  await joined;
  await callApi(page, 'wallets?select=id');
  let holds = true;
  await page.route(/rest\/v1\/orders\?.*status=in\.(?:\(|%28)NEW/, async (route) => {
    if (!holds) return route.continue();
    holds = false;
    const answer = await route.fetch();
    markRequested();
    await held;
    return route.fulfill({ response: answer });
  });
  const fetched = page.evaluate(() =>
    (
      globalThis as unknown as {
        fulcrum: { trading: { getState: () => { fetchOrders: () => Promise<unknown[]> } } };
      }
    ).fulcrum.trading
      .getState()
      .fetchOrders()
      .then((orders) => orders.length),
  );
  await reading;
  await callApi(page, 'orders', order('BUY', 1_002));
  await expect(tab).toContainText(`(${before + 1})`);
  release();
  expect(await fetched).toBe(before + 1);
  await expect(tab).toContainText(`(${before + 1})`);
});

test('the order form warns when the next price is overdue, and sends nothing without a network', async ({
  page,
  context,
}) => {
  let isCut = false;
  await page.routeWebSocket(/realtime\/v1\/websocket/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (!isCut || !message.includes('"tick"')) socket.send(message);
    });
    socket.onMessage((message) => server.send(message));
  });
  await signIn(page, 'trader@fulcrum.local', { at: '/trading?symbol=BTCUSDT' });
  const form = page.getByRole('complementary', { name: 'Order' });
  const buy = form.getByRole('button', { name: 'Buy/Long' });
  await form.getByRole('spinbutton', { name: 'Amount' }).fill('0.01');
  await expect(form).toContainText(/Opens [\d.]+ BTC at about/);
  // Prices have to come each second before one can be overdue; a busy machine may need longer.
  await expect(async () => {
    isCut = false;
    await page.waitForTimeout(4_000);
    isCut = true;
    await expect(form).toContainText('No new price for some seconds', { timeout: 6_000 });
  }).toPass();
  await expect(form).toContainText(/\d s old/);
  await expect(buy).not.toHaveAttribute('aria-disabled');

  await context.setOffline(true);
  await expect(form).toContainText('You are offline.');
  await expect(buy).toHaveAttribute('aria-disabled', 'true');
  await context.setOffline(false);
});

test('prices that do not move are reported with their age', async ({ page }) => {
  await page.routeWebSocket(/realtime\/v1\/websocket/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (typeof message !== 'string' || !message.includes('"tick"')) socket.send(message);
    });
    socket.onMessage((message) => server.send(message));
  });
  await signIn(page, 'trader@fulcrum.local', { at: '/trading?symbol=BTCUSDT' });
  await expect(line(page)).toHaveAttribute('data-connection', 'silent', { timeout: 40_000 });
  await expect(line(page)).toContainText(/Prices have not moved for \d+ s/);
  await expect(connectionStatus(page)).toHaveText('Prices do not move.');
  // A page that follows no price does not report them.
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Profile' })
    .or(page.getByRole('link', { name: /\(profile\)$/ }))
    .click();
  await expect(line(page)).toBeHidden();
});
