/** The first steps of a new account, and what leverage means before it is used. */
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signUp } from '../harness/session.ts';
import { collectErrors, savePicture, sendOrder } from '../harness/steps.ts';

test('first steps: four lines tick themselves off by real events, leverage shows where it ends, and a dismissal stays', async ({
  page,
}) => {
  const errors = collectErrors(page);
  await signUp(page, 'beginner', { at: '/trading?symbol=BTCUSDT' });
  const steps = page.getByRole('region', { name: 'First steps' });
  await expect(steps.getByRole('listitem')).toHaveCount(4);
  const done = steps.getByText(', done');
  await expect(done).toHaveCount(0);

  await test.step('each empty table shows the next step without a scroll at 1440 × 900', async () => {
    const emptyTexts = {
      'Position History': 'No closed positions',
      'Open Orders': 'No open orders',
      Alerts: 'No alerts',
      'Open Positions': 'No open positions',
    } as const;
    for (const [tab, title] of Object.entries(emptyTexts)) {
      await page.getByRole('tab', { name: tab }).click();
      // The first click of a page, too, leaves no ring of the keyboard.
      await expect(page.getByRole('tab', { name: tab })).toBeFocused();
      await expect(page.locator('[role=tab]:focus-visible')).toHaveCount(0);
      const empty = page.locator('[data-empty]').filter({ hasText: title });
      await expect(empty.getByText(title)).toBeInViewport({ ratio: 1 });
      await expect(empty.locator('div').first()).toBeInViewport({ ratio: 1 });
    }
  });

  await test.step('the move that ends a position is stated while leverage is being chosen', async () => {
    const slider = page.getByRole('slider', { name: 'Leverage' });
    await slider.focus();
    await page.keyboard.press('End');
    await expect(
      page.getByText(/^A move of 0\.\d\d% ends it\. BTCUSDT moved that far in \d+ of the last 24 hours\.$/),
    ).toBeVisible();
    await expect(
      page.getByRole('region', { name: 'Chart' }).getByText('LIQ LONG', { exact: true }),
    ).toBeVisible();
    await savePicture(page, 'liquidation-preview');
    for (let i = 0; i < 115; i += 1) await page.keyboard.press('ArrowLeft');
    await expect(done).toHaveCount(1);
  });
  await page.getByRole('button', { name: '10%', exact: true }).click();
  await expect(page.getByText(/^A move of/)).toBeHidden();
  await expect(done).toHaveCount(2);
  await sendOrder(page, 'Buy/Long');
  await expect(done).toHaveCount(3);
  const [position] = await callApi<{ id: string; entry_price: number }[]>(page, 'positions?status=eq.open');
  await callApi(page, 'rpc/set_take_profit_stop_loss', {
    p_position_id: position?.id,
    p_stop_loss_price: Math.round((position?.entry_price ?? 0) * 0.98),
  });
  await expect(done).toHaveCount(4);
  await expect(steps.getByRole('status')).toBeVisible();
  await savePicture(page, 'first-steps');
  await steps.getByRole('button', { name: 'Dismiss the first steps' }).click();
  await expect(steps).toBeHidden();
  await page.reload();
  await expect(page.getByRole('tab', { name: /Open Positions/ })).toContainText('(1)');
  await expect(steps).toBeHidden();
  expect(errors).toEqual([]);
});
