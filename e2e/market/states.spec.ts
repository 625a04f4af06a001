/** The state of a price on the screen, while its provider lives, lags, closes, dies and returns. */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/providers.ts';
import { signUp } from '../harness/session.ts';
import { openMarket, positionRow, pressRetry, savePicture } from '../harness/steps.ts';

const ticketOf = (page: Page) => page.getByRole('complementary', { name: 'Order' });
const buyOf = (page: Page) => ticketOf(page).getByRole('button', { name: 'Buy/Long' });
const badge = (page: Page, title: RegExp) => page.getByTitle(title).first();
/** A price goes stale 15 s after its last message, and a broken connection is retried after up to 16 s. */
const soon = { timeout: 45_000 };

test('A37, A31: a feed that dies makes its price stale and closes the ticket; it recovers by itself', {
  tag: '@core',
}, async ({ page, providers: { exchange } }) => {
  exchange.set('BTCUSDT', '64000.00');
  await signUp(page, 'watcher', { at: '/trading?symbol=BTCUSDT' });
  await expect(badge(page, /^Live price from Binance/)).toContainText('Live');
  await openMarket(page, { side: 'Buy/Long', amount: '0.01', leverage: 10 });
  const row = positionRow(page, 'BTCUSDT');
  await expect(row).toContainText('10×');

  await test.step('the exchange goes away', async () => {
    exchange.refuse(true);
    await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.01');
    await expect(badge(page, /^No price from Binance since/)).toContainText(/^Stale · \d+ s$/, soon);
    await expect(
      ticketOf(page).getByText('Price is stale. Trading resumes with the next price.'),
    ).toBeVisible();
    await expect(buyOf(page)).toHaveAttribute('aria-disabled', 'true');
    await expect(row).toContainText('Stale');
    await expect(ticketOf(page).getByText('64,000.00').first()).toBeVisible();
    await savePicture(page, 'stale');
  });

  await test.step('and comes back', async () => {
    exchange.refuse(false);
    exchange.set('BTCUSDT', '64010.00');
    await expect(badge(page, /^Live price from Binance/)).toContainText('Live', soon);
    await expect(row).not.toContainText('Stale');
    await expect(buyOf(page)).not.toHaveAttribute('aria-disabled', 'true');
  });
});

test('A37: a price whose provider lags behind is for display only', async ({ page }) => {
  await signUp(page, 'latecomer', { at: '/trading?symbol=GBP%2FUSD' });
  await expect(badge(page, /is more than 20 min behind/)).toHaveText('Delayed', soon);
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('1000');
  await expect(ticketOf(page).getByText(/^Price is delayed by its source\./)).toBeVisible();
  await expect(buyOf(page)).toHaveAttribute('aria-disabled', 'true');
  await savePicture(page, 'delayed');
});

test('A98: a market that its provider states as closed takes no market order and keeps its last price', async ({
  page,
}) => {
  await signUp(page, 'nightowl', { at: '/trading?symbol=AAPL' });
  await expect(badge(page, /^The market is closed\. This is the last price from Yahoo/)).toHaveText(
    'Closed',
    soon,
  );
  await expect(ticketOf(page).getByText('244.87').first()).toBeVisible();
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('1');
  await expect(ticketOf(page).getByText(/^Market is closed\./)).toBeVisible();
  await expect(buyOf(page)).toHaveAttribute('aria-disabled', 'true');
});

test('ERR-28, A37: choosing a polled pair fetches its price at once; without any price the failure can be tried again', async ({
  page,
  providers: { quotes },
}) => {
  await signUp(page, 'fetcher', { at: '/trading?symbol=USD%2FSEK' });
  const ticket = ticketOf(page);
  await expect(ticket.getByText('Failed to fetch price')).toBeVisible(soon);
  await expect(buyOf(page)).toHaveAttribute('aria-disabled', 'true');
  await savePicture(page, 'fetch-failed');

  quotes.list('SEK=X', { mode: 'ok' });
  await pressRetry(ticket);
  await expect(ticket.getByText('9.50000').first()).toBeVisible(soon);
  await expect(ticket.getByText('Failed to fetch price')).toBeHidden();
});

test('ERR-28: a fetch that fails does not hide the last price, and a later one ends it', async ({ page }) => {
  await signUp(page, 'refetcher', { at: '/trading?symbol=USD%2FJPY' });
  const ticket = ticketOf(page);
  await expect(ticket.getByText('150.250').first()).toBeVisible(soon);
  let requests = 0;
  await page.route('**/rpc/fetch_price*', (route) => {
    requests += 1;
    return route.abort('connectionreset');
  });
  // Newer prices would end the failure by themselves.
  await page.routeWebSocket(/\/realtime\//, () => undefined);
  await page.reload();
  await expect(ticket.getByText('Failed to fetch price')).toBeVisible();
  await expect(ticket.getByText('150.250').first()).toBeVisible();
  expect(requests).toBe(1);

  await page.unroute('**/rpc/fetch_price*');
  await pressRetry(ticket);
  await expect(ticket.getByText('Failed to fetch price')).toBeHidden();
  await expect(ticket.getByText('150.250').first()).toBeVisible();
});

test('A34: a change that its provider does not state is two dashes without colour', async ({ page }) => {
  await signUp(page, 'dasher', { at: '/trading?symbol=USD%2FCHF' });
  await expect(ticketOf(page).getByText('0.88000').first()).toBeVisible(soon);
  await page.getByPlaceholder('Search by symbol, name, or asset...').fill('swissie');
  const option = page.getByRole('option', { name: /USD\/CHF/ });
  await expect(option).toContainText('--');
  await expect(
    option.locator('[data-direction=up], [data-direction=down]').filter({ hasText: '--' }),
  ).toHaveCount(0);
});
