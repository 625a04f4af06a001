/** ADMIN-17, ADMIN-18 and what belongs to them: the Users tab of the admin console, and the plain list of the Overview. */
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors, pressRetry, tabTo } from '../harness/steps.ts';

interface Made {
  readonly id: string;
  readonly username: string;
}
/** A user that an admin adds; those of one journey share a prefix. */
const add = (admin: ApiUser, username: string, more: Readonly<Record<string, unknown>> = {}) =>
  admin.call<Made>('admin_create_user', {
    p_email: `${username}@example.test`,
    p_username: username,
    p_password: 'users-journey-1',
    p_role: 'trader',
    ...more,
  });

const status = (page: Page) => page.getByRole('status').filter({ hasText: /results?\. Sorted by/ });
const names = (page: Page) => page.getByRole('row').getByRole('link');
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search username or email' });
const more = (page: Page, username: string) =>
  page.getByRole('button', { name: `More actions for ${username}` });
const items = (page: Page) => page.getByRole('menuitem');
const box = (page: Page, username: string) => page.getByRole('checkbox', { name: `Select ${username}` });

test('ADMIN-17, ADMIN-18, ADMIN-31, ADMIN-32, ERR-50: finding users: search, facets, order and pages, all of it in the address', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
  const errors = collectErrors(page);
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const manager = await ApiUser.signIn(fulcrum.url, 'manager');
  const mark = 'find';
  for (let i = 10; i < 26; i += 1) {
    await add(admin, `${mark}${i}`, i % 4 === 0 ? { p_manager_id: manager.id } : {});
  }
  await signIn(page, 'admin@fulcrum.local', { at: '/admin?tab=users' });
  await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText([
    '',
    'Username',
    'Email',
    'Role',
    'Manager',
    'Created At',
    'Last Login',
    'Actions',
  ]);

  // The newest first; a key leads to the search, whose result is announced.
  await expect(names(page).first()).toHaveText(`${mark}25`);
  await page.getByRole('heading', { name: 'Users', level: 1 }).click();
  await page.keyboard.press('/');
  await expect(search(page)).toBeFocused();
  await page.keyboard.type(`${mark}1_`);
  await expect(page.getByText('No users match these filters')).toBeVisible();
  await expect(status(page)).toContainText('0 results');
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await expect(search(page)).toHaveValue('');
  await search(page).fill(mark);
  await expect(status(page)).toHaveText('16 results. Sorted by Created At, newest first');
  await expect(page).toHaveURL(/tab=users&q=find$/);
  await expect(names(page)).toHaveCount(15);

  // The next page has the oldest, and comes back with a reload.
  await page.getByRole('button', { name: 'Next page of users' }).click();
  await expect(names(page)).toHaveText([`${mark}10`]);
  await page.reload();
  await expect(names(page)).toHaveText([`${mark}10`]);
  await expect(page).toHaveURL(/page=2/);

  // By the head of a column, with the keyboard; another order begins at the first page.
  const head = page.getByRole('columnheader', { name: 'Username' });
  await tabTo(page, head.getByRole('button'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  await expect(names(page).first()).toHaveText(`${mark}10`);
  await page.keyboard.press('Enter');
  await expect(head).toHaveAttribute('aria-sort', 'descending');
  await expect(status(page)).toHaveText('16 results. Sorted by Username, Z to A');
  await expect(page.locator('[aria-sort]')).toHaveCount(1);

  // Facets count what they would leave; each is a chip with a way out.
  const managed = page.getByRole('checkbox', { name: /^demo_manager\W+4$/ });
  await managed.check();
  await expect(names(page)).toHaveText([`${mark}24`, `${mark}20`, `${mark}16`, `${mark}12`]);
  await expect(page.getByRole('checkbox', { name: /^No Manager\W+12$/ })).not.toBeChecked();
  await expect(page.getByText('Manager is')).toBeVisible();
  await page.getByRole('button', { name: 'Remove the filter Manager is demo_manager' }).click();
  await expect(status(page)).toContainText('16 results');
  await page.getByRole('button', { name: /^Restricted/ }).click();
  await expect(page).toHaveURL(/restricted=yes/);
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(page.getByRole('button', { name: /^All users/ })).toHaveAttribute('aria-pressed', 'true');
  expect(errors).toEqual([]);

  // ADMIN-31: a failed read shows an error and can be repeated.
  const lists = '**/rest/v1/rpc/list_users';
  await page.route(lists, (route) => route.fulfill({ status: 500, body: '{}' }));
  await page.reload();
  const failure = page.getByRole('alert').filter({ hasText: 'Failed to load users' });
  await expect(failure).toBeVisible();
  await page.unroute(lists);
  await pressRetry(failure);
  await expect(names(page).first()).toBeVisible();
});

test('ADMIN-20, ADMIN-22 … ADMIN-26, ADMIN-27, ADMIN-28: actions on a user are offered where they apply, and only there', async ({
  page,
  fulcrum,
}) => {
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const trader = await add(admin, 'acts_trader');
  await add(admin, 'acts_support', { p_role: 'support' });
  await signIn(page, 'admin@fulcrum.local', { at: '/admin?tab=users&q=demo_admin' });
  const offered = async (username: string) => {
    await more(page, username).click();
    const texts = await items(page).allTextContents();
    await page.keyboard.press('Escape');
    await expect(more(page, username)).toBeFocused();
    return texts;
  };
  expect(await offered('demo_admin')).toEqual(['Edit user…']);
  await page.goto('/admin?tab=users&q=acts_');
  expect(await offered('acts_support')).toEqual(['Edit user…', 'Impersonate…', 'Delete user…']);
  expect(await offered('acts_trader')).toEqual([
    'Edit user…',
    'View positions',
    'Manage funds…',
    'Assign manager…',
    'Impersonate…',
    'Restrict…',
    'Delete user…',
  ]);

  await page.getByRole('button', { name: 'Edit acts_trader' }).click();
  await expect(page.getByRole('dialog')).toContainText('acts_trader');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Edit acts_trader' })).toBeFocused();
  await more(page, 'acts_trader').click();
  await items(page).filter({ hasText: 'View positions' }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/users/${trader.id}\\?section=positions$`));
});

test('A72, ADMIN-21: bulk actions: selected over pages, done with one reason, and each row shows its result', async ({
  page,
  fulcrum,
}) => {
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  for (const name of ['bulk_ada', 'bulk_ben', 'bulk_cem']) await add(admin, name);
  await add(admin, 'bulk_staff', { p_role: 'support' });
  await signIn(page, 'admin@fulcrum.local', { at: '/admin?tab=users&q=bulk_' });
  await expect(names(page)).toHaveCount(4);

  // Escape clears the selection and keeps the focus in reach.
  await box(page, 'bulk_ada').check();
  await box(page, 'bulk_ben').check();
  const bar = page.getByRole('region', { name: 'Selected users' });
  await expect(bar.getByRole('status')).toHaveText('2selected');
  await page.keyboard.press('Escape');
  await expect(bar).toBeHidden();
  await expect(search(page)).toBeFocused();

  await box(page, 'bulk_ada').check();
  await bar.getByRole('button', { name: 'Select all 4' }).click();
  await expect(bar.getByRole('status')).toHaveText('4selected');

  // The users of a search that is answered after the next one was typed are not selected.
  await bar.getByRole('button', { name: 'Clear' }).click();
  const found = Promise.withResolvers<void>();
  await page.route('**/rpc/find_user_ids', async (route) => {
    await found.promise;
    await route.continue();
  });
  await box(page, 'bulk_ada').check();
  await bar.getByRole('button', { name: 'Select all 4' }).click();
  await search(page).fill('bulk_staff');
  await expect(names(page)).toHaveCount(1);
  const late = page.waitForResponse('**/rpc/find_user_ids');
  found.resolve();
  await (await late).finished();
  await box(page, 'bulk_staff').check();
  await expect(bar.getByRole('status')).toHaveText('1selected');
  await page.unroute('**/rpc/find_user_ids');
  await search(page).fill('bulk_');
  await expect(names(page)).toHaveCount(4);
  await expect(bar).toBeHidden();
  await box(page, 'bulk_ada').check();
  await bar.getByRole('button', { name: 'Select all 4' }).click();
  await bar.getByRole('button', { name: 'Assign manager' }).click();
  const assign = page.getByRole('dialog', { name: 'Assign manager of 4 users' });
  await assign.getByRole('combobox', { name: 'Manager' }).selectOption({ label: 'demo_manager' });
  await assign.getByRole('button', { name: 'Change 4 users' }).click();
  await expect(assign.getByRole('status')).toHaveText('3 users changed, 1 refused.');
  await expect(assign.getByRole('listitem').first()).toHaveText(
    /bulk_staff.*Refused.*Only a trader has a manager/,
  );
  await assign.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'demo_manager' })).toHaveCount(3);

  // The refused one is still selected.
  await expect(bar.getByRole('status')).toHaveText('1selected');
  await bar.getByRole('button', { name: 'Clear' }).click();
  await box(page, 'bulk_ada').check();
  await box(page, 'bulk_cem').check();
  await bar.getByRole('button', { name: 'Restrict', exact: true }).click();
  const restrict = page.getByRole('dialog', { name: 'Restrict 2 users' });
  await restrict.getByRole('button', { name: 'Restrict 2 users' }).click();
  await expect(restrict).toContainText('Please give a reason.');
  await restrict.getByLabel('Reason').fill('A check of both');
  await page.keyboard.press('Enter');
  await expect(restrict.getByRole('status')).toHaveText('2 users restricted.');
  await restrict.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Restricted' })).toHaveCount(2);
  await expect(search(page)).toBeFocused();

  // On a phone the same list is cards, the facets a panel of their own.
  await page.setViewportSize({ width: 390, height: 844 });
  const cards = page.getByRole('list', { name: /^Users, sorted by/ }).getByRole('listitem');
  await expect(cards).toHaveCount(4);
  await page.getByRole('button', { name: /^Filters/ }).click();
  await page
    .getByRole('dialog', { name: 'Filters' })
    .getByRole('checkbox', { name: /^Yes\W+2$/ })
    .check();
  await expect(cards).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Filters (1)' })).toBeFocused();
  await page.getByLabel('Sort by').selectOption('Username, Z to A');
  await expect(cards.first()).toContainText('bulk_cem');
});

test('own columns and views: chosen with the keyboard, saved, replaced, renamed and deleted, and there in another browser', async ({
  page,
  browser,
  baseURL,
  fulcrum,
}) => {
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  await add(admin, 'viewed_one');
  await add(admin, 'viewed_two');
  const heads = page.getByRole('columnheader');
  const columns = page.getByRole('button', { name: 'Columns of users' });
  const option = (name: string) => page.getByRole('menuitemcheckbox', { name, exact: true });
  const menu = page.getByRole('button', { name: 'Own views' });
  const view = (name: string | RegExp) =>
    page.getByRole('group', { name: 'Views' }).getByRole('button', { name });
  await signIn(page, 'admin@fulcrum.local', { at: '/admin?tab=users&q=viewed&sort=username' });
  await expect(names(page)).toHaveText(['viewed_one', 'viewed_two']);

  // The menu stays open while columns are chosen.
  await columns.focus();
  await page.keyboard.press('Enter');
  await expect(option('Email')).toBeFocused();
  await page.keyboard.press('Space');
  await option('Balance').click();
  await page.keyboard.press('Escape');
  await expect(columns).toBeFocused();
  await expect(heads.filter({ hasText: 'Email' })).toHaveCount(0);
  await expect(page.getByRole('row', { name: 'viewed_one' })).toContainText('10,000.00');

  // A view is search, order and columns. A name is taken once.
  await menu.click();
  await items(page).filter({ hasText: 'Save as a view…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as a view' });
  await dialog.getByLabel('Name').fill('restricted');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('A view with this name exists.');
  await dialog.getByLabel('Name').fill('Viewed, by name');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(view('Viewed, by name')).toHaveAttribute('aria-pressed', 'true');
  await view(/^All users/).click();
  await columns.click();
  await items(page).filter({ hasText: 'Default columns' }).click();
  await expect(heads.filter({ hasText: 'Email' })).toHaveCount(1);
  await expect(view('Viewed, by name')).toHaveAttribute('aria-pressed', 'false');
  await view('Viewed, by name').click();
  await expect(names(page)).toHaveText(['viewed_one', 'viewed_two']);
  await expect(heads.filter({ hasText: 'Email' })).toHaveCount(0);
  await expect(heads.filter({ hasText: 'Balance' })).toHaveCount(1);

  // A list that was changed says so, and replaces its view on request.
  await search(page).fill('viewed_two');
  await expect(view('Viewed, by name · changed')).toBeVisible();
  await menu.click();
  await items(page).filter({ hasText: 'Replace Viewed, by name by this list' }).click();
  await expect(view('Viewed, by name · changed')).toBeHidden();
  await menu.click();
  await items(page).filter({ hasText: 'Rename Viewed, by name…' }).click();
  const stored = page.waitForResponse(
    (answer) => answer.url().includes('/user_settings') && /Second/.test(answer.request().postData() ?? ''),
  );
  await page.getByRole('dialog').getByLabel('Name').fill('Second');
  await page.keyboard.press('Enter');
  expect((await stored).status()).toBeLessThan(300);

  // Another browser of the same admin, held like a phone.
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    ...(baseURL !== undefined && { baseURL }),
  });
  const phone = await context.newPage();
  const errors = collectErrors(phone);
  await signIn(phone, 'admin@fulcrum.local', { at: '/admin?tab=users' });
  await phone.getByRole('group', { name: 'Views' }).getByRole('button', { name: 'Second' }).click();
  await expect(phone.getByRole('listitem').filter({ hasText: 'viewed_two' })).toContainText('Balance');
  await expect(phone.getByRole('listitem').filter({ hasText: 'viewed_one' })).toHaveCount(0);
  await phone.getByRole('button', { name: 'Own views' }).click();
  await phone.getByRole('menuitem', { name: 'Delete Second' }).click();
  await expect(phone.getByRole('group', { name: 'Views' }).getByRole('button')).toHaveCount(4);
  expect(errors).toEqual([]);
  await context.close();
});
