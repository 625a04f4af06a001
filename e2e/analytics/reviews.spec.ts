/** The coach (A115): the review of a closed trade from the history, the analytics and the journal, and the habits of a week. */

import { coachRuleIds } from '@fulcrum/domain';
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signUp } from '../harness/session.ts';
import { collectErrors, savePictures } from '../harness/steps.ts';

/** Opens without a stop loss. */
async function open(page: Page, symbol: string, size: number): Promise<string> {
  const order = { p_symbol: symbol, p_side: 'BUY', p_size: size, p_leverage: 10 };
  return (await callApi<{ id: string }>(page, 'rpc/open_position', order)).id;
}

const close = (page: Page, id: string) => callApi(page, 'rpc/close_position', { p_position_id: id });

async function trade(page: Page): Promise<string> {
  const id = await open(page, 'BTCUSDT', 0.01);
  await close(page, id);
  return id;
}

const sizes = { widths: [390, 1440, 2560] } as const;

test('A115: a closed trade opens its review from the history and from its journal entry', {
  tag: '@core',
}, async ({ page }) => {
  const errors = collectErrors(page);
  await signUp(page, 'coached', { at: '/trading?symbol=BTCUSDT' });
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
    await savePictures(page, 'review', sizes);
  });
  expect(errors).toEqual([]);
});

test('A115: a week has its habits with their trades, what was found too seldom, and the sums', async ({
  page,
  fulcrum,
}) => {
  const errors = collectErrors(page);
  await signUp(page, 'weekly', { at: '/journal' });
  await savePictures(page, 'journal', sizes);
  await page.getByRole('link', { name: 'Review of the week' }).click();
  await expect(page).toHaveURL(/\/analytics\?view=week$/);
  const week = page.getByRole('region', { name: 'Habits', exact: true });
  const sums = (name: string) => week.getByRole('region', { name });

  await test.step('without trades it names the next step', async () => {
    await expect(week).toContainText('No positions were closed this week');
    await expect(week.getByRole('link', { name: 'Open Trading' })).toBeVisible();
    await savePictures(page, 'week-empty', sizes);
  });

  const id = await trade(page);
  await callApi(page, 'journal_entries', { title: 'A', content: 'B', tags: ['breakout'], position_id: id });
  await test.step('one trade is too few for a habit, and the screen shows it', async () => {
    await page.reload();
    await expect(week).toContainText('1 trade closed this week');
    await expect(sums('Found too seldom')).toContainText('No stop loss: 1 trade, 3 needed');
    await expect(sums('By setup').getByRole('row').nth(1)).toContainText('breakout');
    await expect(sums('By symbol').getByRole('row').nth(1)).toContainText('BTCUSDT');
    await expect(sums('By side').getByRole('row').nth(1)).toContainText('Long');
  });

  await test.step('three losing trades without a stop are a habit; a trade of it opens its review', async () => {
    const opened = [];
    for (let n = 0; n < 4; n += 1) opened.push(await open(page, 'DOGEUSDT', 1000 + 100 * n));
    const admin = await ApiUser.signIn(fulcrum.url, 'admin');
    await admin.call('shock_price', { p_symbol: 'DOGEUSDT', p_percent: -4, p_reason: 'A journey' });
    const rows = 'positions?select=unrealized_pnl&status=eq.open&unrealized_pnl=gt.-1';
    await expect.poll(() => callApi<unknown[]>(page, rows)).toEqual([]);
    for (const one of opened) await close(page, one);
    await page.reload();
    const habit = sums('Costliest habits').getByRole('list', { name: 'Trades: No stop loss' });
    await expect(habit.getByRole('listitem')).toHaveCount(3);
    await savePictures(page, 'week', sizes);
    await habit.getByRole('button', { name: 'Review DOGEUSDT long' }).first().click();
    const review = page.getByRole('dialog', { name: 'DOGEUSDT long: review' });
    await expect(review.getByRole('list', { name: 'Findings' })).toContainText('No stop loss');
    await page.keyboard.press('Escape');
    await expect(review).toBeHidden();
  });

  await test.step('a rule that is switched off is not looked at, and a limit is stored', async () => {
    const oneOff = `1 of ${coachRuleIds.length} rules is off`;
    await week.getByRole('button', { name: 'My rules' }).click();
    const rules = page.getByRole('dialog', { name: 'My rules' });
    await rules.getByRole('switch', { name: 'No stop loss' }).click();
    const share = rules.getByRole('textbox', { name: 'At risk in one trade, at most (% of equity)' });
    await share.fill('200');
    await rules.getByRole('button', { name: 'Save rules' }).click();
    await expect(rules).toContainText('Use a number above 0 and up to 100');
    await share.fill('1.5');
    await savePictures(page, 'own-rules', sizes);
    await rules.getByRole('button', { name: 'Save rules' }).click();
    await expect(rules).toBeHidden();
    await expect(week).toContainText(`At most 1.5 % at risk in one trade; ${oneOff}`);
    await expect(sums('Costliest habits')).not.toContainText('No stop loss');
    await page.reload();
    await expect(week).toContainText(oneOff);
  });

  await test.step('the period and the lessons', async () => {
    await week.getByRole('radio', { name: 'Last week' }).click();
    await expect(page).toHaveURL(/period=last-week/);
    await expect(week).toContainText('No positions were closed last week');
    await week.getByRole('button', { name: 'Show 31 days' }).click();
    await expect(week).toContainText('closed in the last 31 days');
    await week.getByText('All lessons').click();
    await week.getByText('Lesson: Let the plan end the trade').click();
    await expect(week.getByText(/The trade was closed by hand, and the market went on/)).toBeVisible();
  });
  expect(errors).toEqual([]);
});
