/** Trading accounts of a user: opened, traded in, never mixed up, archived. */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, noApp, signUp } from '../harness/session.ts';
import { collectErrors, openMarket, positionRow } from '../harness/steps.ts';

const switcher = (page: Page, name: string) =>
  page.getByRole('button', { name: `Account: ${name}`, exact: true }).filter({ visible: true });
const dialog = (page: Page) => page.getByRole('dialog');
const frame = (page: Page) => page.locator('[data-account-frame]');

async function createAccount(page: Page, name: string): Promise<string> {
  const { id } = await callApi<{ id: string }>(page, 'rpc/create_account', { p_name: name });
  return id;
}

test('A112: a practice account is opened with its own rules, traded in, kept by a reload, and the main account is as before', {
  tag: '@core',
}, async ({ page, context }) => {
  const errors = collectErrors(page);
  await signUp(page, 'accounts_opener', { at: '/trading?symbol=ETHUSDT' });
  await expect(frame(page)).toHaveCount(0);
  await switcher(page, 'Main account').click();
  await expect(dialog(page).getByRole('link', { name: 'Main account' })).toHaveAttribute(
    'aria-current',
    'true',
  );
  await expect(dialog(page)).toContainText('can have an order book and conditional orders');
  await dialog(page).getByRole('button', { name: 'New practice account' }).click();
  const form = dialog(page);
  await form.getByRole('button', { name: 'Open account' }).click();
  await expect(form.getByText('Give the account a name.')).toBeVisible();
  await form.getByRole('textbox', { name: 'Name' }).fill('Scalping');
  await form.getByRole('textbox', { name: 'Start balance in USDT' }).fill('20000001');
  await form.getByRole('button', { name: 'Open account' }).click();
  await expect(form.getByText('The start balance is from 1 to 10000000 USDT.')).toBeVisible();
  await form.getByRole('textbox', { name: 'Start balance in USDT' }).fill('2,500.50');
  await form.getByRole('textbox', { name: 'Greatest leverage' }).fill('5');
  await form.getByRole('textbox', { name: 'Fee in %' }).fill('0.6');
  await form.getByRole('button', { name: 'Open account' }).click();
  await expect(form.getByText('Type a percentage from 0 to 0.5%.')).toBeVisible();
  await form.getByRole('textbox', { name: 'Fee in %' }).fill('0.1');
  await form.getByRole('button', { name: 'Open account' }).click();

  await expect(page).toHaveURL(/\/a\/[0-9a-f-]{36}\/trading\?symbol=ETHUSDT$/);
  await expect(switcher(page, 'Scalping')).toBeVisible();
  await expect(frame(page)).toBeVisible();
  await expect(page.getByRole('slider', { name: 'Leverage' })).toHaveAttribute('aria-valuemax', '5');
  await openMarket(page, { side: 'Buy/Long', amount: '0.1', leverage: 5 });
  await expect(positionRow(page, 'ETHUSDT')).toBeVisible();

  // The same user, the main account, another tab.
  const other = await context.newPage();
  await other.goto('/trading?symbol=ETHUSDT');
  await expect(switcher(other, 'Main account')).toBeVisible();
  await expect(other.getByText('No open positions').first()).toBeVisible();
  await expect(frame(other)).toHaveCount(0);

  await page.reload();
  await expect(switcher(page, 'Scalping')).toBeVisible();
  await page.getByRole('link', { name: 'Wallet' }).click();
  await expect(page).toHaveURL(/\/a\/[0-9a-f-]{36}\/wallet$/);
  await expect(page.getByText('2,500.50').first()).toBeVisible();
  await other.getByRole('link', { name: 'Wallet' }).click();
  await expect(other).toHaveURL(/\/wallet$/);
  await expect(other.getByRole('definition').first()).toHaveText(/^10,000\.00\s*USDT$/);
  await other.close();
  expect(
    errors.filter((error) => !error.includes('create_account')),
    'errors of the page',
  ).toEqual([]);
});

test('A112: two tabs follow two accounts live, and neither shows what the other does', async ({
  page,
  context,
}) => {
  await signUp(page, 'accounts_two_tabs', { at: noApp });
  const id = await createAccount(page, 'Swing');
  await page.goto(`/a/${id}/trading?symbol=BTCUSDT`);
  const main = await context.newPage();
  await main.goto('/trading?symbol=BTCUSDT');
  await openMarket(main, { side: 'Sell/Short', amount: '0.01', leverage: 10 });
  await expect(positionRow(main, 'BTCUSDT')).toBeVisible();
  await openMarket(page, { side: 'Buy/Long', amount: '0.02', leverage: 3 });
  await expect(positionRow(page, 'BTCUSDT')).toContainText('Long');
  await expect(positionRow(page, 'BTCUSDT')).toHaveCount(1);
  await expect(positionRow(main, 'BTCUSDT')).toContainText('Short');
  await expect(positionRow(main, 'BTCUSDT')).toHaveCount(1);
  await main.close();
});

test('A112: an account that is not the user’s has no page, and the main account is one press away', async ({
  page,
}) => {
  await signUp(page, 'accounts_owner', { at: noApp });
  const foreign = await createAccount(page, 'Mine');
  await signUp(page, 'accounts_guest', { at: `/a/${foreign}/wallet` });
  await expect(page.getByText('This account is not one of yours')).toBeVisible();
  await page.getByRole('button', { name: 'Open your main account' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(switcher(page, 'Main account')).toBeVisible();
});

test('A112: an account is renamed, not archived while something is open, and read only afterwards', async ({
  page,
}) => {
  await signUp(page, 'accounts_archivist', { at: noApp });
  const id = await createAccount(page, 'First try');
  await page.goto(`/a/${id}/trading?symbol=BTCUSDT`);
  await openMarket(page, { side: 'Buy/Long', amount: '0.01', leverage: 10 });
  await expect(positionRow(page, 'BTCUSDT')).toBeVisible();
  await switcher(page, 'First try').click();
  await dialog(page).getByRole('button', { name: 'Rename First try' }).click();
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Second try');
  await dialog(page).getByRole('button', { name: 'Rename' }).click();
  await expect(dialog(page).getByRole('link', { name: 'Second try' })).toContainText('1 position');
  await dialog(page).getByRole('button', { name: 'Archive Second try' }).click();
  await dialog(page).getByRole('button', { name: 'Archive', exact: true }).click();
  await expect(dialog(page).getByText('Close the open positions of this account first.')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Keep it' }).click();
  await expect(dialog(page).getByRole('link', { name: 'Second try' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(switcher(page, 'Second try')).toBeFocused();

  await page.getByRole('button', { name: 'Close all' }).click();
  await dialog(page)
    .getByRole('button', { name: /^Close/ })
    .last()
    .click();
  await expect(page.getByText('No open positions').first()).toBeVisible();
  await switcher(page, 'Second try').click();
  await dialog(page).getByRole('button', { name: 'Archive Second try' }).click();
  await dialog(page).getByRole('button', { name: 'Archive', exact: true }).click();
  await expect(switcher(page, 'Main account')).toBeVisible();
  await switcher(page, 'Main account').click();
  await dialog(page).getByRole('link', { name: 'Second try' }).click();
  await expect(page.getByText('This account is archived. It is read only.').first()).toBeVisible();
});
