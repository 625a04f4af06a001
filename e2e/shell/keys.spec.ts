import { expect, test } from '../harness/fulcrum.ts';
import { signUp } from '../harness/session.ts';

test('the keys of a page are listed behind ?, work outside of fields, and can be switched off', async ({
  page,
}) => {
  await signUp(page, 'keyed');
  await expect(page.getByRole('button', { name: 'Keyboard shortcuts' })).toBeVisible();
  // Two keys within a second and a half: on a busy machine not always at the first try.
  const go = (second: string, to: RegExp) =>
    expect(async () => {
      await page.keyboard.press('g');
      await page.keyboard.press(second);
      await expect(page).toHaveURL(to, { timeout: 3_000 });
    }).toPass();
  await go('w', /\/wallet$/);
  await go('t', /\/trading/);
  const search = page.getByPlaceholder('Search by symbol, name, or asset...');
  await expect(search).toBeVisible();
  // The page that has just arrived may not listen yet.
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(search).toBeFocused({ timeout: 1_000 });
  }).toPass();
  // What is typed is no key.
  await page.keyboard.type('gw?');
  await expect(search).toHaveValue('gw?');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/trading/);

  await page.keyboard.press('Shift+Slash');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet).toBeVisible();
  const general = sheet.getByRole('region', { name: 'General' }).getByRole('listitem');
  await expect(general.filter({ hasText: 'Go to Wallet' }).locator('kbd')).toHaveText(['G', 'W']);
  await expect(general.filter({ hasText: 'Search for a pair' }).locator('kbd')).toHaveText(['/']);
  const trading = sheet.getByRole('switch', { name: 'Trading keys' });
  await expect(trading).toHaveAttribute('aria-checked', 'false');
  await trading.click();
  await expect(trading).toHaveAttribute('aria-checked', 'true');
  // No key works behind a dialog.
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await expect(page).toHaveURL(/\/trading/);
  await sheet.getByRole('switch', { name: 'Keyboard shortcuts' }).click();
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await page.keyboard.press('g');
  await page.keyboard.press('w');
  await page.keyboard.press('?');
  await expect(page).toHaveURL(/\/trading/);
  await expect(sheet).toBeHidden();
  await page.reload();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(sheet.getByRole('switch', { name: 'Keyboard shortcuts' })).toHaveAttribute(
    'aria-checked',
    'false',
  );
  await expect(trading).toHaveAttribute('aria-checked', 'true');
  await sheet.getByRole('switch', { name: 'Keyboard shortcuts' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Keyboard shortcuts' })).toBeFocused();
  const html = page.locator('html');
  await page.keyboard.press('Shift+D');
  await expect(html).toHaveAttribute('data-theme', 'light');
  await page.keyboard.press('Shift+D');
  await expect(html).toHaveAttribute('data-theme', 'dark');
});
