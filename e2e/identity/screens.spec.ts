import { expect, test } from '../harness/fulcrum.ts';
import { noApp, signUp } from '../harness/session.ts';
import { register } from '../harness/steps.ts';

test('AUTH-01, AUTH-02, AUTH-03: the login screen has two fields and two ways out', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByRole('textbox')).toHaveCount(2);
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toHaveAttribute(
    'href',
    '/reset-password',
  );
  await expect(page.getByRole('link', { name: /account|register/i }).first()).toHaveAttribute(
    'href',
    '/register',
  );
});

test('AUTH-16 … AUTH-19, AUTH-20 … AUTH-23, ERR-09 … ERR-13: registration refuses each wrong field with the specified text, and keeps the input', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/register');
  const submit = page.getByRole('button', { name: 'Create account' });
  await submit.click();
  await expect(page.getByText('Email is required')).toBeVisible();
  await page.getByLabel('Email').fill('not-an-email');
  await page.getByLabel('Username').fill('ab');
  await page.getByLabel('Phone number').fill('0123');
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('12345');
  await page.getByRole('textbox', { name: 'Confirm password' }).fill('54321');
  await submit.click();
  for (const text of [
    'Email is invalid',
    'Username must be at least 3 characters',
    'Please enter a valid phone number in international format (e.g., +12345678900)',
    'Password must be at least 6 characters',
    'Passwords do not match',
  ]) {
    await expect(page.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(page.getByLabel('Phone number')).toHaveAccessibleDescription(/^Please enter a valid phone/);
  await expect(page.getByLabel('Email')).toHaveValue('not-an-email');
  await expect(page.getByLabel('Email')).toBeFocused();
});

test('What a password manager reads is right on every form of the sign-in', async ({ page }) => {
  const purposes = async (path: string) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    return page
      .locator('form input')
      .evaluateAll((inputs) => inputs.map((input) => input.getAttribute('autocomplete')));
  };
  expect(await purposes('/login')).toEqual(['username', 'current-password']);
  const fresh = ['new-password', 'new-password'];
  expect(await purposes('/register')).toEqual(['username', 'nickname', 'tel', ...fresh]);
  expect(await purposes('/reset-password')).toEqual(['username']);
});

test('A taken email is refused, and registering twice is impossible', async ({ page }) => {
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().includes('/auth/v1/signup')) sent += 1;
  });
  await page.goto('/register');
  await page.getByLabel('Email').fill('TRADER@fulcrum.local');
  await page.getByLabel('Username').fill('another');
  await page.getByLabel('Phone number').fill('+12345678900');
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('first-trade');
  await page.getByRole('textbox', { name: 'Confirm password' }).fill('first-trade');
  await page.getByRole('button', { name: 'Create account' }).dblclick();
  await expect(page.getByText('This email is already registered.')).toBeVisible();
  expect(sent).toBe(1);
});

test('WALL-01 … WALL-05, WALL-08, RULE-26, RULE-36: the wallet shows both balances and the stated columns', async ({
  page,
}) => {
  await register(page, 'saver');
  await page.getByRole('link', { name: 'Wallet' }).click();
  await expect(page.getByRole('heading', { name: 'Your Wallet' })).toBeVisible();
  await expect(page.getByText('Total Balance')).toBeVisible();
  await expect(page.getByText('Available Balance')).toBeVisible();
  await expect(page.getByText('10,000.00').first()).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveText([
    'Date',
    'Type',
    'Amount',
    'Status',
    'Description',
  ]);
});

test('WALL-09, WALL-10, ERR-20, ERR-21: a failed read shows an error, and only the button Retry repeats it', async ({
  page,
}) => {
  // A join of the own topic would read again by itself.
  await page.routeWebSocket(/\/realtime\/v1\//, () => {});
  await signUp(page, 'wallet_errors', { at: noApp });
  const tables = /\/rest\/v1\/(wallets|transactions)/;
  await page.route(tables, (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'no' } }),
  );
  await page.goto('/wallet');
  await expect(page.getByText('Failed to fetch wallet')).toBeVisible();
  await expect(page.getByText('Failed to fetch transactions')).toBeVisible();
  await page.unroute(tables);
  const retry = page.getByRole('button', { name: 'Retry' });
  await expect(retry).toHaveCount(2);
  await retry.first().click();
  await expect(page.getByText('Total Balance')).toBeVisible();
  await retry.click();
  await expect(page.getByRole('region', { name: 'Transaction History' })).toContainText('Initial balance');
  await expect(retry).toHaveCount(0);
});

test('A username as long as it may be leaves the dashboard of a phone as wide as it is', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signUp(page, 'w'.repeat(40));
  // The page settles while it loads: the boxes are read together, until both are there.
  await expect(async () => {
    const panel = await page.locator('section').first().boundingBox();
    const badge = await page.getByText('Simulated', { exact: true }).first().boundingBox();
    if (!panel || !badge) throw new Error('not drawn yet');
    expect(badge.x + badge.width).toBeLessThanOrEqual(panel.x + panel.width);
  }).toPass();
});
