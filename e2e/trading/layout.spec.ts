/** The trading screen's space: the chart takes the surplus, splitters keep what the user chose, and small screens need no scrolling. */
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signUp } from '../harness/session.ts';
import { setLeverage } from '../harness/steps.ts';

test('TRADE-14: the chart takes the surplus of a higher screen, and a splitter keeps the chosen heights and widths', async ({
  page,
}) => {
  await signUp(page, 'arranger', { at: '/trading' });
  const chart = page.getByRole('region', { name: 'Chart' });
  const positions = page.getByRole('region', { name: 'Positions' });
  const heightOf = async (panel: typeof chart) => (await panel.boundingBox())?.height ?? 0;
  await expect.poll(() => heightOf(chart)).toBe(600);
  expect(await heightOf(positions)).toBe(176);

  await page.setViewportSize({ width: 1440, height: 1400 });
  await expect.poll(() => heightOf(chart)).toBeGreaterThan(950);
  expect(await heightOf(positions)).toBeLessThanOrEqual(280);
  await page.setViewportSize({ width: 1440, height: 900 });

  const line = page.getByRole('separator', { name: 'Height of the positions' });
  const box = await line.boundingBox();
  if (!box) throw new Error('no splitter');
  await page.mouse.move(box.x + 200, box.y);
  await page.mouse.down();
  await page.mouse.move(box.x + 200, box.y - 60);
  await page.mouse.up();
  await expect.poll(() => heightOf(positions)).toBe(236);
  await expect.poll(() => heightOf(chart)).toBe(540);
  await line.press('ArrowDown');
  await expect.poll(() => heightOf(positions)).toBe(220);

  await page.getByRole('button', { name: 'Show the market list' }).click();
  const markets = page.getByRole('complementary', { name: 'Markets' });
  const width = page.getByRole('separator', { name: 'Width of the market list' });
  await width.press('End');
  const widest = (await markets.boundingBox())?.width ?? 0;
  expect(widest).toBeGreaterThan(400);

  await page.reload();
  await expect.poll(() => heightOf(positions)).toBe(220);
  await expect.poll(async () => (await markets.boundingBox())?.width).toBe(widest);
  await line.dblclick();
  await expect.poll(() => heightOf(positions)).toBe(176);
});

test('a phone held sideways and a small laptop show the order buttons and the first position without scrolling', async ({
  page,
}) => {
  await signUp(page, 'sideways', { at: '/wallet' });
  await callApi(page, 'rpc/open_position', {
    p_symbol: 'BTCUSDT',
    p_side: 'BUY',
    p_size: 0.01,
    p_leverage: 10,
  });
  for (const size of [
    { width: 844, height: 390 },
    { width: 1024, height: 768 },
  ]) {
    await page.setViewportSize(size);
    await page.goto('/trading?symbol=BTCUSDT');
    const row = page.getByRole('region', { name: 'Positions' }).getByRole('row').nth(1);
    await expect(row).toContainText('BTCUSDT');
    await expect(row).toBeInViewport({ ratio: 0.7 });
    for (const name of ['Buy/Long', 'Sell/Short']) {
      await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
    }
    await expect(page.getByRole('region', { name: 'Chart' }).getByRole('img').first()).toBeInViewport();
    const beyond = await page.evaluate(
      'document.documentElement.scrollHeight - document.documentElement.clientHeight',
    );
    expect(beyond, `${size.width} × ${size.height}`).toBe(0);
  }
});

test('the order form of a pair keeps its leverage, type and unit through a reload, apart from other pairs', async ({
  page,
}) => {
  await signUp(page, 'rememberer', { at: '/trading?symbol=BTCUSDT' });
  const leverage = page.getByRole('slider', { name: 'Leverage' });
  await setLeverage(page, 5);
  await page.getByRole('radio', { name: 'Limit' }).click();
  await page.getByRole('radio', { name: 'USDT' }).click();
  await page.goto('/trading?symbol=NVDA');
  await expect(page.getByRole('spinbutton', { name: 'Amount' })).toBeVisible();
  await expect(leverage).toHaveAttribute('aria-valuenow', '1');
  await expect(page.getByRole('radio', { name: 'Market' })).toBeChecked();
  await page.goto('/trading?symbol=BTCUSDT');
  await expect(leverage).toHaveAttribute('aria-valuenow', '5');
  await expect(page.getByRole('radio', { name: 'Limit' })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'USDT' })).toBeChecked();
  await test.step('a Limit starts at the price, once there is one', async () => {
    await expect(page.getByRole('spinbutton', { name: 'Limit price' })).toHaveValue(/\d/);
  });
});
