/**
 * Differences on screen under the specified formulas (`RULES=as-specified`), in one file, because another configuration
 * needs another server.
 */
import type { Locator } from '@playwright/test';
import { expect, test } from './harness/fulcrum.ts';
import { signUp } from './harness/session.ts';
import { figureOf, openMarket, positionRow, savePicture } from './harness/steps.ts';

test.use({ serverEnv: { RULES: 'as-specified', SIGNUP_BALANCE: '10000', TRADING_FEE_RATE: '0.001' } });

test('RULE-07, RULE-12: under the specified formulas the open row shows the PnL that a close books, ten times the unrealized figure at 10x', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'literal', { at: '/trading?symbol=BTCUSDT' });
  await openMarket(page, { side: 'Buy/Long', amount: '0.1', leverage: 10 });
  const row = positionRow(page, 'BTCUSDT');
  const booked = row.getByText(/^closes at/);
  await expect(booked).toContainText(/closes at [+−]?\d+\.\d\d USDT/);
  await expect(async () => {
    const pnl = await figureOf(row.getByRole('cell').nth(7));
    expect(Math.abs(pnl)).toBeGreaterThan(0.05);
    expect(await figureOf(booked)).toBeCloseTo(pnl * 10, 0);
  }).toPass();
  await savePicture(page, 'as-specified');
});

test('A35, TRADE-16: under the stated rules the chart opens on the third-party widget where it can be reached, else on the built-in one', async ({
  page,
}) => {
  test.slow();
  const cdn = 'https://s3.tradingview.com/**';
  await page.route(cdn, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `globalThis.TradingView = { widget: function ({ container_id, symbol }) {
        const frame = document.createElement('iframe');
        frame.srcdoc = '<p>' + symbol + '</p>';
        document.getElementById(container_id).append(frame);
      } };`,
    }),
  );
  await signUp(page, 'stated', { at: '/trading?symbol=BTCUSDT' });
  const chart = page.getByRole('region', { name: 'Chart' });
  const widget = page.frameLocator('iframe[title^="TradingView chart"]').frameLocator('iframe');
  await expect(widget.getByText('BINANCE:BTCUSDT')).toBeVisible();
  await expect(chart.getByRole('radio', { name: 'TradingView' })).toBeChecked();

  await page.unroute(cdn);
  await page.route(cdn, (route) => route.abort());
  await page.reload();
  await expect(chart.getByRole('img', { name: /^BTCUSDT candles/ })).toBeVisible();
  await expect(chart.getByRole('radio', { name: 'Built-in' })).toBeChecked();
  await expect(chart.getByText('Chart temporarily unavailable')).toBeHidden();
});

const field = (of: Locator, name: string) => of.getByRole('spinbutton', { name, exact: true });
const result = (of: Locator, name: string) =>
  of
    .locator('dl > div')
    .filter({ has: of.page().getByRole('button', { name: `${name} (show the formula)` }) });

test('CALC-08, CALC-13, CALC-15: as specified the risk size includes the leverage, the liquidation price is a labelled placeholder, the fee 0.06 %', async ({
  page,
}) => {
  await signUp(page, 'reckoner');
  const risk = page.getByRole('region', { name: 'Risk Management' });
  // Rows of the dashboard are there once they are about to be seen.
  await expect(async () => {
    if (!(await risk.isVisible())) await page.mouse.wheel(0, 500);
    await expect(risk).toBeVisible({ timeout: 1_000 });
  }).toPass();
  for (const [name, text] of [
    ['Account', '10000'],
    ['Entry price', '100'],
    ['Stop loss', '98'],
    ['Leverage', '10'],
  ] as const) {
    await field(risk, name).fill(text);
  }
  await expect(result(risk, 'Risk amount')).toContainText('100.00 USDT');
  await expect(result(risk, 'Position size')).toContainText('500');
  await expect(result(risk, 'Required margin')).toContainText('5,000.00 USDT');

  const position = page.getByRole('region', { name: 'Position Calculator' });
  await field(position, 'Price').fill('100');
  await field(position, 'Size').fill('1');
  const liquidation = result(position, 'Liquidation price');
  for (const side of ['Long', 'Short']) {
    await position.getByRole('radio', { name: side }).click();
    await expect(liquidation).toContainText('80.00');
  }
  await expect(liquidation).toContainText("placeholder, not the engine's liquidation price");
  await expect(result(position, 'Estimated fee at 0.06 % (not charged here)')).toContainText('0.06');
  await savePicture(page, 'calculators-as-specified', { fullPage: true });
});
