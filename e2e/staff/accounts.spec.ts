/** Staff and the trading accounts of a user: what they see, whose funds they move, where they begin to act. */
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, noApp, signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test.use({ serverFor: 'manager page' });

const order = { p_symbol: 'ETHUSDT', p_side: 'BUY', p_size: 0.1, p_leverage: 10 };

/** A user with 10,000 USDT in the main account, and 1,000 USDT and one open position in the account Swing. */
async function registerWithSwing(url: string, username: string) {
  const trader = await ApiUser.register(url, username);
  const { id } = await trader.call<{ id: string }>('create_account', {
    p_name: 'Swing',
    p_start_balance: 1_000,
  });
  await (await trader.inAccount(id)).call('open_position', order);
  return { trader, swingId: id };
}

const accounts = (page: Page) => page.getByRole('region', { name: 'Accounts', exact: true });
const balanceOf = async (page: Page, userId: string): Promise<number | undefined> => {
  const rows = await callApi<{ balance: number }[]>(page, `wallets?user_id=eq.${userId}&select=balance`);
  return rows[0]?.balance;
};

test('A112: an admin opens a user’s practice account, adds funds to it alone, and begins to act in it', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
  const errors = collectErrors(page);
  const { trader, swingId } = await registerWithSwing(fulcrum.url, 'swing_owner');
  await signIn(page, 'admin@fulcrum.local', { at: `/admin/users/${trader.id}` });
  const header = page.getByRole('region', { name: 'swing_owner', exact: true });
  const row = (name: string) => accounts(page).getByRole('row').filter({ hasText: name });

  await test.step('the list has both accounts, and the page shows the main one', async () => {
    await expect(row('Main')).toContainText('10,000.00');
    await expect(row('Main')).toHaveAttribute('aria-current', 'true');
    await expect(row('Swing')).toContainText('PracticeActive1,000.00');
    await expect(header).toContainText('Account Main');
    await expect(page.getByRole('heading', { name: 'Open Positions - swing_owner, Main' })).toBeVisible();
  });

  await test.step('the choice is in the address, and the sections follow and name it', async () => {
    await page.getByRole('button', { name: 'Show account Swing' }).click();
    await expect(page).toHaveURL(new RegExp(`account=${swingId}`));
    await expect(header).toContainText('Account Swing');
    await expect(header).toContainText('1,000.00');
    const open = page.getByRole('region', { name: 'Open Positions - swing_owner, Swing' });
    await expect(open.getByRole('row').filter({ hasText: 'ETHUSDT' })).toBeVisible();
    // Staff act in another account by impersonation.
    await expect(open.getByRole('button', { name: /^Edit position/ })).toHaveCount(0);
    for (const [tab, text] of [
      ['Ledger', 'Position opened'],
      ['Transactions', '+1,000.00'],
      ['Orders', 'No orders'],
    ] as const) {
      await page.getByRole('tab', { name: tab, exact: true }).click();
      await expect(page.getByRole('region', { name: `${tab}, Swing` })).toContainText(text);
    }
    await page.reload();
    await expect(page.getByRole('region', { name: 'Orders, Swing' })).toBeVisible();
  });

  await test.step('funds are those of the account, which the dialog names', async () => {
    await page.getByRole('button', { name: 'Manage funds: swing_owner' }).click();
    const funds = page.getByRole('dialog', { name: 'Manage Funds' });
    await expect(funds).toContainText('Account Swing');
    await funds.getByLabel('Amount').fill('250');
    await expect(funds.getByRole('row', { name: /^Balance/ })).toContainText('1,250.00');
    await funds.getByLabel('Reason', { exact: true }).fill('For the course');
    await funds.getByRole('button', { name: 'Add 250.00 USDT' }).click();
    await expect(funds).toBeHidden();
    await expect(header).toContainText('1,250.00');
    await expect(row('Swing')).toContainText('1,250.00');
    await expect(row('Main')).toContainText('10,000.00');
    expect(await balanceOf(page, trader.id)).toBe(10_000);
  });

  await test.step('the audit log leads to the account', async () => {
    await page.goto(`/admin/audit?subject=${trader.id}`);
    await page.getByRole('button', { name: 'Funds adjusted' }).click();
    await page.getByRole('link', { name: 'Open the account' }).click();
    await expect(header).toContainText('Account Swing');
    await page.getByRole('button', { name: 'Show account Main' }).click();
    await expect(page).not.toHaveURL(/account=/);
    await expect(header).toContainText('10,000.00');
    await page.goBack();
    await expect(header).toContainText('Account Swing');
  });
  expect(errors).toEqual([]);

  await test.step('an impersonation begins in the account, at its address', async () => {
    await page.getByRole('button', { name: 'Impersonate: swing_owner' }).click();
    const dialog = page.getByRole('dialog', { name: 'Impersonate swing_owner' });
    await expect(dialog).toContainText('You begin in the account Swing.');
    await dialog.getByLabel('Reason').fill('A question about a margin');
    const opened = page.waitForURL(`**/a/${swingId}/dashboard`, { waitUntil: 'commit' });
    await dialog.getByRole('button', { name: 'Impersonate' }).click();
    await opened;
    await expect(page.getByRole('region', { name: 'Impersonation' })).toContainText('swing_owner');
  });
});

test('A112: a user with one account has a list of one row and nothing to choose', async ({
  page,
  fulcrum,
}) => {
  const trader = await ApiUser.register(fulcrum.url, 'one_account');
  // An account that is none of the user's counts as the main one.
  await signIn(page, 'admin@fulcrum.local', {
    at: `/admin/users/${trader.id}?account=${crypto.randomUUID()}`,
  });
  await expect(accounts(page).getByRole('row').filter({ hasText: 'Main' })).toContainText('10,000.00');
  await expect(
    page.getByRole('heading', { name: 'Open Positions - one_account', exact: true }),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: /^Show account/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Manage funds: one_account' }).click();
  await expect(page.getByRole('dialog', { name: 'Manage Funds' })).not.toContainText('Account');
});

test('A112: a manager sees the accounts of their own trader', async ({ page, fulcrum }) => {
  const { trader, swingId } = await registerWithSwing(fulcrum.url, 'managed_swing');
  await signIn(page, 'admin@fulcrum.local', { at: noApp });
  const password = 'swing-manager-9';
  const { id: managerId } = await callApi<{ id: string }>(page, 'rpc/admin_create_user', {
    p_email: 'swing_manager@example.test',
    p_username: 'swing_manager',
    p_password: password,
    p_role: 'manager',
  });
  await callApi(page, 'rpc/assign_user_to_manager', { p_user_id: trader.id, p_manager_id: managerId });
  await signIn(page, 'swing_manager@example.test', { password, at: `/manager?user=${trader.id}` });
  const strip = page.getByRole('region', { name: 'Account of managed_swing' });
  await expect(strip).toContainText('10,000.00');
  await page.getByRole('button', { name: 'Show account Swing' }).click();
  await expect(page).toHaveURL(new RegExp(`account=${swingId}`));
  await expect(strip).toContainText('Account Swing');
  await expect(strip).toContainText('1,000.00');
  const open = page.getByRole('region', { name: 'Open Positions - managed_swing, Swing' });
  await expect(open.getByRole('row').filter({ hasText: 'ETHUSDT' })).toBeVisible();
  await page.getByRole('button', { name: 'Impersonate managed_swing in Swing' }).click();
  await expect(page.getByRole('dialog', { name: 'Impersonate managed_swing' })).toContainText(
    'You begin in the account Swing.',
  );
});
