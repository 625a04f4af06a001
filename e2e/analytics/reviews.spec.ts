/** The coach (A115): the review of a closed trade from the history, the analytics and the journal, and the habits of a week. */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signUp } from '../harness/session.ts';
import { collectErrors, savePicture } from '../harness/steps.ts';

/** Opened without a stop loss and closed at once. */
async function trade(page: Page): Promise<string> {
  const { id } = await callApi<{ id: string }>(page, 'rpc/open_position', {
    p_symbol: 'BTCUSDT',
    p_side: 'BUY',
    p_size: 0.01,
    p_leverage: 10,
  });
  await callApi(page, 'rpc/close_position', { p_position_id: id });
  return id;
}

const sizes = [390, 1440, 2560] as const;
async function savePictures(page: Page, name: string): Promise<void> {
  if (!process.env.SCREENS) return;
  const before = page.viewportSize();
  for (const theme of ['dark', 'light'] as const) {
    await page.locator('html').evaluate((html, chosen) => html.setAttribute('data-theme', chosen), theme);
    for (const width of sizes) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 1000 });
      await savePicture(page, `${name}-${theme}-${width}`);
    }
  }
  if (before) await page.setViewportSize(before);
}

test('A115: a closed trade opens its review from the history and from its journal entry', async ({
  page,
}) => {
  const errors = collectErrors(page);
  await signUp(page, 'reviewed', { at: '/trading?symbol=BTCUSDT' });
  const id = await trade(page);
  const review = page.getByRole('dialog', { name: 'BTCUSDT long: review' });

  await test.step('from the row of the history, with facts, findings and a lesson', async () => {
    await page.getByRole('tab', { name: 'Position History' }).click();
    await page.getByRole('button', { name: 'Review BTCUSDT long' }).click();
    await expect(review.getByRole('note')).toContainText('Not final: prices after the close count until');
    const finding = review.getByRole('list', { name: 'Findings' }).getByRole('listitem').first();
    await expect(finding).toContainText('The trade had no stop loss from its opening to its end');
    await expect(review.getByRole('region', { name: 'Result' })).toContainText('Net result');
    await expect(review.getByRole('region', { name: 'On the way' })).toContainText('Worst (MAE)');
    await finding.getByText('Lesson: Set a stop loss before you need it').click();
    await expect(finding).toContainText('put the stop there');
    await page.keyboard.press('Escape');
    await expect(review).toBeHidden();
    await expect(page.getByRole('button', { name: 'Review BTCUSDT long' })).toBeFocused();
  });

  await test.step('from the journal entry about it', async () => {
    await callApi(page, 'journal_entries', { title: 'Chased it', content: 'Again.', position_id: id });
    await page.goto('/journal');
    await page.getByRole('button', { name: /Chased it/ }).click();
    await page.getByRole('button', { name: 'Review BTCUSDT long' }).click();
    await expect(review.getByRole('list', { name: 'Findings' })).toContainText('No stop loss');
    await savePictures(page, 'review');
  });
  expect(errors).toEqual([]);
});
