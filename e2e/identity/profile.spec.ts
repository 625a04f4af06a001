/** Account Settings: the profile, the password, the sessions, and the preferences of this browser. */
import type { Browser, Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { impersonate, noApp, signIn, signUp } from '../harness/session.ts';
import { logIn, pressRetry } from '../harness/steps.ts';

const password = 'first-trade';
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save changes' });

/** The same user on another device. */
async function onAnotherDevice(browser: Browser, email: string, known = password): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signIn(page, email, { password: known });
  return page;
}

test('PROF-01, PROF-02: Account Settings has two tabs, the selected one in the address, and stores the browser’s preferences', async ({
  page,
}) => {
  await signUp(page, 'settled', { at: '/profile' });
  await expect(page.getByRole('heading', { level: 1, name: 'Account Settings' })).toBeVisible();
  await expect(page.getByRole('tab')).toHaveText(['Profile', 'KYC Verification']);
  await page.getByLabel('Username').fill('half_typed');
  await page.getByRole('tab', { name: 'KYC Verification' }).click();
  await expect(page).toHaveURL(/\/profile\?tab=kyc$/);
  await expect(page.getByText('Not verified')).toBeVisible();
  await expect(page.getByRole('form', { name: 'Verification' })).toBeVisible();
  await page.getByRole('tab', { name: 'Profile' }).click();
  await expect(page).toHaveURL(/\/profile$/);
  await expect(page.getByLabel('Username')).toHaveValue('half_typed');

  await page.getByRole('radio', { name: 'Light' }).click();
  await page.getByRole('radio', { name: 'Blue up' }).click();
  await page.getByRole('switch', { name: 'Confirm orders' }).click();
  await page.goto('/profile?tab=nonsense');
  await expect(page.getByRole('tab', { name: 'Profile' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('switch', { name: 'Confirm orders' })).not.toBeChecked();
  await expect(page.getByRole('switch', { name: 'Trading keys' })).not.toBeChecked();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect(page.locator('html')).toHaveAttribute('data-palette', 'colour-blind');
});

test('KYC-02 … KYC-05: every status but the first has its banner, and a rejected user is invited to send new documents', async ({
  page,
}) => {
  await signUp(page, 'examined', { at: noApp });
  for (const [status, banner] of [
    ['pending', 'Verification pending'],
    ['verified', 'Your identity is verified.'],
    ['rejected', 'Please submit new documents'],
  ] as const) {
    await page.route('**/rest/v1/users*', async (route) => {
      const answer = await route.fetch();
      const rows: object[] = await answer.json();
      await route.fulfill({ response: answer, json: rows.map((row) => ({ ...row, kyc_status: status })) });
    });
    await page.goto('/profile?tab=kyc');
    const tab = page.getByRole('tabpanel', { name: 'KYC Verification' });
    await expect(tab.getByText(banner, { exact: true })).toBeVisible();
    if (status !== 'rejected') await expect(tab.getByRole('textbox')).toHaveCount(0);
    await page.unroute('**/rest/v1/users*');
  }
});

test('PROF-03, PROF-09, PROF-11, CALL-84, ERR-18, ERR-19: a trader changes name, email and phone; a new email needs the password, and sign-in follows it', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'before_change', { at: '/profile' });
  const username = page.getByLabel('Username');
  await username.fill('ab');
  await save(page).click();
  await expect(username).toHaveAccessibleDescription('Username must be at least 3 characters');
  await expect(username).toBeFocused();
  await username.fill('demo_trader');
  await save(page).click();
  await expect(username).toHaveAccessibleDescription('This username is taken.');
  await expect(username).toHaveValue('demo_trader');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(username).toHaveValue('before_change');
  await expect(username).toHaveAccessibleDescription('');
  await expect(username).toBeFocused();

  await page.route('**/rpc/safe_update_user_profile', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'no' } }),
  );
  await username.fill('after_change');
  await save(page).click();
  await expect(page.getByRole('alert').getByText('Failed to update profile')).toBeVisible();
  await page.unroute('**/rpc/safe_update_user_profile');
  await page.getByLabel('Phone number').fill('+12025550199');
  await save(page).click();
  await expect(page.getByText('Profile updated')).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'after_change' })).toBeVisible();
  await expect(save(page)).toHaveAttribute('aria-disabled', 'true');

  const current = page.getByRole('textbox', { name: 'Your password' });
  await expect(current).toBeHidden();
  await page.getByLabel('Email').fill('after_change@example.test');
  await save(page).click();
  await expect(current).toHaveAccessibleDescription(/Password is required/);
  await expect(current).toBeFocused();
  await current.fill('not-the-password');
  await save(page).click();
  await expect(current).toHaveAccessibleDescription(/Current password is incorrect/);
  await current.fill(password);
  await save(page).click();
  await expect(page.getByText('Log in with after_change@example.test from now on.')).toBeVisible();
  await expect(current).toBeHidden();
  await page.getByRole('button', { name: 'Logout' }).click();
  await logIn(page, 'after_change@example.test', password);
  await page.goto('/profile');
  await expect(page.getByLabel('Phone number')).toHaveValue('+12025550199');
});

test('PROF-04 … PROF-06, PROF-08, PROF-10, ERR-16, ERR-17, ERR-18, ERR-42: a password change needs the current password, and ends every other session', {
  tag: '@core',
}, async ({ page, browser }) => {
  await signUp(page, 'careful', { at: noApp });
  const elsewhere = await onAnotherDevice(browser, 'careful@example.test');
  await page.goto('/profile');
  const form = page.getByRole('form', { name: 'Change password' });
  const current = form.getByRole('textbox', { name: 'Current password' });
  const fresh = form.getByRole('textbox', { name: 'New password', exact: true });
  const confirmation = form.getByRole('textbox', { name: 'Confirm new password' });
  const submit = form.getByRole('button', { name: 'Change password' });

  await current.fill('not-the-password');
  await fresh.fill('12345');
  await confirmation.fill('54321');
  await submit.click();
  await expect(fresh).toHaveAccessibleDescription('New password must be at least 6 characters long');
  await expect(confirmation).toHaveAccessibleDescription('New passwords do not match');
  await expect(fresh).toBeFocused();
  await fresh.fill('second-trade');
  await confirmation.fill('second-trade');
  await submit.click();
  await expect(current).toHaveAccessibleDescription('Current password is incorrect');
  await expect(current).toBeFocused();
  await expect(fresh).toHaveValue('second-trade');
  await current.fill(password);

  const user = '**/auth/v1/user';
  for (const [answer, text] of [
    [{ status: 500, json: { message: 'no' } }, 'Failed to update password'],
    [
      { status: 403, json: { error_code: 'session_not_found', message: 'gone' } },
      'Failed to update password. Auth session missing!',
    ],
  ] as const) {
    await page.route(user, (route) =>
      route.request().method() === 'PUT' ? route.fulfill(answer) : route.fallback(),
    );
    await submit.click();
    await expect(form.getByText(text, { exact: true })).toBeVisible();
    await page.unroute(user);
  }
  // An expired session shows a way out; this one has not really expired.
  await expect(form.getByRole('button', { name: 'Log in again' })).toBeVisible();

  await submit.click();
  await expect(page.getByText('Password changed')).toBeVisible();
  await expect(current).toHaveValue('');
  await expect(elsewhere).toHaveURL(/\/login/);
  await elsewhere.context().close();
  await page.getByRole('button', { name: 'Logout' }).click();
  await logIn(page, 'careful@example.test', 'second-trade');
});

test('Sessions are listed with their device, and end one by one or all but this, when it is meant', async ({
  page,
  browser,
}) => {
  const list = '**/rpc/list_sessions';
  await signUp(page, 'everywhere', { at: noApp });
  await page.route(list, (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'no' } }),
  );
  await page.goto('/profile');
  const sessions = section(page, 'Sessions');
  await expect(sessions.getByText('Failed to load sessions')).toBeVisible();
  await page.unroute(list);
  await pressRetry(sessions);
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await expect(sessions.getByRole('listitem')).toContainText(/Chrome on .*This device.*127\.0\.0\.1/s);
  await expect(sessions.getByText('No other device is logged in.')).toBeVisible();

  const second = await onAnotherDevice(browser, 'everywhere@example.test');
  const third = await onAnotherDevice(browser, 'everywhere@example.test');
  await page.reload();
  await expect(sessions.getByRole('listitem')).toHaveCount(3);
  const logOut = sessions.getByRole('button', { name: /^Log out Chrome/ });
  const dialog = page.getByRole('dialog');
  await logOut.first().click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(logOut.first()).toBeFocused();
  await logOut.first().click();
  await dialog.getByRole('button', { name: 'Log out device' }).click();
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  // The last used is first.
  await expect(third).toHaveURL(/\/login/);

  await sessions.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(dialog).toContainText('Logs out 1 other device at once.');
  await dialog.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(sessions.getByRole('listitem')).toHaveCount(1);
  await expect(second).toHaveURL(/\/login/);
  await page.reload();
  await expect(sessions.getByText('This device')).toBeVisible();
  await second.context().close();
  await third.context().close();
});

test('A45: during an impersonation the page shows what is off, and no form that would fail', async ({
  page,
}) => {
  await signIn(page, 'admin@fulcrum.local', { at: noApp });
  await impersonate(page, 'demo_trader', { at: '/profile' });
  await expect(page.getByRole('region', { name: 'Impersonation' })).toBeVisible();
  for (const name of ['Profile', 'Change Password', 'Sessions']) {
    const off = section(page, name);
    await expect(off.getByText('This is not possible while impersonating a user.')).toBeVisible();
    await expect(off.getByRole('textbox')).toHaveCount(0);
    await expect(off.getByRole('button')).toHaveCount(0);
  }
  await expect(section(page, 'Profile')).toContainText('trader@fulcrum.local');
  await expect(section(page, 'Appearance').getByRole('radio', { name: 'Light' })).toBeVisible();
});
