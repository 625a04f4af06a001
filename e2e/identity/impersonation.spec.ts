/**
 * Impersonation (A45) in the browser, and every way it ends. staff/user-dialogs.spec.ts tests the dialog that begins it;
 * here the API begins it.
 */
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, impersonate, noApp, signIn } from '../harness/session.ts';
import { demoPassword } from '../harness/steps.ts';

const bar = (page: Page) => page.getByRole('region', { name: 'Impersonation' });
const end = (page: Page) => bar(page).getByRole('button', { name: 'End impersonation' });

test('A45, AUTH-52, AUTH-53, AUTH-54: an admin impersonates a trader on every page and in every tab, through a reload, and returns to the own area', {
  tag: '@core',
}, async ({ page, context, fulcrum }) => {
  await ApiUser.register(fulcrum.url, 'seen_by_staff');
  await signIn(page, 'admin@fulcrum.local');
  const other = await context.newPage();
  await other.goto('/admin');
  await expect(other.getByRole('banner')).toContainText('Admin');
  await impersonate(page, 'seen_by_staff');

  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(bar(page)).toContainText('Viewing as seen_by_staff');
  await expect(bar(page)).toContainText(/\d+:\d\d left/);
  await expect(bar(page)).toContainText('demo_admin, admin');
  await expect(bar(page)).toContainText('Reason: A question about a margin');
  await expect(page.getByRole('heading', { name: /^Good \w+, seen_by_staff$/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Account balance' })).toContainText('$10,000.00');
  // The tab that was open in the back office follows.
  await expect(other).toHaveURL(/\/dashboard$/);
  await expect(bar(other)).toContainText('Viewing as seen_by_staff');

  for (const path of [
    '/trading',
    '/wallet',
    '/chat',
    '/profile',
    '/about',
    '/reset-password',
    '/update-password',
  ]) {
    await page.goto(path);
    await expect(bar(page), path).toContainText('Viewing as seen_by_staff');
  }
  // The last of them is not for staff: it leads back to the account.
  await page.getByRole('link', { name: 'Back to the account' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.goto('/dashboard#journal');
  const journal = page.getByRole('region', { name: 'Trading Journal' });
  await journal.scrollIntoViewIfNeeded();
  const note = journal.getByRole('form', { name: 'New journal entry' });
  await note.getByLabel('Title').fill('Homework of the week');
  await note.getByLabel('What was the idea, and did you follow it?').fill('Three entries with a stop.');
  await note.getByRole('button', { name: 'Save entry' }).click();
  await expect(journal.getByRole('list', { name: 'Journal entries' })).toContainText('Homework of the week');

  await end(page).click();
  await expect(page).toHaveURL(/\/admin$/);
  await expect(page.getByRole('banner')).toContainText('admin');
  await expect(bar(page)).toBeHidden();
  await page.goto('/admin/audit');
  const entry = page.getByRole('row').filter({ hasText: 'Journal entry written' });
  await expect(entry).toContainText('demo_admin');
  await expect(entry).toContainText('seen_by_staff');
  await expect(entry).not.toContainText('Homework');
  await page.goto('/admin');
  await expect(other).toHaveURL(/\/admin$/);
  await expect(bar(other)).toBeHidden();
});

test('AUTH-53: an impersonation that ended elsewhere ends here with the next request', {
  tag: '@core',
}, async ({ page }) => {
  await signIn(page, 'admin@fulcrum.local', { at: noApp });
  await impersonate(page, 'demo_trader', { at: '/wallet' });
  await expect(bar(page)).toBeVisible();
  await callApi(page, 'rpc/end_impersonation', {});
  // The page's own next request is refused, and the refreshed token is the admin's.
  await expect(page).toHaveURL(/\/admin$/);
  await expect(bar(page)).toBeHidden();
});

test('A45, AUTH-53: when the hour is over it ends by itself', async ({ page }) => {
  await page.clock.install();
  await signIn(page, 'admin@fulcrum.local', { at: noApp });
  await impersonate(page, 'demo_trader', { at: '/wallet' });
  await expect(bar(page)).toContainText('Viewing as demo_trader');
  await page.clock.fastForward('01:00:00');
  await expect(page).toHaveURL(/\/admin$/);
  await expect(bar(page)).toBeHidden();
});

test('AUTH-55: staff who lose the role during an impersonation are signed out and see nothing more of the account', async ({
  page,
  fulcrum,
}) => {
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const { id } = await admin.call<{ id: string }>('admin_create_user', {
    p_email: 'once_staff@example.test',
    p_username: 'once_staff',
    p_password: demoPassword,
    p_role: 'admin',
  });
  await signIn(page, 'once_staff@example.test', { at: noApp });
  await impersonate(page, 'demo_trader', { at: '/wallet' });
  await expect(bar(page)).toBeVisible();
  await admin.call('safe_update_user_profile', { user_id: id, new_role: 'support' });
  await page.goto('/wallet');
  await expect(page).toHaveURL(/\/login/);
  await expect(bar(page)).toBeHidden();
});

test('AUTH-42: a logout during an impersonation ends it and the staff session, in every tab', async ({
  page,
  context,
}) => {
  await signIn(page, 'manager@fulcrum.local', { at: noApp });
  await impersonate(page, 'demo_trader', { at: '/wallet' });
  await expect(bar(page)).toContainText('Viewing as demo_trader');
  const other = await context.newPage();
  await other.goto('/wallet');
  await expect(bar(other)).toBeVisible();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login/);
  await expect(bar(page)).toBeHidden();
  await expect(other).toHaveURL(/\/login/);
  for (const path of ['/wallet', '/manager']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/login/);
  }
});

test('A45: on a phone the bar shows the user, the time left and how to end it, and covers nothing', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, 'admin@fulcrum.local', { at: noApp });
  await impersonate(page, 'demo_trader', { at: '/wallet' });
  await expect(end(page)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Fulcrum' }).first()).toBeVisible();
  // The page settles while it loads: the boxes are read together, until both are there.
  await expect(async () => {
    const barBox = await bar(page).boundingBox();
    const brandBox = await page.getByRole('link', { name: 'Fulcrum' }).first().boundingBox();
    if (!barBox || !brandBox) throw new Error('not drawn yet');
    expect(brandBox.y).toBeGreaterThanOrEqual(barBox.y + barBox.height);
  }).toPass();
  await bar(page).getByRole('button', { name: 'About this impersonation' }).click();
  const about = page.getByRole('dialog', { name: 'About this impersonation' });
  await expect(about).toContainText('demo_admin, admin');
  await expect(about).toContainText('A question about a margin');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+.');
  await expect(page).toHaveURL(/\/admin$/);
});
