import { expect, test } from '../harness/fulcrum.ts';
import { signUp } from '../harness/session.ts';
import { collectErrors, figureOf, openMarket, positionRow, register, savePicture } from '../harness/steps.ts';

test('AUTH-28, TRADE-11, TRADE-37, TRADE-49, RULE-16, RULE-18, WALL-07, A62: a newcomer registers, opens a 10x long, watches it live, closes it and finds it in history and wallet', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page);
  const ticket = page.getByRole('complementary', { name: 'Order' });
  const row = positionRow(page, 'ETHUSDT');
  const pnl = row.getByRole('cell').nth(7);

  await test.step('registers and starts with the demo balance', async () => {
    await register(page, 'newcomer');
    await expect(page.getByText('$10,000.00').first()).toBeVisible();
  });

  await test.step('picks a pair and sees its price move', async () => {
    await page.getByRole('link', { name: 'Trading', exact: true }).click();
    // The dashboard that is being left has such a search field too.
    await expect(page.getByRole('heading', { level: 1, name: /^Trading / })).toBeAttached();
    await page.getByPlaceholder('Search by symbol, name, or asset...').fill('ether');
    await savePicture(page, 'pairs');
    await page.getByRole('option', { name: /ETHUSDT/ }).click();
    await expect(page).toHaveURL(/ETHUSDT/);
    const chart = page.getByRole('img', { name: /^ETHUSDT candles/ });
    await expect(chart.locator('canvas').first()).toBeVisible();
    const price = ticket.getByRole('definition').nth(1);
    await expect(price).toHaveText(/\d/);
    const first = (await price.textContent()) ?? '';
    await expect(price).not.toHaveText(first);
  });

  await test.step('opens a 10x long', async () => {
    await expect(ticket.getByRole('button', { name: 'Buy/Long' })).toHaveAttribute('aria-disabled', 'true');
    await openMarket(page, { side: 'Buy/Long', amount: '0.5', leverage: 10 });
    await expect(row).toContainText('Long');
    await expect(row).toContainText('10×');
    await expect(page.getByRole('tab', { name: /Open Positions/ })).toContainText('(1)');
  });

  await test.step('watches the PnL live', async () => {
    const first = (await pnl.textContent()) ?? '';
    await expect(pnl).not.toHaveText(first);
    await savePicture(page, 'trading');
  });

  await test.step('reloads, and everything is still there', async () => {
    await page.reload();
    await expect(row).toContainText('10×');
    await expect(page).toHaveURL(/ETHUSDT/);
  });

  const booked = await test.step('closes it', async () => {
    await row.getByRole('button', { name: 'Close ETHUSDT long' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close position' }).click();
    await expect(page.getByText('No open positions')).toBeVisible();
    await page.getByRole('tab', { name: 'Position History' }).click();
    await expect(row).toContainText('10×');
    await savePicture(page, 'history');
    return figureOf(row.getByRole('cell').nth(5));
  });

  await test.step('finds the result in the wallet, to the cent', async () => {
    await page.getByRole('link', { name: 'Wallet' }).click();
    await expect(page.getByRole('heading', { name: 'Your Wallet' })).toBeVisible();
    const closed = page.getByRole('row').filter({ hasText: 'Closed ETHUSDT position' });
    await expect(closed).toContainText('Completed');
    expect(await figureOf(closed.getByRole('cell').nth(2))).toBe(booked);
    await expect(page.getByRole('row').filter({ hasText: 'Initial balance' })).toContainText('+10,000.00');
    // Each figure is rounded for itself, so the sum of two may be a cent away from the balance.
    const total = page.getByText('Total Balance').locator('xpath=following::*[contains(., "USDT")][1]');
    expect(Math.abs((await figureOf(total)) - 10_000 - booked)).toBeLessThan(0.011);
    await savePicture(page, 'wallet');
  });

  expect(errors, 'errors of the page').toEqual([]);
});

test('TRADE-40, TRADE-44, RULE-02: the ticket shows errors in the wording of the specification', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'hesitant', { at: '/trading?symbol=BTCUSDT' });
  const buy = page.getByRole('button', { name: 'Buy/Long' });
  await expect(buy).toHaveAttribute('aria-disabled', 'true');
  await test.step('a press leads to the amount, and Enter from there to the button, which it does not press', async () => {
    const amount = page.getByRole('spinbutton', { name: 'Amount' });
    await buy.click({ force: true });
    await expect(amount).toBeFocused();
    await page.keyboard.type('0.001');
    await expect(buy).not.toHaveAttribute('aria-disabled', 'true');
    await page.keyboard.press('Enter');
    await expect(buy).toBeFocused();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('1');
  await expect(
    page
      .getByText(/Insufficient available balance\. Required: \d+\.\d\d USDT, Available: 10000\.00 USDT/)
      .first(),
  ).toBeVisible();
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.000001');
  await expect(
    page.getByText(/^Amount must be between 0\.00001 and 9000 in steps of 0\.00001\.$/).first(),
  ).toBeVisible();
});

test('TRADE-23, TRADE-24, TRADE-25, TRADE-28: on a phone the form and the chart open over the page, and a short is opened and closed', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await signUp(page, 'commuter', { at: '/trading?symbol=EUR%2FUSD' });

  await page.getByRole('button', { name: /^Chart/ }).click();
  await expect(page.getByRole('dialog', { name: 'EUR/USD Chart' })).toBeVisible();
  await savePicture(page, 'phone-chart');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Show Order Form' }).click();
  await savePicture(page, 'phone-ticket');
  await openMarket(page, { side: 'Sell/Short', amount: '1000', leverage: 20 });
  const card = page.getByRole('listitem').filter({ hasText: 'EUR/USD' }).filter({ hasText: 'Short 20×' });
  const hide = page.getByRole('button', { name: 'Hide Order Form' });
  if (await hide.isVisible()) await hide.click();
  await expect(card).toBeVisible();
  await savePicture(page, 'phone-position');
  await card.getByRole('button', { name: 'Close EUR/USD short' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close position' }).click();
  await expect(page.getByText('No open positions')).toBeVisible();
  expect(errors, 'errors of the page').toEqual([]);
});
