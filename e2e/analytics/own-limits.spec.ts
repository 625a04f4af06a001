/** A trader's own limits (A112): set on the page of the week, warned of in the order form, enforced, and loosened from the next day. */
import { setTimeout as delay } from 'node:timers/promises';
import { dayMs, minuteMs } from '@fulcrum/domain';
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signUp } from '../harness/session.ts';
import { collectErrors, savePicture, sendOrder } from '../harness/steps.ts';

const limitsOf = (page: Page) => page.getByRole('region', { name: 'My limits' });
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'My limits' });
const field = (page: Page, name: string) => dialogOf(page).getByRole('textbox', { name });
const openDialog = (page: Page) => limitsOf(page).getByRole('button', { name: 'My limits' }).click();
const save = (page: Page) => dialogOf(page).getByRole('button', { name: 'Save limits' }).click();

/** The trades of the journey count for one day (UTC): near its end the next one is awaited. */
test.beforeEach(async () => {
  const left = dayMs - (Date.now() % dayMs);
  if (left > 2 * minuteMs) return;
  test.setTimeout(test.info().timeout + left);
  await delay(left + 1_000);
});

test('A112: own limits hold at once, the order form warns before they do, and a looser one waits for the next day', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page, /own_limit_reached|403/);
  await signUp(page, 'self_limited', { at: '/analytics?view=week' });

  await test.step('they are set in a dialog that refuses what makes no sense', async () => {
    await expect(limitsOf(page)).toContainText('No limits of your own in this account');
    await openDialog(page);
    await field(page, 'Daily loss (USDT)').fill('0');
    await field(page, 'Trades a day').fill('2.5');
    await save(page);
    await expect(dialogOf(page)).toContainText('Use an amount above 0');
    await expect(dialogOf(page)).toContainText('Use a whole number from 1 to 1000');
    await field(page, 'Daily loss (USDT)').fill('500');
    await field(page, 'Trades a day').fill('2');
    if (process.env.SCREENS) await savePicture(page, 'own-limits-dialog');
    await save(page);
    await expect(dialogOf(page)).toBeHidden();
    await expect(limitsOf(page)).toContainText('Own limits: daily loss of 500.00 USDT, 2 trades a day');
    await expect(limitsOf(page)).toContainText(
      'Today (UTC): nothing lost of 500.00 USDT, 0 of 2 trades made.',
    );
  });

  const order = { p_symbol: 'ETHUSDT', p_side: 'BUY', p_size: 0.1, p_leverage: 1 };
  const { id } = await callApi<{ id: string }>(page, 'rpc/open_position', order);

  await test.step('the order form warns of the last trade, and sends it', async () => {
    await page.goto('/trading?symbol=BTCUSDT');
    await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.001');
    await page.getByRole('button', { name: '1 warning', exact: true }).click();
    const panel = page.getByRole('dialog', { name: 'Warnings before this order' });
    await expect(panel).toContainText('This is trade 2 of the day, and your own limit is 2.');
    await page.keyboard.press('Escape');
    await sendOrder(page, 'Buy/Long');
    await expect.poll(() => callApi<unknown[]>(page, 'positions?select=id&status=eq.open')).toHaveLength(2);
  });

  await test.step('beyond the limit nothing opens, in words, and what is open is closed', async () => {
    await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.001');
    await sendOrder(page, 'Buy/Long');
    await expect(
      page.getByRole('alert').filter({ hasText: 'Your own limit of 2 trades a day' }),
    ).toContainText('You can close positions, and open nothing before.');
    await callApi(page, 'rpc/close_position', { p_position_id: id });
    await expect.poll(() => callApi<unknown[]>(page, 'positions?select=id&status=eq.open')).toHaveLength(1);
  });

  await test.step('a looser limit waits, and the page states from when it holds', async () => {
    await page.goto('/analytics?view=week');
    await expect(limitsOf(page)).toContainText('2 of 2 trades made');
    await openDialog(page);
    await field(page, 'Trades a day').fill('5');
    await save(page);
    await expect(limitsOf(page)).toContainText('Own limits: daily loss of 500.00 USDT, 2 trades a day');
    await expect(limitsOf(page)).toContainText(/From .+: daily loss of 500\.00 USDT, 5 trades a day\./);
    await page.setViewportSize({ width: 320, height: 800 });
    await expect.poll(() => page.locator('html').evaluate(({ scrollWidth }) => scrollWidth)).toBe(320);
    if (process.env.SCREENS) await savePicture(page, 'own-limits-320');
    await openDialog(page);
    await expect(field(page, 'Trades a day')).toHaveValue('5');
  });
  expect(errors).toEqual([]);
});
