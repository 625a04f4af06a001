/** The dashboard's view of the market: rankings of the price stream, and the list and chart it shares with trading. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signUp } from '../harness/session.ts';

const regionOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

interface Market {
  readonly symbol: string;
  readonly price: number;
  readonly price_change_percent: number;
  readonly quote_volume: number;
}

/** A40: the server's figures of the ranked markets. */
const readMarkets = (page: Page) =>
  callApi<Market[]>(
    page,
    'trading_pairs?select=symbol,price,price_change_percent,quote_volume&type=eq.crypto&quote_asset=eq.USDT',
  );

const ranked = (markets: readonly Market[], weigh: (market: Market) => number, count: number) =>
  markets
    .toSorted((a, b) => weigh(b) - weigh(a))
    .slice(0, count)
    .map(({ symbol }) => symbol);

/** The symbols that a list of links leads to, in order. */
const symbolsOf = (links: Locator) =>
  links.evaluateAll((all) =>
    all.map((link) => new URL((link as unknown as { href: string }).href).searchParams.get('symbol')),
  );

interface Contrast {
  readonly where: string;
  readonly ratio: number;
}

/** Runs in the page: how a tile of the strongest colour reads, for each theme, palette and direction. */
const readContrasts = `(() => {
  const html = document.documentElement;
  const channels = (css) => {
    const numbers = css.match(/[\\d.]+/g).map(Number);
    return css.startsWith('color(') ? numbers : numbers.map((value) => value / 255);
  };
  const luminance = (css) => {
    const [r, g, b] = channels(css).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const tile = document.querySelector('[aria-label="Markets by volume times price"] a');
  const found = [];
  for (const theme of ['dark', 'light']) {
    for (const palette of ['green-up', 'red-up', 'colour-blind']) {
      for (const direction of ['up', 'down']) {
        html.dataset.theme = theme;
        html.dataset.palette = palette;
        tile.style.background = 'color-mix(in srgb, var(--' + direction + ') 50%, var(--surface))';
        const { color, backgroundColor } = getComputedStyle(tile);
        const [lighter, darker] = [luminance(color), luminance(backgroundColor)].sort((a, b) => b - a);
        found.push({ where: theme + ' ' + palette + ' ' + direction, ratio: (lighter + 0.05) / (darker + 0.05) });
      }
    }
  }
  return found;
})()`;

test('DASH-15, DASH-17, A40: movers and heatmap rank the server’s figures of the crypto markets; a click leads to trading', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'early_riser');
  const movers = regionOf(page, 'Top Movers');
  await movers.scrollIntoViewIfNeeded();
  // Prices keep moving: at the moment of a ranking both agree.
  await expect
    .poll(
      async () => {
        const shown = await symbolsOf(movers.getByRole('link'));
        const markets = await readMarkets(page);
        const expected = ranked(markets, ({ price_change_percent: change }) => Math.abs(change), 5);
        return shown.length === 5 && shown.join() === expected.join();
      },
      { timeout: 45_000 },
    )
    .toBe(true);

  const heatmap = regionOf(page, 'Market Heatmap');
  await heatmap.scrollIntoViewIfNeeded();
  const tiles = heatmap.getByRole('listitem').getByRole('link');
  await expect(tiles).toHaveCount(16);
  await expect(tiles.first()).toHaveAccessibleName(/^BTC BTCUSDT [+−]?\d+\.\d\d?%$/);
  await expect
    .poll(
      async () => {
        const markets = await readMarkets(page);
        const expected = ranked(markets, (market) => market.quote_volume * market.price, 16);
        return (await symbolsOf(tiles)).join() === expected.join();
      },
      { timeout: 45_000 },
    )
    .toBe(true);
  const inMap = await symbolsOf(tiles);
  // A tile's text is legible in both themes and all palettes, whatever its colour.
  const contrasts = await page.evaluate<Contrast[]>(readContrasts);
  expect(contrasts).toHaveLength(12);
  for (const { where, ratio } of contrasts) expect.soft(ratio, where).toBeGreaterThanOrEqual(4.5);

  // The same as a table, by keyboard.
  await heatmap.getByRole('radio', { name: 'Map' }).focus();
  // A key press without duration moves the focus and selects nothing.
  await page.keyboard.press('ArrowRight', { delay: 100 });
  const table = heatmap.getByRole('table', { name: /volume times price/ });
  await expect(table.getByRole('columnheader')).toHaveText(['Market', 'Price', '24h change', '24h volume']);
  await expect(table.getByRole('link')).toHaveCount(16);
  expect((await symbolsOf(table.getByRole('link')))[0]).toBe(inMap[0]);
  await heatmap.getByRole('radio', { name: 'Map' }).click();
  const third = inMap[2] ?? '';
  await heatmap.getByRole('link', { name: new RegExp(` ${third} `) }).click();
  await expect(page).toHaveURL(new RegExp(`/trading\\?symbol=${third}$`));
});

test('TRADE-05, DASH-10, A39, A85: the market list is searched and starred by keyboard, and its pair is that of every screen', async ({
  page,
}) => {
  await signUp(page, 'shared_view');
  const markets = regionOf(page, 'Markets');
  await markets.scrollIntoViewIfNeeded();
  const tabs = markets.getByRole('tab');
  await expect(tabs).toHaveText(['Favorites', 'Crypto', 'Stocks', 'Forex', 'Commodities', 'Indices']);
  await expect(markets.getByRole('tab', { selected: true })).toHaveText('Crypto');
  const search = markets.getByPlaceholder('Search by symbol, name, or asset...');
  const list = markets.getByRole('listbox', { name: 'Market list' });
  const first = list.getByRole('option').first();
  await expect(first).toContainText(/BTCUSDT.*Bitcoin.*\d\.\d\d.*%/);
  // Rows out of sight do not exist.
  expect(await list.getByRole('option').count()).toBeLessThan(25);
  await expect(page.getByRole('region', { name: 'BTCUSDT chart' })).toBeVisible();

  await search.focus();
  await page.keyboard.press('ArrowDown');
  const second = list.locator('[aria-posinset="2"]');
  expect(await search.getAttribute('aria-activedescendant')).toBe(await second.getAttribute('id'));
  await page.keyboard.press('Alt+s');
  await expect(second).toContainText('favorite');
  await page.keyboard.press('Enter');
  await expect(second).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('region', { name: 'ETHUSDT chart' })).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);

  await search.fill('apple');
  await expect(markets.getByRole('tab', { selected: true })).toHaveText('Stocks');
  await list.getByRole('option').filter({ hasText: 'AAPL' }).click();
  await expect(page.getByRole('region', { name: 'AAPL chart' })).toBeVisible();
  await search.fill('no such thing');
  await expect(markets.getByText("No match for 'no such thing'")).toBeVisible();
  await search.press('Escape');
  await expect(search).toHaveValue('');
  await tabs.first().click();
  await expect(list.getByRole('option')).toHaveCount(1);
  await expect(list.getByRole('option')).toContainText('ETHUSDT');

  // What is looked at here is looked at on the trading screen, and the other way round.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trading' }).click();
  await expect(page).toHaveURL(/\/trading\?symbol=AAPL$/);
  const trading = page.getByRole('complementary', { name: 'Markets' });
  await expect(trading).toBeHidden();
  await page.getByRole('button', { name: 'Show the market list' }).click();
  await trading.getByRole('tab', { name: 'Favorites' }).click();
  await trading.getByRole('option').click();
  await expect(page).toHaveURL(/\/trading\?symbol=ETHUSDT$/);
  // The choice is stored; a screen with enough room needs none.
  await page.reload();
  await expect(trading).toBeVisible();
  await page.getByRole('button', { name: 'Hide the market list' }).click();
  await page.setViewportSize({ width: 1720, height: 980 });
  await expect(trading).toBeHidden();
  await page.getByRole('button', { name: 'Layout', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Reset layout' }).click();
  await expect(trading).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByRole('region', { name: 'ETHUSDT chart' })).toBeVisible();
});
