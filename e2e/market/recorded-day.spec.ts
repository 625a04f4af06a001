import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '../support/fulcrum.ts';
import { openMarket, positionRow, register } from '../support/steps.ts';

/** A day of one-minute candles in the recorded files' form; a seesaw, so that every minute moves. */
function recordedDay(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-recorded-'));
  const midnight = Date.UTC(2022, 11, 13);
  const lines = ['symbol,open_time,open,high,low,close,volume'];
  for (let minute = 0; minute < 1440; minute += 1) {
    const open = 17_000 + (minute % 60) * 5;
    const close = 17_000 + ((minute + 1) % 60) * 5;
    const [low, high] = [Math.min(open, close) - 3, Math.max(open, close) + 3];
    lines.push(`BTCUSDT,${midnight + minute * 60_000},${open},${high},${low},${close},${1 + (minute % 7)}`);
  }
  writeFileSync(join(folder, 'BTCUSDT-2022-12-13.csv'), `${lines.join('\n')}\n`);
  return folder;
}

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
