import { expect, test } from '../support/fulcrum.ts';
import { register } from '../support/steps.ts';

test.use({ serverEnv: { RULES: 'as-specified', SIGNUP_BALANCE: '10000' } });

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
  await register(page, 'stated');
  await page.goto('/trading?symbol=BTCUSDT');
  const chart = page.getByRole('region', { name: 'Chart' });
  const widget = page.frameLocator('iframe[title^="TradingView chart"]').frameLocator('iframe');
  await expect(widget.getByText('BINANCE:BTCUSDT')).toBeVisible({ timeout: 30_000 });
  await expect(chart.getByRole('radio', { name: 'TradingView' })).toBeChecked();

  await page.unroute(cdn);
  await page.route(cdn, (route) => route.abort());
  await page.reload();
  await expect(chart.getByRole('img', { name: /^BTCUSDT candles/ })).toBeVisible({ timeout: 30_000 });
  await expect(chart.getByRole('radio', { name: 'Built-in' })).toBeChecked();
  await expect(chart.getByText('Chart temporarily unavailable')).toBeHidden();
});
