/** Staff actions on money: funds, a position edited by two admins, and the trader's view of it. */
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signIn } from '../harness/session.ts';
import { collectErrors, pressRetry } from '../harness/steps.ts';

test.use({ serverFor: 'staff money' });

const admin = 'admin@fulcrum.local';
const walletOf = async (page: Page, id: string) => {
  const rows = await callApi<{ balance: number }[]>(page, `wallets?user_id=eq.${id}&select=balance`);
  return rows[0]?.balance;
};

test('A09, A12: funds are moved and a position is edited, each once, with the wallet shown beforehand', {
  tag: '@core',
}, async ({ page, fulcrum, browser }) => {
  // The journey provokes the conflict.
  const errors = collectErrors(page, /409|400|500|503/);
  const trader = await ApiUser.register(fulcrum.url, 'nina_falk');
  const opened = await trader.ask('rpc/open_position', {
    p_symbol: 'BTCUSDT',
    p_side: 'BUY',
    p_size: 0.01,
    p_leverage: 10,
  });
  const { id } = opened.body as { id: string };
  await trader.ask('rpc/close_position', { p_position_id: id });

  await signIn(page, admin, { at: `/admin/users/${trader.id}?section=positions` });
  const start = (await walletOf(page, trader.id)) ?? Number.NaN;

  await test.step('ADMIN-61 … ADMIN-64, ERR-62: funds: the wallet before and after, a refusal with a text, a required reason, sent once', async () => {
    const open = page.getByRole('button', { name: /^Manage funds.*nina_falk/ });
    await open.click();
    const funds = page.getByRole('dialog', { name: 'Manage Funds' });
    const amount = funds.getByLabel('Amount');
    await expect(amount).toBeFocused();
    await expect(amount).toHaveAttribute('step', '0.01');
    await expect(amount).toHaveAttribute('min', '0');
    await amount.fill('0');
    await expect(funds.getByText('Amount must be a positive number with at most 8 decimals.')).toBeVisible();
    await funds.getByRole('radio', { name: 'Subtract' }).check();
    await amount.fill('99999999');
    await expect(funds.getByText(/^Only .* USDT are available\.$/)).toBeVisible();
    await funds.getByRole('radio', { name: 'Add' }).check();
    await amount.fill('250.5');
    const send = funds.getByRole('button', { name: 'Add 250.50 USDT' });
    await expect(funds.getByRole('row', { name: /^Balance/ })).toContainText(
      (start + 250.5).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
    );
    await send.click();
    await expect(funds.getByText('Please give a reason.')).toBeVisible();
    await expect(funds.getByLabel('Reason', { exact: true })).toBeFocused();
    await page.keyboard.type('Wire of 21 November');
    await page.route('**/rpc/adjust_wallet_balance', (route) => route.fulfill({ status: 500, json: {} }), {
      times: 1,
    });
    await send.click();
    await expect(funds.getByRole('alert')).toHaveText('Failed to update funds. Please try again.');
    await send.dblclick();
    await expect(funds).toBeHidden();
    await expect(open).toBeFocused();
    expect(await walletOf(page, trader.id)).toBeCloseTo(start + 250.5, 6);
  });

  const edit = page.getByRole('dialog', { name: 'Edit Position' });
  const pnl = edit.getByLabel('Realized PnL', { exact: true });
  await test.step('ADMIN-65 … ADMIN-69, ADMIN-71: a position: fields, steps, the wallet beforehand, and the button that names it', async () => {
    await page.getByRole('button', { name: 'Edit position BTCUSDT of nina_falk' }).click();
    await expect(edit.getByLabel('Entry Price', { exact: true })).toHaveAttribute('step', '0.000001');
    await expect(edit.getByLabel('Close Price', { exact: true })).toHaveAttribute('step', '0.000001');
    await expect(edit.getByLabel('Liquidation Price', { exact: true })).toHaveAttribute('step', '0.000001');
    await expect(edit.getByLabel('Size', { exact: true })).toHaveAttribute('step', '0.01');
    await expect(pnl).toHaveAttribute('step', '0.01');
    const sides = edit.getByRole('radiogroup', { name: 'Side' }).getByRole('radio');
    await expect(sides).toHaveCount(2);
    await expect(sides.nth(0)).toHaveAccessibleName('BUY');
    await expect(sides.nth(1)).toHaveAccessibleName('SELL');
    await edit.getByLabel('Leverage', { exact: true }).fill('126');
    await expect(edit.getByText('Leverage must be a whole number from 1 to 125.')).toBeVisible();
    await edit.getByRole('button', { name: 'Undo Leverage' }).click();
    await pnl.fill('15');
    await expect(edit.getByText('1 field changed')).toBeVisible();
    await expect(edit.getByRole('button', { name: /^Save and credit \d+\.\d\d USDT$/ })).toBeVisible();
  });

  await test.step('ADMIN-73, ERR-59: another admin is faster: both versions are shown, the own input stays, and is saved upon theirs', async () => {
    const other = await ApiUser.signIn(fulcrum.url, 'admin');
    const body = { leverage: 20, reason: 'Wrong leverage' };
    expect((await other.ask(`positions?id=eq.${id}`, body, 'PATCH')).status).toBeLessThan(300);
    await edit.getByLabel('Reason', { exact: true }).fill('Ticket S-2041');
    await edit.getByRole('button', { name: /^Save and credit/ }).click();
    await expect(edit.getByText('Someone else changed this in the meantime.')).toBeVisible();
    // The wallet effect of the older version is not compared with this one.
    expect(await edit.getByText(/Another user changed it/).count()).toBe(0);
    await expect(edit.getByText('Unchanged since you opened it, version 3')).toBeVisible();
    await expect(edit.getByRole('paragraph').filter({ hasText: id.slice(0, 8) })).toContainText('20×');
    await expect(edit.getByLabel('Leverage', { exact: true })).toHaveValue('20');
    await expect(pnl).toHaveValue('15');
    await edit.getByRole('button', { name: 'History' }).click();
    const history = page.getByRole('dialog', { name: 'History of this position' });
    await expect(history).toContainText('Wrong leverage');
    await expect(history).toContainText('Leverage 10×');
    await page.keyboard.press('Escape');
    // The page reads positions at the same address whenever one changes: only the edit fails, however many reads come first.
    await page.route('**/rest/v1/positions?*', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 500, json: {} }) : route.continue(),
    );
    await edit.getByRole('button', { name: /^Save and credit/ }).click();
    await expect(edit.getByText('Failed to update position')).toBeVisible();
    await page.unroute('**/rest/v1/positions?*');
    await edit.getByRole('button', { name: /^Save and credit/ }).click();
    await expect(edit).toBeHidden();
    const [row] = await callApi<{ realized_pnl: number; leverage: number; version: number }[]>(
      page,
      `positions?id=eq.${id}&select=realized_pnl,leverage,version`,
    );
    expect(row).toEqual({ realized_pnl: 15, leverage: 20, version: 4 });
  });

  await test.step('ERR-68, A84: a deleted staff user is an Unknown User in the history', async () => {
    await page.route('**/rpc/get_position_history*', async (route) => {
      const response = await route.fetch();
      const entries = (await response.json()) as Record<string, unknown>[];
      await route.fulfill({ response, json: entries.map((entry) => ({ ...entry, actor: null })) });
    });
    await page.getByRole('button', { name: 'Edit position BTCUSDT of nina_falk' }).click();
    await edit.getByRole('button', { name: 'History' }).click();
    const history = page.getByRole('dialog', { name: 'History of this position' });
    await expect(history.getByText(/ by Unknown User$/).first()).toBeVisible();
    await page.unroute('**/rpc/get_position_history*');
    await page.keyboard.press('Escape');
    // A key that comes before the focus is back has no target.
    await expect(history).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(edit).toBeHidden();
  });

  await test.step('closing with changes requests confirmation', async () => {
    await page.getByRole('button', { name: 'Edit position BTCUSDT of nina_falk' }).click();
    await pnl.fill('16');
    await page.keyboard.press('Escape');
    await expect(edit.getByText('Leave without saving?')).toBeVisible();
    await edit.getByRole('button', { name: 'Discard' }).click();
    await expect(edit).toBeHidden();
  });

  await test.step('ADMIN-81 … ADMIN-84, ERR-63: the Wallets tab has the wallet without drift, and the ledger agrees', async () => {
    await page.route('**/rpc/list_wallets', (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto('/admin?tab=wallets');
    await expect(page.getByText('An unknown error occurred')).toBeVisible();
    await page.unroute('**/rpc/list_wallets');
    // A refusal has a text of its own, which is shown in its place.
    const refused = { code: 'busy', message: 'The service is busy. Please try again shortly.' };
    await page.route('**/rpc/list_wallets', (route) =>
      route.fulfill({ status: 503, json: { ...refused, details: null, hint: null } }),
    );
    await pressRetry(page);
    await expect(page.getByText(refused.message)).toBeVisible();
    await expect(page.getByText('An unknown error occurred')).toBeHidden();
    await page.unroute('**/rpc/list_wallets');
    await pressRetry(page);
    await page.getByLabel('Username, email or id').fill('nina_fal');
    await expect(page.getByRole('row', { name: /nina_falk/ })).toContainText('0.00 none');
    await page.getByRole('button', { name: 'Reconcile' }).click();
    await expect(page.getByText('Every wallet is the sum of its entries.')).toBeVisible();
    await page.getByLabel('Username, email or id').fill('nobody%');
    await expect(page.getByText('No wallets found')).toBeVisible();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect(page.getByRole('row', { name: /nina_falk/ })).toBeVisible();
  });
  expect(errors).toEqual([]);

  await test.step('the trader sees what staff did', async () => {
    const theirs = await browser.newPage({ baseURL: fulcrum.url });
    await signIn(theirs, 'nina_falk@example.test', { password: 'first-trade', at: '/wallet' });
    await expect(theirs.getByRole('row', { name: /250\.50/ })).toContainText('By staff');
    await expect(theirs.getByRole('row', { name: /Closed BTCUSDT/ })).toContainText('Adjusted by staff');
    await theirs.close();
  });
});
