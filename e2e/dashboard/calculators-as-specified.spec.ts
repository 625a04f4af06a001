/** The calculators under the stated formulas. */
import type { Locator } from '@playwright/test';
import { expect, test } from '../support/fulcrum.ts';
import { register } from '../support/steps.ts';

test.use({ serverEnv: { RULES: 'as-specified', TRADING_FEE_RATE: '0.001' } });

const field = (of: Locator, name: string) => of.getByRole('spinbutton', { name, exact: true });
const result = (of: Locator, name: string) =>
  of
    .locator('dl > div')
    .filter({ has: of.page().getByRole('button', { name: `${name} (show the formula)` }) });

test('CALC-08, CALC-13, CALC-15: as specified the risk size carries the leverage, the liquidation price is a placeholder that says so, the fee 0.06 %', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await register(page, 'literal');
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
  await page.screenshot({ path: 'test-results/screens/calculators-as-specified.png', fullPage: true });
});
