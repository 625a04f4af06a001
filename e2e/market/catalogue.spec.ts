/** The whole catalogue on the screen: found, opened, traded, and cheap to display. */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { signUp } from '../harness/session.ts';
import { collectErrors, openMarket, positionRow } from '../harness/steps.ts';

const searchOf = (page: Page) => page.getByPlaceholder('Search by symbol, name, or asset...');
const ticketOf = (page: Page) => page.getByRole('complementary', { name: 'Order' });

test('TRADE-03, FEED-60: a pair is found by its nickname, from any tab', async ({ page }) => {
  await signUp(page, 'insider', { at: '/trading' });
  await searchOf(page).fill('Cable');
  const option = page.getByRole('option');
  await expect(option.first()).toContainText('GBP/USD');
  await expect(option.first()).toContainText('British Pound / US Dollar');
  await searchOf(page).press('Enter');
  await expect(page).toHaveURL(/GBP(%2F|\/)USD/);
  await expect(page.getByRole('img', { name: /^GBP\/USD candles/ })).toBeVisible();
});

test('FEED-49, FEED-59, FEED-60, FEED-61, FEED-62: the tabs hold the whole catalogue, and its end is reached by keyboard', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'collector', { at: '/trading' });
  const search = searchOf(page);
  await search.click();
  const tabs = page.getByRole('tablist', { name: 'Markets' }).getByRole('tab');
  await expect(tabs).toHaveText([
    /crypto\s*50/i,
    /stocks\s*50/i,
    /forex\s*50/i,
    /commodities\s*20/i,
    /indices\s*7/i,
    /favorites\s*0/i,
  ]);
  // From the first row up is the last one. Rows out of sight do not exist until they are needed.
  await tabs.nth(2).click();
  expect(await page.getByRole('option').count()).toBeLessThan(30);
  await search.press('ArrowUp');
  const last = page.getByRole('option', { name: /SGD\/JPY/ });
  await expect(last).toBeInViewport();
  await expect(last).toHaveAttribute('aria-posinset', '50');
  await expect(last).toHaveAttribute('aria-setsize', '50');
  expect(await search.getAttribute('aria-activedescendant')).toBe(await last.getAttribute('id'));
  await search.press('Enter');
  await expect(page).toHaveURL(/SGD(%2F|\/)JPY/);
});

for (const { symbol, amount, market } of [
  { symbol: 'XAUUSD', amount: '0.5', market: 'a commodity' },
  { symbol: 'SPX', amount: '0.1', market: 'an index' },
] as const) {
  test(`FEED-51, TRADE-49: ${market} opens its chart, is bought and closed`, async ({ page }) => {
    const errors = collectErrors(page);
    await signUp(page, `buyer_of_${symbol.toLowerCase()}`, { at: '/trading' });
    await searchOf(page).fill(symbol);
    await page.getByRole('option').first().click();
    await expect(page.getByRole('img', { name: new RegExp(`^${symbol} candles`) })).toBeVisible();
    await expect(
      ticketOf(page)
        .getByText(/^[\d,]+\.\d\d$/)
        .first(),
    ).toBeVisible();
    await openMarket(page, { side: 'Buy/Long', amount, leverage: 10 });
    const row = positionRow(page, symbol);
    await expect(row).toContainText('10×');
    await row.getByRole('button', { name: `Close ${symbol} long` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close position' }).click();
    await expect(page.getByText('No open positions')).toBeVisible();
    expect(errors, 'errors of the page').toEqual([]);
  });
}

/** Counts React's commits from now on, by the hook that its developer tools use. */
async function countCommits(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const counted = globalThis as unknown as { commits: number; __REACT_DEVTOOLS_GLOBAL_HOOK__: object };
    counted.commits = 0;
    counted.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot: () => {
        counted.commits += 1;
      },
      onCommitFiberUnmount() {},
    };
  });
  return () => page.evaluate(() => (globalThis as unknown as { commits: number }).commits);
}

test('with every market ticking and the selector open, the screen renders less than ten times a second', async ({
  page,
}) => {
  const commits = await countCommits(page);
  await signUp(page, 'calm', { at: '/trading?symbol=BTCUSDT' });
  await searchOf(page).click();
  await expect(page.getByRole('option').first()).toContainText(/\d/);
  expect(await commits()).toBeGreaterThan(0);
  // What opening the selector renders is not what ticking renders: its animations are over.
  await page.evaluate(
    `Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))`,
  );
  const [before, seconds] = [await commits(), 5];
  // A rate is measured over a span of time.
  await page.waitForTimeout(seconds * 1_000);
  expect((await commits()) - before).toBeLessThan(10 * seconds);
});
