/**
 * A newcomer without a pointer: register, trade, close, log out. Only keys are pressed; the focus
 * moves by Tab and by the product's own focus management.
 */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { collectErrors, positionRow } from '../harness/steps.ts';

/** More than any screen of this journey has; a target further away counts as out of reach. */
const mostStops = 200;

/** Tab, or Shift and Tab, until `target` has the focus and shows it. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < mostStops; stop += 1) {
    await page.keyboard.press(key);
    if (await target.evaluate((element) => element.matches(':focus-visible'))) return;
  }
  throw new Error(`${target} is not among the next ${mostStops} stops`);
}

test('AUTH-28, TRADE-11, TRADE-40, TRADE-47, AUTH-42: by keyboard alone a newcomer registers, trades, closes the position and logs out', async ({
  page,
}) => {
  // Some two hundred keys, each waited for.
  test.slow();
  const errors = collectErrors(page);
  const row = positionRow(page, 'ETHUSDT');

  await test.step('registers from the landing page', async () => {
    await page.goto('/');
    await tabTo(page, page.getByRole('link', { name: 'Create an account' }));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/register$/);
    for (const [field, text] of [
      [page.getByLabel('Email'), 'all_keys@example.test'],
      [page.getByLabel('Username'), 'all_keys'],
      [page.getByLabel('Phone number'), '+12345678900'],
      [page.getByRole('textbox', { name: 'Password', exact: true }), 'first-trade'],
      [page.getByRole('textbox', { name: 'Confirm password' }), 'first-trade'],
    ] as const) {
      await tabTo(page, field);
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  await test.step('goes to the trading screen and picks a pair', async () => {
    await tabTo(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trading' }));
    await page.keyboard.press('Enter');
    const search = page.getByRole('combobox', { name: 'Search trading pairs' });
    await expect(search).toBeVisible();
    await page.keyboard.press('/');
    await expect(search).toBeFocused();
    await page.keyboard.type('ether');
    await expect(page.getByRole('option', { name: /ETHUSDT/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/ETHUSDT/);
    await expect(page.getByRole('listbox')).toBeHidden();
  });

  await test.step('sizes the order and sends it', async () => {
    const buy = page.getByRole('button', { name: 'Buy/Long' });
    await expect(buy).toHaveAttribute('aria-disabled', 'true');
    await tabTo(page, page.getByRole('spinbutton', { name: 'Amount' }));
    await page.keyboard.type('0.5');
    const leverage = page.getByRole('slider', { name: 'Leverage' });
    await tabTo(page, leverage);
    for (let i = 1; i < 10; i += 1) await page.keyboard.press('ArrowRight');
    await expect(leverage).toHaveAttribute('aria-valuenow', '10');
    await expect(buy).not.toHaveAttribute('aria-disabled', 'true');
    await tabTo(page, buy);
    await page.keyboard.press('Enter');

    const question = page.getByRole('dialog', { name: 'Buy/Long ETHUSDT?' });
    await expect(question).toBeVisible();
    const confirm = question.getByRole('button', { name: 'Buy/Long' });
    // The dialog takes the focus and keeps it.
    await expect(question.locator(':focus')).toHaveCount(1);
    if (!(await confirm.evaluate((element) => element === element.ownerDocument.activeElement)))
      await tabTo(page, confirm);
    await page.keyboard.press('Enter');
    await expect(question).toBeHidden();
    await expect(row).toContainText('Long');
    await expect(row).toContainText('10×');
    await expect(buy, 'the focus is back where it came from').toBeFocused();
  });

  await test.step('closes the position', async () => {
    await tabTo(page, row.getByRole('button', { name: 'Close ETHUSDT long' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Close ETHUSDT long?' });
    await expect(question).toBeVisible();
    await expect(question.locator(':focus')).toHaveCount(1);
    const confirm = question.getByRole('button', { name: 'Close position' });
    if (!(await confirm.evaluate((element) => element === element.ownerDocument.activeElement)))
      await tabTo(page, confirm);
    await page.keyboard.press('Enter');
    await expect(question).toBeHidden();
    await expect(page.getByText('No open positions')).toBeVisible();
    // The row and its button are gone; the focus stays on the screen rather than at the start of the page.
    await tabTo(page, page.getByRole('tab', { name: /Open Positions/ }), 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: 'Position History' })).toBeFocused();
    await expect(row).toContainText('10×');
  });

  await test.step('logs out', async () => {
    await tabTo(page, page.getByRole('button', { name: 'Logout' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/login$/);
  });

  expect(errors, 'errors of the page').toEqual([]);
});
