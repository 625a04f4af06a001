/** Between a phone held upright and a desktop: a phone held sideways, a tablet, a small laptop. Nothing is cut or overlaps. */
import type { Locator, Page } from '@playwright/test';
import { ApiUser } from './harness/api-user.ts';
import { expect, test } from './harness/fulcrum.ts';
import { signIn } from './harness/session.ts';

const sizes = [
  { width: 844, height: 390 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
] as const;

/** How much wider and higher a place's content is than the place. */
const overflow = (locator: Locator) =>
  locator.evaluate((element) => [
    element.scrollWidth - element.clientWidth,
    element.scrollHeight - element.clientHeight,
  ]);

async function fits(page: Page, name: string): Promise<void> {
  await expect
    .poll(async () => (await overflow(page.locator('html')))[0], `${name} scrolls sideways`)
    .toBe(0);
}

const calculators = ['P/L Calculator', 'Risk Management', 'Position Calculator'] as const;

test('no widget of the dashboard is cut at a size between phone and desk', { tag: '@long' }, async ({
  page,
}) => {
  await signIn(page, 'trader@fulcrum.local');
  for (const size of sizes) {
    await page.setViewportSize(size);
    await page.goto('/dashboard');
    for (const name of calculators) {
      const card = page.getByRole('region', { name });
      await expect(async () => {
        await page.locator('#tools').scrollIntoViewIfNeeded({ timeout: 1_000 });
        await expect(card).toBeVisible({ timeout: 1_000 });
      }).toPass();
      await expect.poll(() => overflow(card), `${name} at ${size.width} px`).toEqual([0, 0]);
    }
    await fits(page, `/dashboard at ${size.width} px`);
  }
});

test('consoles fit between phone and desk, with heads of one height, and Edit Position shows all of its figures', {
  tag: '@long',
}, async ({ page, fulcrum }) => {
  const trader = await ApiUser.register(fulcrum.url, 'between_sizes');
  await trader.call('open_position', { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10 });
  await trader.call('create_account', { p_name: 'Swing', p_start_balance: 1_234_567 });
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  // Seven digits are the widest that a wallet is likely to show.
  await admin.call('adjust_wallet_balance', {
    p_user_id: trader.id,
    p_amount: '1234567.89',
    p_reason: 'A wide figure',
  });
  await signIn(page, 'admin@fulcrum.local');
  const own = `/admin/users/${trader.id}?section=positions`;
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const path of ['/admin', '/admin?tab=users', '/admin?tab=wallets', '/admin/metrics', own]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 }).first(), path).toBeVisible();
      const head = page.getByRole('banner');
      await expect
        .poll(async () => (await head.boundingBox())?.height, `the head of ${path} at ${size.width} px`)
        .toBe(size.height < 500 ? 48 : 56);
      await fits(page, `${path} at ${size.width} px`);
      if (path !== '/admin/metrics') continue;
      const transactions = page.getByRole('table', { name: /^Recent Transactions/ });
      await expect(transactions).toContainText('1,234,567.89');
      await expect
        .poll(() => overflow(transactions.locator('..')), `${path} at ${size.width} px`)
        .toEqual([0, 0]);
    }
    // What is pinned at the right would lie over the last figure of a table that is wider than its panel.
    const rows = page.getByRole('region', { name: /^Open Positions/ }).getByRole('table');
    await expect(rows).toContainText('BTCUSDT');
    await expect
      .poll(async () => (await overflow(rows.locator('..')))[0], `${own} at ${size.width} px`)
      .toBe(0);
    await page.getByRole('button', { name: 'Edit position BTCUSDT of between_sizes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Position' });
    const effect = dialog.getByRole('table', { name: 'The wallet before and after' });
    await expect(effect).toContainText('1,244,567.89');
    // A figure that lies outside of the pane it scrolls in cannot be read.
    const pane = dialog.locator('form > div').first();
    await expect.poll(async () => (await overflow(pane))[0], `Edit Position at ${size.width} px`).toBe(0);
    // Read until they hold: the dialog grows when its figures arrive, and a box is of one moment.
    const beyondPane = async () => {
      const [outer, inner] = await Promise.all([pane.boundingBox(), effect.boundingBox()]);
      return (inner?.x ?? 0) + (inner?.width ?? 0) - ((outer?.x ?? 0) + (outer?.width ?? 0));
    };
    await expect.poll(beyondPane, `the wallet's table at ${size.width} px`).toBeLessThanOrEqual(0);
    const isOnScreen = async () => {
      const box = await dialog.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= size.height;
    };
    await expect.poll(isOnScreen, `the dialog at ${size.width} px`).toBe(true);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
});

const widths = [1440, 1280, 1200, 1024, 768, 390, 360, 320] as const;
const heads = [
  ['admin', 'Admin', '/admin'],
  ['manager', 'Manager Dashboard', '/manager'],
  ['support', 'Support', '/support'],
] as const;

for (const [name, heading, path] of heads) {
  // The manager's heading is the longest: `npm test -- --all` measures it alone.
  const tag = name === 'manager' ? [] : ['@long'];
  test(`the head of ${path} has room for its name and the quick search at every width`, { tag }, async ({
    page,
  }) => {
    await signIn(page, `${name}@fulcrum.local`, { at: path });
    const head = page.getByRole('banner');
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 });
      const title = head.getByText(heading, { exact: true });
      await expect(title).toBeVisible();
      await expect.poll(async () => (await overflow(title))[0], `${heading} at ${width} px`).toBe(0);
      await expect(head.getByRole('button', { name: 'Quick search' })).toBeInViewport({ ratio: 1 });
      await expect(head.getByRole('button', { name: 'Logout' })).toBeInViewport({ ratio: 1 });
      await fits(page, `${path} at ${width} px`);
    }
  });
}

test('figures of seven digits are whole on the smallest phone and the smallest laptop', {
  tag: '@long',
}, async ({ page, fulcrum }) => {
  const trader = await ApiUser.register(fulcrum.url, 'somebody.with.a.name.as.long');
  await trader.call('open_position', { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10 });
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const funds = { p_user_id: trader.id, p_amount: '1234567.89', p_reason: 'A wide figure' };
  await admin.call('adjust_wallet_balance', funds);
  await page.route('**/rpc/get_admin_overview', async (route) => {
    const answer = await route.fetch();
    const overview = await answer.json();
    // The widest that is not shown in millions.
    overview.trading_volume.value = 999_999.99;
    await route.fulfill({ json: overview });
  });
  await signIn(page, 'admin@fulcrum.local');
  for (const width of [1440, 1280, 1190, 768, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/admin');
    const volume = page.getByRole('region', { name: 'Trading Volume' }).getByText('999,999.99');
    await expect(volume).toBeVisible();
    await expect.poll(async () => (await overflow(volume))[0], `Trading Volume at ${width} px`).toBe(0);
  }
  await page.goto('/admin/metrics');
  await expect(page.getByRole('button', { name: 'Oldest page' })).toBeInViewport({ ratio: 1 });
  await fits(page, '/admin/metrics at 320 px');
  await page.goto(`/admin/users/${trader.id}`);
  const available = page
    .getByRole('definition')
    .filter({ hasText: /^1,244,/ })
    .nth(1);
  await expect(available).toBeVisible();
  const { x = 0, width: wide = 0 } = (await available.locator('span').first().boundingBox()) ?? {};
  expect(x + wide).toBeLessThan(320 - 12);
  await page.getByRole('button', { name: 'Manage funds' }).click();
  const dialog = page.getByRole('dialog', { name: 'Manage Funds' });
  await expect(dialog.getByRole('table', { name: 'The wallet before and after' })).toContainText(
    '1,244,567.89',
  );
  await expect.poll(async () => (await overflow(dialog))[0], 'Manage Funds at 320 px').toBe(0);
});
