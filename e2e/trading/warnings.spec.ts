/** The coach's warnings before an order (A115): their rules and figures, switched off in place, and no order is blocked. */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signUp } from '../harness/session.ts';
import { collectErrors, savePicture, sendOrder } from '../harness/steps.ts';

const amountOf = (page: Page) => page.getByRole('spinbutton', { name: 'Amount' });
const chip = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Warnings before this order' });
const warnings = (page: Page) => panel(page).getByRole('list', { name: 'Warnings' }).getByRole('listitem');
const greatestLeverage = (page: Page) => page.getByRole('slider', { name: 'Leverage' }).press('End');

test('A115: an order near its liquidation, above the own risk or beside much alike is warned of, and is sent', async ({
  page,
}) => {
  const errors = collectErrors(page);
  await signUp(page, 'warned', { at: '/trading?symbol=BTCUSDT' });
  const margin = page.locator('dl > div').filter({ hasText: 'Required Margin' }).last();

  await test.step('with a low leverage there is none, and what is not checked is stated', async () => {
    await amountOf(page).fill('0.01');
    await chip(page, 'No warnings').click();
    await expect(panel(page)).toContainText('No warning for this order');
    await expect(panel(page)).toContainText(
      'More at risk than your own rule: not checked, because you have set no limit in My rules.',
    );
    await page.keyboard.press('Escape');
    await expect(chip(page, 'No warnings')).toBeFocused();
  });

  const before = await margin.boundingBox();

  await test.step('near the liquidation: the rule, its figures and its lesson, without a jump', async () => {
    await greatestLeverage(page);
    await expect(page.getByRole('status').filter({ hasText: 'Warning: ' })).toHaveText(
      'Warning: Liquidation within reach of a few hours',
    );
    await expect.poll(() => margin.boundingBox()).toEqual(before);
    await chip(page, '1 warning').click();
    await expect(warnings(page).first()).toContainText(
      /Liquidation at [\d.]+ is [\d.]+ away, [0-4]\.\d\d times the average range of an hour of the last day \([\d.]+\); less than 5\.00 times is near\./,
    );
    await warnings(page)
      .first()
      .getByText('Lesson: Keep the liquidation out of reach of ordinary hours')
      .click();
    await expect(warnings(page).first()).toContainText('A lower leverage moves it away');
    if (process.env.SCREENS) await savePicture(page, 'warnings-1440');
    await page.keyboard.press('Escape');
  });

  await test.step('the own rule of the share at risk, and positions that move with it', async () => {
    await callApi(page, 'user_settings', { key: 'coach', value: { riskShareMax: 0.01, off: [] } });
    const position = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.5, p_leverage: 100 };
    await callApi(page, 'rpc/open_position', position);
    await page.reload();
    await amountOf(page).fill('0.01');
    await chip(page, '3 warnings').click();
    await expect(panel(page)).toContainText(/That is 0\.\d\d % of your equity; your own rule is 0\.01 %\./);
    const alike = warnings(page).filter({ hasText: 'Much in markets that move together' });
    await expect(alike).toContainText('Buy/Long');
    await expect(alike).not.toContainText('Sell/Short');
    await expect(alike).toContainText('Counted: BTCUSDT (the same symbol).');
  });

  await test.step('one is switched off in place, and stays off', async () => {
    const risk = warnings(page).filter({ hasText: 'More at risk than your own rule' }).first();
    await risk.getByRole('button', { name: 'Switch off this warning' }).click();
    await expect(panel(page)).toContainText('More at risk than your own rule: switched off');
    await page.keyboard.press('Escape');
    await expect(chip(page, '2 warnings')).toBeVisible();
    await expect
      .poll(() => callApi<{ value: unknown }[]>(page, 'user_settings?select=value&key=eq.coach'))
      .toMatchObject([{ value: { riskShareMax: 0.01, off: ['order_over_own_risk'] } }]);
    await page.reload();
    await amountOf(page).fill('0.01');
    await chip(page, '2 warnings').click();
    await panel(page).getByRole('button', { name: 'Switch on' }).click();
    await page.keyboard.press('Escape');
    await expect(chip(page, '3 warnings')).toBeVisible();
  });

  await test.step('no warning blocks the order', async () => {
    await sendOrder(page, 'Buy/Long');
    await expect.poll(() => callApi<unknown[]>(page, 'positions?select=id&status=eq.open')).toHaveLength(2);
  });

  await test.step('on a phone the button stands in the sheet', async () => {
    await page.setViewportSize({ width: 320, height: 700 });
    await page.getByRole('button', { name: 'Show Order Form' }).click();
    await amountOf(page).fill('0.01');
    await chip(page, '3 warnings').click();
    await expect(warnings(page).first()).toBeVisible();
    await expect.poll(() => page.locator('html').evaluate(({ scrollWidth }) => scrollWidth)).toBe(320);
    if (process.env.SCREENS) await savePicture(page, 'warnings-320');
  });
  expect(errors).toEqual([]);
});

test('A115: an account with net positions is warned by the liquidation of the position that results', async ({
  page,
}) => {
  await signUp(page, 'warned_net', { at: '/trading?symbol=BTCUSDT' });
  await page.getByRole('button', { name: 'Account: Main account' }).filter({ visible: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'New practice account' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Net');
  await dialog.getByRole('radio', { name: 'One a market' }).click();
  await dialog.getByRole('button', { name: 'Open account' }).click();
  await expect(page).toHaveURL(/\/a\/[0-9a-f-]{36}\/trading/);
  await greatestLeverage(page);
  await amountOf(page).fill('0.01');
  await chip(page, '1 warning').click();
  await expect(warnings(page).first()).toContainText('Liquidation within reach of a few hours');
  await page.keyboard.press('Escape');
  await page.getByText('Reduce only', { exact: true }).click();
  await expect(chip(page, '1 warning')).toBeHidden();
});
