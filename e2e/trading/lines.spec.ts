import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signUp } from '../harness/session.ts';
import { collectErrors, positionRow } from '../harness/steps.ts';

interface PositionRow {
  readonly id: string;
  readonly take_profit_price: number | null;
  readonly stop_loss_price: number | null;
}
interface OrderRow {
  readonly id: string;
  readonly price: number;
  readonly status: string;
  readonly reserved: number;
}

const chart = (page: Page) => page.getByRole('region', { name: 'Chart' });
const notice = (page: Page, text: RegExp) => page.getByRole('listitem').filter({ hasText: text });
const priceIn = (text: string | null): number => {
  const price = text?.match(/ at ([\d,.]+\d)/)?.[1];
  if (price === undefined) throw new Error(`no price in '${text}'`);
  return Number(price.replaceAll(',', ''));
};
const priceOf = async (pill: Locator): Promise<number> => priceIn(await pill.textContent());

async function marketPrice(page: Page): Promise<number> {
  const [pair] = await callApi<{ price: number }[]>(page, 'trading_pairs?select=price&symbol=eq.BTCUSDT');
  if (!pair) throw new Error('no BTCUSDT');
  return pair.price;
}
const openPosition = async (
  page: Page,
  stopLoss: number | null,
  takeProfit: number | null,
): Promise<string> => {
  const price = await marketPrice(page);
  const { id } = await callApi<PositionRow>(page, 'rpc/open_position', {
    p_symbol: 'BTCUSDT',
    p_side: 'BUY',
    p_entry_price: `${price}`,
    p_size: '0.1',
    p_leverage: 20,
    p_required_margin: `${(price * 0.1) / 20}`,
    p_take_profit_price: takeProfit === null ? null : `${Math.round(price * takeProfit)}`,
    p_stop_loss_price: stopLoss === null ? null : `${Math.round(price * stopLoss)}`,
    p_client_id: `lines-${Math.random()}`,
  });
  return id;
};
async function positionOf(page: Page, id: string): Promise<PositionRow> {
  const [row] = await callApi<PositionRow[]>(page, `positions?id=eq.${id}`);
  if (!row) throw new Error(`no position ${id}`);
  return row;
}

/** Bars of an hour: the pane reaches far enough beyond the last price for every line of these journeys. */
const showHours = (page: Page) => page.getByRole('button', { name: '1h', exact: true }).click();

/**
 * The place where a pill can be dragged: it rests for two frames and nothing covers it. While bars load it has a place too,
 * but the spinner covers it.
 */
async function middleOf(pill: Locator): Promise<{ x: number; y: number }> {
  let middle = { x: 0, y: 0 };
  await expect(async () => {
    const before = await pill.boundingBox();
    if (!before) throw new Error('the pill is not on screen');
    const at = { x: 6, y: before.height / 2 };
    // The trial waits until the pill rests and receives the pointer, and moves nothing.
    await pill.hover({ position: at, trial: true, timeout: 5_000 });
    const after = await pill.boundingBox();
    expect(after).toEqual(before);
    middle = { x: before.x + at.x, y: before.y + at.y };
  }).toPass();
  return middle;
}
/** Takes hold of a pill and moves it by so many px; it is still held afterwards. */
async function pull(page: Page, pill: Locator, by: number): Promise<void> {
  const { x, y } = await middleOf(pill);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + by / 2, { steps: 3 });
  await page.mouse.move(x, y + by, { steps: 3 });
  // The line follows with the next frame.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
}

test('A21: take profit and stop loss are moved on the chart by mouse and by keys, refused where they would not do, and taken away', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page);
  await signUp(page, 'liner', { at: '/trading?symbol=BTCUSDT' });
  const id = await openPosition(page, 0.995, 1.005);
  await page.reload();
  await showHours(page);
  const stopLoss = chart(page).getByRole('button', { name: /^Stop loss of long 0\.10000 BTCUSDT at/ });
  const takeProfit = chart(page).getByRole('button', { name: /^Take profit of long/ });
  const before = await positionOf(page, id);
  await expect(stopLoss).toBeVisible();
  expect(await priceOf(stopLoss)).toBe(before.stop_loss_price);

  // By mouse: the pill shows the PnL at that price, the row and the server follow the drop.
  await pull(page, stopLoss, -8);
  await expect.poll(() => priceOf(stopLoss)).toBeGreaterThan(before.stop_loss_price ?? 0);
  await expect(stopLoss).toContainText('%');
  await page.mouse.up();
  const dropped = await priceOf(stopLoss);
  await expect.poll(async () => (await positionOf(page, id)).stop_loss_price).toBe(dropped);
  expect((await positionOf(page, id)).take_profit_price).toBe(before.take_profit_price);
  const row = positionRow(page, 'BTCUSDT');
  await expect(row).toContainText(dropped.toLocaleString('en-US', { minimumFractionDigits: 2 }));
  await expect(stopLoss).not.toContainText('%');

  // By keys: a tick each, ten with Shift, Enter sets it.
  await stopLoss.press('ArrowDown');
  await stopLoss.press('Shift+ArrowDown');
  await expect.poll(() => priceOf(stopLoss)).toBeCloseTo(dropped - 0.11, 8);
  await stopLoss.press('Enter');
  await expect.poll(async () => (await positionOf(page, id)).stop_loss_price).toBeCloseTo(dropped - 0.11, 8);
  await expect(stopLoss).toBeFocused();

  // Escape reverts it, in the middle of a drag too, and nothing is sent.
  const rested = await priceOf(stopLoss);
  await stopLoss.press('ArrowUp');
  await stopLoss.press('Escape');
  await expect.poll(() => priceOf(stopLoss)).toBe(rested);
  await pull(page, stopLoss, 10);
  await expect.poll(() => priceOf(stopLoss)).not.toBe(rested);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect.poll(() => priceOf(stopLoss)).toBe(rested);

  // What another tab sets meanwhile waits while the line is held.
  await pull(page, takeProfit, -12);
  const inHand = await priceOf(takeProfit);
  await callApi(page, 'rpc/set_take_profit_stop_loss', {
    p_position_id: id,
    p_take_profit_price: `${(before.take_profit_price ?? 0) + 1}`,
    p_stop_loss_price: `${rested}`,
    p_client_id: 'another-tab',
  });
  await expect(row).toContainText(
    ((before.take_profit_price ?? 0) + 1).toLocaleString('en-US', { minimumFractionDigits: 2 }),
  );
  expect(await priceOf(takeProfit)).toBe(inHand);
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await expect.poll(() => priceOf(takeProfit)).toBe((before.take_profit_price ?? 0) + 1);

  // A price on the wrong side: the rule is shown beneath the pill, the drop reverts it with an error.
  const target = await middleOf(takeProfit);
  const { x, y } = await middleOf(stopLoss);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, target.y, { steps: 6 });
  await expect(chart(page).getByText(/^Stop loss must be below/)).toBeVisible();
  await page.mouse.up();
  await expect(notice(page, /Stop loss must be below/)).toBeVisible();
  await expect.poll(() => priceOf(stopLoss)).toBe(rested);
  expect((await positionOf(page, id)).stop_loss_price).toBe(rested);

  // The other timeframe has the same lines, one element each; it may reach as far as the liquidation too.
  await chart(page).getByRole('button', { name: '4h', exact: true }).click();
  await expect(stopLoss).toBeVisible();
  for (const kind of ['entry', 'takeProfit', 'stopLoss']) {
    await expect(chart(page).locator(`[data-line="${kind}"]`)).toHaveCount(1);
  }

  // × takes one away, and the entry offers it again.
  await chart(page)
    .getByRole('button', { name: /^Remove stop loss of long/ })
    .click();
  await expect(stopLoss).toHaveCount(0);
  await expect.poll(async () => (await positionOf(page, id)).stop_loss_price).toBeNull();
  expect((await positionOf(page, id)).take_profit_price).toBe((before.take_profit_price ?? 0) + 1);
  const handle = chart(page).getByRole('button', { name: /^Set stop loss of long/ });
  await handle.press('Enter');
  await expect(stopLoss).toBeFocused();
  await stopLoss.press('Escape');
  await expect(stopLoss).toHaveCount(0);
  await pull(page, handle, 25);
  await expect(stopLoss).toBeVisible();
  await expect.poll(() => priceOf(stopLoss)).toBeGreaterThan(0);
  await page.mouse.up();
  await expect.poll(async () => (await positionOf(page, id)).stop_loss_price).toBe(await priceOf(stopLoss));

  await chart(page)
    .getByRole('button', { name: /^Close long 0\.10000 BTCUSDT/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close position' }).click();
  await expect(chart(page).locator('[data-line]')).toHaveCount(0);
  expect(errors, 'errors of the page').toEqual([]);
});

test('A20: a waiting order is moved on the chart, its reserve follows, and a lost answer does no harm', async ({
  page,
}) => {
  const errors = collectErrors(page, /Failed to load resource|ERR_/);
  await signUp(page, 'mover', { at: '/trading?symbol=BTCUSDT' });
  const price = Math.round((await marketPrice(page)) * 0.995);
  await callApi(page, 'orders', {
    symbol: 'BTCUSDT',
    type: 'LIMIT',
    side: 'BUY',
    price,
    size: 0.1,
    leverage: 10,
  });
  await page.reload();
  await showHours(page);
  await page.getByRole('tab', { name: /Open Orders/ }).click();
  const line = chart(page).getByRole('button', { name: /^Limit buy 0\.10000 BTCUSDT at/ });
  await expect(line).toBeVisible();

  // The first answer is lost on its way; the same command goes again.
  const commands: string[] = [];
  await page.route('**/rest/v1/rpc/amend_order', async (route) => {
    commands.push(route.request().postData() ?? '');
    if (commands.length > 1) return route.continue();
    await route.fetch();
    return route.abort('connectionreset');
  });
  await pull(page, line, -8);
  await expect(line.getByText(/^reserves /)).toBeVisible();
  await page.mouse.up();
  const moved = await priceOf(line);
  expect(moved).not.toBe(price);
  await expect
    .poll(async () => (await callApi<OrderRow[]>(page, 'orders?status=eq.NEW'))[0]?.price)
    .toBe(moved);
  await expect.poll(() => commands.length).toBe(2);
  expect(commands[1]).toBe(commands[0]);
  const [order] = await callApi<OrderRow[]>(page, 'orders?status=eq.NEW');
  expect(order?.reserved).toBeCloseTo((moved * 0.1) / 10, 2);
  await expect(positionRow(page, 'BTCUSDT')).toContainText(
    moved.toLocaleString('en-US', { minimumFractionDigits: 2 }),
  );
  await expect(line.getByText(/^reserves /)).toHaveCount(0);

  await chart(page).getByRole('button', { name: 'Cancel limit buy 0.10000 BTCUSDT' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click();
  await expect(line).toHaveCount(0);
  expect(errors, 'errors of the page').toEqual([]);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('TRADE-23, TRADE-24, A21: the chart over the screen has pills to drag with a finger, and the small one bare lines', async ({
    page,
  }) => {
    await signUp(page, 'thumb', { at: '/trading?symbol=BTCUSDT' });
    const id = await openPosition(page, 0.997, null);
    await page.reload();
    const pill = page.getByRole('button', { name: /^Stop loss of long/ });
    await expect(page.getByRole('button', { name: /^Chart/ })).toBeVisible();
    await expect(pill).toHaveCount(0);
    await page.getByRole('button', { name: /^Chart/ }).click();
    const overlay = page.getByRole('dialog', { name: 'BTCUSDT Chart' });
    await expect(overlay).toBeVisible();
    await showHours(page);
    await expect(pill).toBeVisible();
    const before = (await positionOf(page, id)).stop_loss_price;
    const { x, y } = await middleOf(pill);
    // Playwright has taps alone: a finger needs the browser's own protocol.
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: number | null) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: at === null ? [] : [{ x, y: at }] });
    await touch('touchStart', y);
    for (const by of [6, 12, 18]) await touch('touchMove', y + by);
    await expect.poll(() => priceOf(pill)).toBeLessThan(before ?? 0);
    await touch('touchEnd', null);
    await expect.poll(async () => (await positionOf(page, id)).stop_loss_price).toBe(await priceOf(pill));
    expect(await priceOf(pill)).not.toBe(before);

    // The dialog is over the chart, and leaves it open.
    await page.getByRole('button', { name: /^Close long 0\.10000 BTCUSDT/ }).tap();
    const question = page.getByRole('dialog', { name: /^Close/ });
    await question.getByRole('button', { name: 'Keep it open' }).tap();
    await expect(question).toHaveCount(0);
    await expect(overlay).toBeVisible();
  });
});
