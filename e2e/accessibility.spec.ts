/**
 * WCAG 2.2 AA by axe: every page for everybody who has it, at three sizes, in both themes. A page is loaded once and then
 * resized and recoloured; the themes differ in colours alone, so the second one is asked only what depends on them.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { expect, test } from './support/fulcrum.ts';
import { actAs } from './support/session.ts';
import { logIn, openMarket, positionRow, sendOrder } from './support/steps.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const sizes = [
  { width: 1440, height: 900 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
] as const;
const themes = {
  dark: { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  light: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
} as const satisfies Record<string, RunOptions>;
const publicPages = ['/about', '/contact', '/terms', '/privacy'] as const;
const mailPages = ['/reset-password', '/auth/callback'] as const;

async function violations(page: Page, rules: RunOptions): Promise<string[]> {
  const { violations: found } = await page.evaluate(
    (options) =>
      (globalThis as unknown as { axe: { run: (o: object) => Promise<AxeResults> } }).axe.run(options),
    rules,
  );
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/** What axe finds on the page as it stands, with the size and theme it was found in. */
async function inspect(page: Page, name: string): Promise<void> {
  await page.evaluate(axe);
  const found: string[] = [];
  for (const size of sizes) {
    await page.setViewportSize(size);
    for (const [theme, rules] of Object.entries(themes)) {
      await page.locator('html').evaluate((html, chosen) => html.setAttribute('data-theme', chosen), theme);
      for (const violation of await violations(page, rules)) {
        found.push(`${name} at ${size.width} in ${theme}: ${violation}`);
      }
    }
  }
  expect.soft(found).toEqual([]);
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

async function inspectAll(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first(), path).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0);
    await inspect(page, path);
  }
}

test.beforeEach(async ({ page }) => {
  test.setTimeout(300_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

test('X-12: what a visitor sees is accessible, in both themes and at three sizes', async ({ page }) => {
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

test("X-12: a trader's pages are accessible, in both themes and at three sizes", async ({ page }) => {
  await logIn(page, 'trader@fulcrum.local');
  await page.goto('/trading?symbol=BTCUSDT');
  await openMarket(page, { side: 'Buy/Long', amount: '0.01', leverage: 10 });
  await expect(positionRow(page, 'BTCUSDT').first()).toBeVisible();
  await inspect(page, '/trading with a position');
  await page.setViewportSize(sizes[0]);
  await page.getByPlaceholder('Search by symbol, name, or asset...').click();
  await expect(page.getByRole('option').first()).toContainText(/\d/);
  await inspect(page, 'the pair selector');
  await page.setViewportSize(sizes[0]);
  await page.keyboard.press('Escape');
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

for (const [role, paths] of [
  ['admin', ['/admin', '/admin/metrics', '/about']],
  ['manager', ['/manager', '/about']],
  ['support', ['/support', '/about']],
] as const) {
  test(`X-12: the pages of role ${role} are accessible, in both themes and at three sizes`, async ({
    page,
  }) => {
    await logIn(page, `${role}@fulcrum.local`);
    await inspectAll(page, paths);
  });
}

test('X-12: acting as somebody else is accessible, in both themes and at three sizes', async ({ page }) => {
  await logIn(page, 'admin@fulcrum.local');
  await actAs(page, 'demo_trader');
  // What is its own is the bar above every page; the pages themselves are inspected above.
  await inspectAll(page, ['/wallet', '/update-password']);
});
