/**
 * WCAG 2.2 AA by axe: every page for every role that has it, at three sizes, in both themes. A page is loaded once and then
 * resized and recoloured; the themes differ in colours alone, so the second one gets only the checks that depend on them.
 * `npm test -- --all` inspects the support page and the dialogs of an admin, `npm run test:long` everything.
 */
import { hourMs } from '@fulcrum/domain';
import type { Page } from '@playwright/test';
import { ApiUser } from './harness/api-user.ts';
import { violationsInThemes } from './harness/axe.ts';
import { expect, test } from './harness/fulcrum.ts';
import { impersonate, signIn, signUp } from './harness/session.ts';
import { openMarket, positionRow, sendOrder } from './harness/steps.ts';

const sizes = [
  { width: 1440, height: 900 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
] as const;
const publicPages = ['/about', '/contact', '/terms', '/privacy'] as const;
const mailPages = ['/reset-password', '/auth/callback'] as const;

/** Violations that axe finds on the page, or within a part of it, with size and theme. */
async function inspectAt(
  page: Page,
  name: string,
  size: (typeof sizes)[number],
  within?: string,
): Promise<string[]> {
  await page.setViewportSize(size);
  // Where the page is scrolled, its sticky header covers a part of what lies under it.
  await page.locator('html').evaluate((html) => html.scrollTo(0, 0));
  return (await violationsInThemes(page, within)).map((one) => `${name} at ${size.width} ${one}`);
}

async function inspect(page: Page, name: string): Promise<void> {
  const found: string[] = [];
  for (const size of sizes) found.push(...(await inspectAt(page, name, size)));
  expect.soft(found).toEqual([]);
}

/** The panel alone: it covers a part of the page behind it. */
async function inspectPairSelector(page: Page): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await page.getByRole('button', { name: /choose another pair$/ }).click();
    await expect(page.getByRole('option').first()).toContainText(/\d/);
    const panel = ':has(> [role=tabpanel] [role=option])';
    expect.soft(await inspectAt(page, 'the pair selector', size, panel)).toEqual([]);
    await page.keyboard.press('Escape');
  }
  await page.setViewportSize(sizes[0]);
}

/** A dialog alone: the page behind it is inspected separately. */
async function inspectDialog(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('dialog').first(), name).toBeVisible();
  await expect(page.getByRole('dialog').locator('[aria-busy=true]'), name).toHaveCount(0);
  const found = await violationsInThemes(page, '[role=dialog]');
  expect.soft(found.map((one) => `${name} ${one}`)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog'), name).toHaveCount(0);
}

const dashboardRows = ['market', 'chart', 'tools', 'news', 'journal', 'analytics'] as const;

/** Every row of the dashboard arrives when it is reached. */
async function inspectDashboard(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const id of dashboardRows) {
    await page.locator(`#${id}`).scrollIntoViewIfNeeded();
    await expect(page.locator(`#${id} > [aria-busy]`), id).toHaveCount(0);
  }
  await inspect(page, '/dashboard');
}

async function withPosition(url: string, username: string): Promise<ApiUser> {
  const trader = await ApiUser.register(url, username);
  await trader.call('open_position', { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10 });
  return trader;
}

async function inspectAll(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first(), path).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0);
    await inspect(page, path);
  }
}

test.beforeEach(async ({ page }) => {
  test.setTimeout(600_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

test('X-12: what a visitor sees is accessible, in both themes and at three sizes', { tag: '@long' }, async ({
  page,
}) => {
  await inspectAll(page, ['/', '/login', '/register', ...mailPages, ...publicPages]);
  await page.goto('/register');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Email is required')).toBeVisible();
  await inspect(page, '/register with errors');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/about');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await inspect(page, 'the menu on a phone');
});

test("X-12: a trader's pages are accessible, in both themes and at three sizes", { tag: '@long' }, async ({
  page,
}) => {
  await signUp(page, 'axe_trader', { at: '/trading?symbol=BTCUSDT' });
  await openMarket(page, { side: 'Buy/Long', amount: '0.01', leverage: 10 });
  await expect(positionRow(page, 'BTCUSDT').first()).toBeVisible();
  await inspect(page, '/trading with a position');
  await page.setViewportSize(sizes[0]);
  await inspectPairSelector(page);
  await page.getByRole('radio', { name: 'Limit', exact: true }).click();
  await page.getByRole('switch', { name: 'Take Profit / Stop Loss' }).click();
  await page.getByRole('spinbutton', { name: 'Limit price' }).fill('1000');
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.01');
  await sendOrder(page, 'Buy/Long');
  await page.getByRole('tab', { name: /Open Orders/ }).click();
  await expect(positionRow(page, 'BTCUSDT').first()).toContainText('Limit');
  await inspect(page, '/trading with a waiting order');
  await page.setViewportSize(sizes[0]);
  await page.getByRole('tab', { name: /Open Orders/ }).click();
  await page.getByRole('button', { name: /^Cancel BTCUSDT/ }).click();
  await page.getByRole('button', { name: 'Cancel order' }).click();
  await page.getByRole('tab', { name: /Open Positions/ }).click();
  await page.getByRole('button', { name: 'Close BTCUSDT long' }).first().click();
  await inspect(page, 'the question whether to close');
  await page.keyboard.press('Escape');
  await page.setViewportSize(sizes[0]);
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await inspect(page, 'the list of notifications');
  await page.keyboard.press('Escape');
  await page.setViewportSize(sizes[0]);
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await inspect(page, 'the sheet of shortcuts');
  await page.keyboard.press('Escape');
  await page.setViewportSize(sizes[0]);
  await inspectDashboard(page);
  await inspectAll(page, ['/wallet', '/chat', '/profile', '/update-password', '/about']);
});

const adminTabs = ['users', 'support', 'kyc', 'wallets', 'contact', 'profile'] as const;

test('X-12: the pages of an admin are accessible, in both themes and at three sizes', {
  tag: '@long',
}, async ({ page, fulcrum }) => {
  const trader = await withPosition(fulcrum.url, 'axe_admin');
  await trader.call('create_account', { p_name: 'Swing' });
  await signIn(page, 'admin@fulcrum.local');
  await inspectAll(page, [
    '/admin',
    ...adminTabs.map((tab) => `/admin?tab=${tab}`),
    '/admin/audit?row=1',
    `/admin/users/${trader.id}?section=positions`,
    '/admin/metrics',
  ]);
});

test('X-12, ADMIN-03: the dialogs of an admin are accessible, in both themes', async ({ page, fulcrum }) => {
  const trader = await withPosition(fulcrum.url, 'axe_dialogs');
  await signIn(page, 'admin@fulcrum.local', { at: '/admin?tab=users' });
  await page.getByRole('button', { name: 'Add User' }).click();
  await inspectDialog(page, 'Add User');
  await page.getByRole('button', { name: 'Edit axe_dialogs', exact: true }).click();
  await inspectDialog(page, 'Edit User');
  for (const action of ['Manage funds…', 'Assign manager…', 'Impersonate…', 'Restrict…', 'Delete user…']) {
    // The focus that comes back from the dialog before may close a menu that is opened in the same moment.
    await expect(async () => {
      await page.getByRole('button', { name: 'More actions for axe_dialogs' }).click();
      await page.getByRole('menuitem', { name: action }).click({ timeout: 3_000 });
    }).toPass();
    await inspectDialog(page, action);
  }
  await page.getByRole('checkbox', { name: 'Select axe_dialogs' }).check();
  const selected = page.getByRole('region', { name: 'Selected users' });
  await selected.getByRole('button', { name: 'Restrict', exact: true }).click();
  await inspectDialog(page, 'Restrict many');
  await page.goto(`/admin/users/${trader.id}?section=positions`);
  await page.getByRole('button', { name: 'Edit position BTCUSDT of axe_dialogs' }).click();
  await inspectDialog(page, 'Edit Position');
  await page.getByRole('button', { name: 'Quick search' }).click();
  await page.getByRole('combobox').fill('demo');
  await expect(page.getByRole('option')).toHaveCount(4);
  await inspectDialog(page, 'Quick search');
});

test("X-12: a manager's page is accessible, in both themes and at three sizes", { tag: '@long' }, async ({
  page,
  fulcrum,
}) => {
  const [admin, manager, trader] = await Promise.all([
    ApiUser.signIn(fulcrum.url, 'admin'),
    ApiUser.signIn(fulcrum.url, 'manager'),
    withPosition(fulcrum.url, 'axe_managed'),
  ]);
  await admin.call('assign_user_to_manager', { p_user_id: trader.id, p_manager_id: manager.id });
  await trader.call('create_account', { p_name: 'Swing' });
  await signIn(page, 'manager@fulcrum.local');
  await expect(page.getByRole('button', { name: 'Show axe_managed' })).toBeVisible();
  await inspect(page, '/manager');
  await page.setViewportSize(sizes[0]);
  await page.getByRole('button', { name: 'Show axe_managed' }).click();
  await expect(page.getByRole('cell', { name: 'BTCUSDT', exact: true })).toBeVisible();
  await inspect(page, '/manager with a selected user');
  await page.setViewportSize(sizes[0]);
  await page.getByRole('button', { name: 'Account of demo_manager' }).click();
  await inspectDialog(page, 'Account');
});

test('X-12: the page of a support agent is accessible, in both themes and at three sizes', {
  tag: '@core',
}, async ({ page }) => {
  await signIn(page, 'support@fulcrum.local');
  await inspectAll(page, ['/support']);
});

test('X-12: what panels hold is accessible, in both themes and at three sizes: alerts, market list, protection, inbox, own views', {
  tag: '@long',
}, async ({ page, fulcrum }) => {
  await signUp(page, 'axe_panels', { at: '/trading?symbol=BTCUSDT' });
  const positions = page.getByRole('region', { name: 'Positions' });
  await positions.getByRole('tab', { name: /^Alerts/ }).click();
  await positions.getByRole('button', { name: 'New alert' }).click();
  await inspectDialog(page, 'New alert on BTCUSDT');
  await page.setViewportSize(sizes[0]);
  await page.getByRole('button', { name: 'Show the market list' }).click();
  await page.getByRole('switch', { name: 'Take Profit / Stop Loss' }).click();
  await inspect(page, '/trading with alerts, the market list and protection');

  const asker = await ApiUser.register(fulcrum.url, 'axe_asker');
  const { body } = await asker.ask('rpc/open_chat_session', {});
  const { id } = body as { id: string };
  await asker.ask('chat_messages', { session_id: id, content: 'Hello' });
  const agent = await ApiUser.signIn(fulcrum.url, 'support');
  await agent.call('tag_chat_session', { p_session_id: id, p_tag: 'refund', p_is_on: true });
  await page.setViewportSize(sizes[0]);
  await signIn(page, 'support@fulcrum.local', { at: `/support?session=${id}` });
  await expect(page.getByRole('list', { name: 'Tags of this session' })).toHaveText('refund');
  await inspect(page, '/support with a tagged session');
  await page.setViewportSize(sizes[0]);
  await page.getByRole('button', { name: 'Tags' }).click();
  await page.getByRole('menuitem', { name: 'Tags of the team…' }).click();
  await inspectDialog(page, 'Tags of the team');

  await signIn(page, 'admin@fulcrum.local', { at: '/admin?tab=users' });
  await page.getByRole('button', { name: 'Columns of users' }).click();
  for (const name of ['Phone', 'KYC', 'Restricted Since', 'Balance']) {
    await page.getByRole('menuitemcheckbox', { name }).click();
  }
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Own views' }).click();
  await page.getByRole('menuitem', { name: 'Save as a view…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Everything');
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('group', { name: 'Views' }).getByRole('button', { name: 'Everything' }),
  ).toBeVisible();
  await inspect(page, '/admin?tab=users with an own view and every column');
});

test('X-12: the warnings of an order, own limits and own rules are accessible, in both themes', async ({
  page,
}) => {
  await signUp(page, 'axe_coached', { at: '/trading?symbol=BTCUSDT' });
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.01');
  await page.getByRole('slider', { name: 'Leverage' }).press('End');
  await page.getByRole('button', { name: '1 warning', exact: true }).click();
  await inspectDialog(page, 'Warnings before this order');
  await inspect(page, '/trading with a warning');
  await page.setViewportSize(sizes[0]);
  await page.goto('/analytics?view=week');
  for (const name of ['My limits', 'My rules']) {
    await page.getByRole('button', { name }).click();
    await inspectDialog(page, name);
  }
});

test.describe('programs', () => {
  // Contests would be in the lists of other journeys.
  test.use({ serverFor: 'accessible programs' });

  test('X-12: contests, challenges and the projector are accessible, in both themes and at three sizes', {
    tag: '@long',
  }, async ({ page, fulcrum }) => {
    const admin = await ApiUser.signIn(fulcrum.url, 'admin');
    const iso = (fromNow: number) => new Date(Date.now() + fromNow).toISOString();
    const save = (name: string, begins: number) =>
      admin.call<{ id: string }>('save_contest', {
        ...{ p_name: name, p_description: 'Three prizes.', p_class_id: null },
        p_rules: {
          ...{ v: 1, startBalance: 5000, ruleSet: 'standard', leverageMax: 10, symbols: null },
          ...{ positionsMax: 5, score: 'return', tieBreaks: ['entry'], tradesMin: 1, names: 'shown' },
        },
        ...{ p_registration_opens_at: iso(-60_000), p_registration_ends_at: iso(hourMs) },
        ...{ p_begins_at: iso(begins), p_ends_at: iso(2 * hourMs) },
      });
    const running = await save('Running cup', -1_000);
    const later = await save('Later cup', hourMs);
    const entrant = await ApiUser.register(fulcrum.url, 'axe_entrant');
    for (const { id } of [running, later]) await entrant.call('enter_contest', { p_contest_id: id });

    await signIn(page, 'admin@fulcrum.local', { at: `/admin/contests?contest=${running.id}` });
    await expect(page.getByRole('row').filter({ hasText: 'axe_entrant' })).toBeVisible();
    await inspect(page, '/admin/contests with a contest');
    await page.setViewportSize(sizes[0]);
    await page.getByRole('button', { name: 'Change contest' }).click();
    await inspectDialog(page, 'Change contest');
    await page.getByRole('button', { name: 'Show Later cup' }).click();
    await page.getByRole('button', { name: 'Withdraw contest' }).click();
    await inspectDialog(page, 'Withdraw contest');

    await page.getByRole('button', { name: 'New challenge' }).click();
    const form = page.getByRole('dialog', { name: 'New challenge' });
    await form.getByLabel('Name', { exact: true }).fill('Two steps');
    await form.getByLabel('Most open positions').fill('3');
    await form.getByRole('button', { name: 'Add a step' }).click();
    const second = form.getByRole('group', { name: 'Step 2' });
    await expect(second.getByLabel('Profit target, %')).toBeFocused();
    await form.getByRole('button', { name: 'Create challenge' }).click();
    const view = page.getByRole('region', { name: 'Two steps' });
    await expect(view.getByText('at most 3', { exact: true })).toBeVisible();
    await expect(view.getByText('No attempts yet')).toBeVisible();
    await view.getByRole('button', { name: 'Change challenge' }).click();
    await inspectDialog(page, 'Change challenge');
    await inspect(page, '/admin/contests with a challenge');
    await page.goto('/admin/contests?challenge=00000000-0000-4000-8000-000000000000');
    await expect(page.getByText('Challenge not found')).toBeVisible();

    await page.setViewportSize(sizes[0]);
    await page.goto(`/admin/projector?contest=${running.id}`);
    await expect(page.getByRole('list', { name: 'Ranking of Running cup' })).toContainText('axe_entrant');
    await inspect(page, '/admin/projector');
  });
});

test('X-12: impersonation is accessible, in both themes and at three sizes', { tag: '@long' }, async ({
  page,
}) => {
  await signIn(page, 'admin@fulcrum.local');
  await impersonate(page, 'demo_trader');
  // Only the bar above every page differs; the pages themselves are inspected above.
  await inspectAll(page, ['/wallet', '/update-password']);
});
