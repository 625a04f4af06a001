/** The admin's Support tab: figures of real conversations, and support users as they sign in and out. */
import { readFile } from 'node:fs/promises';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, noApp, signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test.use({ serverFor: 'support metrics' });

test('ADMIN-78, ADMIN-79, A69: figures of one conversation, and a status that follows the agent', {
  tag: '@core',
}, async ({ browser, page }) => {
  const errors = collectErrors(page);
  const [trading, attending] = [await browser.newPage(), await browser.newPage()];
  await signIn(trading, 'trader@fulcrum.local', { at: noApp });
  await signIn(attending, 'support@fulcrum.local');
  await expect(attending).toHaveURL(/support/);

  await signIn(page, 'admin@fulcrum.local', { at: '/admin?tab=support' });
  const metrics = page.getByRole('region', { name: 'Support metrics' });
  const figure = (name: string) => metrics.locator('dl > div').filter({ hasText: name }).locator('dd');
  await expect(metrics).toContainText('No sessions today');
  await expect(figure('Resolution rate')).toContainText('–');

  const session = await callApi<{ id: string; user_id: string }>(trading, 'rpc/open_chat_session', {});
  const write = async (from: typeof page, content: string) => {
    const { sub } = await from.evaluate(() => {
      const stored = JSON.parse(localStorage.getItem('fulcrum-session') ?? '{}');
      return { sub: String(stored.user?.id) };
    });
    await callApi(from, 'chat_messages', { session_id: session.id, sender_id: sub, content });
  };
  await write(trading, 'Is anybody there?');
  await write(attending, 'Yes');
  await callApi(attending, `chat_sessions?id=eq.${session.id}&status=eq.open`, { status: 'closed' }, 'PATCH');
  await callApi(trading, 'rpc/rate_chat_session', { p_session_id: session.id, p_score: 5 });

  await page.reload();
  await expect(figure('Resolution rate')).toContainText('100.0%');
  await expect(figure('Resolution rate')).toContainText('1 of 1, 0 abandoned');
  await expect(figure('Satisfaction')).toContainText('1 of 1, 100.0% rated');
  await expect(metrics).toContainText('1 session and 2 messages today');
  const saved = page.waitForEvent('download');
  await metrics.getByRole('button', { name: 'Download support metrics as CSV' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^support_metrics_today_\d{8}\.csv$/);
  expect(await readFile(await file.path(), 'utf8')).toContain(',Resolution rate,1,1,1,');

  await metrics.getByRole('button', { name: 'Satisfaction' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'What Satisfaction means' })).toContainText('4 and 5');
  await page.keyboard.press('Escape');
  // It is checked by the address, which follows.
  await metrics.getByRole('radio', { name: '7 days' }).click();
  await expect(page).toHaveURL(/tab=support&range=7d/);
  await expect(metrics).toContainText('1 session and 2 messages the last 7 days');

  const card = page.getByRole('article', { name: 'demo_support' });
  await expect(card).toContainText('09:00–17:00 UTC');
  await expect(card).toContainText('1 of 1');
  for (const [status, label] of [
    ['busy', 'Busy'],
    ['offline', 'Offline'],
    ['available', 'Available'],
  ] as const) {
    const details = await callApi<{ user_id: string }[]>(attending, 'support_details?select=user_id');
    await callApi(attending, `support_details?user_id=eq.${details[0]?.user_id}`, { status }, 'PATCH');
    await expect(card).toContainText(label);
  }
  expect(errors).toEqual([]);
});
