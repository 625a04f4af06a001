/** What a trader does in the rows of the panel: close a share, reverse, select the pair, change an order's price. */
import { expect, test } from '../harness/fulcrum.ts';
import { signUp } from '../harness/session.ts';
import {
  collectErrors,
  figureOf,
  openMarket,
  positionRow,
  sendOrder,
  setLeverage,
} from '../harness/steps.ts';

test('rows: half of a position closes from the menu, the rest is reversed, and an order moves in its row', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page, /\/rest\/v1\/rpc\/amend_order$/);
  await page.setViewportSize({ width: 1440, height: 900 });
  await signUp(page, 'reverser', { at: '/trading?symbol=ETHUSDT' });
  await openMarket(page, { side: 'Buy/Long', amount: '0.8', leverage: 10 });
  const row = positionRow(page, 'ETHUSDT');
  const dialog = page.getByRole('dialog');
  const edges = async () =>
    Promise.all(
      [1, 2, 5, 7].map(async (cell) => (await row.getByRole('cell').nth(cell).boundingBox())?.x ?? null),
    );
  const before = await edges();

  await row.getByRole('button', { name: 'Partial close of ETHUSDT long' }).click();
  await page.getByRole('menuitem', { name: 'Close half (50 %)' }).click();
  await expect(dialog.getByRole('spinbutton', { name: 'Size to close' })).toHaveValue('0.4000');
  await dialog.getByRole('button', { name: 'Close part' }).click();
  await expect(row.getByRole('cell').nth(2)).toContainText('0.4000');

  await row.getByRole('button', { name: 'Reverse ETHUSDT long' }).click();
  await expect(dialog).toContainText('open the same size short at');
  await page.keyboard.press('Escape');
  await expect(row.getByRole('button', { name: 'Reverse ETHUSDT long' })).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Reverse to short' }).click();
  await expect(dialog).toBeHidden();
  await expect(row.getByRole('button', { name: 'Reverse ETHUSDT short' })).toBeVisible();
  await expect(row.getByRole('cell').nth(2)).toContainText('0.4000');
  await expect(row).toHaveCount(1);
  // No column moved, whatever the row shows.
  expect(await edges()).toEqual(before);

  await test.step('the actions stay in sight in a narrower table', async () => {
    const hidden = () =>
      page
        .getByRole('tabpanel', { name: /Open Positions/ })
        .evaluate((rows) => rows.scrollWidth - rows.clientWidth);
    for (const [width, height] of [
      [1280, 800],
      [1024, 768],
      [844, 390],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(hidden, { message: `${width} px` }).toBe(0);
      await expect(row.getByRole('button', { name: /^Close ETHUSDT/ })).toBeVisible();
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await page.goto('/trading?symbol=BTCUSDT');
  const definition = page.getByRole('complementary', { name: 'Order' }).getByRole('definition').nth(1);
  await expect(definition).toHaveText(/\d/);
  const price = Math.round((await figureOf(definition)) * 0.9);
  await page.getByRole('radio', { name: 'Limit', exact: true }).click();
  await page.getByRole('spinbutton', { name: 'Limit price' }).fill(`${price}`);
  await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.01');
  await setLeverage(page, 5);
  await sendOrder(page, 'Buy/Long');
  await row.getByRole('cell').nth(6).click();
  await expect(page).toHaveURL(/symbol=ETHUSDT/);

  await page.getByRole('tab', { name: /Open Orders/ }).click();
  const order = positionRow(page, 'BTCUSDT');
  const opener = order.getByRole('button', { name: /^Change the price of BTCUSDT limit buy/ });
  const field = order.getByRole('textbox', { name: 'Price of BTCUSDT limit buy' });
  await opener.click();
  await expect(field).toBeFocused();
  await field.fill(`${price - 1}.001`);
  await field.press('Enter');
  await expect(order.getByRole('alert')).toBeVisible();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.press('Escape');
  await expect(opener).toBeFocused();
  expect(await figureOf(order.getByRole('cell').nth(4))).toBe(price);
  await opener.press('Enter');
  await field.fill(`${price - 100}`);
  await field.press('Enter');
  await expect(opener).toBeFocused();
  expect(await figureOf(order.getByRole('cell').nth(4))).toBe(price - 100);
  expect(errors, 'errors of the page').toEqual([]);
});
