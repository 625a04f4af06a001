/** Trader and agent at once, each on their own page: each sees the other's actions. The agent uses the keyboard alone. */
import type { Page } from '@playwright/test';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, impersonate, noApp, signIn, signUp } from '../harness/session.ts';
import { collectErrors, tabTo } from '../harness/steps.ts';

test.use({ serverFor: 'support together' });

/** Typing is announced once in 3 s and shown for 6 s: on a busy machine it may end before the test reads it. */
async function seenTyping(typing: Page, watching: Page, text: string): Promise<void> {
  await expect(async () => {
    await typing.keyboard.press('x');
    await typing.keyboard.press('Backspace');
    await expect(watching.getByText(text)).toBeVisible({ timeout: 4_000 });
  }).toPass();
}

test('CHAT-06, CHAT-10, CHAT-11, CHAT-22 … CHAT-24, CHAT-28, CHAT-31, CHAT-35, CHAT-39: a question from the first letter to the rating, with the agent at the keyboard alone', {
  tag: '@core',
}, async ({ page: trader, browser, baseURL }) => {
  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  const agent = await context.newPage();
  const errors = [collectErrors(trader), collectErrors(agent)];
  await signUp(trader, 'together_tess', { at: '/chat' });
  await expect(trader.getByText('Offline, we will answer your message later')).toBeVisible();
  await signIn(agent, 'support@fulcrum.local');
  await expect(agent.getByRole('status', { name: 'Connection' })).toHaveText('Live, nothing missed');
  await expect(trader.getByText('Online')).toBeVisible({ timeout: 40_000 });

  const question = trader.getByRole('log', { name: 'Messages' });
  const field = trader.getByRole('textbox', { name: 'Message' });
  const conversation = agent.getByRole('log', { name: 'Conversation with together_tess' });
  const row = agent
    .getByRole('list', { name: 'Active sessions' })
    .getByRole('button', { name: /together_tess/ });
  const reply = agent.getByRole('textbox', { name: 'Reply to together_tess' });

  await test.step('the question arrives, and is read once it is opened', async () => {
    await field.fill('Where is my margin?');
    await field.press('Enter');
    await expect(question.locator('[data-seq="1"]')).toContainText('Sent');
    await expect(row).toContainText('1 unread message');
    await agent.keyboard.press('j');
    await expect(row).toBeFocused();
    await agent.keyboard.press('Enter');
    await expect(conversation.locator('[data-seq="1"]')).toContainText('Where is my margin?');
    await expect(agent.getByText('Here now')).toBeVisible();
    await expect(row).not.toContainText('unread');
    await expect(question.locator('[data-seq="1"]')).toContainText('Read');
  });

  await test.step('each sees the other type, until the message is there', async () => {
    await field.focus();
    await seenTyping(trader, agent, 'together_tess is typing');
    await agent.keyboard.press('r');
    await expect(reply).toBeFocused();
    await expect(reply).toHaveAttribute('placeholder', 'Type your message...');
    await seenTyping(agent, trader, 'Support is typing');
    await agent.keyboard.type('In the wallet, beside the balance.');
    await tabTo(agent, agent.getByRole('button', { name: 'Send', exact: true }));
    await agent.keyboard.press('Enter');
    await expect(question.locator('[data-seq="2"]')).toContainText('In the wallet, beside the balance.');
    await expect(trader.getByText('Support is typing')).toBeHidden();
    // It was in the trader's view.
    await expect(conversation.locator('[data-seq="2"]')).toContainText('Read');
    await expect(reply).toBeFocused();
  });

  await test.step('answered, it is closed and leaves the console; the trader is notified and rates it', async () => {
    await tabTo(agent, agent.getByRole('button', { name: 'Close Session' }), 'Shift+Tab');
    await agent.keyboard.press('Enter');
    await expect(agent.getByText('Select a session to start chatting')).toBeVisible();
    await expect(row).toHaveCount(0);
    await expect(question.getByText('This session was closed')).toBeVisible();
    const card = trader.getByRole('region', { name: 'How did demo_support do?' });
    await card.locator('label', { hasText: 'Great, 5 of 5' }).click();
    await expect(card.getByRole('status')).toHaveText('Saved, thank you.');
    const closed = await callApi(
      agent,
      'chat_sessions?select=status,rating,support:users!chat_sessions_support_id_fkey(username)&order=created_at.desc&limit=1',
    );
    expect(closed).toEqual([{ status: 'closed', rating: 5, support: { username: 'demo_support' } }]);
  });

  await test.step('the agent is busy, and the trader reads it', async () => {
    const statuses = agent.getByRole('radiogroup', { name: 'Your status' });
    await tabTo(agent, statuses.getByRole('radio', { name: 'Available' }), 'Shift+Tab');
    await agent.keyboard.press('ArrowRight');
    await expect(statuses.getByRole('radio', { name: 'Busy' })).toBeChecked();
    await expect(trader.getByText(/^Busy/)).toBeVisible({ timeout: 40_000 });
  });
  expect(errors.flat()).toEqual([]);
  await context.close();
});

test('A45: an impersonation of a trader shows the conversation, marks nothing as read and cannot write', async ({
  page,
  browser,
  baseURL,
}) => {
  await signUp(page, 'together_acted');
  const { id } = await callApi<{ id: string }>(page, 'rpc/open_chat_session', {});
  await callApi(page, 'chat_messages', { session_id: id, content: 'Is anybody there?' });
  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  const staff = await context.newPage();
  await signIn(staff, 'support@fulcrum.local');
  await callApi(staff, 'chat_messages', { session_id: id, content: 'I am here.' });
  await staff.getByRole('button', { name: 'Logout' }).click();
  await expect(staff).toHaveURL(/\/login/);

  await signIn(staff, 'admin@fulcrum.local', { at: noApp });
  await impersonate(staff, 'together_acted', { at: '/wallet' });
  const item = staff.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Support/ });
  await expect(item).toHaveAccessibleName(/1 unread/);
  await item.click();
  await expect(staff.getByRole('log', { name: 'Messages' })).toContainText('I am here.');
  const field = staff.getByRole('textbox', { name: 'Message' });
  await expect(field).toHaveAccessibleDescription('This is not possible while impersonating a user.');
  await expect(field).not.toBeEditable();
  await field.press('Enter');
  await expect(item).toHaveAccessibleName(/1 unread/);
  expect(
    await callApi(page, `chat_sessions?select=last_seq,trader_seen_seq,trader_unread_count&id=eq.${id}`),
  ).toEqual([{ last_seq: 2, trader_seen_seq: 0, trader_unread_count: 1 }]);
  await context.close();
});
