import { expect, test } from '../support/fulcrum.ts';

const shot = (name: string) => `test-results/screens/${name}.png`;

test('AUTH-16, AUTH-28, TRADE-37, TRADE-47, TRADE-51, WALL-07: a newcomer registers, opens a 10x long, watches it live, closes it and finds it in history and wallet', async ({
  page,
}) => {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') refused.push(message.text());
  });
  page.on('pageerror', (error) => refused.push(error.message));

  await test.step('registers', async () => {
    await page.goto('/register');
    await page.getByLabel('Email').fill('newcomer@example.test');
    await page.getByLabel('Username').fill('newcomer');
    await page.getByLabel('Phone number').fill('+12345678900');
    await page.getByLabel('Password', { exact: true }).fill('first-trade');
    await page.getByLabel('Confirm password').fill('first-trade');
    await page.screenshot({ path: shot('register') });
    await page.getByRole('button', { name: /create|register/i }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
  });

  await test.step('picks a pair and sees its candles move', async () => {
    await page.getByRole('link', { name: 'Trading' }).first().click();
    await expect(page).toHaveURL(/\/trading/);
    await page.getByPlaceholder('Search by symbol, name, or asset...').fill('ether');
    await page.getByRole('option', { name: /ETHUSDT/ }).click();
    await expect(page).toHaveURL(/ETHUSDT/);
    await expect(page.locator('canvas').first()).toBeVisible();
    const price = page.getByTestId('last-price');
    await expect(price).toHaveText(/\d/);
    const before = await price.textContent();
    await expect(price).not.toHaveText(before ?? '', { timeout: 15_000 });
  });

  await test.step('opens a 10x long', async () => {
    await page.getByLabel('Amount').fill('0.5');
    await page.getByRole('spinbutton', { name: 'Leverage' }).fill('10');
    await page.getByRole('button', { name: 'Buy/Long' }).click();
    const row = page.getByRole('row', { name: /ETHUSDT/ });
    await expect(row).toContainText('10×');
    await expect(row).toContainText(/0\.5/);
    await page.screenshot({ path: shot('trading-open') });
  });

  await test.step('watches the PnL live', async () => {
    const pnl = page.getByRole('row', { name: /ETHUSDT/ }).getByTestId('pnl');
    const first = await pnl.textContent();
    await expect(pnl).not.toHaveText(first ?? '', { timeout: 15_000 });
  });

  await test.step('reloads, and everything is still there', async () => {
    await page.reload();
    await expect(page.getByRole('row', { name: /ETHUSDT/ })).toContainText('10×');
  });

  await test.step('closes it', async () => {
    await page.getByRole('row', { name: /ETHUSDT/ }).getByRole('button', { name: /Close/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: /Close/ }).first().click();
    await expect(page.getByText('No open positions')).toBeVisible();
    await page.getByRole('tab', { name: 'Position History' }).click();
    await expect(page.getByRole('row', { name: /ETHUSDT/ })).toContainText('10×');
    await page.screenshot({ path: shot('trading-history') });
  });

  await test.step('finds the result in the wallet', async () => {
    await page.getByRole('link', { name: 'Wallet' }).first().click();
    await expect(page.getByText('Your Wallet')).toBeVisible();
    await expect(page.getByText('Closed ETHUSDT position')).toBeVisible();
    await expect(page.getByText('Initial balance')).toBeVisible();
    await page.screenshot({ path: shot('wallet') });
  });

  expect(refused, 'no error in the console, no refusal of the content policy').toEqual([]);
});
