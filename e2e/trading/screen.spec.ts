import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { noApp, signUp } from '../harness/session.ts';
import { figureOf, openMarket, positionRow, sendOrder } from '../harness/steps.ts';

// The last files of a run: their journeys keep all workers busy to its end.
test.describe.configure({ mode: 'parallel' });

const headsOf = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).getByRole('columnheader').allTextContents();
const ticketOf = (page: Page) => page.getByRole('complementary', { name: 'Order' });

test('TRADE-01, TRADE-02, TRADE-03, TRADE-04, TRADE-06, TRADE-07, TRADE-08, TRADE-09, TRADE-13: the pair selector searches, filters, stars and closes', async ({
  page,
}) => {
  await signUp(page, 'chooser', { at: '/trading' });
  const search = page.getByPlaceholder('Search by symbol, name, or asset...');
  const list = page.getByRole('listbox', { name: 'Trading pairs' });
  await search.click();
  const tabs = page.getByRole('tablist', { name: 'Markets' }).getByRole('tab');
  const names = (await tabs.allTextContents()).map((name) => name.replace(/\W*\d+\W*$/, '').toLowerCase());
  expect(names).toEqual(['crypto', 'stocks', 'forex', 'commodities', 'indices', 'favorites']);
  // The laid-out height: the box on screen is a fraction off while the menu scales in. The list has no border of its own.
  const height = await list.evaluate((element) => element.clientHeight);
  expect(height).toBeGreaterThan(0);
  expect(height).toBeLessThanOrEqual(400);

  // By symbol, by name, by asset.
  for (const [query, symbol] of [
    ['nvd', 'NVDA'],
    ['apple', 'AAPL'],
    ['jpy', 'USD/JPY'],
  ] as const) {
    await search.fill(query);
    const option = page.getByRole('option').filter({ hasText: symbol });
    await expect(option).toBeVisible();
    await expect(option).toContainText(/\d+\.\d\d%/);
  }
  await search.fill('no such thing');
  await expect(page.getByText("No match for 'no such thing'")).toBeVisible();

  await page.mouse.click(700, 600);
  await expect(list).toBeHidden();

  await page.getByRole('button', { name: 'Add BTCUSDT to favorites' }).first().click();
  await expect(page.getByRole('button', { name: 'Remove BTCUSDT from favorites' }).first()).toBeVisible();
  await page.reload();
  await search.click();
  await tabs.filter({ hasText: /favorites/i }).click();
  await expect(page.getByRole('option')).toHaveCount(1);
  await expect(page.getByRole('option')).toContainText('BTCUSDT');
});

test('TRADE-14, TRADE-15, TRADE-17, TRADE-18, TRADE-27: the chart is 600 high, dark, at 15m, with nine timeframes; the form is at the right', async ({
  page,
}) => {
  await signUp(page, 'charts', { at: '/trading' });
  const chart = page.getByRole('region', { name: 'Chart' });
  await expect(chart.getByRole('img')).toBeVisible();
  expect((await chart.boundingBox())?.height).toBe(600);
  await expect(page.locator('html')).not.toHaveAttribute('data-theme', 'light');
  for (const timeframe of ['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M']) {
    await expect(chart.getByText(timeframe, { exact: true }).first()).toBeVisible();
  }
  await expect(chart.getByRole('img', { name: /15 minutes/ })).toBeVisible();
  await chart.getByText('4h', { exact: true }).first().click();
  await expect(chart.getByRole('img', { name: /4 hours/ })).toBeVisible();

  const ticket = await ticketOf(page).boundingBox();
  expect(ticket?.width).toBeGreaterThanOrEqual(300);
  expect((ticket?.x ?? 0) + (ticket?.width ?? 0)).toBe(1440);
  // Nothing scrolls at 1440 x 900.
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(900);
  // Of a wide screen it has 15 %.
  await page.setViewportSize({ width: 2560, height: 1440 });
  await expect.poll(async () => (await ticketOf(page).boundingBox())?.width).toBe(2560 * 0.15);
});

test('TRADE-29, TRADE-33, TRADE-34, TRADE-35, TRADE-36, TRADE-38, TRADE-42, TRADE-43, RULE-01: the ticket shows balance, value and margin of what is typed', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'typist', { at: '/trading?symbol=ETHUSDT' });
  const ticket = ticketOf(page);
  const amount = page.getByRole('spinbutton', { name: 'Amount' });
  const line = (label: string) =>
    ticket
      .locator('div')
      .filter({ has: page.getByText(label, { exact: true }) })
      .last();
  await expect(line('Account Balance')).toContainText('10,000.00');
  await expect(amount).toHaveAttribute('aria-valuemin', '0.0001');
  const slider = page.getByRole('slider', { name: 'Leverage' });
  await expect(slider).toHaveAttribute('aria-valuemin', '1');
  await expect(slider).toHaveAttribute('aria-valuemax', '125');
  await expect(slider).toHaveAttribute('aria-valuenow', '1');
  await amount.fill('2');
  await slider.press('End');
  await expect(slider).toHaveAttribute('aria-valuenow', '125');
  await expect(line('Order Value')).toContainText(/\d/);
  const figure = (label: string) => figureOf(line(label).getByRole('definition'));
  const [value, margin] = [await figure('Order Value'), await figure('Required Margin')];
  expect(Math.abs(value / 125 - margin)).toBeLessThan(0.02);
  await expect(ticket.getByRole('button', { name: 'Sell/Short' })).not.toHaveAttribute(
    'aria-disabled',
    'true',
  );
});

test('TRADE-26, TRADE-46, TRADE-47, TRADE-48, TRADE-50: the positions panel has the specified tabs, columns and texts', async ({
  page,
}) => {
  await signUp(page, 'columns', { at: '/trading?symbol=NVDA' });
  await expect(page.getByText('No open positions')).toBeVisible();
  await openMarket(page, { side: 'Sell/Short', amount: '1', leverage: 5 });
  const row = positionRow(page, 'NVDA');
  await expect(row).toContainText('Short');
  expect(await headsOf(page, 'Open positions')).toEqual([
    'Symbol',
    'Side',
    'Size',
    'Entry Price',
    'Mark Price',
    'Liq. Price',
    'Margin',
    'PnL (ROE%)',
    'Actions',
  ]);
  await row.getByRole('button', { name: /^Close/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close position' }).click();
  await page.getByRole('tab', { name: 'Position History' }).click();
  await expect(row).toBeVisible();
  expect(await headsOf(page, 'Closed positions, latest first')).toEqual([
    'Symbol',
    'Side',
    'Size',
    'Entry Price',
    'Exit Price',
    'PnL',
    'ROE%',
    'Closed At',
  ]);
});

test('ERR-41, TRADE-21: a chart that cannot be loaded shows an error and can be retried', async ({
  page,
}) => {
  await signUp(page, 'no_chart', { at: noApp });
  const candles = '**/rpc/get_candles*';
  let requests = 0;
  await page.route(candles, (route) => {
    requests += 1;
    return route.fulfill({ status: 500, json: { code: 'internal', message: 'no' } });
  });
  await page.goto('/trading?symbol=BTCUSDT');
  const notice = page.getByText('Chart temporarily unavailable');
  const retry = page.getByRole('button', { name: 'Retry' });
  await expect(notice).toBeVisible();
  const before = requests;
  await retry.click();
  await expect.poll(() => requests).toBeGreaterThan(before);
  await page.unroute(candles);
  // The chart also retries by itself, so the button may be gone before the click.
  await expect(async () => {
    if (await retry.isVisible()) await retry.click({ timeout: 1_000 });
    await expect(notice).toBeHidden({ timeout: 1_000 });
  }).toPass();
});

test('an order whose answer is lost shows an error, and a retry creates no second one', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'tunnel', { at: '/trading?symbol=BTCUSDT' });
  // The server takes the order, and its answer is lost on the way.
  let lost = 1;
  await page.route('**/rpc/open_position', async (route) => {
    if (lost === 0) return route.fallback();
    lost -= 1;
    await route.fetch();
    await route.abort('connectionreset');
  });
  await openMarket(page, { side: 'Buy/Long', amount: '0.01', leverage: 10 });
  await expect(page.getByText(/Failed to place order|could not|again/i).first()).toBeVisible();
  await sendOrder(page, 'Buy/Long');
  await expect(page.getByRole('tab', { name: /Open Positions/ })).toContainText('(1)');
  await page.reload();
  await expect(page.getByRole('tab', { name: /Open Positions/ })).toContainText('(1)');
});

test('ERR-26, RULE-17: a failed close shows an error in its dialog, and one whose answer is lost is not executed twice', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'closer', { at: '/trading?symbol=BTCUSDT' });
  await openMarket(page, { side: 'Buy/Long', amount: '0.02', leverage: 10 });
  await expect(positionRow(page, 'BTCUSDT')).toBeVisible();
  const sent: string[] = [];
  let answer: 'fault' | 'lost' = 'fault';
  await page.route('**/rpc/close_position', async (route) => {
    sent.push((route.request().postDataJSON() as { p_client_id: string }).p_client_id);
    if (answer === 'fault') return route.fulfill({ status: 500, json: { code: 'internal', message: 'no' } });
    // Only the first answer is lost; the close itself has happened.
    if (sent.length > 2) return route.fallback();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await positionRow(page, 'BTCUSDT')
    .getByRole('button', { name: /^Close/ })
    .click();
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: 'Close position' }).click();
  await expect(question.getByText('Failed to close position')).toBeVisible();

  answer = 'lost';
  await question.getByRole('button', { name: 'Close position' }).click();
  // The page reads the account again, finds it closed, and the question goes.
  await expect(question).toBeHidden();
  expect(new Set(sent).size).toBe(1);
  await page.getByRole('tab', { name: 'Position History' }).click();
  await expect(positionRow(page, 'BTCUSDT')).toHaveCount(1);
  await page.reload();
  await expect(page.getByRole('tab', { name: /Open Positions/ })).toContainText('(0)');
});

test('a notification whose code does not load does not affect the page', async ({ page }) => {
  const refused: string[] = [];
  await page.route(/\/assets\/Toaster-/, (route) => {
    refused.push(route.request().url());
    return route.abort('connectionrefused');
  });
  await signUp(page, 'unnoticed', { at: '/trading?symbol=BTCUSDT' });
  await openMarket(page, { side: 'Buy/Long', amount: '0.01', leverage: 10 });
  await expect(positionRow(page, 'BTCUSDT')).toContainText('10×');
  await expect.poll(() => refused.length).toBeGreaterThan(0);
  await positionRow(page, 'BTCUSDT')
    .getByRole('button', { name: /^Close/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close position' }).click();
  await expect(page.getByText('No open positions')).toBeVisible();
});

test('TRADE-47: loaded positions stay, and can be closed, when the next read fails', async ({ page }) => {
  await signUp(page, 'steady', { at: '/trading?symbol=BTCUSDT' });
  await expect(page.getByText('No open positions')).toBeVisible();
  await page.route('**/rest/v1/positions*', (route) =>
    route.fulfill({ status: 400, json: { code: 'refused', message: 'no' } }),
  );
  const failed = page.waitForResponse((answer) => answer.url().includes('/rest/v1/positions'));
  await openMarket(page, { side: 'Buy/Long', amount: '0.01', leverage: 10 });
  await failed;
  const row = positionRow(page, 'BTCUSDT');
  await expect(row).toContainText('10×');
  await row.getByRole('button', { name: /^Close/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close position' }).click();
  await expect(row).toBeHidden();
});
