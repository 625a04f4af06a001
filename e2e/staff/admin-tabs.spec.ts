/** ADMIN-01, ADMIN-02: the frame of the admin console. */
import type { Page } from '@playwright/test';
import { sendMessage } from '../contact/messages.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test.use({ serverEnv: { TRUST_PROXY: '127.0.0.1' } });

const names = ['Overview', 'Users', 'Support', 'KYC', 'Wallets', 'Contact Forms', 'Profile'] as const;
const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });
const isChosen = (page: Page, name: string) =>
  expect(tab(page, name)).toHaveAttribute('aria-selected', 'true');

test('ADMIN-01, ADMIN-02: seven tabs, Overview first, the tab in the address, the keyboard along them', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page);
  await signIn(page, 'admin@fulcrum.local');
  await expect(page).toHaveURL(/\/admin$/);
  await expect(page.getByRole('tab')).toHaveText([...names]);
  await isChosen(page, 'Overview');

  await tab(page, 'Overview').focus();
  for (const [key, name, search] of [
    ['ArrowRight', 'Users', '?tab=users'],
    ['End', 'Profile', '?tab=profile'],
    ['ArrowLeft', 'Contact Forms', '?tab=contact'],
    ['Home', 'Overview', ''],
  ] as const) {
    await page.keyboard.press(key);
    await expect(tab(page, name)).toBeFocused();
    await isChosen(page, name);
    await expect(page).toHaveURL(new RegExp(`/admin${search.replace('?', '\\?')}$`));
  }
  await tab(page, 'Wallets').click();
  await expect(page.getByRole('tabpanel').getByRole('heading', { level: 1 })).toHaveText('Wallets');
  await expect(page).toHaveTitle('Wallets · Fulcrum');
  await page.reload();
  await isChosen(page, 'Wallets');
  await page.goBack();
  await isChosen(page, 'Overview');
  await page.goto('/admin?tab=nonsense');
  await isChosen(page, 'Overview');
  expect(errors).toEqual([]);
});

test('a tab shows the count of its waiting items, live; on a phone the line of tabs keeps the current one in view', async ({
  page,
  fulcrum,
}) => {
  await signIn(page, 'admin@fulcrum.local');
  await expect(tab(page, 'Contact Forms')).toHaveAccessibleName('Contact Forms');
  for (let count = 1; count <= 2; count += 1) {
    await sendMessage(fulcrum);
    await expect(tab(page, 'Contact Forms')).toHaveAccessibleName(`Contact Forms ${count} new`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/admin?tab=profile');
  await expect(tab(page, 'Profile')).toBeInViewport({ ratio: 1 });
  await expect(tab(page, 'Overview')).not.toBeInViewport();
  await tab(page, 'Profile').press('Home');
  await expect(tab(page, 'Overview')).toBeInViewport({ ratio: 1 });
});
