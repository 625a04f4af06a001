import { expect, test } from '../harness/fulcrum.ts';
import { signUp } from '../harness/session.ts';
import { openMarket, positionRow, register } from '../harness/steps.ts';

test('ERR-01, ERR-05, ERR-06, AUTH-10: a refused sign-in shows the reason beside its field', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/login');
  const email = page.getByLabel('Email');
  const password = page.getByRole('textbox', { name: 'Password' });
  const submit = page.getByRole('button', { name: 'Log in', exact: true });
  // The last to come: the page does not move from here on.
  await expect(page.getByText('Demo account')).toBeVisible();
  await page.evaluate('document.fonts.ready');
  const top = () => email.evaluate((field) => field.getBoundingClientRect().top);
  const settled = await top();
  await submit.click();
  await expect(email).toHaveAccessibleDescription('Email is required');
  await expect(password).toHaveAccessibleDescription('Password is required');
  await expect(email).toBeFocused();
  expect(await top()).toBe(settled);
  await email.fill('trader@fulcrum.local');
  await expect(email).toHaveAccessibleDescription('');
  await password.fill('wrong-password');
  await submit.click();
  const refusal = page.getByRole('alert').filter({ hasText: 'Invalid login credentials' });
  await expect(refusal).toBeVisible();
  await expect(email).toHaveValue('trader@fulcrum.local');
  await expect(password).toHaveValue('wrong-password');
  expect(await top()).toBe(settled);
});

test('ROUTE-15, ROUTE-27, A43: a visitor is sent to sign in and returns to where it was going, by whatever way', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/trading?symbol=NVDA');
  await expect(page).toHaveURL(/\/login/);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByRole('link', { name: 'Return to Login' }).click();
  // The page that is being left has such a field too, until the next one is there.
  await expect(page.getByRole('heading', { level: 1, name: 'Log in' })).toBeVisible();
  await page.getByLabel('Email').fill('trader@fulcrum.local');
  await page.getByRole('textbox', { name: 'Password' }).fill('fulcrum-demo');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).toHaveURL(/\/trading\?symbol=NVDA/);
});

test('AUTH-44, AUTH-42: a second tab sees the same trade at once, and a logout in one is a logout in both', {
  tag: '@core',
}, async ({ page, context }) => {
  await signUp(page, 'two_tabs', { at: '/trading?symbol=BTCUSDT' });
  const other = await context.newPage();
  await other.goto('/trading?symbol=BTCUSDT');
  await expect(other.getByText('No open positions')).toBeVisible();
  await openMarket(page, { side: 'Buy/Long', amount: '0.01', leverage: 5 });
  await expect(positionRow(other, 'BTCUSDT')).toContainText('5×');
  await other.getByRole('button', { name: 'Logout' }).click();
  await expect(other).toHaveURL(/\/(login)?$/);
  await expect(page).toHaveURL(/\/(login)?(\?.*)?$/);
});

test('AUTH-47, CALL-13: a killed server comes back, and the open page goes on where it was', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
  await signUp(page, 'patient', { at: '/trading?symbol=BTCUSDT' });
  await openMarket(page, { side: 'Sell/Short', amount: '0.01', leverage: 3 });
  const row = positionRow(page, 'BTCUSDT');
  await expect(row).toContainText('3×');

  await fulcrum.restart('SIGKILL');

  const price = page.getByRole('complementary', { name: 'Order' }).getByRole('definition').nth(1);
  const before = (await price.textContent()) ?? '';
  await expect(price).not.toHaveText(before);
  // The page may still be reconnecting: the trader presses again until it is through.
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Close position' });
  const none = page.getByText('No open positions');
  await expect(async () => {
    if (await none.isVisible()) return;
    if (!(await confirm.isVisible())) {
      await row.getByRole('button', { name: 'Close BTCUSDT short' }).click({ timeout: 3_000 });
    }
    await confirm.click({ timeout: 3_000 });
    await expect(none).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 40_000 });
  await page.reload();
  await expect(page.getByText('No open positions')).toBeVisible();
});

test('CALL-13: what could not be read without a network is read when it is back, unasked', async ({
  page,
  context,
}) => {
  // The wallet's code is fetched ahead, with all that it imports; only its figures are missing then.
  const code = page.waitForResponse(/\/WalletPage-[^/]*\.js$/, { timeout: 0 });
  await register(page, 'on_a_train');
  await expect(page.getByText('$10,000.00').first()).toBeVisible();
  await page.evaluate((module) => import(module), (await code).url());
  await context.setOffline(true);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Wallet' }).click();
  await expect(page.getByText('Failed to fetch transactions')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('cell', { name: 'Initial balance' })).toBeVisible();
  await expect(page.getByText('Failed to fetch transactions')).toBeHidden();
});

test('AUTH-47, AUTH-48: an expired access token is renewed silently, and the refresh token is out of reach of scripts', {
  tag: '@core',
}, async ({ page, context }) => {
  await register(page, 'sleeper');
  const keys = await page.evaluate(() => {
    const found: { key: string; refreshToken: string }[] = [];
    for (const [key, value] of Object.entries(localStorage)) {
      if (!value.includes('"expires_at"')) continue;
      const session = JSON.parse(value) as {
        expires_at: number;
        access_token: string;
        refresh_token: string;
      };
      found.push({ key, refreshToken: session.refresh_token });
      localStorage.setItem(key, JSON.stringify({ ...session, expires_at: 1_000_000_000 }));
    }
    return found;
  });
  expect(keys).toHaveLength(1);
  const cookies = await context.cookies();
  const held = cookies.find(({ name }) => name.startsWith('fulcrum-rt-'));
  expect(held).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  expect(held?.value).not.toBe(keys[0]?.refreshToken);
  await page.goto('/wallet');
  await expect(page.getByText('Total Balance')).toBeVisible();
  await expect(page.getByText('10,000.00').first()).toBeVisible();
});
