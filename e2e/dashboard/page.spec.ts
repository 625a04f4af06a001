/** The dashboard as a page: its layout, its cost, and what remains when a part breaks. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signUp } from '../harness/session.ts';
import { collectErrors, figureOf, pressRetry } from '../harness/steps.ts';

const rows = ['market', 'chart', 'tools', 'news', 'journal', 'analytics'] as const;
const row = (page: Page, id: (typeof rows)[number]): Locator => page.locator(`#${id}`);
const chunk = (name: string) => new RegExp(`/assets/${name}-[^/]*\\.js$`);
const account = (page: Page) => page.getByRole('region', { name: 'Account balance' });
/** The headline figure of the account under a label, and the line beneath it. */
const figure = (page: Page, label: string, line = 1) =>
  account(page)
    .locator(`dt:text-is("${label}") ~ dd`)
    .nth(line - 1);
const holdings = (page: Page) => page.getByRole('region', { name: 'Portfolio Holdings' });

/** Sum of the layout shifts without user input (CLS). */
const observeShifts = `globalThis.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifted += entry.value;
}).observe({ type: 'layout-shift', buffered: true });`;

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('not drawn');
  return {
    x: Math.round(box.x),
    y: Math.round(box.y),
    width: Math.round(box.width),
    height: Math.round(box.height),
  };
}
const cellsOf = async (locator: Locator) =>
  Promise.all((await locator.locator(':scope > div, :scope > div > div').all()).slice(0, 5).map(boxOf));

async function open(page: Page, symbol: string, side: 'BUY' | 'SELL', size: string): Promise<void> {
  await callApi(page, 'rpc/open_position', {
    p_symbol: symbol,
    p_side: side,
    p_size: size,
    p_leverage: 10,
    p_client_id: crypto.randomUUID(),
  });
}

test.describe('the page', () => {
  test.use({ viewport: { width: 1440, height: 700 } });

  test('DASH-01, DASH-02, DASH-03, DASH-04, DASH-05, DASH-06, DASH-10, DASH-29, ROUTE-14, A85, A86: a visitor logs in; then the rows appear in the specified order, load when they are reached, and shift nothing', {
    tag: '@core',
  }, async ({ page }) => {
    await page.goto('/dashboard');
    await expect(page).toHaveURL(/\/login$/);
    await page.addInitScript(observeShifts);
    const fetched: string[] = [];
    page.on('request', (request) => fetched.push(request.url()));
    const has = (name: string) => fetched.some((url) => chunk(name).test(url));
    await signUp(page, 'early_bird', { at: '/dashboard' });

    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      /^Good (morning|afternoon|evening), early_bird$/,
    );
    await expect(
      page.getByText(/^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day \d+ \w+, \d\d:\d\d UTC$/),
    ).toBeVisible();
    await expect.poll(() => has('ChartRow')).toBe(true);
    await expect(page.getByRole('region', { name: 'Chart', exact: true })).toBeVisible();
    expect(['ToolsRow', 'NewsRow', 'JournalRow', 'AnalyticsRow'].filter(has)).toEqual([]);

    const tops = await Promise.all(rows.map(async (id) => (await boxOf(row(page, id))).y));
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    const before = await boxOf(row(page, 'news'));

    await row(page, 'tools').scrollIntoViewIfNeeded();
    await expect(holdings(page)).toContainText('No open positions');
    await expect(holdings(page).getByRole('link', { name: 'Open a position' })).toHaveAttribute(
      'href',
      '/trading',
    );
    expect(has('ToolsRow')).toBe(true);
    expect(has('AnalyticsRow')).toBe(false);
    for (const id of ['news', 'journal', 'analytics'] as const) await row(page, id).scrollIntoViewIfNeeded();
    await expect.poll(() => has('NewsRow') && has('JournalRow') && has('AnalyticsRow')).toBe(true);

    await row(page, 'market').scrollIntoViewIfNeeded();
    const after = await boxOf(row(page, 'news'));
    const scrolled = (await boxOf(row(page, 'market'))).y - (tops[0] ?? 0);
    expect(after.y - scrolled).toBe(before.y);
    expect(await page.evaluate<number>('globalThis.shifted')).toBeLessThan(0.1);
  });

  test('a link leads to a row whose code is not loaded yet, and the journal button to the journal', async ({
    page,
  }) => {
    await signUp(page, 'straight_to_it', { at: '/dashboard#analytics' });
    await expect(row(page, 'analytics')).toBeInViewport();
    await expect(row(page, 'analytics')).toBeFocused();
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Write journal entry' }).click();
    await expect(page.getByRole('form', { name: 'New journal entry' }).getByLabel('Title')).toBeFocused();
    await expect(page).toHaveURL(/\/dashboard#journal$/);
    await expect(row(page, 'journal')).toBeInViewport();
    await page.goto('/dashboard');
    await page.getByRole('link', { name: /^(Open Trading|Place your first trade)$/ }).click();
    await expect(page).toHaveURL(/\/trading/);
  });

  test('it has one column on a phone and two on a tablet, and is as wide as they are', async ({ page }) => {
    const errors = collectErrors(page, /503|Service Unavailable/);
    await signUp(page, 'on_the_road');
    for (const [width, columns] of [
      [390, 1],
      [1024, 2],
      [1440, 4],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await row(page, 'tools').scrollIntoViewIfNeeded();
      await expect(holdings(page)).toBeVisible();
      const cells = (await cellsOf(row(page, 'market'))).slice(0, 4);
      expect(new Set(cells.map(({ x }) => x)).size, `columns at ${width}`).toBe(columns);
      expect(
        cells.map(({ height }) => height),
        `heights at ${width}`,
      ).toEqual([284, 284, 284, 284]);
      expect(await page.locator('html').evaluate((html) => html.scrollWidth)).toBe(width);
    }
    expect(errors).toEqual([]);
  });
});

test('DASH-07, DASH-08, DASH-09, DASH-25, DASH-26, DASH-28, A15, A91, CALL-41: balances in dollars and holdings by symbol, read every 10 s while they are seen', {
  tag: '@core',
}, async ({ page }) => {
  await page.clock.install();
  await page.setViewportSize({ width: 1440, height: 700 });
  await signUp(page, 'holder');
  await expect(figure(page, 'Total balance')).toHaveText('$10,000.00');
  await expect(figure(page, 'Total balance', 2)).toHaveText('Available $10,000.00');
  await open(page, 'BTCUSDT', 'BUY', '0.01');
  await open(page, 'ETHUSDT', 'BUY', '0.5');
  await open(page, 'ETHUSDT', 'SELL', '0.1');
  const [wallet] = await callApi<{ balance: number; available_balance: number }[]>(page, 'wallets?select=*');
  if (!wallet) throw new Error('no wallet');
  expect(wallet.available_balance).toBeLessThan(10_000);
  const dollars = (value: number) =>
    `$${value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
  await expect(figure(page, 'Total balance', 2)).toHaveText(`Available ${dollars(wallet.available_balance)}`);
  await expect(figure(page, 'Margin in use', 2)).toHaveText(
    `${dollars(10_000 - wallet.available_balance)} of balance`,
  );
  await expect(figure(page, 'Equity')).toHaveText(/^\$[\d,]+\.\d\d$/);

  interface Read {
    readonly symbol: string;
    readonly size: number;
    readonly entry_price: number;
    readonly mark_price: number | null;
  }
  const isRead = (url: string) => {
    const { pathname, searchParams } = new URL(url);
    if (!pathname.endsWith('/positions') || searchParams.get('status') !== 'eq.open') return false;
    return searchParams.get('user_id') !== null;
  };
  let reads = 0;
  let last: readonly Read[] = [];
  page.on('request', (request) => {
    if (isRead(request.url())) reads += 1;
  });
  page.on('response', async (response) => {
    if (isRead(response.url())) last = await response.json();
  });
  const pass = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 4) await page.clock.fastForward(4_000);
  };

  await row(page, 'tools').scrollIntoViewIfNeeded();
  await expect(holdings(page)).toContainText('3 positions');
  await expect(holdings(page)).toContainText('Exposure');
  const ether = holdings(page).getByRole('row').filter({ hasText: 'ETHUSDT' });
  await expect(ether).toHaveCount(1);
  await expect(ether).toContainText('Long');
  await expect(ether).toContainText('Short');
  const bitcoin = holdings(page).getByRole('row').filter({ hasText: 'BTCUSDT' });
  await expect(bitcoin.getByRole('link')).toHaveAttribute('href', '/trading?symbol=BTCUSDT');

  const seen = reads;
  await pass(12);
  await expect.poll(() => reads).toBeGreaterThan(seen);
  // The page shows the figures of the latest read, to the cent.
  await expect(async () => {
    const amount = last
      .filter(({ symbol }) => symbol === 'ETHUSDT')
      .reduce((sum, { size, mark_price, entry_price }) => sum + size * (mark_price ?? entry_price), 0);
    expect(amount).toBeGreaterThan(0);
    expect(Math.abs((await figureOf(ether.getByRole('cell').nth(1))) - amount)).toBeLessThan(0.0051);
  }).toPass();
  const shares = await Promise.all([ether, bitcoin].map((held) => figureOf(held.getByRole('cell').nth(2))));
  expect(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100)).toBeLessThanOrEqual(0.01);
  // As many arcs as symbols, on the ring itself, each in a different colour.
  const colours = await holdings(page)
    .locator('svg circle[stroke-dasharray]')
    .evaluateAll((arcs) => arcs.map((arc) => arc.getAttribute('stroke')));
  expect(colours.toSorted()).toEqual(['var(--holding-1)', 'var(--holding-2)']);

  await page.evaluate('scrollTo(0, 0)');
  await expect(holdings(page)).not.toBeInViewport();
  // A reading that was about to begin has begun by then.
  await callApi(page, 'wallets?select=id');
  const left = reads;
  await pass(12);
  await callApi(page, 'wallets?select=id');
  expect(reads).toBe(left);
});

test("DASH-39, X-05: a widget that cannot load shows an error, retries on request, and is logged; the day's PnL is the change of equity less deposits", async ({
  page,
}) => {
  await signUp(page, 'unlucky_morning');
  const refused = { status: 500, json: { code: 'XX000', message: 'fault', details: null, hint: null } };
  const overview = '**/rest/v1/rpc/get_equity_overview';
  await page.route('**/assets/WalletPage-*.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: "export default () => { throw new Error('The purse is torn'); };",
    }),
  );
  await page.route(/\/rest\/v1\/positions\?.*status=eq\.open/, (route) => route.fulfill(refused));
  await page.route(overview, (route) => route.fulfill(refused));
  await page.goto('/dashboard');
  const failed = page.getByRole('alert').filter({ hasText: 'Failed to fetch equity' });
  await expect(failed).toBeVisible();
  await expect(figure(page, 'PnL today')).toHaveText('–');
  // The rest of the banner lives.
  await expect(figure(page, 'Total balance')).toHaveText('$10,000.00');
  await page.unroute(overview);
  const midnight = new Date();
  midnight.setUTCHours(0, 0, 0, 0);
  const since = midnight.toISOString();
  const day = { since, equity: 9_000, net_deposits: 500 };
  const curve = [
    { at: since, equity: 9_000, result: 0 },
    { at: new Date().toISOString(), equity: 10_000, result: 500 },
  ];
  await page.route(overview, (route) => route.fulfill({ json: { day, curve } }));
  await pressRetry(failed);
  await expect(
    page.getByRole('img', { name: /^Equity net of deposits from .*: \+500\.00 USDT/ }),
  ).toBeVisible();

  await row(page, 'tools').scrollIntoViewIfNeeded();
  const unread = holdings(page).getByRole('alert').filter({ hasText: 'Failed to fetch positions' });
  await expect(unread).toBeVisible();
  // Press, interval or banner may reload it first: the focus moves from the button to the widget then.
  await unread.getByRole('button', { name: 'Retry' }).focus();
  await page.unroute(/\/rest\/v1\/positions\?.*status=eq\.open/);
  await page.keyboard.press('Enter');
  await expect(holdings(page)).toContainText('No open positions');
  await expect(holdings(page)).toBeFocused();
  // The day's result needs both. 10,000 − 9,000 − 500 = 500; 500 / 9,500 = 5.26 %.
  await expect(figure(page, 'PnL today')).toHaveText('+$500.00');
  await expect(figure(page, 'PnL today', 2)).toHaveText('+5.26% since 00:00 UTC');

  // A page that throws offers the log.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Wallet' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download log' }).click();
  const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\n');
  const entries = lines.map((line): { category?: string; message?: string } => JSON.parse(line));
  // The holdings' own name, or that of the positions which the shell reads as well.
  for (const message of [
    /^Equity of the last days could not be read$/,
    /^(?:Portfolio holdings|positions) could not be read$/,
  ]) {
    const logged = { category: 'reads', message: expect.stringMatching(message) };
    expect(entries).toContainEqual(expect.objectContaining(logged));
  }
  expect(entries.filter(({ category }) => category === 'widgets')).toEqual([]);
});

test('DASH-01: a reloaded dashboard keeps its scroll position', async ({ page }) => {
  await signUp(page, 'returning');
  await expect(row(page, 'chart')).toBeVisible();
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, 1200);
  const top = () => page.evaluate<number>('Math.round(scrollY)');
  await expect.poll(top).toBe(1200);
  await page.reload();
  await expect.poll(top).toBe(1200);
  // A new visit begins at the top.
  await page.getByRole('link', { name: 'Wallet' }).first().click();
  await expect(row(page, 'market')).toHaveCount(0);
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await expect(row(page, 'market')).toBeVisible();
  await expect.poll(top).toBe(0);
});

/** The code of a row of 60 parts that each take a while, and count. */
const slowRow = `const Part = () => {
  const end = performance.now() + 10;
  while (performance.now() < end);
  globalThis.renderedParts = (globalThis.renderedParts ?? 0) + 1;
  return null;
};
const part = (key) => ({ $$typeof: Symbol.for('react.transitional.element'), type: Part, key, ref: null, props: {} });
const Row = () => ['The slow row', ...Array.from({ length: 60 }, (_, nth) => part(String(nth)))];
export { Row as default };`;

test('a row that is slow to render appears while the page around it keeps changing', async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/ChartRow-*.js', async (route) => {
    await held;
    await route.fulfill({ contentType: 'text/javascript', body: slowRow });
  });
  await signUp(page, 'busy_bee', { at: '/dashboard' });
  const heatmap = page.getByRole('region', { name: 'Market Heatmap' });
  await expect(heatmap.getByRole('link').first()).toBeVisible();
  // Each press renders at once, and interrupts what renders at a lower priority.
  await heatmap.evaluate((region) => {
    setInterval(() => region.querySelector('input[type=radio]:not(:checked)')?.click(), 30);
  });
  release();
  await expect(row(page, 'chart')).toContainText('The slow row');
  // In one go: after an interruption a part would be rendered again.
  expect(await page.evaluate<number>('globalThis.renderedParts')).toBe(60);
});

test('X-05, ERR-66: a row whose code is missing or broken does not affect the rest of the page', async ({
  page,
}) => {
  await signUp(page, 'unhurried');
  const gone = '**/assets/NewsRow-*.js';
  await page.route(gone, (route) => route.fulfill({ status: 404, body: 'gone' }));
  await page.route('**/assets/AnalyticsRow-*.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: "const Broken = () => { throw new Error('The abacus is broken'); }; export { Broken as default };",
    }),
  );
  await page.goto('/dashboard');
  await row(page, 'news').scrollIntoViewIfNeeded();
  const missing = row(page, 'news').getByRole('alert');
  await expect(missing).toContainText('This section failed to load');
  await row(page, 'analytics').scrollIntoViewIfNeeded();
  const broken = row(page, 'analytics').getByRole('alert');
  await expect(broken).toContainText('Something went wrong');
  await expect(broken).toContainText('The abacus is broken');
  await expect(figure(page, 'Total balance')).toHaveText('$10,000.00');
  await row(page, 'tools').scrollIntoViewIfNeeded();
  await expect(holdings(page)).toContainText('No open positions');

  await page.unroute(gone);
  await missing.getByRole('button', { name: 'Retry' }).click();
  await expect(missing).toBeHidden();
  await expect(holdings(page)).toContainText('No open positions');
});
