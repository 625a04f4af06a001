/** Alerts: set from the list and from a price of the chart, moved on the chart, fired once, seen in another tab. */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/providers.ts';
import { signUp } from '../harness/session.ts';
import { collectErrors, savePicture, topicJoined } from '../harness/steps.ts';

test.beforeEach(({ providers: { exchange } }) => {
  exchange.set('BTCUSDT', '64000.00');
});

const panel = (page: Page) => page.getByRole('region', { name: 'Positions' });
const rows = (page: Page) => panel(page).getByRole('row').filter({ hasText: 'BTCUSDT' });
const editor = (page: Page) => page.getByRole('dialog', { name: 'New alert on BTCUSDT' });

test('alerts: one is created, moved on the chart, fires once, and is seen in another tab', {
  tag: '@core',
}, async ({ page, context, providers: { exchange } }) => {
  const errors = collectErrors(page);
  await signUp(page, 'watchful', { at: '/trading?symbol=BTCUSDT' });
  await expect(page.getByText('64,000.00').first()).toBeVisible();
  await panel(page)
    .getByRole('tab', { name: /^Alerts/ })
    .click();
  await expect(panel(page).getByText('No alerts', { exact: true })).toBeVisible();
  await panel(page).getByRole('button', { name: 'New alert' }).click();

  await test.step('a level that is reached already or is no number is refused at its field', async () => {
    const level = editor(page).getByLabel('Price', { exact: true }).last();
    await level.fill('sixty');
    await page.keyboard.press('Enter');
    await expect(editor(page).getByText('Type a price, such as 95600.')).toBeVisible();
    await level.fill('64000');
    await page.keyboard.press('Enter');
    await expect(
      editor(page).getByText('BTCUSDT is at 64000.00. Choose a price that it has not reached.'),
    ).toBeVisible();
    await savePicture(page, 'alert-editor');
    await level.fill('64.12k');
    await page.keyboard.press('Enter');
  });
  await expect(editor(page)).toBeHidden();
  await expect(rows(page)).toContainText(['Price rises to 64,120.00']);
  const pill = page.getByRole('button', { name: /^Alert at 64/ });
  await expect(pill).toBeAttached();

  await test.step('its line moves by a key', async () => {
    await pill.focus();
    await page.keyboard.press('Enter');
    for (let i = 0; i < 10; i += 1) await page.keyboard.press('Shift+ArrowUp');
    await page.keyboard.press('Enter');
    await expect(rows(page)).toContainText(['Price rises to 64,121.00']);
  });

  await test.step('a price of the chart sets one at once; its × deletes it', async () => {
    await page.keyboard.press('Escape');
    await page
      .getByRole('region', { name: 'Chart' })
      .getByRole('img')
      .click({ button: 'right', position: { x: 300, y: 300 } });
    const menu = page.getByRole('dialog', { name: 'BTCUSDT at a price' });
    await menu.getByLabel('Price').fill('63980');
    await menu.getByRole('button', { name: 'Alert at 63,980.00' }).click();
    await expect(rows(page)).toHaveCount(2);
    await savePicture(page, 'alerts');
    await page.getByRole('button', { name: 'Delete the alert at 63,980.00' }).click();
    await expect(rows(page)).toHaveCount(1);
  });

  await test.step('it fires once, here and in the other tab', async () => {
    const other = await context.newPage();
    const joined = topicJoined(other);
    await other.goto('/dashboard');
    await joined;
    exchange.set('BTCUSDT', '64130.00');
    const text = 'BTCUSDT rose to 64130.00. Your alert is at 64121.00.';
    await expect(page.getByText(text).first()).toBeVisible();
    await expect(other.getByText(text).first()).toBeVisible();
    await expect(rows(page)).toContainText(['Fired']);
    exchange.set('BTCUSDT', '64110.00');
    exchange.set('BTCUSDT', '64140.00');
    await expect(page.getByText('64,140.00').first()).toBeVisible();
    await expect(page.getByText(/^BTCUSDT rose to 64140/)).toHaveCount(0);
    await other.close();
  });

  await test.step('it is armed again from its row, and deleted', async () => {
    await rows(page)
      .getByRole('button', { name: /^Arm the alert: BTCUSDT/ })
      .click();
    await expect(rows(page)).toContainText(['Price falls to 64,121.00']);
    await expect(rows(page)).toContainText(['Waiting']);
    await rows(page)
      .getByRole('button', { name: /^Delete the alert: BTCUSDT/ })
      .click();
    await expect(panel(page).getByText('No alerts', { exact: true })).toBeVisible();
  });
  // The refused level.
  expect(errors).toEqual([expect.stringMatching(/400 .*create_alert/)]);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  test('alerts: a change in a time and an ROE are set on a phone', async ({ page }) => {
    await signUp(page, 'pocket', { at: '/trading?symbol=BTCUSDT' });
    await panel(page)
      .getByRole('tab', { name: /^Alerts/ })
      .tap();
    await panel(page).getByRole('button', { name: 'New alert' }).tap();
    await editor(page).getByText('ROE', { exact: true }).tap();
    await expect(editor(page).getByText('You have no open position in BTCUSDT.')).toBeVisible();
    await editor(page).getByText('Change', { exact: true }).tap();
    await editor(page).getByText('Falls', { exact: true }).tap();
    await editor(page).getByLabel('Time', { exact: true }).selectOption('1 hour');
    await editor(page).getByLabel('Change in %').fill('2.5');
    await savePicture(page, 'alert-editor-phone');
    await editor(page).getByRole('button', { name: 'Create alert' }).tap();
    await expect(panel(page).getByText('Price falls by 2.50% in 1 hour')).toBeVisible();
    await savePicture(page, 'alerts-phone');
  });
});
