/** The first page: information, the demo and links for a visitor without an account. */
import type { Page, Route } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { collectErrors, demoPassword } from '../harness/steps.ts';

const names = ['S&P 500', 'Bitcoin', 'Ethereum', 'Crude Oil', 'Gold', 'EUR/USD', 'Nasdaq 100'];
const topics = [
  'AI trade analysis',
  'AI trading assistant',
  'Risk management AI',
  'Charts',
  'Algorithmic trading',
  'Portfolio analytics',
  '24/7 live chat support',
  'Account managers',
  'AI support assistant',
];

const ticker = (page: Page) => page.getByRole('region', { name: 'Market prices', exact: true });
/** The ticker's cells, without its switch. */
const cells = (page: Page) => ticker(page).getByRole('listitem').filter({ hasNotText: 'TradingView' });
const cell = (page: Page, name: string) => cells(page).filter({ hasText: name });
const order = (page: Page) => page.getByRole('region', { name: /^Order form/ });

test('PUB-01, PUB-02, PUB-03, PUB-04, PUB-10, ROUTE-34, ROUTE-37: a visitor sees what Fulcrum is and what its seven markets do', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  page.on('websocket', (socket) => requested.push(socket.url()));
  await page.goto('/');
  await expect(page).toHaveTitle(/simulated leveraged trading/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText(/crypto, stocks, forex, commodities and indices/)).toContainText(
    'simulated USDT',
  );
  const header = page.getByRole('banner');
  await expect(header.getByText('Simulated trading')).toBeVisible();
  await expect(header.getByRole('link', { name: 'Fulcrum, home' })).toHaveAttribute('href', '/');
  await expect(header.getByRole('link', { name: 'Login', exact: true })).toHaveAttribute('href', '/login');
  await expect(header.getByRole('link', { name: 'Register', exact: true })).toHaveAttribute(
    'href',
    '/register',
  );

  await expect(cells(page)).toHaveCount(names.length);
  for (const [index, name] of names.entries()) {
    await expect(cells(page).nth(index)).toHaveText(
      new RegExp(`^${name.replace('/', '\\/')}.*\\d[+−]?\\d*\\.\\d\\d%$`),
    );
  }
  await expect(cell(page, 'Bitcoin').locator('polyline')).toHaveAttribute('points', /\d+ \d+/);

  await expect(page.getByRole('heading', { level: 3 })).toHaveText(
    topics.map((topic) => new RegExp(`^${topic}Built in$`)),
  );
  await expect(page.getByRole('contentinfo')).toContainText('Everything here is simulated.');
  // The weight of the page: neither the client nor a socket.
  expect(requested.filter((path) => /client|realtime/.test(path))).toEqual([]);
  expect(errors).toEqual([]);
});

/** Answers the ticker's request for prices with the server's rows after `change`. */
async function changePrices(
  page: Page,
  change: (row: { symbol: string; [column: string]: unknown }) => object,
): Promise<void> {
  await page.route('**/rest/v1/trading_pairs?*', async (route: Route) => {
    const answer = await route.fetch();
    const rows = (await answer.json()) as { symbol: string }[];
    await route.fulfill({ response: answer, json: rows.map(change) });
  });
}

test('PUB-04, A35: the ticker shows the state of a price, and -- where there is none', async ({ page }) => {
  await changePrices(page, (row) => {
    if (row.symbol === 'SPX') return { ...row, price: 6742.18, price_change_percent: 0, state: 'closed' };
    if (row.symbol === 'XAUUSD')
      return { ...row, price: 2691.35, price_change_percent: -1.12, state: 'stale' };
    if (row.symbol === 'NDX') return { ...row, price: null, price_change_percent: null, state: null };
    return row;
  });
  await page.goto('/');
  await expect(cell(page, 'S&P 500')).toHaveText('S&P 500Closed6,742.180.00%');
  await expect(cell(page, 'S&P 500').getByText('0.00%')).toHaveClass(/text-up/);
  await expect(cell(page, 'Gold')).toHaveText('GoldStale2,691.35−1.12%');
  await expect(cell(page, 'Gold').getByText('−1.12%')).toHaveClass(/text-down/);
  await expect(cell(page, 'Nasdaq 100')).toHaveText('Nasdaq 100--');

  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.route('**/rest/v1/**', (route) => route.abort());
  await page.reload();
  for (const name of names) await expect(cell(page, name)).toHaveText(`${name}--`);
  await expect(page.getByText('Chart temporarily unavailable')).toBeVisible();
});

const framePage = (state: 'ready' | 'failed') => `<!doctype html><title>ticker tape</title><p>theirs</p>
  <script>parent.postMessage({ source: 'fulcrum-third-party', state: '${state}', reason: 'widget' }, '*')</script>`;

test('PUB-05, A35: the switch replaces our ticker with the third party’s, and a failure names itself', async ({
  page,
}) => {
  let state: 'ready' | 'failed' = 'ready';
  await page.route('**/third-party-chart.html?*', (route) =>
    route.fulfill({ contentType: 'text/html', body: framePage(state) }),
  );
  await page.goto('/');
  await page.getByRole('button', { name: 'TradingView' }).click();
  const frame = page.getByTitle('TradingView ticker tape');
  await expect(frame).toHaveAttribute('src', /^\/third-party-chart\.html\?kind=tape&theme=dark$/);
  await expect(frame).toHaveAttribute('sandbox', /^allow-scripts(?!.*same-origin)/);
  await expect(frame.contentFrame().getByText('theirs')).toBeVisible();
  await page.getByRole('button', { name: 'Our prices' }).click();
  await expect(cells(page)).toHaveCount(names.length);

  state = 'failed';
  await page.getByRole('button', { name: 'TradingView' }).click();
  await expect(page.getByRole('alert')).toHaveText('Chart temporarily unavailable');
  await page.getByRole('button', { name: 'Our prices' }).click();
  await expect(cells(page)).toHaveCount(names.length);
});

/** The order form's four figures, read at one moment. */
async function figures(page: Page): Promise<Record<string, number>> {
  const rows = await order(page)
    .getByRole('term')
    .evaluateAll((terms) => terms.map((term) => [term.textContent, term.nextElementSibling?.textContent]));
  return Object.fromEntries(rows.map(([label, text]) => [label, Number(text?.replaceAll(',', ''))]));
}

test('RULE-01, RULE-09, A04, A43: the order form of the first page computes, and leads through the login to the trading screen', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/');
  const amount = order(page).getByRole('textbox', { name: 'Amount' });
  const leverage = order(page).getByRole('slider', { name: 'Leverage' });
  await amount.fill('2');
  await leverage.press('Home');
  for (let step = 1; step < 10; step += 1) await leverage.press('ArrowRight');
  await expect(leverage).toHaveAttribute('aria-valuetext', '10×');
  await expect
    .poll(async () => Object.values(await figures(page)).filter((figure) => figure > 0).length)
    .toBe(4);
  const shown = await figures(page);
  const [value = 0, margin] = [shown['Order Value'], shown['Required Margin']];
  expect(margin).toBeCloseTo(value / 10, 1);
  expect(shown['Est. liq. price, long']).toBeCloseTo((value / 2) * (1 - 0.095), 0);
  expect(shown['Est. liq. price, short']).toBeCloseTo((value / 2) * (1 + 0.095), 0);
  // The example on the chart is the form's.
  await expect(page.getByText('Example position')).toBeVisible();
  await expect(page.locator('figure').getByText('LONG 10×')).toBeVisible();

  await amount.fill('0');
  await expect(order(page)).toContainText(/Amount must be between [\d.]+ and [\d.]+ in steps of [\d.]+\./);
  await expect(amount).toHaveAttribute('aria-invalid', 'true');
  await amount.fill('0.1');
  await order(page).getByRole('link', { name: 'Log in to place this order' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.getByLabel('Email').fill('trader@fulcrum.local');
  await page.getByRole('textbox', { name: 'Password' }).fill(demoPassword);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).toHaveURL(/\/trading\?symbol=BTCUSDT$/);
  await test.step('the real form has what was typed, once', async () => {
    await expect(page.getByRole('spinbutton', { name: 'Amount' })).toHaveValue('0.1');
    await expect(page.getByRole('slider', { name: 'Leverage' })).toHaveAttribute('aria-valuenow', '10');
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  });
});

test('one click on the landing page leads into the demo account; logging out leads to a login that stays', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Try the demo' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeEnabled();
  await expect(page.getByText('Your session ended.')).toBeHidden();
  await expect(page).toHaveURL(/\/login$/);
});

test('A04, A92: the costs of leverage are shown in figures', async ({ page }) => {
  await page.goto('/');
  const rows = page.getByRole('table', { name: /Distance from the entry/ }).getByRole('row');
  await expect(rows).toHaveText([
    '5×19.00% away',
    '10×9.50% away',
    '25×3.80% away',
    '50×1.90% away',
    '125×0.76% away',
  ]);
  await expect(page.getByText('Long: entry × (1 − 0.95 ÷ leverage)')).toBeVisible();
});

test('ROUTE-38, A95: on a phone the header has a menu, which closes in every usual way', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const opener = page.getByRole('button', { name: /^(Open|Close) menu$/ });
  const menu = page.getByRole('navigation', { name: 'Mobile' });
  const isWide = () => page.evaluate('document.documentElement.scrollWidth > innerWidth');
  expect(await isWide()).toBe(false);
  await expect(menu).toBeHidden();
  await opener.click();
  await expect(opener).toHaveAttribute('aria-expanded', 'true');
  await expect(menu.getByRole('link')).toHaveText(['Login', 'Register']);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await expect(menu).toBeVisible();
  await page.getByRole('heading', { level: 1 }).click();
  await expect(menu).toBeHidden();
  await opener.click();
  await menu.getByRole('link', { name: 'Register' }).click();
  await expect(page).toHaveURL(/\/register$/);
});

test('the page arrives without a jump: the footer waits with the page, not on the screen beneath a spinner', async ({
  page,
}) => {
  const arrival = Promise.withResolvers<void>();
  await page.route('**/assets/LandingPage-*.js', async (route) => {
    await arrival.promise;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  await expect(page.getByRole('banner')).toBeVisible();
  const footer = page.getByRole('contentinfo');
  await expect(footer).toBeHidden();
  arrival.resolve();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(footer).toBeVisible();
});
