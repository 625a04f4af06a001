/** The nine topics of the landing page (PUB-03): each is marked 'Built in', and each works for a new trader on the first start. */
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, noApp, signIn, signUp } from '../harness/session.ts';
import { collectErrors, openMarket, positionRow } from '../harness/steps.ts';

/** What a visitor reads, in the order of the page. */
const topicsOf = (page: Page) => page.getByRole('region', { name: 'What is in it' }).getByRole('listitem');

test('PUB-03, A115: each topic of the landing page works', async ({ page, browser, fulcrum }) => {
  const errors = collectErrors(page);
  const topics = new Set<string>();
  await page.goto('/');
  await expect(topicsOf(page)).toHaveCount(9);
  for (const text of await topicsOf(page).allTextContents()) {
    const [, title] = /^(.+?)Built in/.exec(text) ?? [];
    topics.add(title ?? text);
  }
  const works = (topic: string, proof: () => Promise<void>) =>
    test.step(topic, async () => {
      expect(topics.delete(topic), 'the page has it').toBe(true);
      await proof();
    });

  await signUp(page, 'topical', { at: '/trading?symbol=BTCUSDT' });
  await works('Charts', async () => {
    const chart = page.getByRole('region', { name: 'Chart' });
    await expect(chart.getByRole('img').locator('canvas').first()).toBeVisible();
    await chart.getByTitle('4 hours').click();
    await expect(chart.getByTitle('4 hours')).toHaveAttribute('aria-pressed', 'true');
  });
  await works('Algorithmic trading', async () => {
    await openMarket(page, { side: 'Buy/Long', amount: '0.01', leverage: 10 });
    await expect(positionRow(page, 'BTCUSDT').first()).toBeVisible();
    const [open] = await callApi<{ id: string; entry_price: number }[]>(
      page,
      'positions?select=id,entry_price&status=eq.open',
    );
    // Waits on the server, whatever the page does.
    await callApi(page, 'rpc/set_take_profit_stop_loss', {
      ...{ p_position_id: open?.id, p_take_profit_price: null },
      p_stop_loss_price: Math.round((open?.entry_price ?? 0) * 95) / 100,
    });
    const stopLoss = page.getByRole('button', { name: /^Stop loss of long 0\.01000 BTCUSDT at/ });
    await expect(stopLoss).toBeVisible();
    await callApi(page, 'rpc/close_position', { p_position_id: open?.id });
  });
  await works('AI trade analysis', async () => {
    await page.getByRole('tab', { name: 'Position History' }).click();
    await page.getByRole('button', { name: 'Review BTCUSDT long' }).click();
    const review = page.getByRole('dialog', { name: 'BTCUSDT long: review' });
    await expect(review.getByRole('region', { name: 'Result' })).toContainText('Net result');
    await expect(review.getByRole('region', { name: 'On the way' })).toContainText('Worst (MAE)');
    await page.keyboard.press('Escape');
  });
  await works('AI trading assistant', async () => {
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Assistant' }).click();
    const panel = page.getByRole('dialog', { name: 'Assistant' });
    await panel.getByRole('textbox', { name: 'Question' }).fill('What is my balance?');
    await panel.getByRole('button', { name: 'Ask', exact: true }).click();
    await expect(panel.getByRole('region', { name: 'Account, now' })).toContainText(
      /Balance\s*\d+\.\d\d USDT/,
    );
    await page.keyboard.press('Escape');
  });
  await works('Portfolio analytics', async () => {
    await page.goto('/analytics');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('Win rate', { exact: false }).first()).toBeVisible();
  });
  await works('AI support assistant', async () => {
    await page.goto('/chat');
    await page.getByRole('textbox', { name: 'Message' }).fill('Why was my position liquidated?');
    await page.keyboard.press('Enter');
    const card = page.getByRole('region', { name: 'Suggested answer' });
    await expect(card).toContainText('From the help, not from support.');
  });
  await works('24/7 live chat support', async () => {
    const staff = await browser.newPage({ baseURL: fulcrum.url });
    await signIn(staff, 'support@fulcrum.local', { at: noApp });
    const { id } = await callApi<{ id: string }>(page, 'rpc/open_chat_session', {});
    await callApi(staff, 'chat_messages', { session_id: id, content: 'I am here.' });
    await expect(page.getByRole('log', { name: 'Messages' })).toContainText('I am here.');
    await staff.close();
  });
  await works('Account managers', async () => {
    const [admin, manager] = await Promise.all([
      ApiUser.signIn(fulcrum.url, 'admin'),
      ApiUser.signIn(fulcrum.url, 'manager'),
    ]);
    const [own] = await callApi<{ id: string }[]>(page, 'users?select=id');
    await admin.call('assign_user_to_manager', { p_user_id: own?.id, p_manager_id: manager.id });
    await manager.call('adjust_wallet_balance', {
      ...{ p_user_id: own?.id, p_amount: 50, p_reason: 'a prize for the topic of the week' },
    });
    await page.goto('/wallet');
    await expect(
      page
        .getByRole('row')
        .filter({ hasText: /\+50\.00/ })
        .first(),
    ).toBeVisible();
  });
  await works('Risk management AI', async () => {
    await page.goto('/trading?symbol=BTCUSDT');
    await page.getByRole('spinbutton', { name: 'Amount' }).fill('0.01');
    await page.getByRole('slider', { name: 'Leverage' }).press('End');
    await page.getByRole('button', { name: '1 warning', exact: true }).click();
    const warnings = page.getByRole('dialog', { name: 'Warnings before this order' });
    await expect(warnings).toContainText('Liquidation within reach of a few hours');
    await page.keyboard.press('Escape');
  });
  expect([...topics], 'no topic is left').toEqual([]);
  expect(errors).toEqual([]);
});
