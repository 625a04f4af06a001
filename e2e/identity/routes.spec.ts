/**
 * Every path for every role: its redirect, and its layout. `npm test` moves along the paths in the open app, as Back and
 * Forward do; `npm run test:long` loads the page at each of them.
 */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { noApp, signIn } from '../harness/session.ts';
import { logIn } from '../harness/steps.ts';

const open = ['/reset-password', '/about', '/contact', '/terms', '/privacy', '/auth/callback'] as const;
const traderArea = ['/dashboard', '/trading', '/wallet', '/chat', '/profile'] as const;
const staffAreas = ['/admin', '/admin/metrics', '/manager', '/support'] as const;
const elsewhere = ['/no/such/page', '/admin/users', '/dashboard/x'] as const;

type Go = (page: Page, path: string) => Promise<unknown>;

// The heading says that a page has arrived; pictures and figures that are on their way are not waited for.
const load: Go = (page, path) => page.goto(path, { waitUntil: 'commit' });
/** What the app hears of a move in the history. The heading of the page that it leaves is marked. */
const move: Go = (page, path) =>
  page.evaluate(`(() => {
    for (const heading of document.querySelectorAll('h1')) heading.dataset.left = '';
    history.pushState(null, '', ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  })()`);

const all = (paths: readonly string[], end?: string): Record<string, string> =>
  Object.fromEntries(paths.map((path) => [path, end ?? path]));

for (const [way, go, details] of [
  ['in the open app', move, { tag: '@core' }],
  ['by its address', load, { tag: '@long' }],
] as const)
  test.describe(way, details, () => {
    /** Goes to each path, and sees where it ends. */
    async function walk(page: Page, expected: Readonly<Record<string, string>>): Promise<void> {
      for (const [path, end] of Object.entries(expected)) {
        await go(page, path);
        await expect(page, path).toHaveURL((url) => url.pathname === end);
        // A redirect may end where the walk was.
        const heading = path === end ? 'h1:not([data-left])' : 'h1';
        await expect(page.locator(heading).first(), path).toBeVisible();
      }
    }

    test('A visitor reaches what is public, and the login instead of every area', async ({ page }) => {
      await page.goto('/about');
      await expect(page.locator('h1')).toBeVisible();
      await test.step('ROUTE-01, ROUTE-06, ROUTE-07, ROUTE-08, ROUTE-10 … ROUTE-13: public pages stay', () =>
        walk(page, all(['/', '/login', '/register', ...open])));
      await test.step('AUTH-36, A42: the new password needs a session from a mailed link', () =>
        walk(page, { '/update-password': '/login' }));
      await test.step('ROUTE-14 … ROUTE-18, ROUTE-27: the trader area needs a login', () =>
        walk(page, all(traderArea, '/login')));
      await test.step('ROUTE-19 … ROUTE-22, ROUTE-24: so does every area of staff', () =>
        walk(page, all(staffAreas, '/login')));
      await test.step('ROUTE-23: any other path is the landing page', () => walk(page, all(elsewhere, '/')));
    });

    test('A trader has the own area, and is sent home from every other', async ({ page }) => {
      await logIn(page, 'trader@fulcrum.local');
      await expect(page.locator('h1')).toBeVisible();
      await test.step('ROUTE-08, ROUTE-09, ROUTE-10 … ROUTE-13: public pages stay, the new password too', () =>
        walk(page, all([...open, '/update-password'])));
      await test.step('ROUTE-14 … ROUTE-18: the own area stays', () => walk(page, all(traderArea)));
      await test.step('ROUTE-05 … ROUTE-07, AUTH-09: landing page, login and registration lead home', () =>
        walk(page, all(['/', '/login', '/register'], '/dashboard')));
      // A44: by way of the login, which redirects signed-in users home.
      await test.step('ROUTE-19 … ROUTE-23, ROUTE-24, A44: so does everything of staff, and every other path', () =>
        walk(page, all([...staffAreas, ...elsewhere], '/dashboard')));
    });

    /** Staff: the own paths stay, the public ones too, everything else redirects home. */
    async function walkStaff(page: Page, role: string, own: readonly string[]): Promise<void> {
      await logIn(page, `${role}@fulcrum.local`);
      const home = `/${role}`;
      await expect(page).toHaveURL((url) => url.pathname === home);
      await expect(page.locator('h1').first()).toBeVisible();
      const foreign = staffAreas.filter((path) => !own.includes(path));
      await walk(page, {
        ...all([...open, ...own, '/update-password']),
        ...all(['/', '/login', '/register', ...traderArea, ...foreign, ...elsewhere], home),
      });
    }

    test('AUTH-07, ROUTE-03, ROUTE-06, ROUTE-07, ROUTE-19, ROUTE-20, ROUTE-24, ROUTE-28, A55: an admin has the staff pages and their metrics', async ({
      page,
    }) => {
      await walkStaff(page, 'admin', ['/admin', '/admin/metrics']);
    });

    test('AUTH-08, ROUTE-04, ROUTE-06, ROUTE-07, ROUTE-21, ROUTE-24, ROUTE-28, A55: a manager has the own staff page', async ({
      page,
    }) => {
      await walkStaff(page, 'manager', ['/manager']);
    });

    test('AUTH-06, ROUTE-02, ROUTE-06, ROUTE-07, ROUTE-22, ROUTE-24, ROUTE-28, A55: support has the own staff page', async ({
      page,
    }) => {
      await walkStaff(page, 'support', ['/support']);
    });
  });

test('ROUTE-34, ROUTE-37, ROUTE-40, ROUTE-41, ROUTE-42: the links of the public header and footer lead to their targets', async ({
  page,
}) => {
  await page.goto('/about');
  const header = page.getByRole('banner');
  const links = (scope: ReturnType<Page['getByRole']>) =>
    scope
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute('href')]));
  await expect(header.getByRole('link', { name: 'Fulcrum, home' })).toHaveAttribute('href', '/');
  expect(await links(header.getByRole('navigation', { name: 'Main' }))).toEqual([
    ['Login', '/login'],
    ['Register', '/register'],
  ]);
  const footer = page.getByRole('contentinfo');
  // It comes with the page, whose code arrives on its own.
  await expect(footer).toBeVisible();
  for (const [group, expected] of [
    [
      'Products',
      [
        ['Trading Platform', '/trading'],
        ['Wallet', '/wallet'],
      ],
    ],
    [
      'Company',
      [
        ['Home', '/'],
        ['About Us', '/about'],
        ['Contact', '/contact'],
      ],
    ],
    [
      'Legal',
      [
        ['Terms of Service', '/terms'],
        ['Privacy Policy', '/privacy'],
      ],
    ],
  ] as const) {
    expect(await links(footer.getByRole('navigation', { name: group }))).toEqual(expected);
  }
  // Going on puts the page at its top and the focus into it.
  await footer.getByRole('link', { name: 'Terms of Service' }).click();
  await expect(page.getByRole('heading', { name: 'Terms of Service' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  expect(await page.evaluate('scrollY')).toBe(0);
});

test('ROUTE-38: on a phone the header is a menu', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/about');
  const menu = page.getByRole('navigation', { name: 'Mobile' });
  await expect(menu).toBeHidden();
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(menu.getByRole('link', { name: 'Register' })).toBeVisible();
  await menu.getByRole('link', { name: 'Login' }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test('ROUTE-29, ROUTE-35: the trader header names its places, and Logout leaves them', async ({ page }) => {
  await signIn(page, 'trader@fulcrum.local', { at: noApp });
  const header = page.getByRole('banner');
  for (const path of ['/dashboard', '/about']) {
    await page.goto(path);
    for (const [name, href] of [
      ['Dashboard', '/dashboard'],
      ['Trading', '/trading'],
      ['Wallet', '/wallet'],
      ['Support', '/chat'],
      [/profile/i, '/profile'],
    ] as const) {
      await expect(header.getByRole('link', { name }).first()).toHaveAttribute('href', href);
    }
  }
  await header.getByRole('button', { name: 'Logout' }).click();
  await expect(header.getByRole('link', { name: 'Login' })).toBeVisible();
  await page.goto('/wallet');
  await expect(page).toHaveURL(/\/login/);
});

test('ROUTE-25, ROUTE-39, ROUTE-43 … ROUTE-47: each staff page has its heading, who is signed in, and Logout', async ({
  page,
}) => {
  for (const [role, heading, links] of [
    [
      'admin',
      'Admin',
      [
        ['Dashboard', '/admin'],
        ['Metrics', '/admin/metrics'],
      ],
    ],
    ['manager', 'Manager Dashboard', []],
    ['support', 'Support', []],
  ] as const) {
    await logIn(page, `${role}@fulcrum.local`);
    const header = page.getByRole('banner');
    await expect(header).toContainText(heading);
    await expect(header).toContainText(role);
    for (const [name, href] of links) {
      await expect(header.getByRole('link', { name })).toHaveAttribute('href', href);
    }
    // Staff read the public pages too, and find their way back (A55).
    await page.goto('/about');
    const area = header.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await expect(area).toHaveCount(1);
    await expect(area).toHaveAttribute('href', `/${role}`);
    await area.click();
    await header.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/login/);
  }
});

test('ROUTE-26, ROUTE-30, ROUTE-31, AUTH-41: a spinner is shown while the session is resumed, then the requested page', {
  tag: '@core',
}, async ({ page }) => {
  await signIn(page, 'trader@fulcrum.local', { at: noApp });
  let answer = () => {};
  const requested = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/rest/v1/users*', async (route) => {
    await requested;
    await route.fallback();
  });
  await page.goto('/wallet');
  await expect(page.getByRole('status').filter({ hasText: 'Signing you in' })).toBeVisible();
  await expect(page).toHaveURL(/\/wallet$/);
  answer();
  await expect(page.getByRole('heading', { name: 'Your Wallet' })).toBeVisible();
});

test('ROUTE-32: a page without prices has the server refresh the marks', async ({ page }) => {
  await signIn(page, 'trader@fulcrum.local', { at: noApp });
  const refreshed = page.waitForResponse('**/rpc/update_position_mark_prices');
  await page.goto('/profile');
  expect((await refreshed).status()).toBe(200);
});
