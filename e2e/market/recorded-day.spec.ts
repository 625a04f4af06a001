import { expect, test } from '../support/fulcrum.ts';
import { recordedDay } from '../support/recorded-day.ts';
import { openMarket, positionRow, register } from '../support/steps.ts';

test.use({ serverEnv: { PRICE_FEED: `replay:${recordedDay()}?speed=60&loop=1` } });

test('TRADE-32, TRADE-41: a recorded day is traded like a live one, says what it is, and a pair without a recording takes no orders', async ({
  page,
}) => {
  await register(page, 'historian');
  await page.goto('/trading?symbol=BTCUSDT');
  await expect(page.getByText('Recorded day').first()).toBeVisible();
  await openMarket(page, { side: 'Buy/Long', amount: '0.1', leverage: 10 });
  const row = positionRow(page, 'BTCUSDT');
  await expect(row).toContainText('10×');
  await expect(row).toContainText(/1[67],\d{3}\.\d\d/);
  await page.screenshot({ path: 'test-results/screens/recorded-day.png' });
  await row.getByRole('button', { name: 'Close BTCUSDT long' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close position' }).click();
  await expect(page.getByText('No open positions')).toBeVisible();

  await page.goto('/trading?symbol=AAPL');
  const ticket = page.getByRole('complementary', { name: 'Order' });
  await expect(ticket.getByText('---').first()).toBeVisible();
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('1');
  await expect(ticket.getByRole('button', { name: 'Buy/Long' })).toHaveAttribute('aria-disabled', 'true');
});
