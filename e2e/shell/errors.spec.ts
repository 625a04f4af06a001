/** Pages that break, on purpose: their code is replaced or withheld on its way to a real browser. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { noApp, signIn, signUp } from '../harness/session.ts';

const script = (body: string) => ({ status: 200, contentType: 'text/javascript', body });
const broken = (page: Page) => page.getByRole('alert').filter({ hasText: 'Reload page' });

/** What a page that throws offers. */
async function downloadLog(page: Page) {
  const downloading = page.waitForEvent('download');
  await broken(page).getByRole('button', { name: 'Download log' }).click();
  const file = await downloading;
  const text = await readFile(await file.path(), 'utf8');
  const lines = text
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line));
  return { name: file.suggestedFilename(), lines };
}

test('X-01, X-02, X-03, X-04, X-05, ERR-66, A97, A105: a page that throws shows an error inside its layout, is logged, and can be reloaded', {
  tag: '@core',
}, async ({ page }) => {
  await signIn(page, 'trader@fulcrum.local', { at: noApp });
  const secret = 'jane.doe@example.test';
  await page.route('**/assets/WalletPage-*.js', (route) =>
    route.fulfill(script(`export default () => { throw new Error('The purse of ${secret} is torn'); };`)),
  );
  await page.goto('/wallet');
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  await expect(broken(page)).toContainText(`The purse of ${secret} is torn`);
  // The layout around it still works.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  await expect(broken(page)).toBeHidden();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Wallet' }).click();
  await expect(broken(page)).toBeVisible();

  const { name, lines } = await downloadLog(page);
  expect(name).toMatch(/^fulcrum-log-\d{8}-\d{4}\.txt$/);
  expect(lines[0]).toMatchObject({ app: 'Fulcrum', path: '/wallet' });
  expect(lines.find(({ category }) => category === 'page')).toMatchObject({
    level: 'error',
    message: 'A page failed to render',
    data: { message: 'The purse of [redacted] is torn' },
  });
  expect(JSON.stringify(lines)).not.toContain(secret);

  await page.unroute('**/assets/WalletPage-*.js');
  await broken(page).getByRole('button', { name: 'Reload page' }).click();
  await expect(page.getByRole('heading', { name: 'Wallet', level: 1 })).toBeVisible();

  await page.route('**/assets/AboutPage-*.js', (route) =>
    route.fulfill(script('export default () => { throw new Error(); };')),
  );
  await page.goto('/about');
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  await expect(broken(page)).toContainText('An unexpected error occurred');
});

const failing = { status: 500, json: { code: 'XX000', message: 'fault', details: null, hint: null } };
const torn = script("export default () => { throw new Error('torn'); };");

test('ERR-73, ERR-74, A93: positions, chat sessions, messages and status that cannot be fetched are in the log, shown or not', async ({
  page,
}) => {
  await signIn(page, 'trader@fulcrum.local');
  await page.route(
    /\/rest\/v1\/((positions|chat_sessions)\?|rpc\/(get_support_presence|get_chat_updates))/,
    (route) => route.fulfill(failing),
  );
  await page.route('**/assets/WalletPage-*.js', (route) => route.fulfill(torn));
  const main = page.getByRole('navigation', { name: 'Main' });
  // It is requested again when the page has joined; the aborted first read is no failure.
  const status = page.waitForEvent('requestfinished', (request) =>
    request.url().includes('/rpc/get_support_presence'),
  );
  await page.goto('/chat');
  await status;
  await expect(page.getByText('Failed to load messages. Please try again.')).toBeVisible();
  await main.getByRole('link', { name: 'Trading' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to fetch positions' })).toBeVisible();
  await main.getByRole('link', { name: 'Wallet' }).click();

  const { lines } = await downloadLog(page);
  for (const what of ['positions', 'chat-unread', 'support-presence']) {
    const entry = { level: 'warn', category: 'reads', message: `${what} could not be read` };
    expect(lines).toContainEqual(expect.objectContaining(entry));
  }
  const unread = { level: 'warn', message: 'A conversation could not be read' };
  expect(lines).toContainEqual(expect.objectContaining(unread));
});

test('ERR-74, A93: users who cannot be fetched are in the log', async ({ page }) => {
  await signIn(page, 'admin@fulcrum.local', { at: noApp });
  await page.route('**/rpc/list_users*', (route) => route.fulfill(failing));
  await page.route('**/assets/MetricsPage-*.js', (route) => route.fulfill(torn));
  await page.goto('/admin?tab=users');
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to load users' })).toBeVisible();
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /Metrics/ })
    .click();
  const { lines } = await downloadLog(page);
  const entry = {
    level: 'warn',
    category: 'reads',
    message: expect.stringMatching(/^staff.* could not be read$/),
  };
  expect(lines).toContainEqual(expect.objectContaining(entry));
});

test('ERR-67, A97: what breaks outside of every page has the heading of the router', async ({ page }) => {
  await page.route('**/assets/Toaster-*.js', (route) =>
    route.fulfill(script("export const Toaster = () => { throw new Error('No toast today'); };")),
  );
  await signUp(page, 'no_toast', { at: '/trading?symbol=BTCUSDT' });
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.01');
  await page.getByRole('button', { name: 'Buy/Long' }).click();
  const sure = page.getByRole('dialog').getByRole('button', { name: /Buy|Long|Confirm|Place/ });
  const heading = page.getByRole('heading', { name: 'Unexpected Application Error!' });
  await expect(heading.or(sure)).toBeVisible();
  if (await sure.isVisible()) await sure.click();
  await expect(heading).toBeVisible();
  await expect(broken(page)).toContainText('No toast today');
});

test('after a release the missing code of a page is fetched with one reload, then there is Retry', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'released', { at: noApp });
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads += 1;
  });
  const gone = '**/assets/WalletPage-*.js';
  await page.route(gone, (route) => route.fulfill({ status: 404, body: 'gone' }));
  await page.goto('/wallet');
  const silent = page.getByRole('alert').filter({ hasText: 'The server does not answer' });
  await expect(silent).toBeVisible({ timeout: 45_000 });
  // The page itself and its one reload.
  expect(loads).toBe(2);
  await page.unroute(gone);
  await silent.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'Wallet', level: 1 })).toBeVisible();
});

test('a chart whose code is missing does not affect the order form', async ({ page }) => {
  await signUp(page, 'chartless', { at: noApp });
  const gone = '**/assets/CandleChart-*.js';
  await page.route(gone, (route) => route.fulfill({ status: 404, body: 'gone' }));
  await page.goto('/trading?symbol=BTCUSDT');
  const chart = page.getByRole('region', { name: 'Chart' });
  await expect(chart.getByText('Chart temporarily unavailable')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Buy/Long' })).toBeVisible();
  await page.unroute(gone);
  await chart.getByRole('button', { name: 'Retry' }).click();
  await expect(chart.getByRole('img')).toBeVisible();
});
