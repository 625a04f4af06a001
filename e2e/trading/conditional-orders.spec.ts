/** Conditional orders of an account with net positions, and a ladder of limit orders in the main account (A113). */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, noApp, signUp } from '../harness/session.ts';
import { collectErrors, positionRow, sendOrder, setLeverage } from '../harness/steps.ts';

const amount = (page: Page) => page.getByRole('spinbutton', { name: 'Amount' });
const orderRow = (page: Page, type: string) =>
  page.getByRole('row', { name: /ETHUSDT/ }).filter({ hasText: type });

test('A113: a stop, a trailing stop and an order with a time are placed in the form, shown, moved and cancelled', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page);
  await signUp(page, 'conditional', { at: noApp });
  const terms = { p_name: 'Net pro', p_rules: 'perpetual', p_fill_profile: 'pro' };
  const { id } = await callApi<{ id: string }>(page, 'rpc/create_account', terms);
  await page.goto(`/a/${id}/trading?symbol=ETHUSDT`);
  await setLeverage(page, 10);
  await amount(page).fill('1');
  await sendOrder(page, 'Buy/Long');
  await expect(page.getByText(/Net position: long 1/)).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Conditional order, ETHUSDT' });
  const openForm = () => page.getByRole('button', { name: 'Conditional order…' }).click();
  const send = () => dialog.getByRole('button', { name: 'Place conditional order' }).click();

  await test.step('a stop that closes the position: bad input is named, the server’s refusal is shown', async () => {
    await openForm();
    await expect(dialog).toContainText(/The market is at [\d,.]+/);
    await send();
    await expect(dialog.getByText('Enter a price.')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Trigger price' }).fill('900000');
    await send();
    await expect(dialog.getByRole('alert')).toContainText(
      /Trigger price must be between|must be below the market/,
    );
    await dialog.getByRole('textbox', { name: 'Trigger price' }).fill('500');
    await expect(dialog.getByRole('checkbox', { name: /Close the whole long position/ })).toBeChecked();
    await send();
    await expect(dialog).toHaveCount(0);
    await page.getByRole('tab', { name: /Open Orders/ }).click();
    await expect(orderRow(page, 'Stop market')).toContainText('500');
    await expect(orderRow(page, 'Stop market')).toContainText('All');
    await expect(orderRow(page, 'Stop market').getByRole('cell').nth(7), 'nothing is reserved').toHaveText(
      '–',
    );
    await page.getByRole('button', { name: 'Cancel ETHUSDT stop market sell' }).click();
    const question = page.getByRole('dialog', { name: 'Cancel ETHUSDT stop market sell?' });
    await expect(question).toContainText('Whole position ETHUSDT at 500.00.');
    await expect(question).not.toContainText('frees');
    await question.getByRole('button', { name: 'Keep it' }).click();
  });

  await test.step('a second one is refused; a trailing stop has a distance', async () => {
    await openForm();
    await dialog.getByRole('textbox', { name: 'Trigger price' }).fill('400');
    await send();
    await expect(dialog.getByRole('alert')).toContainText(/Another order closes the whole position/);
    await dialog.getByRole('combobox', { name: 'Kind' }).selectOption('TRAILING_STOP_MARKET');
    await dialog.getByRole('textbox', { name: 'Follow from' }).fill('');
    await expect(dialog.getByRole('alert')).toHaveCount(0);
    await dialog.getByRole('textbox', { name: 'Distance in %' }).fill('33');
    await send();
    await expect(dialog.getByText(/^The trailing distance must be between/)).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Distance in %' }).fill('20');
    await dialog.getByRole('textbox', { name: 'Amount in ETH' }).fill('0.5');
    await send();
    await expect(dialog).toHaveCount(0);
    await expect(orderRow(page, 'Trailing stop')).toContainText(/20 % from [\d,.]+/);
  });

  await test.step('canceling them all speaks of no margin, because they reserve none', async () => {
    await page.getByRole('button', { name: 'Cancel all' }).click();
    const question = page.getByRole('dialog', { name: /^Cancel all/ });
    await expect(question.getByRole('listitem')).toHaveCount(2);
    await expect(question).not.toContainText(/frees|Freed|becomes/);
    await question.getByRole('button', { name: 'Keep them' }).click();
  });

  await test.step('a take profit with a limit ends in a week; its trigger moves in the row', async () => {
    await openForm();
    await dialog.getByRole('combobox', { name: 'Kind' }).selectOption('TAKE_PROFIT');
    await dialog.getByRole('textbox', { name: 'Trigger price' }).fill('90000');
    await dialog.getByRole('textbox', { name: 'Limit price' }).fill('90001');
    await dialog.getByRole('textbox', { name: 'Amount in ETH' }).fill('0.5');
    await dialog.getByRole('combobox', { name: 'Ends' }).selectOption('week');
    await send();
    await expect(dialog).toHaveCount(0);
    const row = orderRow(page, 'Take profit limit');
    await row.getByRole('button', { name: /Change the trigger price/ }).click();
    await expect(row).toContainText('limit 90,001');
    await expect(row).toContainText(/Reduce only · until [A-Z]/);
    await row.getByRole('textbox', { name: 'Trigger price of ETHUSDT' }).fill('80000');
    await row.getByRole('textbox').press('Enter');
    await expect(row).toContainText('80,000');
  });

  await test.step('they end with the position, and are expired in the history', async () => {
    await amount(page).fill('1');
    await sendOrder(page, 'Sell/Short');
    await expect(page.getByText(/Net position/)).toHaveCount(0);
    await expect(orderRow(page, 'Stop market')).toHaveCount(0);
    await page.getByRole('tab', { name: /Order History/ }).click();
    await expect(orderRow(page, 'Stop market')).toContainText('Expired');
  });
  // The browser reports the two refusals.
  expect(errors.map((error) => /status of \d+/.exec(error)?.[0] ?? error)).toEqual([
    'status of 400',
    'status of 409',
  ]);
});

test('A113: in the main account a ladder of limit orders closes a position in parts', async ({ page }) => {
  const errors = collectErrors(page);
  await signUp(page, 'ladder', { at: '/trading?symbol=ETHUSDT' });
  await setLeverage(page, 10);
  await amount(page).fill('0.9');
  await sendOrder(page, 'Buy/Long');
  await expect(positionRow(page, 'ETHUSDT')).toContainText('Long');
  await page.getByRole('button', { name: 'Partial close of ETHUSDT long' }).click();
  await page.getByRole('menuitem', { name: 'Close at limit prices…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close ETHUSDT long at limit prices' });
  await dialog.getByRole('combobox', { name: 'Steps' }).selectOption('3');
  await dialog.getByRole('button', { name: 'Place 3 limit orders' }).click();
  await expect(dialog.getByText('Enter a price.').first()).toBeVisible();
  await dialog.getByRole('textbox', { name: 'First price' }).fill('500');
  await dialog.getByRole('textbox', { name: 'Last price' }).fill('99999999999');
  await dialog.getByRole('button', { name: 'Place 3 limit orders' }).click();
  await expect(dialog).toContainText(/The market is at [\d,.]+/);
  await expect(dialog).toContainText('A price below the market closes at once: use Close.');
  await expect(dialog).toContainText('Price must be between');
  await dialog.getByRole('textbox', { name: 'First price' }).fill('80000');
  await dialog.getByRole('textbox', { name: 'Last price' }).fill('90000');
  await dialog.getByRole('button', { name: 'Place 3 limit orders' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('3 limit orders wait')).toBeVisible();
  await page.getByRole('tab', { name: /Open Orders/ }).click();
  await expect(orderRow(page, 'Limit')).toHaveCount(3);
  await expect(orderRow(page, 'Limit').filter({ hasText: '85,000' })).toContainText('0.3');
  await page
    .getByRole('tab', { name: /^Positions|Open Positions/ })
    .first()
    .click();
  await positionRow(page, 'ETHUSDT')
    .getByRole('button', { name: /^Close ETHUSDT/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close position' }).click();
  await page.getByRole('tab', { name: /Open Orders/ }).click();
  await expect(page.getByText('No open orders').first()).toBeVisible();
  expect(errors, 'errors of the page').toEqual([]);
});
