/** The page's reaction to rare answers about its session: no user, no profile, an error at start. */
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, expireToken, noApp, signIn } from '../harness/session.ts';
import { logIn } from '../harness/steps.ts';

async function tryLogin(page: Parameters<typeof logIn>[0]): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill('trader@fulcrum.local');
  await page.getByRole('textbox', { name: 'Password' }).fill('fulcrum-demo');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

test('AUTH-11, AUTH-12, AUTH-13, ERR-02, ERR-03, ERR-04: a login that fails after the password states where', async ({
  page,
}) => {
  const token = '**/auth/v1/token*';
  for (const [answer, text] of [
    [{ status: 200, json: {} }, 'User not found'],
    [{ status: 500, json: { message: 'no' } }, 'An error occurred during login'],
  ] as const) {
    await page.route(token, (route) => route.fulfill(answer));
    await tryLogin(page);
    await expect(page.getByText(text)).toBeVisible();
    await page.unroute(token);
  }
  await page.route('**/rest/v1/users*', (route) => route.fulfill({ status: 200, json: [] }));
  await tryLogin(page);
  await expect(page.getByText('User profile not found')).toBeVisible();
  // The token request succeeds and the profile request fails: the form shows the error, and stays.
  await page.unroute('**/rest/v1/users*');
  await page.route('**/rest/v1/users*', (route) =>
    route.fulfill({ status: 406, json: { code: 'PGRST116', message: 'no' } }),
  );
  await tryLogin(page);
  await expect(page.getByText('An error occurred during login')).toBeVisible();
  await expect(page.getByText('The server does not answer')).toBeHidden();
  // Nothing is left of the session that had no profile.
  await page.unroute('**/rest/v1/users*');
  await page.goto('/wallet');
  await expect(page).toHaveURL(/\/login/);
});

test('AUTH-45: a fault while the profile loads at the start keeps the session; a refusal of the session ends it', async ({
  page,
}) => {
  const users = '**/rest/v1/users*';
  const session = () => page.evaluate(() => localStorage.getItem('fulcrum-session'));
  await logIn(page, 'trader@fulcrum.local');
  const logouts: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/auth/v1/logout')) logouts.push(request.url());
  });
  await page.route(users, (route) =>
    route.fulfill({ status: 500, json: { code: 'XX000', message: 'fault', details: null, hint: null } }),
  );
  await page.goto('/wallet');
  await expect(page.getByText('The server does not answer')).toBeVisible();
  expect(await session()).not.toBeNull();
  expect(logouts).toEqual([]);

  await page.unroute(users);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'Your Wallet' })).toBeVisible();

  await page.route(users, (route) =>
    route.fulfill({ status: 401, json: { code: 'not_signed_in', message: 'no', details: null, hint: null } }),
  );
  await page.reload();
  await expect(page).toHaveURL(/\/login/);
  expect(await session()).toBeNull();
});

test('AUTH-26, AUTH-27, ERR-07, ERR-08: a registration that creates no user shows an error', async ({
  page,
}) => {
  for (const [answer, text] of [
    [{ status: 200, json: {} }, 'Failed to create user'],
    [{ status: 500, json: { message: 'no' } }, 'An error occurred'],
  ] as const) {
    await page.route('**/auth/v1/signup*', (route) => route.fulfill(answer));
    await page.goto('/register');
    await page.getByLabel('Email').fill('nobody@example.test');
    await page.getByLabel('Username').fill('nobody');
    await page.getByLabel('Phone number').fill('+12345678900');
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('first-trade');
    await page.getByRole('textbox', { name: 'Confirm password' }).fill('first-trade');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByText(text, { exact: true })).toBeVisible();
    await page.unroute('**/auth/v1/signup*');
  }
});

test('AUTH-45, AUTH-46: a session that cannot be resumed at start is signed out, and one without a profile stays out', async ({
  page,
  context,
}) => {
  await signIn(page, 'trader@fulcrum.local', { at: noApp });
  // The refresh token is gone, as after a logout everywhere.
  await context.clearCookies();
  await expireToken(page);
  await page.goto('/wallet');
  await expect(page).toHaveURL(/\/login/);
  expect(await page.evaluate(() => localStorage.getItem('fulcrum-session'))).toBeNull();

  await signIn(page, 'trader@fulcrum.local', { at: noApp });
  await page.route('**/rest/v1/users*', (route) => route.fulfill({ status: 200, json: [] }));
  await page.goto('/wallet');
  await expect(page).toHaveURL(/\/login/);
});

test('AUTH-43: a sign-in in one tab brings the profile to the signed-out tab, and another user replaces the first', async ({
  page,
  context,
}) => {
  await page.goto('/about');
  const header = page.getByRole('banner');
  await expect(header.getByRole('link', { name: 'Login' })).toBeVisible();
  const other = await context.newPage();
  await logIn(other, 'trader@fulcrum.local');
  await expect(header.getByRole('link', { name: 'Profile of demo_trader' })).toBeVisible();
  await other.getByRole('button', { name: 'Logout' }).click();
  await logIn(other, 'support@fulcrum.local');
  await expect(header.getByRole('link', { name: 'Staff console' })).toHaveAttribute('href', '/support');
});

test('AUTH-44: a session that was ended from another device ends on the open page, without a reload', {
  tag: '@core',
}, async ({ page, browser }) => {
  await signIn(page, 'manager@fulcrum.local');
  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  await signIn(other, 'manager@fulcrum.local', { at: noApp });
  const [session] = (
    await callApi<{ id: string; current: boolean }[]>(other, 'rpc/list_sessions', {})
  ).filter(({ current }) => !current);
  await callApi(other, 'rpc/revoke_session', { p_id: session?.id });
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText('Your session ended. Log in to go on.')).toBeVisible();
  await elsewhere.close();
});
