/** Portfolio analytics on the dashboard: from no trade to the first one, by pointer and keyboard, and when loading fails. */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signUp } from '../harness/session.ts';
import { collectErrors, figureOf, pressRetry } from '../harness/steps.ts';

const analytics = (page: Page) => page.getByRole('region', { name: 'Portfolio Analytics' });

/** The figure under a term, such as `Win rate`. */
const figure = (page: Page, term: string) =>
  analytics(page)
    .locator('dl > div')
    .filter({ has: page.getByRole('button', { name: term, exact: true }) })
    .getByRole('definition');

async function trade(page: Page): Promise<{ realized_pnl: number; fees: number }> {
  const opened = await callApi<{ id: string }>(page, 'rpc/open_position', {
    p_symbol: 'BTCUSDT',
    p_side: 'BUY',
    p_size: 0.01,
    p_leverage: 10,
  });
  return callApi(page, 'rpc/close_position', { p_position_id: opened.id });
}

test('portfolio analytics: empty, then the first trade without a reload, each figure with its formula', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page, /500/);
  await signUp(page, 'analyst');
  const first = page
    .getByRole('main')
    .getByRole('link', { name: /trading|first trade/i })
    .first();
  await expect(first).toHaveText('Place your first trade');
  await expect(first).toHaveAttribute('href', '/trading');
  await page.locator('#analytics').scrollIntoViewIfNeeded();
  await expect(analytics(page).getByText('No closed trades yet')).toBeVisible();
  await expect(analytics(page).getByRole('link', { name: 'Open Trading' })).toBeVisible();
  await expect(figure(page, 'Win rate')).toContainText('not available');
  await expect(figure(page, 'Trades')).toContainText('0 won, 0 lost');

  const closed = await trade(page);
  await expect(figure(page, 'Trades').locator('span').first()).toHaveText('1');
  const exact = closed.realized_pnl - closed.fees;
  // What would round to zero is shown with the digits it has.
  const net = Math.abs(exact) < 0.005 ? exact : Number(exact.toFixed(2));
  expect(await figureOf(figure(page, 'Net result'))).toBeCloseTo(net, 2);
  const symbols = analytics(page).getByRole('table', { name: 'Net result by symbol, the largest first' });
  await expect(symbols.getByRole('row')).toHaveCount(2);
  await expect(symbols.getByRole('row').nth(1)).toContainText('BTCUSDT');
  for (const name of ['Result by day', 'Result by hour of the day']) {
    const table = analytics(page).getByRole('table', { name });
    await expect(table.getByRole('row')).toHaveCount(2);
    expect(await figureOf(table.getByRole('cell').nth(1))).toBeCloseTo(net, 2);
  }

  const term = analytics(page).getByRole('button', { name: 'Expectancy' });
  await term.focus();
  await page.keyboard.press('Enter');
  const meaning = page.getByRole('dialog', { name: 'What Expectancy means' });
  await expect(meaning).toContainText(/\/ 1 trade = [+−]?[\d,.]+ USDT/);
  await page.keyboard.press('Escape');
  await expect(meaning).toBeHidden();
  await expect(term).toBeFocused();
  // A resting mouse shows it too, and moves no focus.
  const rested = page.getByRole('dialog', { name: 'What Win rate means' });
  await analytics(page).getByRole('button', { name: 'Win rate' }).hover();
  await expect(rested).toContainText('Winning trades out of all trades');
  await rested.hover();
  await expect(rested).toBeVisible();
  await page.mouse.move(0, 0);
  await expect(rested).toBeHidden();
  await expect(term).toBeFocused();

  await expect(figure(page, 'Long')).toContainText(/1 trade, (?:100|0)\.00% won/);
  await expect(figure(page, 'Short')).toContainText('No trades yet');

  const curve = analytics(page).getByRole('slider', { name: 'Equity and drawdown over time' });
  await curve.press('Home');
  await expect(curve).toHaveAttribute('aria-valuenow', '0');
  await expect(curve).toHaveAttribute('aria-valuetext', /10,000\.00 USDT, drawdown 0\.00%$/);
  await curve.press('ArrowRight');
  await expect(curve).toHaveAttribute('aria-valuenow', '1');
  await analytics(page).getByRole('radio', { name: 'Net of deposits' }).click();
  await expect(
    analytics(page).getByRole('slider', { name: 'Result net of deposits and drawdown over time' }),
  ).toBeVisible();

  await analytics(page).getByRole('radio', { name: '7 d' }).click();
  await expect(page).toHaveURL(/range=7d/);
  await page.reload();
  await page.locator('#analytics').scrollIntoViewIfNeeded();
  await expect(analytics(page).getByRole('radio', { name: '7 d' })).toBeChecked();
  await expect(figure(page, 'Trades').locator('span').first()).toHaveText('1');

  const refused = { status: 500, json: { code: 'XX000', message: 'fault', details: null, hint: null } };
  await page.route('**/rpc/get_performance', (route) => route.fulfill(refused));
  await analytics(page).getByRole('radio', { name: '90 d' }).click();
  const failed = analytics(page).getByRole('alert');
  await expect(failed).toContainText('Failed to fetch portfolio analytics');
  await page.unroute('**/rpc/get_performance');
  await pressRetry(failed);
  await expect(figure(page, 'Trades').locator('span').first()).toHaveText('1');
  expect(errors, 'errors of the page').toEqual([]);
});

test('a bar, a day of the curve and a symbol lead to their trades, and a trade leads into the journal', async ({
  page,
}) => {
  const errors = collectErrors(page);
  await signUp(page, 'driller', { at: '/wallet' });
  await trade(page);
  await trade(page);
  await page.getByRole('navigation', { name: 'Review' }).getByRole('link', { name: 'Analytics' }).click();
  await expect(page).toHaveURL(/\/analytics$/);
  await expect(figure(page, 'Trades').locator('span').first()).toHaveText('2');

  const trades = (name: RegExp) => analytics(page).getByRole('region', { name });
  await analytics(page).getByRole('button', { name: 'Trades in BTCUSDT' }).click();
  const bySymbol = trades(/^Trades in BTCUSDT$/);
  await expect(bySymbol.getByRole('heading')).toBeFocused();
  await expect(bySymbol.getByRole('row')).toHaveCount(3);

  const days = analytics(page).getByRole('slider', { name: 'Result by day' });
  await days.press('End');
  await days.press('Enter');
  const ofDay = trades(/^Trades closed on /);
  await expect(ofDay.getByRole('row')).toHaveCount(3);
  await expect(bySymbol).toBeHidden();
  await test.step('the list is in the address', async () => {
    await page.reload();
    await expect(ofDay.getByRole('row')).toHaveCount(3);
    await expect(ofDay.getByRole('row').last()).toBeInViewport();
  });
  await test.step('the chosen bar stays marked, with its figures', async () => {
    await expect(analytics(page).getByText(/ · 2 trades/)).toBeVisible();
  });
  await ofDay.getByRole('button', { name: 'Close the list of trades' }).click();
  await expect(ofDay).toBeHidden();
  await expect(page).toHaveURL(/\/analytics$/);

  // The curve ends now, so its right edge is today.
  const curve = analytics(page).getByRole('slider', { name: 'Equity and drawdown over time' });
  const box = await curve.boundingBox();
  if (!box) throw new Error('the curve is not on screen');
  await curve.click({ position: { x: box.width - 70, y: 40 } });
  await ofDay.getByRole('link', { name: 'Write about it, BTCUSDT long' }).first().click();
  await expect(page).toHaveURL(/\/journal/);
  const journal = page.getByRole('region', { name: 'Trading Journal' });
  await expect(journal.getByText('BTCUSDT').first()).toBeVisible();
  await expect(journal.getByText('No entries yet')).toBeVisible();
  expect(errors).toEqual([]);
});
