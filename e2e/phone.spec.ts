/** A phone of the narrowest, of a narrow and of the usual width: nothing overflows sideways, and taps alone make the first trade. */
import type { Page } from '@playwright/test';
import { expect, test } from './harness/fulcrum.ts';
import { signIn, signUp } from './harness/session.ts';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

/** A phone zooms a page out that is too wide, so `innerWidth` alone would grow with it. */
async function fits(page: Page, width: number, name: string): Promise<void> {
  const widths = () =>
    page.locator('html').evaluate((html) => [html.scrollWidth, html.ownerDocument.defaultView.innerWidth]);
  await expect.poll(widths, `${name} at ${width} px`).toEqual([width, width]);
}

const openPages = ['/', '/about', '/terms', '/privacy', '/contact', '/register', '/reset-password', '/login'];
const ownPages = ['/dashboard', '/wallet', '/profile', '/profile?tab=kyc', '/chat', '/trading'];

/** Rows of the dashboard arrive when they are reached, and so does what lies lower in one that is taller than the screen. */
async function reachAllRows(page: Page): Promise<void> {
  for (const id of ['chart', 'tools', 'news', 'journal', 'analytics']) {
    await page.locator(`#${id}`).scrollIntoViewIfNeeded();
    const busy = page.locator(`#${id} [aria-busy=true]`);
    await expect(async () => {
      if ((await busy.count()) > 0) await busy.last().scrollIntoViewIfNeeded({ timeout: 1_000 });
      await expect(busy, id).toHaveCount(0, { timeout: 1_000 });
    }).toPass();
  }
}

test('neither the login nor the trading screen overflows the narrowest phone sideways', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await fits(page, 320, '/login');
  await signIn(page, 'trader@fulcrum.local', { at: '/trading' });
  await expect(page.getByRole('navigation').last()).toBeVisible();
  await fits(page, 320, '/trading');
});

test('no page and no main state overflows sideways at 320 px, 360 px and 390 px', { tag: '@long' }, async ({
  page,
}) => {
  const widths = [320, 360, 390];
  const everywhere = async (name: string) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 640 });
      await fits(page, width, name);
    }
  };
  for (const path of openPages) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await everywhere(path);
  }
  await page.getByRole('button', { name: 'Log in', exact: true }).tap();
  await expect(page.getByText('Email is required')).toBeVisible();
  await everywhere('/login with errors');
  await signIn(page, 'trader@fulcrum.local');
  for (const path of ownPages) {
    await page.goto(path);
    await expect(page.getByRole('navigation').last()).toBeVisible();
    if (path === '/dashboard') await reachAllRows(page);
    await everywhere(path);
  }
  const dialog = page.getByRole('dialog');
  const opened = async (name: string, close: string) => {
    await expect(dialog).toBeVisible();
    await everywhere(name);
    await dialog.getByRole('button', { name: close }).tap();
    await expect(dialog).toBeHidden();
  };
  await page.getByRole('button', { name: /choose another pair/ }).tap();
  await opened('pairs', 'Close');
  await page.getByRole('button', { name: /^Chart/ }).tap();
  await page.setViewportSize({ width: 360, height: 640 });
  await dialog.getByRole('button', { name: 'Drawing tools' }).tap();
  const lastTool = page.getByRole('button', { name: 'Delete all drawings' });
  await lastTool.scrollIntoViewIfNeeded();
  await expect(lastTool).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(lastTool).toBeHidden();
  await opened('chart', 'Close');
  await page.getByRole('button', { name: 'Show Order Form' }).tap();
  await dialog.getByRole('button', { name: 'Required Margin' }).tap();
  const formula = page.getByRole('dialog', { name: 'Required Margin' });
  await expect(formula).toBeVisible();
  // Fixed panels widen no page; this one has to lie within it by itself.
  await expect
    .poll(async () => {
      const box = await formula.boundingBox();
      return box !== null && box.x >= 0 && box.x + box.width <= 390;
    })
    .toBe(true);
  await page.keyboard.press('Escape');
  await expect(formula).toBeHidden();
  await opened('order form', 'Hide Order Form');
  for (const name of [/Position History/, /Open Orders/, /Order History/]) {
    await page.getByRole('tab', { name }).tap();
    await everywhere(String(name));
  }
});

test('TRADE-37, TRADE-49: on a phone the first trade is opened and closed by taps alone', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'fingertip');
  await page.getByRole('link', { name: 'Trading', exact: true }).tap();
  await page.getByRole('button', { name: /choose another pair/ }).tap();
  await page.getByRole('option', { name: /ETHUSDT/ }).tap();
  await expect(page).toHaveURL(/ETHUSDT/);
  await page.getByRole('button', { name: 'Show Order Form' }).tap();
  const form = page.getByRole('dialog', { name: /ETHUSDT/ });
  await form.getByRole('button', { name: '10%', exact: true }).tap();
  await form.getByRole('button', { name: 'More leverage' }).tap();
  await expect(form.getByRole('slider', { name: 'Leverage' })).toHaveAttribute('aria-valuenow', '2');
  await form.getByRole('button', { name: 'Buy/Long' }).tap();
  const question = page.getByRole('dialog', { name: 'Buy/Long' });
  await question.getByRole('button', { name: 'Buy/Long' }).tap();
  await expect(question).toBeHidden();
  // The sheet makes way for the new position.
  await expect(form).toBeHidden();
  await expect(page.getByRole('tab', { name: /Open Positions/ })).toContainText('(1)');
  await page.getByRole('button', { name: 'Close ETHUSDT long' }).tap();
  await page.getByRole('dialog').getByRole('button', { name: 'Close position' }).tap();
  await expect(page.getByText('No open positions')).toBeVisible();
  await page.getByRole('tab', { name: 'Position History' }).tap();
  await expect(page.getByText('ETHUSDT').last()).toBeVisible();
});

test('on a phone Back closes what lies over the trading screen, and not the page', async ({ page }) => {
  await signUp(page, 'backer', { at: '/wallet' });
  await page.goto('/trading?symbol=BTCUSDT');
  const form = page.getByRole('form', { name: 'Order form' });
  await page.getByRole('button', { name: 'Show Order Form' }).tap();
  await expect(form).toBeVisible();
  await page.goBack();
  await expect(form).toBeHidden();
  await expect(page).toHaveURL(/\/trading\?symbol=BTCUSDT/);

  await test.step('the full chart; one that was closed otherwise leaves no entry behind', async () => {
    const chart = page.getByRole('dialog', { name: 'BTCUSDT Chart' });
    await page.getByRole('button', { name: /^Chart/ }).tap();
    await expect(chart).toBeVisible();
    await page.goBack();
    await expect(chart).toBeHidden();
    await page.getByRole('button', { name: /^Chart/ }).tap();
    await chart.getByRole('button', { name: 'Close' }).tap();
    await expect(chart).toBeHidden();
  });

  await test.step('the pair sheet; a chosen pair stays chosen', async () => {
    const sheet = page.getByRole('dialog', { name: 'Choose a pair' });
    const trigger = page.getByRole('button', { name: /choose another pair/ });
    await trigger.tap();
    await expect(sheet).toBeVisible();
    await page.goBack();
    await expect(sheet).toBeHidden();
    await trigger.tap();
    await sheet.getByRole('option', { name: /ETHUSDT/ }).tap();
    await expect(sheet).toBeHidden();
    await expect(trigger).toContainText('ETHUSDT');
    await expect(page).toHaveURL(/symbol=ETHUSDT/);
  });

  await test.step('an accepted order closes the sheet over its position; the foot has margin and liquidation', async () => {
    await page.getByRole('button', { name: 'Show Order Form' }).tap();
    await form.getByRole('spinbutton', { name: 'Amount' }).fill('0.1');
    await expect(form.getByText(/^Margin\s*[\d,]+\.\d\d/)).toBeInViewport();
    await expect(form.getByText(/^Liq\.\s*[\d,]+\.\d\d/)).toBeInViewport();
    await form.getByRole('button', { name: 'Buy/Long' }).tap();
    const question = page.getByRole('dialog', { name: 'Buy/Long' });
    await question.getByRole('button', { name: 'Buy/Long' }).tap();
    await expect(form).toBeHidden();
    await expect(page.getByRole('region', { name: 'Positions' })).toContainText('ETHUSDT');
  });

  await expect(page).toHaveURL(/\/trading/);
  await page.goBack();
  await expect(page).toHaveURL(/\/wallet/);
});
