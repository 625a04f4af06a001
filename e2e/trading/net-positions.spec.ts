/** An account with net positions (A113, A114): opened, traded on its order book, and every fill explained. */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, noApp, signUp } from '../harness/session.ts';
import { collectErrors, positionRow, sendOrder, setLeverage } from '../harness/steps.ts';

const book = (page: Page) => page.getByRole('region', { name: 'Order book' });
const cost = (page: Page) => page.getByRole('table', { name: 'Cost of the order on the present book' });
const amount = (page: Page) => page.getByRole('spinbutton', { name: 'Amount' });

async function openNetAccount(page: Page, profile: string): Promise<string> {
  const terms = { p_name: `Net ${profile}`, p_rules: 'perpetual', p_fill_profile: profile };
  return (await callApi<{ id: string }>(page, 'rpc/create_account', terms)).id;
}

test('A113, A114: a retail account is opened in the dialog, its order costs what was shown, and the fill is explained', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page);
  await signUp(page, 'net_retail', { at: '/trading?symbol=BTCUSDT' });
  await expect(book(page), 'the main account has no order book').toHaveCount(0);
  await page.getByRole('button', { name: 'Account: Main account' }).filter({ visible: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'New practice account' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Net');
  await dialog.getByRole('radio', { name: 'One a market' }).click();
  await expect(dialog.getByText(/net position of a market/)).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Fee in %' })).toHaveCount(0);
  await expect(dialog.getByRole('combobox', { name: 'Fills' })).toHaveValue('retail');
  await dialog.getByRole('button', { name: 'Open account' }).click();
  await expect(page).toHaveURL(/\/a\/[0-9a-f-]{36}\/trading/);

  await expect(book(page)).toContainText('Modelled');
  await expect(book(page)).toContainText(/Spread \d/);
  await expect(page.getByRole('radio', { name: 'Stop' })).toHaveCount(0);
  await setLeverage(page, 20);
  await amount(page).fill('0.5');
  await expect(cost(page)).toContainText(/Cost in all/);
  const fee = await cost(page).getByRole('row', { name: /^Fee/ }).getByRole('cell').first().innerText();
  await sendOrder(page, 'Buy/Long');
  await expect(positionRow(page, 'BTCUSDT')).toContainText('Long');
  await expect(page.getByText(/Net position: long 0\.5/)).toBeVisible();
  await expect(page.getByText(/^Funding 0\.0100 % in \d.*, modelled premium 0: a buy pays it/)).toBeVisible();
  // The next instant is up to eight hours away: so far the position has paid nothing.
  await expect(page.getByText(/^Funding so far 0\.00 USDT, next about −\d/)).toBeVisible();
  await positionRow(page, 'BTCUSDT').getByTitle('How was this filled?').click();
  await expect(page.getByRole('dialog', { name: 'Fills' })).toContainText(/Bought 0\.5/);
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: /Order History/ }).click();
  await page.getByTitle('How was this filled?').first().click();
  const fills = page.getByRole('dialog', { name: 'Fills' });
  await expect(fills).toContainText(/Bought 0\.5\S* BTC at [\d,.]+ on average\./);
  await expect(fills).toContainText(/the spread cost [\d.]+ USDT, the depth [\d.]+ USDT/);
  // The price moves between the two, and the fee with it.
  const charged = Number(/the fee was ([\d.]+) USDT/.exec(await fills.innerText())?.[1]);
  expect(Math.abs(charged / Number(fee) - 1)).toBeLessThan(0.01);
  await page.keyboard.press('Escape');

  await page.goto('/trading?symbol=BTCUSDT');
  await expect(page.getByText('No open positions').first()).toBeVisible();
  await expect(book(page)).toHaveCount(0);
  expect(errors, 'errors of the page').toEqual([]);
});

test('A113: a level of the book becomes a limit price; reduce-only, time in force, margin and leverage of the position', async ({
  page,
}) => {
  await signUp(page, 'net_pro', { at: noApp });
  const id = await openNetAccount(page, 'pro');
  await page.goto(`/a/${id}/trading?symbol=ETHUSDT`);
  await setLeverage(page, 10);
  await amount(page).fill('1');
  await sendOrder(page, 'Buy/Long');
  await expect(page.getByText(/Net position: long 1/)).toBeVisible();

  await test.step('a bid is taken as the price, and a post-only order waits', async () => {
    await book(page).getByRole('list', { name: /Bids/ }).getByRole('button').nth(12).click();
    await expect(page.getByRole('radio', { name: 'Limit', exact: true })).toBeChecked();
    await expect(page.getByRole('spinbutton', { name: 'Limit price' })).toHaveValue(/^\d+\.\d+$/);
    await page.getByRole('radio', { name: 'Post only' }).click();
    await amount(page).fill('2');
    await page.getByRole('button', { name: 'Buy/Long' }).click();
    const question = page.getByRole('dialog', { name: 'Buy/Long' });
    await expect(question).toContainText('Order Value');
    await expect(question, 'what it pays depends on how it is filled').not.toContainText('Fee');
    await question.getByRole('button', { name: 'Buy/Long' }).click();
    await expect(question).toBeHidden();
    await page.getByRole('tab', { name: /Open Orders/ }).click();
    const order = page.getByRole('row', { name: /ETHUSDT/ }).filter({ hasText: 'Limit' });
    await expect(order).toBeVisible();
    // The market has moved since; the middle of the levels is safe from a fill and from the end of the book.
    const bids = book(page).getByRole('list', { name: /Bids/ });
    const own = bids.getByRole('button', { name: /Your order/ });
    const middle = await bids.getByRole('button').nth(10).locator('span').first().innerText();
    await order.getByRole('button', { name: /^Change the/ }).click();
    await order.getByRole('textbox').fill(middle.replace('Your order, ', ''));
    await order.getByRole('textbox').press('Enter');
    await expect(own).toHaveCount(1);
    await book(page).getByRole('combobox', { name: 'Join prices to steps of' }).selectOption({ label: '2' });
    await expect(bids.getByRole('button').first()).toContainText(/^(Your order, )?[\d,]+[02468]\.00/);
    await expect(own).toHaveCount(1);
    await order.getByRole('button', { name: /^Cancel/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Cancel/ })
      .last()
      .click();
    await expect(order).toHaveCount(0);
  });

  await test.step('margin is added', async () => {
    await page.getByRole('button', { name: 'Adjust margin' }).click();
    const dialog = page.getByRole('dialog', { name: 'Margin of ETHUSDT' });
    await dialog.getByRole('button', { name: 'Add margin' }).click();
    await expect(dialog.getByText('Type an amount, such as 100.')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Amount in USDT' }).fill('100000000');
    await dialog.getByRole('button', { name: 'Add margin' }).click();
    await expect(dialog.getByRole('alert')).toContainText(/Insufficient available balance/);
    await dialog.getByRole('textbox', { name: 'Amount in USDT' }).fill('50');
    await dialog.getByRole('button', { name: 'Add margin' }).click();
    await expect(dialog).toHaveCount(0);
  });

  await test.step('another leverage is not the position’s, and the form shows it', async () => {
    await page.getByRole('slider', { name: 'Leverage' }).press('ArrowRight');
    await expect(page.getByText(/Orders of ETHUSDT have its 10×/)).toBeVisible();
    await page.getByRole('button', { name: 'Use 10×' }).click();
    await expect(page.getByRole('slider', { name: 'Leverage' })).toHaveAttribute('aria-valuenow', '10');
  });

  await test.step('a reduce-only market order closes, and opens nothing beyond', async () => {
    await page.getByRole('radio', { name: 'Market', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Reduce only' }).check();
    await amount(page).fill('1');
    await sendOrder(page, 'Sell/Short');
    await expect(page.getByText(/Net position/)).toHaveCount(0);
    await amount(page).fill('1');
    await sendOrder(page, 'Sell/Short');
    await expect(
      page.getByText(/There is no position in ETHUSDT for this reduce-only order/).first(),
    ).toBeVisible();
  });

  await test.step('the analytics show what the fills have cost', async () => {
    await page.goto(`/a/${id}/analytics`);
    const costs = page.getByRole('table', { name: 'Costs of the fills' });
    await expect(costs.getByRole('row', { name: /^Gross/ })).toBeVisible();
    await expect(costs.getByRole('row', { name: /^Spread/ })).toContainText(/−[\d.]+/);
    await expect(costs.getByRole('row', { name: /^Fees/ })).toContainText(/−[\d.]+/);
    await expect(page.getByRole('slider', { name: 'From gross to net' })).toBeVisible();
    await page.goto('/analytics');
    await expect(page.getByRole('heading', { name: 'Result by day' })).toBeVisible();
    await expect(costs).toHaveCount(0);
  });
});

test('A20, A113: an order filled in part goes on waiting and can be canceled; one that has expired is in the history', async ({
  page,
}) => {
  await signUp(page, 'net_parts', { at: noApp });
  const id = await openNetAccount(page, 'pro');
  await page.goto(`/a/${id}/trading?symbol=ETHUSDT`);
  await setLeverage(page, 50);
  const openTab = page.getByRole('tab', { name: /^Open Orders/ });
  const historyTab = page.getByRole('tab', { name: /^Order History/ });
  const order = page.getByRole('row', { name: /ETHUSDT/ }).filter({ hasText: 'Limit' });

  await test.step('it takes what the book has up to its price, and the rest waits', async () => {
    // Where the market falls meanwhile, the whole order fills, and the next one is tried.
    await expect(async () => {
      await book(page).getByRole('list', { name: /Asks/ }).getByRole('button').first().click();
      await expect(page.getByRole('radio', { name: 'Limit', exact: true })).toBeChecked();
      await amount(page).fill('60');
      await sendOrder(page, 'Buy/Long');
      await expect(page.getByText(/Net position: long/)).toBeVisible();
      await expect(openTab).toHaveText(/\(1\)/, { timeout: 5_000 });
    }).toPass();
    await openTab.click();
    await expect(order).toContainText(/\d filled/);
    await page.reload();
    await openTab.click();
    await expect(order).toContainText(/\d filled/);
  });

  await test.step('its rest is canceled', async () => {
    await order.getByRole('button', { name: /^Cancel/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Cancel/ })
      .last()
      .click();
    await expect(order).toHaveCount(0);
    await historyTab.click();
    await expect(order.first()).toContainText(/\d filled.*Canceled/);
  });

  await test.step('a price at which it fills is announced as a fill, and the focus stays in the panel', async () => {
    const askLevels = book(page).getByRole('list', { name: /Asks/ }).getByRole('button');
    await book(page).getByRole('list', { name: /Bids/ }).getByRole('button').last().click();
    await amount(page).fill('1');
    await sendOrder(page, 'Buy/Long');
    await openTab.click();
    const above = await askLevels.last().locator('span').first().innerText();
    await order.getByRole('button', { name: /^Change the/ }).click();
    await order.getByRole('textbox').fill(above);
    await order.getByRole('textbox').press('Enter');
    await expect(page.getByText(/^Limit buy: 1\.0000 of 1\.0000 ETHUSDT filled at/)).toBeVisible();
    await expect(openTab).toBeFocused();
    await historyTab.click();
  });

  await test.step('what may not wait has expired, and is read again as such', async () => {
    await book(page).getByRole('list', { name: /Bids/ }).getByRole('button').last().click();
    await page.getByRole('radio', { name: 'IOC' }).click();
    await amount(page).fill('1');
    await sendOrder(page, 'Buy/Long');
    await expect(order.first()).toContainText('Expired');
    await page.reload();
    await historyTab.click();
    await expect(order.first()).toContainText('Expired');
  });
});

test('A114: the market’s last trades beside the book, for scripts too, and both in the form of a screen without their panel', async ({
  page,
}) => {
  const errors = collectErrors(page);
  await signUp(page, 'net_trades', { at: noApp });
  const id = await openNetAccount(page, 'pro');
  await page.goto(`/a/${id}/trading?symbol=BTCUSDT`);
  const trades = book(page).getByRole('list', { name: /Last trades/ });
  await book(page).getByRole('radio', { name: 'Trades' }).click();
  await expect(book(page)).toContainText('Modelled');
  await expect(trades.getByRole('listitem').nth(3)).toContainText(
    /^(Bought|Sold) at [\d,.]+\d{2}:\d{2}:\d{2}$/,
  );
  const ofScript = () =>
    page.evaluate(
      () =>
        (
          globalThis as unknown as {
            fulcrum?: { trading: { getState(): { trades: readonly unknown[] } } };
          }
        ).fulcrum?.trading.getState().trades[0],
    );
  await expect.poll(ofScript).toEqual({
    ...{ price: expect.any(Number), size: expect.any(Number) },
    ...{ side: expect.stringMatching(/^(BUY|SELL)$/), time: expect.stringMatching(/Z$/) },
  });
  await book(page).getByRole('radio', { name: 'Order book' }).click();
  await expect(book(page).getByRole('list', { name: /Bids/ })).toBeVisible();

  for (const [width, height] of [
    [1100, 800],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    const form = page.getByRole('button', { name: 'Show Order Form' });
    if (width < 768) await form.click();
    await page.getByRole('button', { name: 'Show order book' }).click();
    await expect(book(page)).toHaveCount(1);
    await book(page).getByRole('list', { name: /Asks/ }).getByRole('button').nth(2).click();
    await expect(page.getByRole('radio', { name: 'Limit', exact: true })).toBeChecked();
    await page.getByRole('button', { name: 'Hide order book' }).click();
    await expect(book(page)).toHaveCount(0);
    await expect(page.getByText(/^Bid [\d,.]+$/)).toBeVisible();
  }
  expect(errors, 'errors of the page').toEqual([]);
});
