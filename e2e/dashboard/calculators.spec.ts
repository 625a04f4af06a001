/** The calculators to the figure: Bitcoin is at 64,000 and the account at 10,000, until a journey moves them. */
import type { Locator, Page } from '@playwright/test';
import { violations } from '../harness/axe.ts';
import { expect, test } from '../harness/providers.ts';
import { signUp } from '../harness/session.ts';
import { positionRow, savePicture, sendOrder } from '../harness/steps.ts';

const card = (page: Page, title: 'P/L Calculator' | 'Risk Management' | 'Position Calculator') =>
  page.getByRole('region', { name: title });
/** Rows of the dashboard are there once they are about to be seen. */
const reach = async (page: Page, title: Parameters<typeof card>[1]): Promise<Locator> => {
  const found = card(page, title);
  await expect(async () => {
    if (!(await found.isVisible())) await page.mouse.wheel(0, 500);
    await expect(found).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await found.scrollIntoViewIfNeeded();
  return found;
};
const field = (of: Locator, name: string) => of.getByRole('spinbutton', { name, exact: true });
/** The line of a result. */
const result = (of: Locator, name: string) =>
  of
    .locator('dl > div, dl')
    .filter({ has: of.page().getByRole('button', { name: `${name} (show the formula)` }) })
    .last();
const slide = async (of: Locator, name: string, steps: number) => {
  const slider = of.getByRole('slider', { name });
  await slider.press('Home');
  for (let i = 0; i < steps; i += 1) await slider.press('ArrowRight');
};
/** Fills from the pair until the price of this journey has arrived. */
const fillFrom = async (of: Locator, name: string) => {
  await expect(async () => {
    await of.getByRole('button', { name: 'Use BTCUSDT' }).click();
    await expect(field(of, name)).toHaveValue('64000.00', { timeout: 500 });
  }).toPass();
};
const ticket = (page: Page) => page.getByRole('complementary', { name: 'Order' });
const order = (of: Locator) => of.getByRole('button', { name: 'Use in order form' });

/** Violations that axe finds in the calculators' row; other tests inspect whole pages. */
const faultsOf = (page: Page): Promise<string[]> => violations(page, {}, '#tools');

test.beforeEach(({ providers: { exchange } }) => {
  exchange.set('BTCUSDT', '64000.00');
});

test('CALC-01, CALC-02, CALC-03, CALC-04, CALC-05: the P/L calculator waits for its inputs, explains its result, keeps it during navigation, and passes it to the order form', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'stake');
  const pnl = await reach(page, 'P/L Calculator');
  const gain = result(pnl, 'Profit / loss');
  await expect(field(pnl, 'Leverage')).toHaveValue('1');
  await expect(gain).toContainText('not available');
  await expect(order(pnl)).toHaveAttribute('aria-disabled', 'true');
  await field(pnl, 'Entry price').fill('100');
  await field(pnl, 'Exit price').fill('101');
  await field(pnl, 'Leverage').fill('10');
  await expect(gain).toContainText('not available');
  await field(pnl, 'Size (your stake, before leverage)').fill('1');
  await expect(gain).toContainText('+10.00 gain');
  await expect(result(pnl, 'ROI')).toContainText('+10.00%');
  await expect(result(pnl, 'Position size')).toContainText('= size × leverage = 10');
  await pnl.getByRole('radio', { name: 'Short' }).click();
  await expect(gain).toContainText('−10.00 loss');

  await test.step('an invalid value shows an error at its field, and gives no result', async () => {
    await field(pnl, 'Exit price').fill('twelve');
    await expect(field(pnl, 'Exit price')).toHaveAccessibleDescription(
      'Exit price must be a number such as 95600.',
    );
    await expect(field(pnl, 'Exit price')).toHaveAttribute('aria-invalid', 'true');
    await field(pnl, 'Leverage').fill('126');
    await expect(field(pnl, 'Leverage')).toHaveAccessibleDescription(
      'Leverage must be a whole number from 1 to 125.',
    );
    await field(pnl, 'Size (your stake, before leverage)').fill('-1');
    await expect(gain).toContainText('not available');
    await expect(result(pnl, 'ROI')).toContainText('not available');
    expect(await faultsOf(page)).toEqual([]);
  });
  await test.step('fields read what is typed and do not rewrite it; arrow keys walk its last decimal', async () => {
    await field(pnl, 'Exit price').fill('1.5k');
    await expect(field(pnl, 'Exit price')).toHaveValue('1.5k');
    await field(pnl, 'Exit price').fill('98.50');
    await field(pnl, 'Exit price').press('ArrowUp');
    await expect(field(pnl, 'Exit price')).toHaveValue('98.6');
  });
  await test.step('from the pair: its price, its units, its tick', async () => {
    await fillFrom(pnl, 'Entry price');
    await expect(field(pnl, 'Exit price')).toHaveValue('');
    await field(pnl, 'Exit price').fill('62000');
    await field(pnl, 'Exit price').press('ArrowDown');
    await expect(field(pnl, 'Exit price')).toHaveValue('61999.99');
    await field(pnl, 'Exit price').press('ArrowUp');
    await field(pnl, 'Size (your stake, before leverage)').fill('0.01');
    await field(pnl, 'Leverage').fill('20');
    await expect(gain).toContainText('+400.00 gain');
    await expect(result(pnl, 'ROI')).toContainText('+62.50%');
    await pnl.getByRole('button', { name: 'Profit / loss (show the formula)' }).click();
    await expect(page.getByRole('dialog', { name: 'Profit / loss' })).toContainText(
      '(64,000.00 − 62,000.00) × 0.01000 BTC × 20 = +400.00 USDT',
    );
    await page.keyboard.press('Escape');
  });
  await savePicture(page, 'calculators', { fullPage: true });
  await page.getByRole('link', { name: 'Wallet' }).first().click();
  await expect(page).toHaveURL(/\/wallet/);
  await page.goBack();
  await reach(page, 'P/L Calculator');
  await expect(gain).toContainText('+400.00 gain');
  await order(pnl).click();
  await expect(page).toHaveURL(/\/trading\?symbol=BTCUSDT/);
  await expect(page.getByRole('spinbutton', { name: 'Amount' })).toHaveValue('0.20000');
  await expect(page.getByRole('spinbutton', { name: 'Take Profit' })).toHaveValue('62000.00');
  await expect(ticket(page)).toContainText('Worked out for a short. Nothing is sent yet.');
  await expect(ticket(page)).toContainText('640.00');
});

test('A37, AUTH-42: a stale price is marked beside its field until it is overwritten; the input survives a reload, and belongs to one user', async ({
  page,
  providers: { exchange },
}) => {
  test.slow();
  await signUp(page, 'patient');
  const position = await reach(page, 'Position Calculator');
  await fillFrom(position, 'Price');
  await expect(field(position, 'Price')).toHaveAccessibleDescription('');

  exchange.refuse(true);
  const stale = /^Stale: this price has not changed since \d\d:\d\d:\d\d\.$/;
  await expect(async () => {
    await position.getByRole('button', { name: 'Use BTCUSDT' }).click();
    await expect(field(position, 'Price')).toHaveAccessibleDescription(stale, { timeout: 500 });
  }).toPass({ timeout: 45_000 });
  await expect(position.getByText(/^Stale · \d\d:\d\d$/)).toBeVisible();
  const pnl = card(page, 'P/L Calculator');
  await pnl.getByRole('button', { name: 'Use BTCUSDT' }).click();
  // It does not narrow the label beside it.
  await expect(pnl.getByText(/^Stale · \d\d:\d\d$/)).toBeVisible();
  expect(
    await pnl
      .getByText('Entry price', { exact: true })
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth),
  ).toBe(false);
  await savePicture(page, 'calculator-stale');
  exchange.refuse(false);
  await page.setViewportSize({ width: 390, height: 844 });
  await field(position, 'Price').scrollIntoViewIfNeeded();
  await expect(position.getByText(/^Stale · \d\d:\d\d$/)).toBeInViewport();
  await savePicture(page, 'calculator-stale-phone');
  await page.setViewportSize({ width: 1440, height: 900 });
  await field(position, 'Size').fill('0.5');
  await expect(result(position, 'Position value')).toContainText('32,000.00');

  await page.reload();
  await reach(page, 'Position Calculator');
  await expect(field(position, 'Price')).toHaveValue('64000.00');
  await expect(field(position, 'Size')).toHaveValue('0.5');
  await expect(field(position, 'Price')).toHaveAccessibleDescription(stale);
  await field(position, 'Price').press('ArrowUp');
  await expect(field(position, 'Price')).toHaveValue('64000.01');
  await expect(field(position, 'Price')).toHaveAccessibleDescription('');
  expect(await faultsOf(page)).toEqual([]);

  await page.getByRole('button', { name: 'Logout' }).first().click();
  await expect(page).toHaveURL(/\/login|\/$/);
  await signUp(page, 'next_one');
  await reach(page, 'Position Calculator');
  await expect(field(position, 'Price')).toHaveValue('');
  await expect(field(position, 'Size')).toHaveValue('');
});

test('CALC-06, CALC-07, CALC-08, CALC-09: the loss of the Risk calculator equals the loss at the stop', async ({
  page,
  providers: { exchange },
}) => {
  await signUp(page, 'prudent');
  const risk = await reach(page, 'Risk Management');
  const slider = risk.getByRole('slider', { name: 'Risk per trade' });
  await expect(slider).toHaveAttribute('aria-valuenow', '1');
  await slider.press('Home');
  await expect(slider).toHaveAttribute('aria-valuetext', '0.1%');
  await slider.press('ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuetext', '0.2%');
  await slider.press('End');
  await expect(slider).toHaveAttribute('aria-valuetext', '5.0%');
  await slide(risk, 'Risk per trade', 9);
  await fillFrom(risk, 'Entry price');
  await expect(field(risk, 'Account')).toHaveValue('10000.00');
  await field(risk, 'Stop loss').fill('64000');
  await expect(field(risk, 'Stop loss')).toHaveAccessibleDescription(
    'Stop loss must differ from the entry price.',
  );
  await expect(result(risk, 'Risk amount')).toContainText('not available');

  await field(risk, 'Stop loss').fill('63936');
  await expect(result(risk, 'Position size')).toContainText('1.56250 BTC');
  await expect(result(risk, 'Required margin')).toContainText('Exceeds account');
  await expect(result(risk, 'Required margin')).toContainText('100,000.00');
  await field(risk, 'Stop loss').fill('63360');
  // 64000 × (1 − 0.95 / 100): the figures remain, and a note explains that the stop has no effect.
  await field(risk, 'Leverage').fill('100');
  await expect(risk.getByText('Liquidated first')).toBeVisible();
  await expect(field(risk, 'Stop loss')).toHaveAccessibleDescription(
    'The stop loss would never trigger: the position is liquidated at 63,392.00 first.',
  );
  await expect(result(risk, 'Position size')).toContainText('0.15625 BTC');
  await field(risk, 'Leverage').fill('10');
  await expect(field(risk, 'Stop loss')).toHaveAccessibleDescription('');
  await expect(result(risk, 'Risk amount')).toContainText('100.00 USDT');
  await expect(result(risk, 'Position size')).toContainText('0.15625 BTC');
  await expect(result(risk, 'Required margin')).toContainText('1,000.00 USDT');
  await expect(result(risk, 'Required margin')).not.toContainText('Exceeds account');

  await order(risk).click();
  await expect(page.getByRole('spinbutton', { name: 'Amount' })).toHaveValue('0.15625');
  await expect(page.getByRole('spinbutton', { name: 'Stop Loss' })).toHaveValue('63360.00');
  await expect(ticket(page)).toContainText('Worked out for a long. Nothing is sent yet.');
  await sendOrder(page, 'Buy/Long');
  await expect(positionRow(page, 'BTCUSDT')).toContainText('1,000.00');
  await expect(ticket(page)).not.toContainText('Worked out for');
  exchange.set('BTCUSDT', '63360.00');
  await page.getByRole('tab', { name: 'Position History' }).click();
  await expect(positionRow(page, 'BTCUSDT')).toContainText('−100.00');
});

test('CALC-10, CALC-11, CALC-12, CALC-14, CALC-15: the figures of the Position calculator equal those of the opened order', async ({
  page,
}) => {
  await signUp(page, 'planner');
  const position = await reach(page, 'Position Calculator');
  await field(position, 'Price').fill('100');
  await field(position, 'Size').fill('1');
  await expect(result(position, 'Required margin')).toContainText('100.00 USDT');
  await slide(position, 'Leverage', 9);
  await expect(result(position, 'Position value')).toContainText('100.00 USDT');
  await expect(result(position, 'Required margin')).toContainText('10.00 USDT');
  await expect(result(position, 'Liquidation price')).toContainText('90.50');
  await expect(result(position, 'Maintenance margin, 5 %')).toContainText('0.50 USDT');
  await expect(result(position, 'Estimated fee at 0.06 % (not charged here)')).toContainText('0.06');
  await position.getByRole('radio', { name: 'Short' }).click();
  await expect(result(position, 'Liquidation price')).toContainText('109.50');
  await position.getByRole('radio', { name: 'Long' }).click();
  await position.getByRole('slider', { name: 'Leverage' }).press('End');
  await expect(position.getByRole('slider', { name: 'Leverage' })).toHaveAttribute('aria-valuenow', '125');

  await fillFrom(position, 'Price');
  await slide(position, 'Leverage', 9);
  await field(position, 'Size').fill('0.000001');
  await order(position).click();
  await expect(
    page.getByText('0.000001 BTC is too small for an order: BTCUSDT starts at 0.00001 BTC.'),
  ).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard/);
  await field(position, 'Size').fill('0.100004');
  await order(position).click();
  await expect(
    page.getByText('Amount rounded down from 0.100004 to 0.10000 BTC, the step of BTCUSDT.'),
  ).toBeVisible();
  await expect(page.getByRole('spinbutton', { name: 'Amount' })).toHaveValue('0.10000');
  await page.goBack();
  await reach(page, 'Position Calculator');
  await field(position, 'Size').fill('0.1');
  await expect(result(position, 'Required margin')).toContainText('640.00 USDT');
  await expect(result(position, 'Liquidation price')).toContainText('57,920.00');
  await order(position).click();
  await sendOrder(page, 'Buy/Long');
  await expect(positionRow(page, 'BTCUSDT')).toContainText('640.00');
  await expect(positionRow(page, 'BTCUSDT')).toContainText('57,920.00');
});

test('the order form is unfolded for what a calculator hands over where it is a sheet', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signUp(page, 'pocket');
  const position = await reach(page, 'Position Calculator');
  await fillFrom(position, 'Price');
  await field(position, 'Size').fill('0.1');
  await order(position).click();
  const sheet = page.getByRole('dialog', { name: 'BTCUSDT order form' });
  await expect(sheet.getByRole('spinbutton', { name: 'Amount' })).toHaveValue('0.10000');
  await expect(sheet).toContainText('Worked out for a long.');
});
