/** The trading screen's space: the chart takes the surplus, splitters keep what the user chose, and small screens need no scrolling. */
import { expect, test } from '../harness/fulcrum.ts';
import { traderPassword } from '../harness/passwords.ts';
import { callApi, signIn, signUp } from '../harness/session.ts';
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

test('layout: market list, watchlists and a second chart follow the user into another browser, until the layout is reset', async ({
  page,
  browser,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  const market = (of: typeof page) => of.getByRole('complementary', { name: 'Markets' });
  const options = (of: typeof page) => market(of).getByRole('option');
  const second = (of: typeof page) => of.getByRole('region', { name: 'Second chart' });
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('get_sparklines')) requests.push(request.url());
  });
  await signUp(page, 'settler', { at: '/trading?symbol=BTCUSDT' });

  await test.step('curves of all rows are one request; a header orders them', async () => {
    await expect(options(page).first()).toContainText('BTC');
    await expect(options(page).first().locator('svg[role=img]')).toBeVisible();
    await expect(options(page).nth(9).locator('svg[role=img]')).toBeVisible();
    expect(requests).toHaveLength(1);
    await market(page).getByRole('button', { name: 'Sort by price' }).click();
    const prices = async () =>
      (await options(page).allInnerTexts())
        .slice(0, 4)
        .map((text) => Number((/([\d,]+\.\d+)/.exec(text)?.[1] ?? '').replaceAll(',', '')));
    const [first = 0, next = 0, third = 0] = await prices();
    expect(first).toBeGreaterThan(next);
    expect(next).toBeGreaterThan(third);
    await expect(market(page).getByRole('button', { name: 'Sort by price, descending' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
  });

  await test.step('a watchlist is created, filled from the star’s menu and renamed', async () => {
    await market(page).getByRole('tab', { name: 'Favorites' }).click();
    await market(page).getByRole('button', { name: 'New watchlist' }).click();
    await page.getByRole('button', { name: 'Create watchlist' }).click();
    await expect(page.getByText('Enter a name, such as Metals.')).toBeVisible();
    await page.getByRole('textbox', { name: 'Name' }).fill('Majors');
    await page.keyboard.press('Enter');
    await expect(market(page).getByText('Majors is empty.')).toBeVisible();
    await page.getByRole('button', { name: 'Watchlists with BTCUSDT' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Majors' }).click();
    await page.keyboard.press('Escape');
    await expect(options(page)).toHaveCount(1);
    await market(page).getByRole('button', { name: 'Actions of Majors' }).click();
    await page.getByRole('menuitem', { name: 'Rename Majors' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Coins');
    await page.keyboard.press('Enter');
    await expect(market(page).getByRole('button', { name: 'Coins', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
  });

  await test.step('a second chart has a pair and a timeframe of its own', async () => {
    await page.getByRole('button', { name: 'Layout', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Second chart' }).click();
    await page.keyboard.press('Escape');
    await expect(second(page)).toBeVisible();
    await page.getByRole('button', { name: /choose another pair for the second chart/ }).click();
    await page.getByRole('dialog').getByRole('tab', { name: 'Crypto' }).click();
    await page
      .getByRole('dialog')
      .getByRole('option', { name: /SOLUSDT/ })
      .click();
    await second(page).getByRole('button', { name: '4h', exact: true }).click();
    const first = page.getByRole('region', { name: 'Chart', exact: true });
    await expect(first.getByRole('button', { name: '15m', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await expect(page).toHaveURL(/symbol=BTCUSDT/);
  });

  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
  const other = await context.newPage();
  await test.step('another browser of the same user shows the same', async () => {
    await page.goto('/wallet');
    await signIn(other, 'settler@example.test', { password: traderPassword, at: '/trading?symbol=BTCUSDT' });
    await expect(second(other)).toBeVisible();
    await expect(other.getByRole('button', { name: /^SOLUSDT, choose another pair/ })).toBeVisible();
    await expect(market(other).getByRole('button', { name: 'Sort by price, descending' })).toBeVisible();
    await market(other).getByRole('tab', { name: 'Favorites' }).click();
    await market(other).getByRole('button', { name: 'Coins', exact: true }).click();
    await expect(options(other)).toHaveCount(1);
  });
  await test.step('one click resets the layout; the watchlists stay', async () => {
    await other.getByRole('button', { name: 'Layout', exact: true }).click();
    await other.getByRole('menuitem', { name: 'Reset layout' }).click();
    await expect(second(other)).toBeHidden();
    await expect(market(other).getByRole('button', { name: 'Sort by price', exact: true })).toBeVisible();
    await expect(market(other).getByRole('button', { name: 'Coins', exact: true })).toBeVisible();
    await other.goto('/wallet');
    await context.close();
    await page.goto('/trading');
    await expect(page.getByRole('region', { name: 'Chart', exact: true })).toBeVisible();
    await expect(second(page)).toBeHidden();
  });
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
  await test.step('a link chooses timeframe and order, and sends nothing; an unknown market is named', async () => {
    await page.goto('/trading?symbol=ETHUSDT&tf=4h&ticket=stop&price=1999.5');
    await expect(page.getByRole('spinbutton', { name: 'Stop price' })).toHaveValue('1999.5');
    await expect(page.getByRole('button', { name: '4h', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await expect(page).toHaveURL(/\/trading\?symbol=ETHUSDT$/);
    await page.goto('/trading?symbol=NOPE');
    await expect(page.getByText('No market called NOPE')).toBeVisible();
    await expect(page).toHaveURL(/symbol=ETHUSDT/);
  });
  await test.step('its parameters leave the address, also where it spells the pair otherwise or names none', async () => {
    const price = page.getByRole('spinbutton', { name: 'Limit price' });
    await page.goto('/trading?symbol=EURUSD&ticket=limit&price=1.08');
    await expect(price).toHaveValue('1.08');
    await expect(page).toHaveURL(/\/trading\?symbol=EUR(%2F|\/)USD$/);
    await page.getByPlaceholder('Search by symbol, name, or asset...').fill('ether');
    await page.getByRole('option', { name: /ETHUSDT/ }).click();
    await expect(page).toHaveURL(/\/trading\?symbol=ETHUSDT$/);
    // Before, a link chose Stop for this pair.
    await page.getByRole('radio', { name: 'Limit', exact: true }).click();
    await page.reload();
    await expect(price).toHaveValue(/^\d{3}/);
    await page.goto('/trading?ticket=limit&price=2999.5');
    await expect(price).toHaveValue('2999.5');
    await expect(page).toHaveURL(/\/trading\?symbol=ETHUSDT$/);
  });
});
