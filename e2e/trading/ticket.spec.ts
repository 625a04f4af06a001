/** The order form to the figure: one exchange on loopback holds Bitcoin at 64,000 until a journey moves it. */
import type { Page, Request, Route } from '@playwright/test';
import { expect, test } from '../harness/providers.ts';
import { noApp, signUp } from '../harness/session.ts';
import { figureOf, positionRow, pressRetry, savePicture, sendOrder, setLeverage } from '../harness/steps.ts';

// The last files of a run: their journeys keep all workers busy to its end.
test.describe.configure({ mode: 'parallel' });

const ticketOf = (page: Page) => page.getByRole('complementary', { name: 'Order' });
const amountOf = (page: Page) => page.getByRole('spinbutton', { name: 'Amount' });
const buyOf = (page: Page) => ticketOf(page).getByRole('button', { name: 'Buy/Long' });
/** The line of the form or the question that begins with `label`. */
const lineOf = (page: Page, label: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .last();
const unit = (page: Page, name: 'BTC' | 'USDT' | '%') =>
  page.getByRole('radiogroup', { name: 'Unit of the amount' }).getByRole('radio', { name, exact: true });

test.beforeEach(({ providers: { exchange } }) => {
  exchange.set('BTCUSDT', '64000.00');
});

test('X-13, TRADE-33, TRADE-43, TRADE-34, RULE-01: the figures wait for the end of the typing, the order does not; an amount in USDT or per cent is sent in the base asset', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'units', { at: '/trading?symbol=BTCUSDT' });
  await expect(ticketOf(page).getByText('64,000.00').first()).toBeVisible();
  await setLeverage(page, 10);
  await amountOf(page).fill('0.1');
  await expect(lineOf(page, 'Order Value')).toContainText('6,400.00');
  await expect(lineOf(page, 'Required Margin')).toContainText('640.00');
  await expect(lineOf(page, 'Account Balance')).toContainText('10,000.00 → 9,360.00');
  await expect(lineOf(page, 'Margin in use')).toContainText('0.00 → 640.00');

  await test.step('the amount keeps its value in another unit, and is restored in its own', async () => {
    await unit(page, 'USDT').click();
    await expect(amountOf(page)).toHaveValue('6400.00');
    await expect(amountOf(page)).toHaveAccessibleDescription(/^= 0\.10000 BTC/);
    await unit(page, '%').click();
    await expect(amountOf(page)).toHaveValue('6.4');
    await unit(page, 'BTC').click();
    await expect(amountOf(page)).toHaveValue('0.1');
  });
  await test.step('shares and arrow keys speak the unit of the field', async () => {
    await unit(page, '%').click();
    await ticketOf(page).getByRole('button', { name: '25%', exact: true }).click();
    await expect(amountOf(page)).toHaveValue('25');
    await amountOf(page).press('ArrowUp');
    await amountOf(page).press('Shift+ArrowUp');
    await expect(amountOf(page)).toHaveValue('36');
    await unit(page, 'USDT').click();
    await ticketOf(page).getByRole('button', { name: '50%', exact: true }).click();
    await expect(amountOf(page)).toHaveValue('50000.00');
    await expect(lineOf(page, 'Required Margin')).toContainText('5,000.00');
  });
  await test.step('what is pressed at once is what is typed, not what the figures still show', async () => {
    await amountOf(page).fill('1280');
    await expect(lineOf(page, 'Order Value')).toContainText('1,280.00');
    // One task of the page: no timer can run between the keystroke and the click.
    await amountOf(page).focus();
    const meanwhile = await page.evaluate<string>(`(() => {
      const field = document.activeElement;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '3200');
      field.dispatchEvent(new Event('input', { bubbles: true }));
      const shown = field.form.textContent;
      [...field.form.querySelectorAll('button')].find((one) => one.textContent === 'Buy/Long').click();
      return shown;
    })()`);
    expect(meanwhile).toContain('1,280.00');
    expect(meanwhile).not.toContain('3,200.00');
    const question = page.getByRole('dialog', { name: 'Buy/Long BTCUSDT?' });
    await expect(lineOf(page, 'Order Value')).toContainText('3,200.00');
    const sent = page.waitForRequest('**/rpc/open_position');
    await question.getByRole('button', { name: 'Buy/Long 0.05000 BTC' }).click();
    expect((await sent).postDataJSON()).toMatchObject({ p_size: '0.05' });
    await expect(positionRow(page, 'BTCUSDT')).toContainText('0.05000');
    await expect(amountOf(page)).toHaveValue('');
  });
  await test.step('the unit is stored in this browser', async () => {
    await expect(lineOf(page, 'Account Balance')).not.toContainText('→');
    await page.reload();
    await expect(unit(page, 'USDT')).toBeChecked();
  });
});

test('TRADE-42, TRADE-44, ERR-27, RULE-02: each unit is checked in the base asset, and a shortfall is shown to the cent', async ({
  page,
}) => {
  await signUp(page, 'checked', { at: '/trading?symbol=BTCUSDT' });
  await expect(ticketOf(page).getByText('64,000.00').first()).toBeVisible();
  for (const [name, value] of [
    ['min', '0.00001'],
    ['max', '9000'],
    ['step', '0.00001'],
  ] as const) {
    await expect(amountOf(page)).toHaveAttribute(name, value);
  }
  const rule = ticketOf(page).getByText(/^(Amount must|Insufficient)/);
  await unit(page, 'USDT').click();
  await amountOf(page).fill('0.5');
  await expect(rule).toHaveText('Amount must be between 0.00001 and 9000 in steps of 0.00001.');
  await amountOf(page).fill('10000.64');
  await expect(rule).toHaveText(
    'Insufficient available balance. Required: 10000.64 USDT, Available: 10000.00 USDT',
  );
  await expect(amountOf(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(buyOf(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(buyOf(page)).toHaveAccessibleDescription(/^Insufficient available balance/);
  await savePicture(page, 'lacking');
  // Equal is enough.
  await amountOf(page).fill('10000');
  await expect(buyOf(page)).not.toHaveAttribute('aria-disabled', 'true');
});

test('TRADE-37, A18: the dialog shows the effect in figures, confirms with Enter, holds an order that the market has left, and can be switched off', {
  tag: '@core',
}, async ({ page, providers: { exchange } }) => {
  const sent: Request[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/rpc/open_position')) sent.push(request);
  });
  await signUp(page, 'asked', { at: '/trading?symbol=BTCUSDT' });
  await expect(ticketOf(page).getByText('64,000.00').first()).toBeVisible();
  await setLeverage(page, 10);
  await amountOf(page).fill('0.1');
  await page.getByRole('switch', { name: 'Take Profit / Stop Loss' }).click();
  await page.getByRole('spinbutton', { name: 'Take Profit' }).fill('66000');
  await page.getByRole('spinbutton', { name: 'Stop Loss' }).fill('63000');
  await expect(lineOf(page, 'Reward to risk')).toContainText('2.00 : 1');
  const question = page.getByRole('dialog', { name: 'Buy/Long BTCUSDT?' });
  const confirm = question.getByRole('button', { name: 'Buy/Long 0.10000 BTC' });

  await test.step('figures, Escape and the way back', async () => {
    await buyOf(page).press('Enter');
    await expect(confirm).toBeFocused();
    for (const [label, figures] of [
      ['Market price', 'about 64,000.00'],
      ['Leverage', '10×'],
      ['Order Value', '6,400.00'],
      ['Required Margin', '640.00'],
      ['Est. liq. price', '57,920.00'],
      ['Take Profit', '66,000.00+200.00 gain (+31.25%)'],
      ['Stop Loss', '63,000.00−100.00 loss (−15.63%)'],
      ['Account Balance', '10,000.00 → 9,360.00'],
    ] as const) {
      await expect(lineOf(page, label)).toContainText(figures);
    }
    await savePicture(page, 'order-question');
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await expect(buyOf(page)).toBeFocused();
  });
  await test.step('a price beyond the tolerance holds it back', async () => {
    await buyOf(page).click();
    await expect(confirm).toBeFocused();
    exchange.set('BTCUSDT', '64400.00');
    await expect(
      question.getByText('Price moved: you saw 64000.00, the market is at 64400.00. Please try again.'),
    ).toBeVisible();
    await expect(confirm).toHaveAttribute('aria-disabled', 'true');
    await confirm.press('Enter');
    await question.getByRole('button', { name: 'Ask again' }).click();
    await expect(confirm).not.toHaveAttribute('aria-disabled', 'true');
    expect(sent).toHaveLength(0);
  });
  await test.step('Enter confirms, once', async () => {
    await question.getByRole('checkbox', { name: 'Do not ask again' }).check();
    await confirm.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(question).toBeHidden();
    await expect(positionRow(page, 'BTCUSDT')).toContainText('66,000.00');
    expect(sent).toHaveLength(1);
  });
  await test.step('and shows no dialog any more', async () => {
    await amountOf(page).fill('0.02');
    await ticketOf(page).getByRole('button', { name: 'Sell/Short' }).click();
    await expect(positionRow(page, 'BTCUSDT')).toHaveCount(2);
    expect(sent).toHaveLength(2);
  });
});

test('TRADE-45, ERR-24: a failed order shows the server’s text, and without one the specified text', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'refused', { at: '/trading?symbol=BTCUSDT' });
  const ticket = ticketOf(page);
  await amountOf(page).fill('0.01');
  let message = 'The market is having a rest.';
  await page.route('**/rpc/open_position', (route) =>
    route.fulfill({ status: 400, json: { code: 'refused', message } }),
  );
  await sendOrder(page, 'Buy/Long');
  await expect(ticket.getByText(message).first()).toBeVisible();
  await expect(buyOf(page)).toBeFocused();
  message = '';
  await sendOrder(page, 'Buy/Long');
  await expect(ticket.getByText('Failed to place order').first()).toBeVisible();
  await expect(amountOf(page)).toHaveValue('0.01');
});

/** By the search above the chart. */
async function choosePair(page: Page, symbol: string): Promise<void> {
  await page.getByPlaceholder('Search by symbol, name, or asset...').fill(symbol);
  await page.getByRole('option', { name: new RegExp(symbol) }).click();
  await expect(page.getByRole('heading', { name: `Trading ${symbol}` })).toBeAttached();
}

test('TRADE-45: an order that fails after a change of pair or page is reported in a toast, and closes no form', async ({
  page,
}) => {
  await signUp(page, 'elsewhere', { at: '/trading?symbol=BTCUSDT' });
  const held: Route[] = [];
  await page.route('**/rpc/open_position', (route) => {
    held.push(route);
  });
  const notice = 'The market is having a rest.';
  const toast = page.getByText(`BTCUSDT: ${notice}`);
  const send = async () => {
    await amountOf(page).fill('0.01');
    await page.getByRole('button', { name: 'Buy/Long' }).click();
    const question = page.getByRole('dialog', { name: 'Buy/Long BTCUSDT?' });
    await question.getByRole('button', { name: 'Buy/Long' }).click();
    await expect.poll(() => held.length).toBe(1);
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
  };
  const refuse = () => held.pop()?.fulfill({ status: 400, json: { code: 'refused', message: notice } });

  await test.step('another pair', async () => {
    await send();
    await choosePair(page, 'ETHUSDT');
    await refuse();
    await expect(toast).toBeVisible();
    await expect(ticketOf(page).getByText(notice)).toHaveCount(0);
  });
  await test.step('another page', async () => {
    await page.goto('/trading?symbol=BTCUSDT');
    await send();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
    await expect(page).toHaveURL(/\/dashboard/);
    await refuse();
    await expect(toast).toBeVisible();
  });
  await test.step('another pair on a phone, whose sheet stays open', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/trading?symbol=BTCUSDT');
    const showForm = page.getByRole('button', { name: 'Show Order Form' });
    await showForm.click();
    await send();
    await page.getByRole('button', { name: 'Hide Order Form' }).click();
    await page.getByRole('button', { name: /choose another pair/ }).click();
    await page.getByRole('option', { name: /ETHUSDT/ }).click();
    await expect(page).toHaveURL(/ETHUSDT/);
    await showForm.click();
    const sheet = page.getByRole('dialog', { name: 'ETHUSDT order form' });
    await expect(sheet).toBeVisible();
    await refuse();
    await expect(toast).toBeVisible();
    await expect(sheet).toBeVisible();
  });
});

test('a Limit order starts at the price of its pair, also after a change of pair', async ({ page }) => {
  await signUp(page, 'switcher', { at: '/trading?symbol=BTCUSDT' });
  const price = page.getByRole('spinbutton', { name: 'Limit price' });
  const choose = (symbol: string) => choosePair(page, symbol);
  const chooseType = (name: string) => page.getByRole('radio', { name, exact: true }).click();

  await test.step('from one Limit to another', async () => {
    await chooseType('Limit');
    await expect(price).toHaveValue(/^64000/);
    await choose('ETHUSDT');
    await expect(price).toHaveValue(/^3200/);
  });
  await test.step('from Market to a remembered Limit', async () => {
    await chooseType('Market');
    await chooseType('Limit');
    await choose('BTCUSDT');
    await chooseType('Market');
    await choose('ETHUSDT');
    await expect(price).toHaveValue(/^3200/);
  });
});

/** Lets the page see no price of Bitcoin; of the others only where `others` is true. */
async function withoutPrice(page: Page, others: boolean): Promise<void> {
  await page.route('**/rest/v1/trading_pairs*', async (route) => {
    const answer = await route.fetch();
    const rows: readonly { symbol: string }[] = await answer.json();
    const json = rows.map((row) => (row.symbol === 'BTCUSDT' ? { ...row, price: null } : row));
    await route.fulfill({ response: answer, json });
  });
  await page.routeWebSocket(/\/realtime\//, (socket) => {
    if (!others) return;
    const server = socket.connectToServer();
    server.onMessage((frame) => {
      const withoutPrices = JSON.stringify(JSON.parse(`${frame}`), (name, value) =>
        name === 'ticks' && Array.isArray(value)
          ? value.filter(({ symbol }: { symbol: string }) => symbol !== 'BTCUSDT')
          : value,
      );
      socket.send(withoutPrices);
    });
  });
}

test('TRADE-30, TRADE-31, TRADE-41, ERR-28: a price that does not come is waited for, then called failed, and can be tried again', async ({
  page,
}) => {
  await signUp(page, 'priceless', { at: noApp });
  await withoutPrice(page, false);
  // However slow the machine is: the page's clock stops until it is moved, its timers run.
  const start = Date.now();
  await page.clock.setFixedTime(start);
  await page.goto('/trading?symbol=BTCUSDT');
  const ticket = ticketOf(page);
  await expect(ticket.getByRole('status').filter({ hasText: 'Loading the price' })).toBeVisible();
  await amountOf(page).fill('0.01');
  await expect(buyOf(page)).toHaveAttribute('aria-disabled', 'true');
  await page.clock.setFixedTime(start + 10_000);
  await expect(ticket.getByRole('alert').filter({ hasText: 'Failed to fetch price' })).toBeVisible();
  await expect(buyOf(page)).toHaveAttribute('aria-disabled', 'true');
  await pressRetry(ticket);
  await expect(ticket.getByText('64,000.00').first()).toBeVisible();
});

test('TRADE-32, TRADE-41: a pair without a quote has three dashes for a price', async ({ page }) => {
  await signUp(page, 'unquoted', { at: noApp });
  await withoutPrice(page, true);
  await page.goto('/trading?symbol=BTCUSDT');
  const ticket = ticketOf(page);
  await expect(ticket.getByText('---')).toBeVisible();
  await amountOf(page).fill('0.01');
  await expect(ticket.getByText('No current price for BTCUSDT.')).toBeVisible();
  await expect(buyOf(page)).toHaveAttribute('aria-disabled', 'true');
});

test('A25, RULE-04: estimates and the contract explain themselves with the present figures', async ({
  page,
}) => {
  await signUp(page, 'curious', { at: '/trading?symbol=BTCUSDT' });
  const ticket = ticketOf(page);
  await setLeverage(page, 10);
  await amountOf(page).fill('0.1');
  const margin = ticket.getByRole('button', { name: /^Required Margin/ });
  await margin.click();
  await expect(page.getByRole('dialog', { name: 'Required Margin' })).toContainText(
    '0.10000 BTC × 64,000.00 ÷ 10 = 640.00 USDT',
  );
  await page.keyboard.press('Escape');
  // A dialog that closes takes the focus back, and with it the next one that opened meanwhile.
  await expect(page.getByRole('dialog', { name: 'Required Margin' })).toBeHidden();
  await expect(margin).toBeFocused();
  await ticket.getByRole('button', { name: /^Est\. liq\. price, short/ }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Est. liq. price, short' })).toContainText(
    '64,000.00 × (1 + 95 % ÷ 10) = 70,080.00',
  );
  await page.keyboard.press('Escape');

  await page.goto('/trading?symbol=USD%2FJPY');
  await page.getByRole('button', { name: 'Contract details' }).click();
  const contract = page.getByRole('dialog', { name: 'USD/JPY contract' });
  await expect(contract).toContainText('each JPY that the price moves is worth 1 USDT per USD');
  for (const [label, figures] of [
    ['Amount step', '1 USD'],
    ['Leverage', '1× to 125×'],
    ['Maintenance margin', '5 % of the required margin'],
    ['Fee', 'None'],
    ['Source', 'Yahoo'],
  ] as const) {
    await expect(lineOf(page, label)).toContainText(figures);
  }
  await expect(contract.getByText('150.250 × (1 − 95 % ÷ 25) = 144.541')).toBeVisible();
  await savePicture(page, 'contract');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Contract details' })).toBeFocused();
});

test('TRADE-43, X-13: the figures follow 300 ms after the last keystroke, and not a moment before', async ({
  page,
}) => {
  await page.clock.install();
  await signUp(page, 'unhurried', { at: '/trading?symbol=BTCUSDT' });
  await expect(ticketOf(page).getByText('64,000.00').first()).toBeVisible();
  await amountOf(page).fill('0.1');
  await expect(lineOf(page, 'Order Value')).toContainText('6,400.00');
  // On a slow machine the second may be over before the page hears of it: then it is another one.
  await expect(async () => {
    await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 1_000'));
  }).toPass();
  await amountOf(page).fill('0.2');
  await page.clock.runFor(200);
  await amountOf(page).fill('0.3');
  // 499 ms after the first keystroke, 299 ms after the last.
  await page.clock.runFor(299);
  await expect(lineOf(page, 'Order Value')).toContainText('6,400.00');
  await page.clock.runFor(1);
  await expect(lineOf(page, 'Order Value')).toContainText('19,200.00');
});

test('TRADE-27, TRADE-28: the longest form needs no scrolling at 1440 x 900; on a phone buttons and rule stay in sight', async ({
  page,
}) => {
  await signUp(page, 'measured', { at: '/trading?symbol=BTCUSDT' });
  const fill = async () => {
    await page.getByRole('radio', { name: 'Limit', exact: true }).click();
    await page.getByRole('switch', { name: 'Take Profit / Stop Loss' }).click();
    await amountOf(page).fill('0.1');
    await page.getByRole('spinbutton', { name: 'Limit price' }).fill('63000');
    await page.getByRole('spinbutton', { name: 'Take Profit' }).fill('66000');
    await page.getByRole('spinbutton', { name: 'Stop Loss' }).fill('60000');
  };
  await fill();
  await expect(lineOf(page, 'Reward to risk')).toContainText('1.00 : 1');
  const hidden = () =>
    page
      .getByRole('form', { name: 'Order form' })
      .evaluate((form) => (form.parentElement?.scrollHeight ?? 0) - (form.parentElement?.clientHeight ?? 0));
  await expect.poll(hidden).toBe(0);
  await savePicture(page, 'ticket-longest');
  const protectionUnit = page.getByLabel('Unit of take profit and stop loss');
  await protectionUnit.selectOption('% ROE');
  await expect.poll(hidden).toBe(0);
  await protectionUnit.selectOption('Price');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Show Order Form' }).click();
  const sheet = page.getByRole('dialog', { name: 'BTCUSDT order form' });
  await expect(sheet).toBeFocused();
  await expect(sheet.getByRole('button', { name: 'Sell/Short' })).toBeInViewport({ ratio: 1 });
  await expect(sheet.getByText(/Sell\/Short needs a Stop Loss above/)).toBeInViewport({ ratio: 1 });
  expect(await figureOf(lineOf(page, 'Order Value'))).toBe(6300);
  await savePicture(page, 'ticket-phone');
});
