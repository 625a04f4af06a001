/** The panel of positions and orders: its columns, its filter, and its bulk actions. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, noApp, signUp } from '../harness/session.ts';
import { collectErrors, positionRow, pressRetry } from '../harness/steps.ts';

const panel = (page: Page) => page.getByRole('region', { name: 'Positions', exact: true });
const tab = (page: Page, name: RegExp) => panel(page).getByRole('tab', { name });

/** Market orders, filled at once. */
const buy = (page: Page, orders: readonly (readonly [symbol: string, size: number])[]) =>
  callApi(
    page,
    'orders',
    orders.map(([symbol, size]) => ({ symbol, size, type: 'MARKET', side: 'BUY', leverage: 10 })),
  );

test('TRADE-26, TRADE-46, TRADE-47, TRADE-48, TRADE-50, TRADE-51, RULE-18, X-17, X-18: positions are filtered by pair, closed all at once after a question in figures, and saved as a file', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page, /409/);
  await signUp(page, 'cleaner', { at: '/trading?symbol=BTCUSDT' });
  await expect(tab(page, /^Open Positions \(0\)$/)).toBeVisible();
  await expect(panel(page).getByText('No open positions', { exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/^\d{2,3},\d{3}\.\d\d BTCUSDT \| Fulcrum$/);

  await buy(page, [
    ['BTCUSDT', 0.01],
    ['ETHUSDT', 0.2],
    ['SOLUSDT', 2],
  ]);
  await expect(tab(page, /^Open Positions \(3\)$/)).toBeVisible();
  await expect(page).toHaveTitle(/^\d{2,3},\d{3}\.\d\d BTCUSDT · [+\u2212]?\d+\.\d\d \| Fulcrum$/);
  await expect(panel(page).getByRole('columnheader')).toHaveText([
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
  await expect(positionRow(page, 'ETHUSDT')).toContainText('0.2000 10×');
  await expect(positionRow(page, 'ETHUSDT').getByRole('button', { name: /^Close/ })).toBeVisible();

  await panel(page).getByRole('checkbox', { name: 'BTCUSDT only' }).click();
  await expect(tab(page, /^Open Positions \(1\/3\)$/)).toBeVisible();
  await expect(positionRow(page, 'ETHUSDT')).toBeHidden();
  await panel(page).getByRole('button', { name: 'Close all' }).click();
  await expect(page.getByRole('dialog', { name: 'Close all BTCUSDT positions?' })).toContainText(
    'Close 1 position',
  );
  await page.keyboard.press('Escape');
  await panel(page).getByRole('checkbox', { name: 'BTCUSDT only' }).click();

  // One of three is refused: the others are closed, and only that one stays selected for a retry.
  const refusal = { code: 'P0001', message: 'Price is stale. Trading resumes with the next price.' };
  const [eth] = await callApi<{ id: string }[]>(page, 'positions?select=id&symbol=eq.ETHUSDT');
  const sent: string[] = [];
  const refused = new Set([eth?.id]);
  await page.route('**/rest/v1/rpc/close_position', (route) => {
    const { p_position_id: id } = route.request().postDataJSON() as { p_position_id: string };
    sent.push(id);
    if (refused.has(id))
      return route.fulfill({ status: 409, json: { ...refusal, details: null, hint: null } });
    return route.continue();
  });
  await panel(page).getByRole('button', { name: 'Close all' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close all positions?' });
  await expect(dialog.getByRole('listitem')).toHaveCount(3);
  await expect(dialog.getByRole('listitem').filter({ hasText: 'ETHUSDT' })).toHaveText(
    /^ETHUSDTLong 10×0\.2000[+\u2212]?\d+\.\d\d$/,
  );
  await expect(dialog.getByText('Result, about')).toBeVisible();
  await expect(dialog.getByText('Balance becomes, about').locator('..')).toHaveText(
    /10,000\.00 → [\d,]+\.\d\d$/,
  );
  await dialog.getByRole('button', { name: 'Close 3 positions' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(`2 closed, 1 not: ETHUSDT long: ${refusal.message}`);
  refused.clear();
  await dialog.getByRole('button', { name: 'Retry 1' }).click();
  await expect(dialog).toBeHidden();
  await expect(panel(page).getByText('No open positions', { exact: true })).toBeVisible();
  expect(sent.filter((id) => id === eth?.id)).toHaveLength(2);
  expect(sent).toHaveLength(4);

  await tab(page, /Position History/).click();
  await expect(panel(page).getByRole('columnheader')).toHaveText([
    'Symbol',
    'Side',
    'Size',
    'Entry Price',
    'Exit Price',
    'PnL',
    'ROE%',
    'Closed At',
  ]);
  // The last closed one is first.
  await expect(panel(page).getByRole('row').nth(1)).toContainText('ETHUSDT');
  await panel(page).getByRole('button', { name: 'Days: All days' }).click();
  await page.getByRole('dialog', { name: 'Days' }).getByLabel('To').fill('2020-01-31');
  await page.keyboard.press('Escape');
  await expect(panel(page).getByText('No closed positions in these days')).toBeVisible();
  await expect(panel(page).getByRole('button', { name: 'Days: To Jan 31, 2020' })).toBeVisible();
  await panel(page).getByRole('button', { name: 'Show all days' }).click();
  const saved = page.waitForEvent('download');
  await panel(page).getByRole('button', { name: 'Download 3 closed positions as CSV' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^closed_positions_cleaner_\d{8}\.csv$/);
  const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
  expect(lines).toHaveLength(5);
  expect(lines[0]).toBe('Symbol,Side,Entry Price,Close Price,Size,Leverage,PnL,ROE%,Closed At');
  expect(lines[1]).toMatch(/^ETHUSDT,BUY,[\d.]+,[\d.]+,0\.2,10,-?[\d.]+,-?[\d.]+,"\w{3} \d\d, \d{4}"$/);
  const savedExact = page.waitForEvent('download');
  await panel(page).getByRole('button', { name: 'Other files' }).click();
  await page.getByRole('menuitem', { name: 'With UTC times, fees and ids' }).click();
  const [head, row] = (await readFile(await (await savedExact).path(), 'utf8')).split('\r\n');
  expect(head).toBe(`${lines[0]},Opened At (UTC),Closed At (UTC),Fees,Id`);
  expect(row).toMatch(/,[\d.T:-]+Z,[\d.T:-]+Z,[\d.]+,[\da-f-]{36}$/);

  await tab(page, /Order History/).click();
  await expect(positionRow(page, 'SOLUSDT')).toContainText(/Market\d+\.\d\dFilled|Filled/);
  await expect(positionRow(page, 'SOLUSDT').getByRole('cell').nth(5)).toHaveText(/^\d+\.\d\d$/);
  await page.getByRole('link', { name: 'Wallet' }).click();
  await expect(page).toHaveTitle('Wallet · Fulcrum');
  expect(errors, 'errors of the page').toEqual([]);
});

test('ERR-22, ERR-23: lists that cannot be read show an error and are read again; all orders are canceled after a confirmation', async ({
  page,
}) => {
  await signUp(page, 'patient_one', { at: noApp });
  const broken = /\/rest\/v1\/(positions|orders)\?/;
  const fault = { status: 500, json: { code: 'XX000', message: 'fault', details: null, hint: null } };
  await page.route(broken, (route) => route.fulfill(fault));
  await page.goto('/trading?symbol=BTCUSDT');
  for (const [name, failed] of [
    [/Open Positions/, 'Failed to fetch positions'],
    [/Position History/, 'Failed to fetch positions'],
    [/Order History/, 'Failed to fetch orders'],
    [/Open Orders/, 'Failed to fetch orders'],
  ] as const) {
    await tab(page, name).click();
    await expect(panel(page).getByRole('alert')).toContainText(failed);
  }
  await page.unroute(broken);
  await pressRetry(panel(page));
  await expect(panel(page).getByText('No open orders', { exact: true })).toBeVisible();

  const waiting = { type: 'LIMIT', side: 'BUY', leverage: 10 };
  await callApi(page, 'orders', [
    { ...waiting, symbol: 'BTCUSDT', price: 10_000, size: 0.1 },
    { ...waiting, symbol: 'ETHUSDT', price: 500, size: 1 },
  ]);
  await expect(tab(page, /^Open Orders \(2\)$/)).toBeVisible();
  await panel(page).getByRole('button', { name: 'Cancel all' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel all orders?' });
  await expect(dialog.getByText('Freed').locator('..')).toHaveText(/150\.00\s*USDT$/);
  await expect(dialog).toContainText('9,850.00 → 10,000.00');
  await dialog.getByRole('button', { name: 'Cancel 2 orders' }).click();
  await expect(dialog).toBeHidden();
  await expect(panel(page).getByText('No open orders', { exact: true })).toBeVisible();

  await callApi(page, 'orders', { ...waiting, symbol: 'BTCUSDT', price: 10_000, size: 0.1 });
  await expect(tab(page, /^Open Orders \(1\)$/)).toBeVisible();
  await panel(page).getByRole('button', { name: 'Cancel all' }).click();
  await expect(dialog.getByRole('button', { name: 'Cancel 1 order' })).toBeVisible();
  const [order] = await callApi<{ id: string }[]>(page, 'orders?select=id&order=created_at.desc&limit=1');
  // As another tab of the same user does.
  await callApi(page, `orders?id=eq.${order?.id}`, { status: 'CANCELED' }, 'PATCH');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('No order is left to cancel')).toBeVisible();
});
