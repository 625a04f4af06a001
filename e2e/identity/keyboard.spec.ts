/** Registration, login and logout without a pointer. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';

const mostStops = 40;

/** Tab, until `target` has the focus; fails when it is not on the way. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < mostStops; stop += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element.matches(':focus'))) return;
  }
  throw new Error(`${target} is not among the first ${mostStops} stops`);
}

test('AUTH-16, AUTH-28, AUTH-42: by keyboard alone a visitor registers, corrects a mistake, sees the dashboard and logs out', async ({
  page,
}) => {
  await page.goto('/login');
  await tabTo(page, page.getByRole('link', { name: 'Create an account' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/register$/);
  // The page that is being left has such an Email too.
  await expect(page.getByLabel('Username')).toBeVisible();

  const phone = page.getByLabel('Phone number');
  for (const [field, text] of [
    [page.getByLabel('Email'), 'by_keys@example.test'],
    [page.getByLabel('Username'), 'by_keys'],
    [phone, '0123'],
    [page.getByRole('textbox', { name: 'Password', exact: true }), 'first-trade'],
    [page.getByRole('textbox', { name: 'Confirm password' }), 'first-trade'],
  ] as const) {
    await tabTo(page, field);
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');
  await expect(phone).toBeFocused();
  await expect(phone).toHaveAccessibleDescription(
    'Please enter a valid phone number in international format (e.g., +12345678900)',
  );
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('+12345678900');
  await page.keyboard.press('Enter');

  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { name: /^Good \w+, by_keys$/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: /^Good \w+, by_keys$/ })).toBeVisible();
  const logout = page.getByRole('button', { name: 'Logout' });
  await tabTo(page, logout);
  // What has the focus shows it.
  await expect(logout).toHaveCSS('outline-style', 'solid');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/login$/);
});
