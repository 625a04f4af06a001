/** Password recovery, from the login to the login, through the mail that the server writes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, type Fulcrum, test } from '../harness/fulcrum.ts';
import { noApp, signIn } from '../harness/session.ts';
import { logIn, register } from '../harness/steps.ts';

/** The link in the latest mail to `email`, as soon as there is one that is not in `known`. */
async function linkMailedTo(fulcrum: Fulcrum, email: string, known: readonly string[] = []): Promise<string> {
  const outbox = join(fulcrum.dataDir, 'outbox');
  const found = () => {
    // The folder comes with the first mail.
    if (!existsSync(outbox)) return undefined;
    const files = readdirSync(outbox, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.eml'),
    );
    const mails = files.map((name) => readFileSync(join(outbox, name), 'latin1'));
    const decoded = mails.map((mail) =>
      mail
        .replace(/=\r?\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
    return decoded
      .filter((mail) => mail.toLowerCase().includes(email))
      .flatMap((mail) => /https?:\/\/\S+\/auth\/callback\?[^\s"<>]+/.exec(mail)?.[0] ?? [])
      .find((link) => !known.includes(link));
  };
  await expect.poll(found).toBeDefined();
  return found() ?? '';
}

async function requestReset(page: Page, email: string): Promise<void> {
  await page.goto('/reset-password');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(page.getByRole('heading', { name: 'Check Your Email' })).toBeVisible();
}

async function enterPassword(page: Page, password: string, confirmation = password): Promise<void> {
  await page.getByRole('textbox', { name: 'New password' }).fill(password);
  await page.getByRole('textbox', { name: 'Confirm password' }).fill(confirmation);
  await page.getByRole('button', { name: 'Update password' }).click();
}

test('AUTH-02, AUTH-29 … AUTH-32: a reset request needs an email alone, and its answer reveals nothing about the account', async ({
  page,
}) => {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page.getByRole('textbox')).toHaveCount(1);
  const email = page.getByLabel('Email');
  const submit = page.getByRole('button', { name: 'Send reset link' });
  await submit.click();
  await expect(page.getByText('Email is required')).toBeVisible();
  await expect(email).toBeFocused();
  await email.fill('nobody@example.test');
  await submit.click();
  const heading = page.getByRole('heading', { name: 'Check Your Email' });
  await expect(heading).toBeFocused();
  await expect(
    page.getByText('If an account exists with this email, you will receive password reset instructions.'),
  ).toBeVisible();
  // Without a mail service no mail arrives in a mailbox: the page states where the mail is.
  await expect(page.getByText('Its operator finds the mail in the outbox folder')).toBeVisible();
  await page.getByRole('button', { name: 'Send it again' }).click();
  await expect(email).toHaveValue('nobody@example.test');
  await submit.click();
  await page.getByRole('link', { name: 'Return to Login' }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test('AUTH-33, ERR-14: a reset request that failed shows an error, and can be sent again', async ({
  page,
}) => {
  await page.route('**/auth/v1/recover*', (route) => route.fulfill({ status: 500, json: { message: 'no' } }));
  await page.goto('/reset-password');
  await page.getByLabel('Email').fill('trader@fulcrum.local');
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(page.getByText('Failed to send reset password email')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('trader@fulcrum.local');
});

test('AUTH-34, AUTH-35, AUTH-37, AUTH-38, AUTH-40, AUTH-50, ROUTE-09, ERR-11, ERR-12, A42: the mailed link leads to a new password in the requesting browser, once', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
  await register(page, 'forgetful');
  await page.getByRole('button', { name: 'Logout' }).click();
  await requestReset(page, 'forgetful@example.test');
  const link = await linkMailedTo(fulcrum, 'forgetful@example.test');
  expect(link).toContain(`${fulcrum.url}/auth/callback?`);

  const exchanged = page.waitForRequest((request) => request.url().includes('grant_type=pkce'));
  await page.goto(link);
  await exchanged;
  await expect(page).toHaveURL(/\/update-password$/);
  await expect(page.getByRole('textbox')).toHaveCount(2);
  await expect(page.getByRole('textbox', { name: 'New password' })).toBeFocused();
  await enterPassword(page, '12345', '54321');
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
  await expect(page.getByText('Passwords do not match')).toBeVisible();
  await enterPassword(page, 'second-password');

  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Your password was changed. Please log in.')).toBeVisible();
  await page.goto('/wallet');
  await expect(page).toHaveURL(/\/login/);
  await logIn(page, 'forgetful@example.test', 'second-password');

  await page.getByRole('button', { name: 'Logout' }).click();
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeFocused();
  await expect(page.getByText('if you set a password with this link before, it holds')).toBeVisible();
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await expect(page).toHaveURL(/\/reset-password$/);
});

test('AUTH-34: the mailed link works in another browser too', async ({ page, browser, fulcrum }) => {
  await register(page, 'elsewhere');
  await requestReset(page, 'elsewhere@example.test');
  const link = await linkMailedTo(fulcrum, 'elsewhere@example.test');
  const other = await browser.newContext();
  const otherPage = await other.newPage();
  const verified = otherPage.waitForRequest('**/auth/v1/verify');
  await otherPage.goto(link);
  await verified;
  await expect(otherPage).toHaveURL(/\/update-password$/);
  await enterPassword(otherPage, 'third-password');
  await expect(otherPage).toHaveURL(/\/login$/);
  await other.close();
  // A new password ends the other sessions, and the page that was open learns it.
  await page.goto('/wallet');
  await expect(page).toHaveURL(/\/login/);
});

test('A42: a link that the network swallows is tried again, and one without anything is refused', async ({
  page,
  fulcrum,
}) => {
  await requestReset(page, 'manager@fulcrum.local');
  const link = await linkMailedTo(fulcrum, 'manager@fulcrum.local');
  await page.route('**/auth/v1/token*', (route) => route.abort('connectionrefused'));
  await page.goto(link);
  const retry = page.getByRole('button', { name: 'Retry' });
  await expect(retry).toBeVisible();
  await page.unroute('**/auth/v1/token*');
  await retry.click();
  await expect(page).toHaveURL(/\/update-password$/);

  await page.goto('/auth/callback');
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
});

test('ERR-43: a link that gets no session shows an error, with a retry and a way out', async ({ page }) => {
  await page.route('**/auth/v1/verify*', (route) => route.fulfill({ status: 200, json: {} }));
  await page.goto(`/auth/callback?token_hash=${'a'.repeat(43)}`);
  await expect(page.getByText('Auth session or user missing')).toBeVisible();
  await page.unroute('**/auth/v1/verify*');
  await page.getByRole('button', { name: 'Retry' }).click();
  // The server's own answer: it never made that link.
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await page.getByRole('link', { name: 'Return to Login' }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test('AUTH-36, AUTH-39, ERR-15: a new password needs a session, and a failure is shown', async ({ page }) => {
  await page.goto('/update-password');
  await expect(page).toHaveURL(/\/login$/);
  await signIn(page, 'support@fulcrum.local', { at: noApp });
  await page.goto('/update-password');
  await page.route('**/auth/v1/user', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 500, json: { message: 'no' } })
      : route.fallback(),
  );
  await enterPassword(page, 'another-password');
  await expect(page.getByText('Failed to update password')).toBeVisible();
  await expect(page).toHaveURL(/\/update-password$/);
});
