import { expect, test } from '../harness/fulcrum.ts';
import { recordedDay } from '../harness/recorded-day.ts';
import { signUp } from '../harness/session.ts';
import { openMarket, positionRow, savePicture } from '../harness/steps.ts';

test.use({ serverEnv: { PRICE_FEED: `replay:${recordedDay()}?speed=60&loop=1` } });

test('TRADE-32, TRADE-41, UX-10: a recorded day is traded like a live one and labelled, and a pair without a recording takes no orders', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'historian', { at: '/trading?symbol=BTCUSDT' });
  await expect(page.getByText('Recorded day').first()).toBeVisible();
  // UX-10: the recorded clock, an hour of bars before its first minute, and no market that it does not have.
  await expect(page.locator('footer')).toContainText(/Recorded Tue 13 Dec 2022 \d\d:\d\d:\d\d UTC · 60×/);
  const bars = await page.request.post('/rest/v1/rpc/get_candles', {
    headers: { apikey: (await (await page.request.get('/config.json')).json()).anonKey },
    data: { p_symbol: 'BTCUSDT', p_timeframe: '1m', p_limit: 300 },
  });
  expect((await bars.json()).length).toBeGreaterThan(50);
  await openMarket(page, { side: 'Buy/Long', amount: '0.1', leverage: 10 });
  const row = positionRow(page, 'BTCUSDT');
  await expect(row).toContainText('10×');
  await expect(row).toContainText(/1[67],\d{3}\.\d\d/);
  await savePicture(page, 'recorded-day');
  await row.getByRole('button', { name: 'Close BTCUSDT long' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close position' }).click();
  await expect(page.getByText('No open positions')).toBeVisible();

  await page.goto('/trading?symbol=AAPL');
  const ticket = page.getByRole('complementary', { name: 'Order' });
  await expect(ticket.getByText('---').first()).toBeVisible();
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('1');
  await expect(ticket.getByRole('button', { name: 'Buy/Long' })).toHaveAttribute('aria-disabled', 'true');
});
