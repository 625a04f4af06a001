/** The wallet: its balance, its calculation, its transactions, and its texts when data is missing. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, noApp, signIn, signUp } from '../harness/session.ts';
import { collectErrors, openMarket, positionRow, pressRetry } from '../harness/steps.ts';

/** Without one, a new account is empty. */
test.use({ serverEnv: { SIGNUP_BALANCE: '0', ALLOW_RESET: 'true' } });

const history = (page: Page) => page.getByRole('region', { name: 'Transaction History' });
const curve = (page: Page, what: string) => page.getByRole('slider', { name: `${what} over time` });

test('WALL-01, WALL-02, WALL-03, WALL-06: an empty wallet shows 0.00, states who can fund it, and has no transactions', async ({
  page,
}) => {
  const errors = collectErrors(page, /get_my_manager|404/);
  await signUp(page, 'penniless', { at: '/wallet' });
  await expect(page.getByRole('heading', { name: 'Your Wallet' })).toBeVisible();
  const headline = page.getByRole('region', { name: 'Your Wallet' }).getByRole('definition');
  await expect(headline.first()).toHaveText(/^0\.00\s*USDT$/);
  await expect(headline.nth(1)).toHaveText(/^0\.00\s*USDT$/);
  await expect(page.getByText('Ask our support to add funds.')).toBeVisible();
  await expect(history(page).getByText('No transactions', { exact: true })).toBeVisible();
  expect(errors, 'errors of the page').toEqual([]);
});

test('ERR-20, ERR-21, WALL-09, WALL-10: what cannot be read is named, and Retry reads it', async ({
  page,
}) => {
  await signUp(page, 'out_of_luck', { at: noApp });
  const refused = { status: 500, json: { code: 'XX000', message: 'fault', details: null, hint: null } };
  await page.route(/\/rest\/v1\/(wallets|transactions)\?/, (route) => route.fulfill(refused));
  await page.goto('/wallet');
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to fetch wallet' })).toBeVisible();
  const failed = history(page).getByRole('alert').filter({ hasText: 'Failed to fetch transactions' });
  await expect(failed).toBeVisible();
  await page.unroute(/\/rest\/v1\/(wallets|transactions)\?/);
  await pressRetry(failed);
  await expect(history(page).getByText('No transactions', { exact: true })).toBeVisible();
  await pressRetry(page.getByRole('alert'));
  await expect(page.getByRole('heading', { name: 'Your Wallet' })).toBeVisible();
});

test('WALL-05, WALL-08, A78, A108: the history is narrowed by type and days, saved as a file, and the equity is read point by point', {
  tag: '@core',
}, async ({ page, browser, baseURL }) => {
  const errors = collectErrors(page);
  await signUp(page, 'wealthy', { at: noApp });
  const office = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const admin = await office.newPage();
  await signIn(admin, 'admin@fulcrum.local', { at: noApp });
  const [trader] = await callApi<{ id: string }[]>(admin, 'users?select=id&username=eq.wealthy');
  await callApi(admin, 'rpc/adjust_wallet_balance', {
    p_user_id: trader?.id,
    p_amount: '10000',
    p_reason: 'A start',
  });
  await office.close();
  await page.goto('/trading?symbol=BTCUSDT');
  await openMarket(page, { side: 'Buy/Long', amount: '0.01', leverage: 10 });
  await expect(positionRow(page, 'BTCUSDT')).toBeVisible();
  const [held] = await callApi<{ id: string }[]>(page, 'positions?select=id&status=eq.open');
  await callApi(page, 'rpc/close_position', { p_position_id: held?.id, p_client_id: crypto.randomUUID() });

  await page.getByRole('link', { name: 'Wallet' }).click();
  const rows = history(page).getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect(history(page).getByRole('columnheader')).toHaveText([
    'Date',
    'Type',
    'Amount',
    'Status',
    'Description',
  ]);
  await expect(rows.nth(1)).toContainText('Closed BTCUSDT position');
  await expect(rows.nth(2)).toContainText('Deposit');
  await expect(history(page).getByText('2 of 2 transactions')).toBeVisible();

  await history(page).getByRole('button', { name: 'Deposits' }).click();
  await expect(page).toHaveURL(/type=deposit/);
  await expect(history(page).getByText('1 of 1 transactions')).toBeVisible();
  await page.reload();
  await expect(history(page).getByText('1 of 1 transactions')).toBeVisible();
  await history(page).getByRole('button', { name: 'All', exact: true }).click();
  await history(page).getByLabel('From').fill('2100-01-02');
  await history(page).getByLabel('To').fill('2100-01-01');
  await expect(history(page).getByText('No transactions in these days')).toBeVisible();
  await expect(history(page).getByText('The first day is after the last one.')).toBeVisible();
  await history(page).getByRole('button', { name: 'Show all' }).click();
  await expect(rows).toHaveCount(3);

  const saved = page.waitForEvent('download');
  await history(page).getByRole('button', { name: 'Download 2 transactions as CSV' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^transactions_wealthy_\d{8}\.csv$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text.split('\r\n')[0]).toBe('Date,Type,Amount,Status,Description');
  expect(text).toMatch(/"\w{3} \d\d, \d{4}",Deposit,10000,completed,[^,]+\r\n$/);

  await expect(curve(page, 'Balance')).toBeVisible();
  await page.getByRole('radio', { name: 'Equity' }).click();
  await expect(page).toHaveURL(/curve=equity/);
  const equity = curve(page, 'Equity');
  await expect(equity).toHaveAccessibleDescription(/^Equity was [\d,.]+ USDT on .+; lowest .+, highest /);
  await equity.press('Home');
  await expect(equity).toHaveAttribute('aria-valuenow', '0');
  await expect(equity).toHaveAttribute('aria-valuetext', /: [\d,.]+ USDT$/);
  await equity.press('ArrowRight');
  await expect(equity).toHaveAttribute('aria-valuenow', '1');
  expect(errors, 'errors of the page').toEqual([]);
});

test('CALL-84: wallet and transactions are fetched again when staff have moved funds, without a reload', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
  await signUp(page, 'watchful', { at: '/wallet' });
  const headline = page.getByRole('region', { name: 'Your Wallet' }).getByRole('definition');
  await expect(headline.first()).toHaveText(/^0\.00\s*USDT$/);
  await page.evaluate('window.isAsItStood = true');
  const [{ id } = { id: '' }] = await callApi<{ id: string }[]>(page, 'users?select=id');
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const move = (p_amount: string) =>
    admin.call('adjust_wallet_balance', { p_user_id: id, p_amount, p_reason: 'Wire of 22 November' });

  await move('250.5');
  await expect(headline.first()).toHaveText(/^250\.50\s*USDT$/);
  await expect(history(page).getByText('1 of 1 transactions')).toBeVisible();
  await move('-50');
  await expect(headline.first()).toHaveText(/^200\.50\s*USDT$/);
  await expect(headline.nth(1)).toHaveText(/^200\.50\s*USDT$/);
  await expect(history(page).getByText('2 of 2 transactions')).toBeVisible();
  await expect(history(page).getByRole('row').nth(1)).toContainText('Withdrawal');
  expect(await page.evaluate("'isAsItStood' in window")).toBe(true);
});
