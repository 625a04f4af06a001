/** Signals from outside: an address is made, takes an alert, shows what became of it, and is revoked. */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signUp } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** As a charting service sends it: from outside the browser, without a session. */
const send = async (address: string, body: string) =>
  (await fetch(address, { method: 'POST', headers: { 'content-type': 'text/plain' }, body })).status;

test('A119: an address is shown once, its signals appear with their outcome, and a dry run trades nothing', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page);
  await signUp(page, 'signals_trader', { at: '/profile' });
  await page.getByRole('link', { name: 'Open signals' }).click();
  await expect(page).toHaveURL(/\/signals$/);
  await expect(page.getByText('No addresses yet')).toBeVisible();
  await expect(page.getByText('No signals yet')).toBeVisible();

  const addresses = section(page, 'Addresses');
  await addresses.getByRole('button', { name: 'New address' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Make address' }).click();
  await expect(dialog.getByText('Give the address a name.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('My strategy');
  await dialog.getByRole('button', { name: 'Make address' }).click();
  const shown = addresses.getByRole('textbox', { name: 'Address of My strategy' });
  const address = await shown.inputValue();
  expect(address).toMatch(/\/hooks\/[\w-]{43}$/);
  await addresses.getByRole('button', { name: 'I have copied it' }).click();
  await expect(shown).toHaveCount(0);
  await expect(addresses.getByText('No signal so far')).toBeVisible();

  const dryRun = section(page, 'Dry run');
  await dryRun.getByRole('button', { name: 'Try it' }).click();
  await expect(dryRun.getByText('Would be executed')).toBeVisible();
  await expect(dryRun.getByText('Buy 0.01 BTCUSDT at the market, 1x')).toBeVisible();
  const message = dryRun.getByRole('textbox', { name: 'Message' });
  await message.fill('{"ticker": "BTCUSDT", "action": "hold"}');
  await dryRun.getByRole('button', { name: 'Try it' }).click();
  await expect(dryRun.getByText(/The action must be buy, sell, exit/)).toBeVisible();
  await expect(message).toHaveAttribute('aria-invalid', 'true');
  await message.fill('{"ticker": "BTCUSDT", "action": "exit"}');
  await dryRun.getByRole('button', { name: 'Try it' }).click();
  await expect(dryRun.getByText('Would be refused')).toBeVisible();
  expect(await callApi(page, 'positions?select=id')).toEqual([]);

  const table = section(page, 'Last 100 signals');
  expect(await send(address, '{"ticker": "BINANCE:BTCUSDT", "action": "buy", "quantity": "0.01"}')).toBe(200);
  await expect(table.getByText('Buy 0.01 BTCUSDT at the market, 1x')).toBeVisible();
  await expect(table.getByText('Done', { exact: true })).toBeVisible();
  expect(await send(address, 'BTCUSDT crossed 50,000')).toBe(400);
  await expect(table.getByText('Unreadable', { exact: true })).toBeVisible();
  await table.getByRole('button', { name: 'Show the message' }).last().click();
  await expect(table.getByText('"BINANCE:BTCUSDT"')).toBeVisible();
  expect(await callApi(page, 'positions?select=symbol,side,size')).toEqual([
    { symbol: 'BTCUSDT', side: 'BUY', size: 0.01 },
  ]);

  await page.reload();
  await expect(addresses.getByText(/Last signal/)).toBeVisible();
  await addresses.getByRole('button', { name: 'Revoke My strategy' }).click();
  await dialog.getByRole('button', { name: 'Revoke address' }).click();
  await expect(page.getByText('No addresses yet')).toBeVisible();
  expect(await send(address, '{"ticker": "BTCUSDT", "action": "exit"}')).toBe(404);
  // What it has sent stays in the list.
  await expect(table.getByText('My strategy').first()).toBeVisible();
  expect(errors).toEqual([]);
});

test('X-12, A119: the page fits a small phone, a tablet, a laptop and a large screen', async ({ page }) => {
  await signUp(page, 'signals_sizes', { at: '/signals' });
  const [user] = await callApi<{ id: string }[]>(page, 'users?select=id');
  const { address } = await callApi<{ address: string }>(page, 'rpc/create_signal_hook', {
    p_account_id: user?.id,
    p_name: 'A strategy with quite a long name here',
  });
  expect(await send(address, '{"ticker": "NASDAQ:AAPL", "action": "exit", "note": "no position"}')).toBe(200);
  for (const width of [320, 768, 1024, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await page.reload();
    await expect(page.getByRole('button', { name: 'Revoke A strategy' })).toBeVisible();
    await expect(page.getByText('Refused', { exact: true })).toBeVisible();
    const overflow = () => page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth);
    await expect.poll(overflow, `${width} px`).toBe(0);
  }
});
