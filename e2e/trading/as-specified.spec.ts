import { expect, test } from '../support/fulcrum.ts';
import { figureOf, openMarket, positionRow, register } from '../support/steps.ts';

test.use({ serverEnv: { RULES: 'as-specified', SIGNUP_BALANCE: '10000' } });

test('RULE-07, RULE-12: under the stated formulas the open row says what a close really books, ten times the unrealized figure at 10x', async ({
  page,
}) => {
  await register(page, 'literal');
  await page.goto('/trading?symbol=BTCUSDT');
  await openMarket(page, { side: 'Buy/Long', amount: '0.1', leverage: 10 });
  const row = positionRow(page, 'BTCUSDT');
  const booked = row.getByText(/^closes at/);
  await expect(booked).toContainText(/closes at [+−]?\d+\.\d\d USDT/);
  await expect(async () => {
    const pnl = await figureOf(row.getByRole('cell').nth(7));
    expect(Math.abs(pnl)).toBeGreaterThan(0.05);
    expect(await figureOf(booked)).toBeCloseTo(pnl * 10, 0);
  }).toPass({ timeout: 30_000 });
  await page.screenshot({ path: 'test-results/screens/as-specified.png' });
});
