/** The quick search in the header of every staff area: from any page to any user, with the keyboard alone. */
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Quick search' });
const field = (page: Page) => dialog(page).getByRole('combobox');
const options = (page: Page) => dialog(page).getByRole('option');
const chosen = (page: Page) => dialog(page).getByRole('option', { selected: true });

const open = async (page: Page) => {
  // A key before the page listens goes nowhere.
  await expect(page.getByRole('button', { name: 'Quick search' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
};

const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10 };

test('ADMIN-32: an admin finds a user by name, address or id and a position by its id, and goes to every page', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
  const errors = collectErrors(page);
  const [wren] = await Promise.all([
    ApiUser.register(fulcrum.url, 'wren'),
    ApiUser.register(fulcrum.url, 'wrench'),
  ]);
  const position = await wren.call<{ id: string }>('open_position', order);
  await signIn(page, 'admin@fulcrum.local');

  // A name in haste: Enter waits for the answer to all of it, however slow that is.
  await page.route('**/rest/v1/rpc/quick_search', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue();
  });
  await open(page);
  await page.keyboard.type('wren');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/admin/users/${wren.id}`);
  await expect(page.getByRole('heading', { name: 'wren', level: 1 })).toBeVisible();
  await expect(dialog(page)).toBeHidden();
  await expect(page.locator('#content')).toBeFocused();
  await page.unroute('**/rest/v1/rpc/quick_search');

  // An exact match is first; the arrows select, also around the end.
  await open(page);
  await page.keyboard.type('WREN');
  await expect(options(page)).toHaveText([/^wrwren/i, /^wrwrench/i]);
  await expect(dialog(page).getByRole('status')).toHaveText('2 users');
  await page.keyboard.press('ArrowDown');
  await expect(chosen(page)).toContainText('wrench@example.test');
  await expect(field(page)).toHaveAttribute(
    'aria-activedescendant',
    (await chosen(page).getAttribute('id')) ?? 'none',
  );
  await page.keyboard.press('ArrowDown');
  await expect(chosen(page)).toContainText('wren@example.test');
  await field(page).fill('wrench@example');
  await expect(options(page)).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'wrench', level: 1 })).toBeVisible();

  // The last ones come first; only their ids are stored here.
  await open(page);
  await expect(dialog(page).getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText([
    /wrench@example/,
    /wren@example/,
  ]);
  const stored = await page.evaluate(() =>
    Object.entries(localStorage).filter(([key]) => key.startsWith('fulcrum-staff-recent')),
  );
  expect(stored).toHaveLength(1);
  expect(JSON.parse(stored[0]?.[1])).toHaveLength(2);
  expect(JSON.stringify(stored)).not.toContain('wren');

  // A position by the eight characters that pages show of its id.
  await field(page).fill(position.id.slice(0, 8));
  await expect(dialog(page).getByRole('group', { name: 'Positions' }).getByRole('option')).toHaveText(
    /BTCUSDT BUY of wren/,
  );
  await page.keyboard.press('Enter');
  const edit = page.getByRole('dialog', { name: 'Edit Position' });
  await expect(edit).toContainText('wren');
  await expect(page).toHaveURL(new RegExp(`/admin/users/${wren.id}\\?.*position=${position.id}`));
  await page.keyboard.press('Escape');
  await expect(edit).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`/admin/users/${wren.id}\\?section=positions$`));

  // Pages by their name or by what is on them; from a field too, but not over a question.
  await page.getByRole('searchbox', { name: 'Symbol of open positions' }).focus();
  await open(page);
  await page.keyboard.type('drift');
  await expect(chosen(page)).toContainText('Wallets');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/admin?tab=wallets');
  await expect(page.getByRole('tab', { name: 'Wallets' })).toHaveAttribute('aria-selected', 'true');
  await open(page);
  await page.keyboard.type('audit');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible();

  // Going back means the page, and the search does not stay over it.
  await open(page);
  await page.goBack();
  await expect(page).toHaveURL('/admin?tab=wallets');
  await expect(dialog(page)).toBeHidden();
  await page.goForward();
  await expect(page.getByRole('heading', { name: 'Audit log' })).toBeVisible();
  await expect(dialog(page)).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL('/admin?tab=wallets');

  // By the button as well; Escape returns the focus to its place.
  const button = page.getByRole('button', { name: 'Quick search' });
  await button.press('Enter');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('zzzz');
  await expect(dialog(page)).toContainText('No results');
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
  await page.goto('/admin?tab=users');
  await page.getByRole('button', { name: 'Add User' }).click();
  await expect(page.getByRole('dialog', { name: 'Add User' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toHaveCount(1);
  expect(errors).toEqual([]);
});

test('input in a filter just before reaches the address, and the quick search stays open', async ({
  page,
}) => {
  await signIn(page, 'admin@fulcrum.local', { at: '/admin?tab=users' });
  await page.getByRole('searchbox', { name: 'Search username or email' }).fill('trader');
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await expect(page).toHaveURL(/trader/);
  await page.keyboard.type('wall');
  await expect(field(page)).toHaveValue('wall');
});

test('a pending dialog is not covered by the quick search, nor is one that came first', async ({ page }) => {
  const held = async (code: string) => {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    await page.route(`**/assets/${code}-*.js`, async (route) => {
      await promise;
      await route.continue();
    });
    return release;
  };
  const releaseForm = await held('staff-dialogs');
  const releaseSearch = await held('QuickSearch');
  await signIn(page, 'admin@fulcrum.local', { at: '/admin?tab=users' });
  const add = page.getByRole('dialog', { name: 'Add User' });

  await page.getByRole('button', { name: 'Add User' }).click();
  await page.keyboard.press('Control+k');
  releaseForm();
  releaseSearch();
  await expect(add).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await page.keyboard.press('Escape');

  // The other way round: the second request arrives first.
  const releaseLater = await held('QuickSearch');
  const requested = page.waitForRequest('**/assets/QuickSearch-*.js');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Quick search' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await requested;
  await page.getByRole('button', { name: 'Add User' }).click();
  await expect(add).toBeVisible();
  const arrived = page.waitForResponse('**/assets/QuickSearch-*.js');
  releaseLater();
  await arrived;
  await page.keyboard.type('somebody');
  await expect(add.getByLabel('Username')).toHaveValue('somebody');
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await add.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await open(page);
});

test('ADMIN-32: no key is lost while the code of the quick search takes two seconds', async ({
  page,
  fulcrum,
}) => {
  const kira = await ApiUser.register(fulcrum.url, 'kira_lost');
  const arrived = Promise.withResolvers<void>();
  await page.route('**/assets/QuickSearch-*.js', async (route) => {
    await arrived.promise;
    await route.continue();
  });
  await signIn(page, 'admin@fulcrum.local', { at: '/admin?tab=users' });
  await expect(page.getByRole('button', { name: 'Quick search' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('/kira_lo', { delay: 20 });
  // Nothing of it went to the page, where `/` is a key.
  await expect(page.getByRole('searchbox', { name: 'Search username or email' })).toHaveValue('');
  await expect(page.getByRole('region', { name: 'Quick search' })).toBeVisible();
  await page.keyboard.press('Home');
  await page.keyboard.press('Delete');
  await page.keyboard.press('End');
  await page.keyboard.type('s');
  setTimeout(arrived.resolve, 2_000);
  await page.keyboard.type('t');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/admin/users/${kira.id}`, { timeout: 10_000 });
  await expect(page.getByRole('heading', { name: 'kira_lost', level: 1 })).toBeVisible();
  // A verb opens the dialog on the user's page, once; nothing happens without its own confirmation.
  await open(page);
  await page.keyboard.type('funds kira_l');
  await expect(options(page)).toHaveText([/kira_lost.*Manage funds…/]);
  await page.keyboard.press('Enter');
  const funds = page.getByRole('dialog', { name: /funds/i });
  await expect(funds).toContainText('kira_lost');
  await expect(page).toHaveURL(`/admin/users/${kira.id}`);
  await page.keyboard.press('Escape');
  await expect(funds).toBeHidden();
  await open(page);
  await page.keyboard.type('halt');
  await expect(chosen(page)).toContainText('Halt or resume trading…');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: /Halt trading/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL('/admin');
  // With the code there, and the keys at once.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('victor');
  await expect(field(page)).toHaveValue('victor');
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
});

test('MGR-08: a manager finds the own traders alone, and a reassigned one is no longer among the recent ones', async ({
  page,
  fulcrum,
}) => {
  const [manager, admin, own, foreign] = await Promise.all([
    ApiUser.signIn(fulcrum.url, 'manager'),
    ApiUser.signIn(fulcrum.url, 'admin'),
    ApiUser.register(fulcrum.url, 'finch_own'),
    ApiUser.register(fulcrum.url, 'finch_foreign'),
  ]);
  const assign = (to: string | null) =>
    admin.call('assign_users_to_manager', { p_user_ids: [own.id], p_manager_id: to });
  await assign(manager.id);
  const position = await own.call<{ id: string }>('open_position', order);
  await signIn(page, 'manager@fulcrum.local');
  await open(page);
  await page.keyboard.type('finch');
  await expect(options(page)).toHaveText([/finch_own/]);
  await field(page).fill(foreign.id);
  await expect(dialog(page)).toContainText('No matching users or positions');
  await field(page).fill(position.id);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Edit Position' })).toContainText('finch_own');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(`/manager?user=${own.id}`);
  await expect(page.getByRole('heading', { name: 'finch_own', exact: true })).toBeVisible();
  await open(page);
  await expect(options(page).first()).toContainText('finch_own');
  await page.keyboard.press('Escape');
  await assign(null);
  await page.goto('/manager');
  await open(page);
  await expect(options(page)).toHaveText([/^Managed users/, /^Contests/]);
});

test('A103: an agent finds their traders and opens the conversation', async ({ page, fulcrum }) => {
  const trader = await ApiUser.register(fulcrum.url, 'heron');
  await signIn(page, 'support@fulcrum.local');
  await open(page);
  await page.keyboard.type('heron');
  await expect(dialog(page)).toContainText('No matching conversations');
  await page.keyboard.press('Escape');
  const chat = await trader.call<{ id: string }>('open_chat_session', {});
  await open(page);
  await page.keyboard.type('heron');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/support?session=${chat.id}`);
  await expect(page.getByRole('heading', { name: 'heron' }).first()).toBeVisible();
});

test('the quick search on a phone: pages are found while the server does not answer, and a retry brings the users', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, 'admin@fulcrum.local');
  await page.getByRole('button', { name: 'Quick search' }).click();
  const lookups = '**/rest/v1/rpc/quick_search';
  await page.route(lookups, (route) => route.fulfill({ status: 400, body: '{}' }));
  await field(page).fill('demo');
  const failure = dialog(page).getByRole('alert');
  await expect(failure).toContainText('Searching users failed.');
  await field(page).fill('restr');
  await expect(options(page)).toHaveText([/^Restricted users/]);
  await page.unroute(lookups);
  await field(page).fill('demo_m');
  await expect(options(page)).toHaveText([/demo_manager/]);
  await page.route(lookups, (route) => route.fulfill({ status: 400, body: '{}' }));
  await field(page).fill('demo_s');
  await expect(failure).toBeVisible();
  await page.unroute(lookups);
  await failure.getByRole('button', { name: 'Retry' }).click();
  await expect(failure).toBeHidden();
  await options(page).filter({ hasText: 'demo_support' }).click();
  await expect(page.getByRole('heading', { name: 'demo_support', level: 1 })).toBeVisible();
});
