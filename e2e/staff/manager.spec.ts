/** A manager's page: the traders, the selected one's account, and what becomes of a trader who is reassigned. */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/fulcrum.ts';
import { Person } from '../support/person.ts';
import { logIn, pressRetry, watchErrors } from '../support/steps.ts';

test.use({ serverFor: 'manager page' });

const row = (page: Page, username: string) =>
  page.getByRole('table', { name: 'Managed users' }).getByRole('row').filter({ hasText: username });
const assign = (admin: Person, trader: Person, managerId: string | null) =>
  admin.call('assign_user_to_manager', { p_user_id: trader.id, p_manager_id: managerId });

async function trade(trader: Person, symbol: string): Promise<void> {
  const opened = await trader.ask('rpc/open_position', {
    p_symbol: symbol,
    p_side: 'BUY',
    p_size: 1,
    p_leverage: 10,
  });
  expect(opened.status, JSON.stringify(opened.body)).toBe(200);
}

test('MGR-01 … MGR-03, MGR-05 … MGR-15: traders are listed, found, selected, and gone when they are reassigned', async ({
  page,
  fulcrum,
}) => {
  const errors = watchErrors(page);
  const [admin, manager, amelia, zoe, foreign] = await Promise.all([
    Person.signIn(fulcrum.url, 'admin'),
    Person.signIn(fulcrum.url, 'manager'),
    Person.register(fulcrum.url, 'page_amelia'),
    Person.register(fulcrum.url, 'page_zoe'),
    Person.register(fulcrum.url, 'page_foreign'),
  ]);
  const managerId = manager.id;
  for (const trader of [amelia, zoe]) await assign(admin, trader, managerId);
  await admin.call('admin_create_user', {
    p_email: 'page_newcomer@example.test',
    p_username: 'page_newcomer',
    p_password: 'never-signed-in',
    p_role: 'trader',
    p_manager_id: managerId,
  });
  await trade(amelia, 'ETHUSDT');

  await logIn(page, 'manager@fulcrum.local');
  await expect(page).toHaveURL(/\/manager$/);
  await expect(page.getByText('Select a user')).toBeVisible();
  const { body: mine } = await manager.ask('users?select=id&role=eq.trader');
  await expect(
    page.getByRole('heading', { name: `Managed Users (${(mine as unknown[]).length})` }),
  ).toBeVisible();
  for (const head of ['Username', 'Email', 'Created At', 'Last Login']) {
    await expect(page.getByRole('columnheader', { name: head })).toBeVisible();
  }
  await expect(row(page, 'page_newcomer')).toContainText('Never');
  await expect(page.getByText('page_foreign')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Needs attention' })).toContainText('Never signed in since');

  // Order and search; both stand in the address.
  await page.getByRole('columnheader', { name: 'Username' }).getByRole('button').click();
  await expect(page.getByRole('columnheader', { name: 'Username' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Username or email' })).toBeFocused();
  await page.keyboard.type('page_%');
  await expect(page.getByText('No user matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await page.getByRole('searchbox', { name: 'Username or email' }).fill('page_');
  await expect(row(page, 'page_')).toHaveCount(3);
  await expect(page).toHaveURL(/q=page_/);

  // By keyboard: the focus stays in the list, the account appears beside it.
  const name = page.getByRole('button', { name: 'Show page_amelia' });
  await name.focus();
  await page.keyboard.press('Enter');
  await expect(row(page, 'page_amelia')).toHaveAttribute('aria-current', 'true');
  await expect(name).toBeFocused();
  await expect(page).toHaveURL(new RegExp(`user=${amelia.id}`));
  const account = page.getByRole('region', { name: 'Account of page_amelia' });
  await expect(account).toContainText('10,000.00');
  await expect(account).toContainText('KYC not submitted');
  await expect(page.getByRole('heading', { name: /^Open Positions - page_amelia/ })).toBeVisible();
  const closed = page.getByRole('region', { name: 'Closed Positions - page_amelia', exact: true });
  await expect(closed).toContainText('No closed positions found');
  for (const label of ['From', 'To', 'Symbol of closed positions']) {
    await expect(closed.getByLabel(label, { exact: true })).toBeVisible();
  }
  await expect(closed.getByRole('button', { name: 'CSV Export of closed positions' })).toBeVisible();
  await expect(page.getByRole('cell', { name: 'ETHUSDT', exact: true })).toBeVisible();
  const [open] = (await amelia.ask('positions?select=id&status=eq.open')).body as { id: string }[];
  await amelia.ask('rpc/close_position', { p_position_id: open?.id });
  await expect(account.getByText('0.00', { exact: true }).first()).toBeVisible();
  await expect(closed.getByRole('columnheader')).toHaveText([
    ...['Symbol', 'Side', 'Entry Price', 'Close Price', 'Size', 'Leverage (x)', 'PnL (USDT)', 'ROE%'],
    ...['Closed At', 'Actions'],
  ]);
  await closed.getByLabel('To', { exact: true }).fill('2020-01-01');
  await expect(closed).toContainText('No closed positions found');

  for (const act of ['Impersonate', 'View positions of', 'Manage funds of']) {
    await expect(row(page, 'page_zoe').getByRole('button', { name: `${act} page_zoe` })).toBeVisible();
  }
  await row(page, 'page_zoe').getByRole('button', { name: 'Manage funds of page_zoe' }).click();
  await expect(page.getByRole('dialog')).toContainText('page_zoe');
  await page.keyboard.press('Escape');
  await expect(row(page, 'page_zoe').getByRole('button', { name: 'Manage funds of page_zoe' })).toBeFocused();

  // Somebody else's trader is nobody here, from the answer of the reassignment on.
  await assign(admin, amelia, null);
  // What was shown of them goes by itself.
  await expect(page.getByText('User not found')).toBeVisible();
  await expect(account).toBeHidden();
  await page.reload();
  await expect(page.getByText('User not found')).toBeVisible();
  await expect(row(page, 'page_')).toHaveCount(2);
  await page.goto(`/manager?user=${foreign.id}`);
  await expect(page.getByText('User not found')).toBeVisible();
  await page.getByRole('button', { name: 'Back to your users' }).click();
  await expect(page.getByText('Select a user')).toBeVisible();

  // On a phone the person takes the list's place, and the way back leads to the row.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Show page_zoe' }).click();
  await expect(page.getByRole('region', { name: 'Account of page_zoe' })).toBeVisible();
  await expect(page.getByRole('heading', { name: /Managed Users/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Managed users' }).click();
  await expect(page.getByRole('button', { name: 'Show page_zoe' })).toBeFocused();
  expect(errors).toEqual([]);
});

test('MGR-18, ERR-52: a list that cannot be read says so and is tried again', async ({ page }) => {
  // A join of the own topic would read again by itself.
  await page.routeWebSocket(/\/realtime\/v1\//, () => {});
  await logIn(page, 'manager@fulcrum.local');
  await page.route('**/rpc/list_users', (route) => route.fulfill({ status: 500, json: {} }));
  await page.reload();
  await expect(page.getByText('Failed to load managed users')).toBeVisible();
  await page.unroute('**/rpc/list_users');
  await pressRetry(page);
  await expect(page.getByRole('heading', { name: /Managed Users \(\d+\)/ })).toBeVisible();
});
