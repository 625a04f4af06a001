import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, noApp, signIn, signUp } from '../harness/session.ts';
import {
  collectErrors,
  figureOf,
  openMarket,
  positionRow,
  sendOrder,
  setLeverage,
} from '../harness/steps.ts';

// The last files of a run: their journeys keep all workers busy to its end.
test.describe.configure({ mode: 'parallel' });

const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name });
const notice = (page: Page, text: RegExp) => page.getByRole('listitem').filter({ hasText: text });
const lastPrice = async (page: Page): Promise<number> => {
  const definition = page.getByRole('complementary', { name: 'Order' }).getByRole('definition').nth(1);
  await expect(definition).toHaveText(/\d/);
  return figureOf(definition);
};

/** Fills the form as a Limit or Stop order; nothing is sent. */
async function prepare(
  page: Page,
  order: { type: 'Limit' | 'Stop'; price: number; amount: string; leverage: number },
): Promise<void> {
  await page.getByRole('radio', { name: order.type, exact: true }).click();
  await page.getByRole('spinbutton', { name: `${order.type} price` }).fill(order.price.toFixed(2));
  await page.getByRole('spinbutton', { name: 'Amount' }).fill(order.amount);
  await setLeverage(page, order.leverage);
}

test('CALL-45, CALL-46, RULE-13, RULE-14, RULE-15, ENT-22: a limit order waits in Open Orders with its margin reserved, is canceled and appears in Order History (A20)', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page);
  await signUp(page, 'limited', { at: '/trading?symbol=BTCUSDT' });
  const price = Math.round((await lastPrice(page)) * 0.9);
  await prepare(page, { type: 'Limit', price, amount: '0.1', leverage: 10 });
  await expect(page.getByText(/Buy\/Long reserves .* USDT and waits/).first()).toBeVisible();
  await sendOrder(page, 'Buy/Long');
  await expect(tab(page, /Open Orders/)).toContainText('(1)');
  await expect(tab(page, /Open Positions/)).toContainText('(0)');

  await tab(page, /Open Orders/).click();
  const row = positionRow(page, 'BTCUSDT');
  await expect(row).toContainText('Limit');
  await expect(row).toContainText('10×');
  expect(await figureOf(row.getByRole('cell').nth(4))).toBe(price);
  const reserved = await figureOf(row.getByRole('cell').nth(7));
  expect(reserved).toBeCloseTo((price * 0.1) / 10, 2);
  const balance = page.getByRole('complementary', { name: 'Order' }).getByRole('definition').first();
  await expect(async () => expect(await figureOf(balance)).toBeCloseTo(10_000 - reserved, 1)).toPass();

  await page.reload();
  await tab(page, /Open Orders/).click();
  await row.getByRole('button', { name: 'Cancel BTCUSDT limit buy' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
  await expect(page.getByText('No open orders')).toBeVisible();
  await tab(page, /Order History/).click();
  await expect(row).toContainText('Canceled');
  await expect(balance).toContainText('10,000.00');
  expect(errors, 'errors of the page').toEqual([]);
});

test('RULE-15, RULE-16: after an order the page reads its list again, and not the wallet, which is announced', async ({
  page,
}) => {
  await signUp(page, 'announced', { at: '/trading?symbol=BTCUSDT' });
  const price = Math.round((await lastPrice(page)) * 0.9);
  const balance = page.getByRole('complementary', { name: 'Order' }).getByRole('definition').first();
  await expect(balance).toContainText('10,000.00');
  // Until the account's topic is joined and the reads that follow it are over.
  await page.waitForLoadState('networkidle');
  const reads: string[] = [];
  page.on('request', (request) => {
    const [, table] = /rest\/v1\/(wallets|positions|orders)\?/.exec(request.url()) ?? [];
    if (request.method() === 'GET' && table) reads.push(table);
  });
  await prepare(page, { type: 'Limit', price, amount: '0.1', leverage: 10 });
  await sendOrder(page, 'Buy/Long');
  await expect(tab(page, /Open Orders/)).toContainText('(1)');
  await expect(balance).not.toContainText('10,000.00');
  await expect.poll(() => reads).toContain('orders');

  const reserved = await balance.textContent();
  await page.getByRole('radio', { name: 'Market', exact: true }).click();
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.1');
  await sendOrder(page, 'Buy/Long');
  await expect(tab(page, /Open Positions/)).toContainText('(1)');
  await expect(balance).not.toContainText(reserved ?? '');
  await expect.poll(() => reads).toContain('positions');
  // Longer than the page waits for an announcement.
  await page.waitForTimeout(1_500);
  expect(reads).toEqual(['orders', 'positions']);
});

test('A20, A104: a limit order at the market’s price fills with a notification, which is then marked as read', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page);
  await signUp(page, 'prompt', { at: '/trading?symbol=ETHUSDT' });
  const price = (await lastPrice(page)) * 1.01;
  await prepare(page, { type: 'Limit', price, amount: '0.5', leverage: 5 });
  await sendOrder(page, 'Buy/Long');
  await expect(tab(page, /Open Positions/)).toContainText('(1)');
  await expect(tab(page, /Open Orders/)).toContainText('(0)');
  await expect(notice(page, /LIMIT order BUY 0\.5 ETHUSDT was filled/)).toBeVisible();
  // Never worse than its price.
  const row = positionRow(page, 'ETHUSDT');
  expect(await figureOf(row.getByRole('cell').nth(3))).toBeLessThanOrEqual(price);
  await tab(page, /Order History/).click();
  await expect(row).toContainText('Filled');

  const bell = page.getByRole('button', { name: 'Notifications, 1 unread' });
  await bell.press('Enter');
  const list = page.getByRole('dialog', { name: 'Notifications' });
  await expect(list.getByRole('listitem')).toContainText('was filled');
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
  await expect(bell).toBeFocused();
  await bell.press('Enter');
  // The number goes at once, before the server has the change: a reload right away would take the request with it.
  const marked = page.waitForResponse(
    (answer) => answer.request().method() === 'PATCH' && answer.url().includes('/notifications?'),
  );
  await list.getByRole('button', { name: 'Mark all read' }).click();
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  expect((await marked).ok()).toBe(true);
  const [notification] = await callApi<{ read_at: string | null }[]>(page, 'notifications?select=read_at');
  expect(notification?.read_at).not.toBeNull();
  await page.reload();
  await page.getByRole('button', { name: 'Notifications', exact: true }).click();
  await expect(list.getByRole('listitem')).toContainText('was filled');
  await expect(list.getByRole('listitem')).not.toContainText('Unread');
  expect(errors, 'errors of the page').toEqual([]);
});

test('A20: the moving market fills a waiting order without any further request', async ({ page }) => {
  await signUp(page, 'onlooker', { at: '/trading?symbol=BTCUSDT' });
  await setLeverage(page, 10);
  await page.getByRole('radio', { name: 'Limit', exact: true }).click();
  const amount = page.getByRole('spinbutton', { name: 'Amount' });
  // On both sides of the market, so close that one of them is reached soon.
  for (const [side, distance] of [
    ['Buy/Long', -0.0002],
    ['Sell/Short', 0.0002],
    ['Buy/Long', -0.0001],
    ['Sell/Short', 0.0001],
  ] as const) {
    await amount.fill('0.01');
    const price = (await lastPrice(page)) * (1 + distance);
    await page.getByRole('spinbutton', { name: 'Limit price' }).fill(price.toFixed(2));
    await sendOrder(page, side);
    await expect(amount).toHaveValue('');
  }
  // One that waited: it was filled by a later tick than the one that it was placed at.
  await expect(async () => {
    const filled = await callApi<{ created_at: string; updated_at: string }[]>(
      page,
      'orders?select=created_at,updated_at&status=eq.FILLED',
    );
    expect(filled.some((order) => Date.parse(order.updated_at) > Date.parse(order.created_at))).toBe(true);
  }).toPass({ timeout: 120_000 });
  await tab(page, /Order History/).click();
  await expect(positionRow(page, 'BTCUSDT').first()).toContainText('Filled');
});

test('A21: the ticket checks take profit and stop loss for each side, and the open position carries and changes them', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page);
  await signUp(page, 'guarded', { at: '/trading?symbol=BTCUSDT' });
  const price = await lastPrice(page);
  const [takeProfit, stopLoss] = [Math.round(price * 1.05), Math.round(price * 0.95)];
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.1');
  await setLeverage(page, 5);
  await page.getByRole('switch', { name: 'Take Profit / Stop Loss' }).click();
  await page.getByRole('spinbutton', { name: 'Take Profit' }).fill(`${takeProfit}`);
  await page.getByRole('spinbutton', { name: 'Stop Loss' }).fill(`${stopLoss}`);
  await expect(
    page.getByText(/^Sell\/Short needs a Stop Loss above [\d.]+ and a Take Profit below it\.$/),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sell/Short' })).toHaveAttribute('aria-disabled', 'true');
  await sendOrder(page, 'Buy/Long');

  const row = positionRow(page, 'BTCUSDT');
  const protection = row.getByRole('button', { name: /Take profit .* BTCUSDT long/ });
  const shown = (figure: number) => figure.toLocaleString('en-US', { minimumFractionDigits: 2 });
  await expect(protection).toContainText(shown(takeProfit));
  await expect(protection).toContainText(shown(stopLoss));

  await protection.click();
  const dialog = page.getByRole('dialog', { name: 'Take profit and stop loss' });
  await dialog.getByRole('spinbutton', { name: 'Stop Loss' }).fill(`${Math.round(price * 2)}`);
  await expect(dialog.getByText(/^Stop loss must be below/)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
  const moved = Math.round(price * 0.93);
  await dialog.getByRole('spinbutton', { name: 'Stop Loss' }).fill(`${moved}`);
  await dialog.getByRole('spinbutton', { name: 'Take Profit' }).fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(protection).toContainText(shown(moved));
  await expect(protection).toContainText('Add');
  await page.reload();
  await expect(protection).toContainText(shown(moved));

  await test.step('a distance protects either side, stays with its pair, and leaves with a reset', async () => {
    await page.goto('/trading?symbol=ETHUSDT');
    await page.getByRole('spinbutton', { name: 'Amount' }).fill('1');
    await page.getByRole('switch', { name: 'Take Profit / Stop Loss' }).click();
    await page.getByLabel('Unit of take profit and stop loss').selectOption('% of price');
    await page.getByRole('spinbutton', { name: 'Take Profit' }).fill('4');
    await page.getByRole('spinbutton', { name: 'Stop Loss' }).fill('2');
    await expect(page.getByRole('button', { name: 'Buy/Long' })).not.toHaveAttribute('aria-disabled', 'true');
    await sendOrder(page, 'Sell/Short');
    const short = positionRow(page, 'ETHUSDT').getByRole('button', { name: /Take profit .* ETHUSDT short/ });
    await expect(short).toBeVisible();
    const [row] = await callApi<
      { entry_price: number; take_profit_price: number; stop_loss_price: number }[]
    >(page, 'positions?select=entry_price,take_profit_price,stop_loss_price&symbol=eq.ETHUSDT');
    expect((row?.take_profit_price ?? 0) / (row?.entry_price ?? 1)).toBeCloseTo(0.96, 2);
    expect((row?.stop_loss_price ?? 0) / (row?.entry_price ?? 1)).toBeCloseTo(1.02, 2);
    await short.click();
    await dialog.getByLabel('Unit of take profit and stop loss').selectOption('% ROE');
    await expect(dialog.getByRole('spinbutton', { name: 'Stop Loss' })).toHaveValue(/^[12]\.\d+$|^2$/);
    await dialog.getByRole('spinbutton', { name: 'Stop Loss' }).fill('3');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await page.reload();
    await expect(page.getByRole('spinbutton', { name: 'Take Profit' })).toHaveValue('4');
    await expect(page.getByRole('spinbutton', { name: 'Stop Loss' })).toHaveValue('2');
    await page.getByRole('button', { name: 'Reset the order form' }).click();
    await expect(page.getByRole('spinbutton', { name: 'Stop Loss' })).toBeHidden();
    await page.getByRole('radio', { name: 'Risk' }).click();
    await page.getByRole('spinbutton', { name: 'Amount' }).fill('1');
    await expect(page.getByText('Set a stop loss: the amount follows from it.')).toBeVisible();
    await page.getByLabel('Unit of take profit and stop loss').selectOption('% of price');
    await page.getByRole('spinbutton', { name: 'Stop Loss' }).fill('4');
    await expect(page.getByText(/^% risk = [\d.]+ ETH$/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Buy/Long' })).not.toHaveAttribute('aria-disabled', 'true');
    const [saved] = await callApi<{ entry_price: number; stop_loss_price: number }[]>(
      page,
      'positions?select=entry_price,stop_loss_price&symbol=eq.ETHUSDT',
    );
    expect((saved?.stop_loss_price ?? 0) / (saved?.entry_price ?? 1)).toBeCloseTo(1.03, 4);
  });
  expect(errors, 'errors of the page').toEqual([]);
});

test('A23: a quarter of a position is closed, the rest keeps its share of the margin', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page);
  await signUp(page, 'parted', { at: '/trading?symbol=ETHUSDT' });
  await openMarket(page, { side: 'Buy/Long', amount: '0.8', leverage: 10 });
  const row = positionRow(page, 'ETHUSDT');
  const margin = await figureOf(row.getByRole('cell').nth(6));
  await row.getByRole('button', { name: 'Close ETHUSDT long' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close ETHUSDT long?' });
  const size = dialog.getByRole('spinbutton', { name: 'Size to close' });
  await size.fill('0.9');
  await expect(dialog.getByText(/closes it whole\.$/)).toBeVisible();
  await dialog.getByRole('button', { name: '25%' }).click();
  await expect(size).toHaveValue('0.2000');
  await dialog.getByRole('button', { name: 'Close part' }).click();
  await expect(dialog).toBeHidden();
  await expect(row.getByRole('cell').nth(2)).toContainText('0.6000');
  expect(await figureOf(row.getByRole('cell').nth(6))).toBeCloseTo(margin * 0.75, 1);
  await expect(tab(page, /Open Positions/)).toContainText('(1)');
  await tab(page, /Position History/).click();
  await expect(row).toContainText('0.2000');
  await expect(row).toContainText('Part');
  expect(errors, 'errors of the page').toEqual([]);
});

test('A102: Reset account requests confirmation, then restores the start balance; the history stays', async ({
  page,
}) => {
  const errors = collectErrors(page);
  await signUp(page, 'restarted', { at: '/trading?symbol=BTCUSDT' });
  await openMarket(page, { side: 'Buy/Long', amount: '0.01', leverage: 10 });
  await expect(tab(page, /Open Positions/)).toContainText('(1)');
  await prepare(page, { type: 'Limit', price: (await lastPrice(page)) * 0.9, amount: '0.01', leverage: 10 });
  await sendOrder(page, 'Buy/Long');
  await expect(tab(page, /Open Orders/)).toContainText('(1)');

  await page.getByRole('link', { name: 'Wallet' }).click();
  await page.getByRole('button', { name: 'Reset account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reset your account?' });
  await expect(dialog).toContainText('1 open order is canceled.');
  await expect(dialog).toContainText('1 open position is closed at the market.');
  await dialog.getByRole('button', { name: 'Reset account' }).click();
  await expect(dialog).toBeHidden();
  const available = page.getByText('Available Balance').locator('xpath=following::dd[1]');
  await expect(available).toContainText('10,000.00');
  await expect(page.getByRole('row').filter({ hasText: 'Closed BTCUSDT position' })).toBeVisible();
  await page.getByRole('link', { name: 'Trading' }).click();
  await expect(tab(page, /Open Positions/)).toContainText('(0)');
  await expect(tab(page, /Open Orders/)).toContainText('(0)');
  expect(errors, 'errors of the page').toEqual([]);
});

test('A72: a restricted trader is notified at once, opens nothing, and still closes', async ({
  page,
  browser,
  baseURL,
}) => {
  await signUp(page, 'halted', { at: '/trading?symbol=BTCUSDT' });
  await openMarket(page, { side: 'Buy/Long', amount: '0.01', leverage: 10 });
  await expect(tab(page, /Open Positions/)).toContainText('(1)');

  const office = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const admin = await office.newPage();
  await signIn(admin, 'admin@fulcrum.local', { at: noApp });
  const [trader] = await callApi<{ id: string }[]>(admin, 'users?select=id&username=eq.halted');
  const restrict = (restricted: boolean) =>
    callApi(admin, 'rpc/restrict_user', {
      p_user_id: trader?.id,
      p_restricted: restricted,
      p_reason: 'A question about a deposit',
    });
  await restrict(true);

  const text = 'Your account is restricted. Please contact support.';
  await expect(page.getByRole('region', { name: 'Restriction' })).toContainText(text);
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.01');
  const ticket = page.getByRole('complementary', { name: 'Order' });
  await expect(ticket.getByText(text).first()).toBeVisible();
  for (const name of ['Buy/Long', 'Sell/Short']) {
    await expect(ticket.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
  }
  await positionRow(page, 'BTCUSDT').getByRole('button', { name: 'Close BTCUSDT long' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close position' }).click();
  await expect(page.getByText('No open positions')).toBeVisible();

  await restrict(false);
  await expect(page.getByRole('region', { name: 'Restriction' })).toBeHidden();
  await expect(ticket.getByRole('button', { name: 'Buy/Long' })).not.toHaveAttribute('aria-disabled', 'true');
  await office.close();
});

test('A09: an open position that staff edited is marked; rows of one batch keep their places when read again', async ({
  page,
  browser,
  baseURL,
}) => {
  await signUp(page, 'edited', { at: '/trading?symbol=BTCUSDT' });
  await lastPrice(page);
  const sizes = ['0.011', '0.012', '0.013', '0.014', '0.015', '0.016'];
  const terms = { symbol: 'BTCUSDT', type: 'MARKET', side: 'BUY', leverage: 10 };
  await callApi(
    page,
    'orders',
    sizes.map((size) => ({ ...terms, size: Number(size) })),
  );
  await expect(tab(page, /Open Positions/)).toContainText('(6)');
  await page.reload();
  const cells = positionRow(page, 'BTCUSDT').getByRole('cell').filter({ hasText: '10×' });
  await expect(cells).toHaveCount(6);
  const before = await cells.allTextContents();

  const office = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const admin = await office.newPage();
  await signIn(admin, 'admin@fulcrum.local', { at: noApp });
  const [row] = await callApi<{ id: string }[]>(page, 'positions?select=id&size=eq.0.013');
  await callApi(admin, `positions?id=eq.${row?.id}`, { leverage: 9, reason: 'A wrong leverage' }, 'PATCH');
  const edited = positionRow(page, 'BTCUSDT').filter({ hasText: '9×' });
  await expect(edited).toContainText('Adjusted by staff');
  await expect(notice(page, /BUY 0\.013 BTCUSDT was adjusted by our staff/)).toBeVisible();

  await page.reload();
  await expect(edited).toContainText('Adjusted by staff');
  const after = await positionRow(page, 'BTCUSDT')
    .getByRole('cell')
    .filter({ hasText: '×' })
    .allTextContents();
  expect(after.map((text) => text.slice(0, 7))).toEqual(before.map((text) => text.slice(0, 7)));
  await office.close();
});
