/** A manager's page: the traders, the selected one's account, and a trader who is reassigned. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { noApp, signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test.use({ serverFor: 'manager page' });

const row = (page: Page, username: string) =>
  page.getByRole('table', { name: 'Managed users' }).getByRole('row').filter({ hasText: username });
const assign = (admin: ApiUser, trader: ApiUser, managerId: string | null) =>
  admin.call('assign_user_to_manager', { p_user_id: trader.id, p_manager_id: managerId });

async function trade(trader: ApiUser, symbol: string): Promise<void> {
  const opened = await trader.ask('rpc/open_position', {
    p_symbol: symbol,
    p_side: 'BUY',
    p_size: 1,
    p_leverage: 10,
  });
  expect(opened.status, JSON.stringify(opened.body)).toBe(200);
}

test('A manager’s traders are listed, found, selected, and gone when they are reassigned', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
  const errors = collectErrors(page);
  const [admin, manager, amelia, zoe, foreign] = await Promise.all([
    ApiUser.signIn(fulcrum.url, 'admin'),
    ApiUser.signIn(fulcrum.url, 'manager'),
    ApiUser.register(fulcrum.url, 'page_amelia'),
    ApiUser.register(fulcrum.url, 'page_zoe'),
    ApiUser.register(fulcrum.url, 'page_foreign'),
  ]);
  const managerId = manager.id;
  const closed = page.getByRole('region', { name: 'Closed Positions - page_amelia', exact: true });
  const account = page.getByRole('region', { name: 'Account of page_amelia' });
  for (const trader of [amelia, zoe]) await assign(admin, trader, managerId);
  await admin.call('admin_create_user', {
    p_email: 'page_newcomer@example.test',
    p_username: 'page_newcomer',
    p_password: 'never-signed-in',
    p_role: 'trader',
    p_manager_id: managerId,
  });
  await trade(amelia, 'ETHUSDT');

  await signIn(page, 'manager@fulcrum.local');
  await expect(page).toHaveURL(/\/manager$/);
  await test.step('MGR-01, MGR-02, MGR-03, MGR-08: the own traders alone, counted, under the specified heads', async () => {
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
    await expect(page.getByRole('region', { name: 'Needs attention' })).toContainText(
      'Never signed in since',
    );
  });

  await test.step('order and search are in the address', async () => {
    // Order and search; both are in the address.
    await page.getByRole('columnheader', { name: 'Username' }).getByRole('button').click();
    await expect(page.getByRole('columnheader', { name: 'Username' })).toHaveAttribute(
      'aria-sort',
      'ascending',
    );
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox', { name: 'Username or email' })).toBeFocused();
    await page.keyboard.type('page_%');
    await expect(page.getByText('No users match this search')).toBeVisible();
    // Typed before the cleared search is shown, which must not discard it.
    await expect(page.getByRole('button', { name: 'Clear search' })).toBeVisible();
    await page.evaluate(`{
      [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Clear search').click();
      const field = document.querySelector('input[type=search]');
      field.focus();
      field.select();
      document.execCommand('insertText', false, 'page_');
    }`);
    await expect(row(page, 'page_')).toHaveCount(3);
    await expect(page.getByRole('searchbox', { name: 'Username or email' })).toHaveValue('page_');
    await expect(page).toHaveURL(/q=page_/);
  });

  await test.step('MGR-09, MGR-10, MGR-14: the selected trader’s open and closed positions are beside the list', async () => {
    // By keyboard: the focus stays in the list, the account appears beside it.
    const name = page.getByRole('button', { name: 'Show page_amelia' });
    await name.focus();
    await page.keyboard.press('Enter');
    await expect(row(page, 'page_amelia')).toHaveAttribute('aria-current', 'true');
    await expect(name).toBeFocused();
    await expect(page).toHaveURL(new RegExp(`user=${amelia.id}`));
    await expect(account).toContainText('10,000.00');
    await expect(account).toContainText('KYC not submitted');
    await expect(page.getByRole('heading', { name: /^Open Positions - page_amelia/ })).toBeVisible();
    await expect(closed).toContainText('No closed positions found');
    for (const label of ['From', 'To', 'Symbol of closed positions']) {
      await expect(closed.getByLabel(label, { exact: true })).toBeVisible();
    }
    await expect(closed.getByRole('button', { name: 'CSV Export of closed positions' })).toBeVisible();
    await expect(page.getByRole('cell', { name: 'ETHUSDT', exact: true })).toBeVisible();
  });

  await test.step('MGR-15: the columns of what is closed', async () => {
    await trade(amelia, 'BTCUSDT');
    const open = (await amelia.ask('positions?select=id&status=eq.open')).body as { id: string }[];
    for (const { id } of open) await amelia.ask('rpc/close_position', { p_position_id: id });
    await expect(account.getByText('0.00', { exact: true }).first()).toBeVisible();
    await expect(closed.getByRole('columnheader')).toHaveText([
      ...['Symbol', 'Side', 'Entry Price', 'Close Price', 'Size', 'Leverage (x)', 'PnL (USDT)', 'ROE%'],
      ...['Closed At', 'Actions'],
    ]);
    await expect(closed.getByRole('row')).toHaveCount(3);
  });

  await test.step('MGR-12: the search by symbol leaves what it finds', async () => {
    const symbol = closed.getByLabel('Symbol of closed positions', { exact: true });
    await symbol.fill('eth');
    await expect(closed.getByRole('row')).toHaveCount(2);
    await expect(closed.getByRole('row').nth(1)).toContainText('ETHUSDT');
    await symbol.fill('doge');
    await expect(closed).toContainText('No closed positions found');
    await symbol.fill('');
    await expect(closed.getByRole('row')).toHaveCount(3);
  });

  await test.step('MGR-11, A78: From and To bound the time of closing, not that of opening', async () => {
    const [oldest] = (await amelia.ask('positions?select=id&symbol=eq.ETHUSDT')).body as { id: string }[];
    const long = { created_at: '2020-01-01T12:00:00Z', reason: 'Opened on another system' };
    const edited = await admin.ask(`positions?id=eq.${oldest?.id}`, long, 'PATCH');
    expect(edited.status).toBeLessThan(300);
    const from = closed.getByLabel('From', { exact: true });
    const to = closed.getByLabel('To', { exact: true });
    await from.fill('2020-01-02');
    await expect(page).toHaveURL(/closed_from=2020-01-02/);
    await expect(closed.getByRole('row')).toHaveCount(3);
    await to.fill('2020-01-02');
    await expect(closed).toContainText('No closed positions found');
    await to.fill('');
    await from.fill('2100-01-01');
    await expect(closed).toContainText('No closed positions found');
    await from.fill('');
    await expect(closed.getByRole('row')).toHaveCount(3);
  });

  await test.step('MGR-13, X-17, X-18: the file has what is shown', async () => {
    await closed.getByLabel('Symbol of closed positions', { exact: true }).fill('btc');
    await expect(closed.getByRole('row')).toHaveCount(2);
    const download = page.waitForEvent('download');
    await closed.getByRole('button', { name: 'CSV Export of closed positions' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^closed_positions_page_amelia_\d{8}\.csv$/);
    const [head, ...rows] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    expect(head).toBe('Symbol,Side,Entry Price,Close Price,Size,Leverage,PnL,ROE%,Closed At');
    expect(rows).toEqual([expect.stringMatching(/^BTCUSDT,BUY,/)]);
  });

  await test.step('MGR-16, MGR-17, A83: a manager edits what an own trader closed', async () => {
    await closed.getByRole('button', { name: 'Edit position BTCUSDT of page_amelia' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit Position' });
    await edit.getByLabel('Realized PnL', { exact: true }).fill('7.25');
    await edit.getByLabel('Reason', { exact: true }).fill('A wrong fill');
    await edit.getByRole('button', { name: /^Save and (credit|debit)/ }).click();
    await expect(edit).toBeHidden();
    await expect(closed.getByRole('row').nth(1)).toContainText('7.25');
  });

  await test.step('MGR-05, MGR-06, MGR-07: each row impersonates, shows positions and manages funds', async () => {
    for (const action of ['Impersonate', 'View positions of', 'Manage funds of']) {
      await expect(row(page, 'page_zoe').getByRole('button', { name: `${action} page_zoe` })).toBeVisible();
    }
    await row(page, 'page_zoe').getByRole('button', { name: 'Manage funds of page_zoe' }).click();
    await expect(page.getByRole('dialog')).toContainText('page_zoe');
    await page.keyboard.press('Escape');
    await expect(
      row(page, 'page_zoe').getByRole('button', { name: 'Manage funds of page_zoe' }),
    ).toBeFocused();
  });

  expect(errors).toEqual([]);
  await test.step('MGR-08: a reassigned trader, or one of another manager, is not found here', async () => {
    // A trader of another manager is not found, from the answer of the reassignment on.
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
  });

  // On a phone the trader takes the list's place, and the way back leads to the row.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Show page_zoe' }).click();
  await expect(page.getByRole('region', { name: 'Account of page_zoe' })).toBeVisible();
  await expect(page.getByRole('heading', { name: /Managed Users/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Managed users' }).click();
  await expect(page.getByRole('button', { name: 'Show page_zoe' })).toBeFocused();
  // A list may request the reassigned trader before the page has the announcement.
  expect(errors.filter((error) => !/404 .*list_(?:accounts|positions|api_keys)/.test(error))).toEqual([]);
});

test('MGR-18, ERR-52: a list that cannot be read shows an error, and only the button Retry repeats the read', async ({
  page,
}) => {
  // A join of the own topic would read again by itself.
  await page.routeWebSocket(/\/realtime\/v1\//, () => {});
  await signIn(page, 'manager@fulcrum.local', { at: noApp });
  await page.route('**/rpc/list_users', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto('/manager');
  await expect(page.getByText('Failed to load managed users')).toBeVisible();
  await page.unroute('**/rpc/list_users');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: /Managed Users \(\d+\)/ })).toBeVisible();
});

test('A close by take profit shows its reason and the whole time beside the list', async ({
  page,
  fulcrum,
}) => {
  const [admin, manager, trader] = await Promise.all([
    ApiUser.signIn(fulcrum.url, 'admin'),
    ApiUser.signIn(fulcrum.url, 'manager'),
    ApiUser.register(fulcrum.url, 'page_target'),
  ]);
  await assign(admin, trader, manager.id);
  await trade(trader, 'BTCUSDT');
  const { body } = await trader.ask('positions?select=id,entry_price');
  const [position] = body as { id: string; entry_price: number }[];
  await trader.call('set_take_profit_stop_loss', {
    p_position_id: position?.id,
    p_take_profit_price: Math.round((position?.entry_price ?? 0) * 1.02),
  });
  await admin.call('shock_price', { p_symbol: 'BTCUSDT', p_percent: 4, p_reason: 'A journey' });

  await signIn(page, 'manager@fulcrum.local', { at: `/manager?user=${trader.id}` });
  const closed = page.getByRole('region', { name: 'Closed Positions - page_target', exact: true });
  const row = closed.getByRole('row').filter({ hasText: 'BTCUSDT' });
  await expect(row).toContainText('Take profit');
  const time = await row.getByRole('cell', { name: /\d\d:\d\d$/ }).boundingBox();
  const edit = await row.getByRole('button', { name: /^Edit position/ }).boundingBox();
  if (!time || !edit) throw new Error('the row is not on the screen');
  expect(time.x + time.width).toBeLessThanOrEqual(edit.x);
});
