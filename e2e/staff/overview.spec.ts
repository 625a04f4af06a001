/** The first screen of the admin console, and the platform controls of an admin. A halt affects all users: a separate server. */
import { texts } from '@fulcrum/contract/texts';
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test.use({ serverFor: 'overview' });

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const platform = (page: Page) => page.getByRole('region', { name: 'Operations' });
const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10 };

test('ADMIN-04 … ADMIN-07, ADMIN-09 … ADMIN-11, ADMIN-13, ADMIN-14, A74, A75: figures are counted, explain themselves and lead to their rows', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
  const trader = await ApiUser.register(fulcrum.url, 'counted');
  expect((await trader.ask('rpc/open_position', order)).status).toBe(200);
  const errors = collectErrors(page);
  await signIn(page, 'admin@fulcrum.local');
  await expect(card(page, 'Total Users')).toContainText('5');
  await expect(card(page, 'Trading Volume')).toContainText('USDT');
  await expect(card(page, 'Active Sessions')).toContainText('open support chats');
  await expect(card(page, 'Total Balance')).toContainText('from the ledger');
  // None of the documents' constants, and no change where there is nothing to compare with.
  await expect(card(page, 'Trading Volume')).toContainText('nothing to compare with');
  await expect(page.getByText('12m 30s')).toHaveCount(0);
  await expect(page.getByText('14:00', { exact: true })).toHaveCount(0);
  for (const percent of [/\b15(\.0)? ?%/, /\b5(\.0)? ?%/, /\b10(\.0)? ?%/]) {
    for (const name of ['Trading Volume', 'Active Sessions', 'Total Balance'])
      await expect(card(page, name)).not.toContainText(percent);
  }
  const support = page.getByRole('region', { name: 'Support metrics' });
  for (const term of ['Avg. Session Duration', 'Peak Hour', 'Signed in now']) {
    await expect(support.getByRole('button', { name: term })).toBeVisible();
  }
  await expect(page.getByRole('heading', { name: /^Users/ })).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Closed Positions/ })).toBeVisible();

  await card(page, 'Trading Volume').getByRole('button', { name: 'Trading Volume' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'What Trading Volume means' })).toContainText(
    'Entry price times size',
  );
  await page.keyboard.press('Escape');

  await expect(page.getByText(/^Updated \d\d:\d\d:\d\d, every 30 s$/)).toBeVisible();
  await page.getByRole('button', { name: 'Pause refreshing this page' }).press('Enter');
  await expect(page.getByText(/^Updated .*, paused$/)).toBeVisible();
  await page.getByRole('button', { name: 'Refresh this page again' }).press('Enter');
  await expect(page.getByText(/, every 30 s$/)).toBeVisible();

  await card(page, 'Total Balance').getByRole('link').press('Enter');
  await expect(page).toHaveURL(/tab=wallets/);
  expect(errors).toEqual([]);
});

test('ADMIN-12: pausing stops the figures and the tables beneath them, and going on reads all of them', async ({
  page,
  fulcrum,
}) => {
  await page.clock.install();
  const requests: string[] = [];
  page.on('request', (request) => {
    const name = /\/rest\/v1\/(?:rpc\/)?(\w+)/.exec(request.url())?.[1];
    if (name !== undefined) requests.push(name);
  });
  // Not `get_platform`: the badge in the header, which reports a halt on every page, goes on.
  const ofOverview = [
    'get_admin_overview',
    'get_market_controls',
    'get_support_metrics',
    'list_users',
    'list_positions',
  ];
  await signIn(page, 'admin@fulcrum.local');
  await expect(card(page, 'Total Users')).toContainText(/\d/);
  // The first reading of each is over before it pauses.
  await expect.poll(() => ofOverview.filter((name) => !requests.includes(name))).toEqual([]);
  await page.getByRole('button', { name: 'Pause refreshing this page' }).click();
  const trader = await ApiUser.register(fulcrum.url, 'unseen');
  const position = await trader.call<{ id: string }>('open_position', order);
  await trader.call('close_position', { p_position_id: position.id });
  const heading = page.getByRole('heading', { name: /^Closed Positions/ });
  await expect(heading).toBeVisible();
  requests.length = 0;
  // What waits behind the tabs is counted all the same: by then the others would have been read.
  await page.clock.runFor(61_000);
  await expect.poll(() => requests).toContain('kyc_verifications');
  expect(requests.filter((name) => ofOverview.includes(name))).toEqual([]);
  await page.getByRole('button', { name: 'Refresh this page again' }).click();
  await expect.poll(() => ofOverview.filter((name) => !requests.includes(name))).toEqual([]);
  await expect(page.getByRole('row').filter({ hasText: 'unseen@example.test' })).toBeVisible();
});

test('an admin halts trading, the trader sees why nothing happens, and resuming lets it go on', {
  tag: '@core',
}, async ({ page, browser, fulcrum }) => {
  const trader = await ApiUser.register(fulcrum.url, 'stopped');
  const elsewhere = await browser.newContext({ baseURL: fulcrum.url });
  const screen = await elsewhere.newPage();
  await signIn(screen, 'trader@fulcrum.local', { at: '/trading' });
  const status = screen.getByRole('status', { name: 'Connection' });
  await expect(status).toBeAttached();
  await expect(status).toBeEmpty();
  await signIn(page, 'admin@fulcrum.local');
  const panel = platform(page);
  await expect(panel.getByRole('region', { name: 'Invariants' })).toContainText('Ledger sums to zero');
  await expect(panel.getByRole('region', { name: 'Feeds' })).toContainText('Simulated');
  await panel.getByRole('button', { name: /^All \d+ checks$/ }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'All ledger checks' })).toContainText(
    'A wallet is the sum of its ledger entries',
  );
  await page.keyboard.press('Escape');

  await panel.getByRole('button', { name: 'Halt trading' }).click();
  const dialog = page.getByRole('dialog', { name: 'Halt trading' });
  await dialog.getByRole('button', { name: 'Halt trading' }).click();
  await expect(dialog.getByText('Please give a reason.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Prices look wrong');
  await dialog.getByLabel('Reason').press('Enter');
  await expect(dialog).toBeHidden();
  await expect(panel).toContainText('Prices look wrong');
  await expect(panel.getByRole('status').filter({ hasText: 'Trading halted' })).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Resume trading' })).toBeFocused();
  await expect(status).toHaveText(texts.tradingHalted);
  expect(await trader.ask('rpc/open_position', order)).toMatchObject({
    status: 503,
    body: { code: 'trading_halted', message: texts.tradingHalted },
  });

  await panel.getByRole('button', { name: 'Resume trading' }).press('Enter');
  const resume = page.getByRole('dialog', { name: 'Resume trading' });
  await resume.getByLabel('Reason').fill('They are right');
  await resume.getByRole('button', { name: 'Resume trading' }).click();
  await expect(resume).toBeHidden();
  await expect(panel.getByRole('button', { name: 'Halt trading' })).toBeVisible();
  expect((await trader.ask('rpc/open_position', order)).status).toBe(200);
  await expect(status).toBeEmpty();
  await elsewhere.close();

  await panel.getByRole('button', { name: 'Move a price' }).click();
  const shock = page.getByRole('dialog', { name: 'Move a simulated price' });
  await shock.getByLabel('Symbol').fill('NOPE');
  await shock.getByLabel('Percent').fill('900');
  await shock.getByRole('button', { name: 'Move the price' }).click();
  await expect(shock.getByText('Enter a number from −50 to 100.')).toBeVisible();
  await shock.getByLabel('Percent').fill('1.5');
  await shock.getByLabel('Reason').fill('A lesson');
  await shock.getByRole('button', { name: 'Move the price' }).click();
  await expect(shock.getByRole('alert')).toContainText('Unknown symbol: NOPE');
  await shock.getByLabel('Symbol').fill('ethusdt');
  await shock.getByRole('button', { name: 'Move the price' }).click();
  await expect(shock).toBeHidden();
  await expect(panel.getByRole('region', { name: 'Simulation' })).toContainText('ETHUSDT');
  await panel.getByRole('link', { name: 'Audit log' }).click();
  await expect(page).toHaveURL(/\/admin\/audit/);
});

test('A76: the filter of the positions is in the address; an unknown user is a state of its own', async ({
  page,
  fulcrum,
}) => {
  const trader = await ApiUser.register(fulcrum.url, 'looked_at');
  await signIn(page, 'admin@fulcrum.local', { at: `/admin?positions=${trader.id}` });
  await expect(page.getByRole('heading', { name: 'Positions of looked_at' })).toBeVisible();
  await page.getByRole('button', { name: 'Close positions of looked_at' }).click();
  await expect(page).toHaveURL(/\/admin$/);
  await expect(page.getByRole('heading', { name: /^Closed Positions/ })).toBeVisible();
  await page.goto('/admin?positions=nobody');
  await expect(page.getByText('User not found')).toBeVisible();
});
