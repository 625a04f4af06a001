/** The pair selector: found, walked and starred by keyboard, still under the pointer, and on a phone. */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { signUp } from '../harness/session.ts';

const searchOf = (page: Page) => page.getByPlaceholder('Search by symbol, name, or asset...');
const option = (page: Page, name: RegExp) => page.getByRole('option', { name });
const tabOf = (page: Page, name: RegExp) =>
  page.getByRole('tablist', { name: 'Markets' }).getByRole('tab', { name });

test('TRADE-02, TRADE-06, TRADE-07, TRADE-08, TRADE-09, TRADE-13, A38: the selector is opened, walked, starred and left by keyboard', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'keyboarder', { at: '/trading?symbol=BTCUSDT' });
  const search = searchOf(page);
  await expect(search).toBeVisible();
  await page.keyboard.press('/');
  await expect(search).toBeFocused();
  const list = page.getByRole('listbox', { name: 'Trading pairs' });
  await expect.poll(() => list.evaluate((element) => element.clientHeight)).toBe(400);
  await search.press('End');
  await expect(page.locator('[role=option][aria-posinset="50"]')).toBeInViewport();
  await search.press('Home');
  await expect(option(page, /^.*BTC.*Bitcoin.*%/)).toBeInViewport();

  await search.press('ArrowDown');
  await search.press('Alt+s');
  await expect(tabOf(page, /favorites/i)).toHaveText(/1$/);
  // Tab reaches the tabs, arrows walk among them, Enter shows one.
  await tabOf(page, /crypto/i).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(tabOf(page, /favorites/i)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(search).toBeFocused();
  await expect(page.getByRole('option')).toHaveCount(1);
  await expect(option(page, /favorite.*ETH/)).toBeVisible();
  // A pair that loses its star stays in place until the list is left.
  await search.press('Alt+s');
  await expect(tabOf(page, /favorites/i)).toHaveText(/0$/);
  await expect(page.getByRole('option')).toHaveCount(1);
  await tabOf(page, /favorites/i).click();
  await expect(page.getByText('Star a pair to keep it here')).toBeVisible();

  await search.fill('zzzz');
  await expect(page.getByText("No match for 'zzzz'")).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).click();
  await search.press('Escape');
  await expect(list).toBeHidden();
  await expect(page.getByRole('button', { name: /choose another pair/ })).toBeFocused();

  await search.click();
  await expect(tabOf(page, /crypto/i)).toBeVisible();
  await page
    .getByRole('complementary', { name: 'Order' })
    .getByText('Account Balance', { exact: true })
    .click();
  await expect(tabOf(page, /crypto/i)).toBeHidden();
  const star = page.getByRole('button', { name: 'Add BTCUSDT to favorites' });
  await star.press('Enter');
  await expect(page.getByRole('button', { name: 'Remove BTCUSDT from favorites' })).toBeVisible();
});

interface Colours {
  readonly up: string;
  readonly down: string;
  readonly shown: readonly { readonly falls: boolean; readonly colour: string }[];
}

/** Runs in the page, all at once: prices go on moving. */
const readColours = `(() => {
  const probe = (name) => {
    const element = document.createElement('i');
    element.style.color = 'var(--' + name + ')';
    document.body.append(element);
    const { color } = getComputedStyle(element);
    element.remove();
    return color;
  };
  const cells = [...document.querySelectorAll('[role=option] > :last-child')];
  return {
    up: probe('up'),
    down: probe('down'),
    shown: cells.map((cell) => ({
      falls: cell.textContent.startsWith('\u2212'),
      colour: getComputedStyle(cell).color,
    })),
  };
})()`;

test('TRADE-10: a change of zero or more is green, a fall is red', async ({ page }) => {
  await signUp(page, 'colourful', { at: '/trading?symbol=BTCUSDT' });
  await searchOf(page).click();
  await expect(page.getByRole('option').nth(9)).toContainText('%');
  const colours = await page.evaluate<Colours>(readColours);
  expect(colours.shown.length).toBeGreaterThan(9);
  for (const { falls, colour } of colours.shown) expect(colour).toBe(falls ? colours.down : colours.up);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('TRADE-12, TRADE-22, TRADE-23, TRADE-24, TRADE-25, X-11: selector and price header show the change; the chart fills the screen', async ({
    page,
  }) => {
    await signUp(page, 'pocket_reader', { at: '/trading?symbol=BTCUSDT' });
    const selector = page.getByRole('button', { name: /^.?BTCUSDT.*choose another pair/ });
    await expect(selector).toHaveText(/[+\u2212]?\d+\.\d\d%/);
    // The price header: the price, and beneath it the change with its span.
    const change = page.getByText('24h', { exact: true }).locator('..');
    await expect(change).toHaveText(/[+\u2212]?\d+\.\d\d%.*24h$/);
    await expect(change.locator('..').getByText(/^\d{2,3},\d{3}\.\d\d$/)).toBeVisible();
    await page.getByRole('button', { name: /Chart/ }).click();
    const chart = page.getByRole('dialog', { name: 'BTCUSDT Chart' });
    await expect(chart).toBeVisible();
    await chart.getByRole('button', { name: 'Close' }).click();
    await expect(chart).toBeHidden();

    await selector.click();
    const sheet = page.getByRole('dialog', { name: 'Choose a pair' });
    await expect(sheet.getByRole('option').first()).toBeVisible();
    await expect
      .poll(() =>
        sheet
          .getByRole('option')
          .first()
          .evaluate((row) => row.clientHeight),
      )
      .toBe(48);
    await sheet
      .getByRole('option', { name: /ETHUSDT|ETH/ })
      .first()
      .click();
    await expect(page).toHaveURL(/symbol=ETHUSDT/);
    // One px wider than a phone has the other layout.
    await page.setViewportSize({ width: 768, height: 900 });
    await expect(page.getByRole('button', { name: 'Search pairs' })).toBeVisible();
    await page.setViewportSize({ width: 767, height: 900 });
    await expect(page.getByRole('button', { name: 'Search pairs' })).toBeHidden();
  });
});
