/** A trader's conversation with support: the trader in a browser, the agent in another one, through the API. */
import type { Browser, Page } from '@playwright/test';
import { violationsInThemes } from '../harness/axe.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, noApp, signIn, signUp } from '../harness/session.ts';
import { collectErrors, pressRetry } from '../harness/steps.ts';

interface Agent {
  readonly write: (sessionId: string, content: string) => Promise<unknown>;
  readonly close: (sessionId: string) => Promise<unknown>;
  readonly markRead: (sessionId: string, seq: number) => Promise<unknown>;
  readonly ratingOf: (sessionId: string) => Promise<unknown>;
}

async function agentOf(browser: Browser, url: string): Promise<Agent> {
  const page = await (await browser.newContext({ baseURL: url })).newPage();
  await signIn(page, 'support@fulcrum.local', { at: noApp });
  const at = (sessionId: string) => `chat_sessions?id=eq.${sessionId}`;
  return {
    write: (sessionId, content) => callApi(page, 'chat_messages', { session_id: sessionId, content }),
    close: (sessionId) => callApi(page, at(sessionId), { status: 'closed' }, 'PATCH'),
    markRead: (sessionId, seq) =>
      callApi(page, 'rpc/mark_chat_read', { p_session_id: sessionId, p_seq: seq }),
    ratingOf: async (sessionId) => {
      const [row] = await callApi<{ rating: number; rating_comment: string }[]>(page, at(sessionId));
      return [row?.rating, row?.rating_comment];
    },
  };
}

const log = (page: Page) => page.getByRole('log', { name: 'Messages' });
const field = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const openId = async (page: Page): Promise<string> =>
  (await callApi<{ id: string }>(page, 'rpc/open_chat_session', {})).id;

async function write(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

async function violationsOf(page: Page): Promise<string[]> {
  // Colours in transition belong to neither theme.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  return violationsInThemes(page);
}

test('CHAT-01, CHAT-02, CHAT-06, CHAT-07, CHAT-08, CHAT-11: a conversation between two browsers, live, until it is closed and rated; what is written then begins the next', {
  tag: '@core',
}, async ({ page, browser, baseURL }) => {
  const errors = collectErrors(page);
  await signUp(page, 'chat_live', { at: '/chat' });
  await expect(page.getByRole('heading', { name: 'Support Chat', level: 1 })).toBeVisible();
  await expect(page.getByText('How can we help?')).toBeVisible();
  await page.getByText('Is this real money?').click();
  await expect(page.getByText(/^No\. Fulcrum simulates trading/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();

  await write(page, '   ');
  await write(page, '  Where is my margin?  ');
  const bubbles = log(page).locator('[data-seq]');
  await expect(bubbles).toHaveCount(1);
  await expect(bubbles.first()).toContainText('Sent');
  await expect(field(page)).toBeFocused();
  const sessionId = await openId(page);
  const rows = () =>
    callApi<{ content: string; seq: number }[]>(
      page,
      `chat_messages?select=content,seq&session_id=eq.${sessionId}&order=seq`,
    );
  expect(await rows()).toEqual([{ content: 'Where is my margin?', seq: 1 }]);

  const agent = await agentOf(browser, baseURL ?? '');
  await agent.markRead(sessionId, 1);
  await expect(bubbles.first()).toContainText('Read');
  await agent.write(sessionId, 'See https://example.com/margin. Not javascript:alert(1)');
  const link = log(page).getByRole('link');
  await expect(link).toHaveCount(1);
  await expect(link).toHaveAttribute('href', 'https://example.com/margin');
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  await expect(page.locator('[aria-live="polite"]').filter({ hasText: 'demo_support: See' })).toBeAttached();
  // What was in view counts as read.
  await expect
    .poll(() => callApi<{ trader_seen_seq: number }[]>(page, `chat_sessions?id=eq.${sessionId}`))
    .toMatchObject([{ trader_seen_seq: 2 }]);

  await agent.close(sessionId);
  await expect(log(page).getByText('This session was closed')).toBeVisible();
  const card = page.getByRole('region', { name: 'How did demo_support do?' });
  await card.locator('label', { hasText: 'Good, 4 of 5' }).click();
  await expect(card.getByRole('status')).toHaveText('Saved, thank you.');
  await card.getByLabel('Comment, optional').fill('Quick');
  await card.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => agent.ratingOf(sessionId)).toEqual([4, 'Quick']);
  expect(await violationsOf(page)).toEqual([]);

  await write(page, 'One more question');
  await expect(log(page).getByText(/New session/)).toBeVisible();
  await expect(bubbles).toHaveCount(3);
  await expect(bubbles.last()).toContainText('One more question');
  await expect(bubbles.last()).toContainText('Sent');
  expect(await openId(page)).not.toBe(sessionId);
  await card.getByRole('button', { name: 'Dismiss the rating' }).click();
  await expect(card).toBeHidden();
  await expect(field(page)).toBeFocused();

  await page.getByRole('link', { name: 'Earlier conversations' }).click();
  await page.getByRole('link', { name: /2 messages/ }).click();
  await expect(page.getByRole('log', { name: 'Earlier conversation' })).toContainText('Where is my margin?');
  await page.getByRole('link', { name: 'Back' }).click();
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(bubbles.last()).toContainText('One more question');
  expect(errors).toEqual([]);
});

test('CHAT-38, ERR-49: a message that cannot be sent shows an error and keeps its place; it outlives a reload and is sent once', {
  tag: '@core',
}, async ({ page }) => {
  await signUp(page, 'chat_outbox', { at: '/chat' });
  await expect(page.getByText('How can we help?')).toBeVisible();
  let network: 'down' | 'loses one answer' | 'up' = 'down';
  await page.route('**/rest/v1/chat_messages*', async (route) => {
    if (network === 'up') return route.continue();
    // The server takes it, but its answer is lost: the repeat is the same message.
    if (network === 'loses one answer') await route.fetch();
    network = network === 'down' ? 'down' : 'up';
    await route.abort();
  });
  await write(page, 'first');
  await write(page, 'second');
  await expect(log(page).getByText('Not sent')).toBeVisible();
  await expect(log(page).getByText('Failed to send message. Please try again.')).toBeVisible();
  await expect(log(page).getByText('Waits for the one above')).toBeVisible();

  await page.reload();
  await expect(log(page).locator('[data-outgoing]')).toHaveText([/first/, /second/]);
  await log(page).getByRole('button', { name: 'Retry' }).click();
  await expect(log(page).getByText('Sending')).toHaveCount(2);
  await expect(log(page).getByText('Not sent')).toBeVisible();
  network = 'loses one answer';
  const bubbles = log(page).locator('[data-seq]');
  await expect(bubbles).toHaveText([/first/, /second/]);
  await expect(log(page).locator('[data-outgoing]')).toHaveCount(0);
  const sessionId = await openId(page);
  expect(
    await callApi(page, `chat_messages?select=content,seq&session_id=eq.${sessionId}&order=seq`),
  ).toEqual([
    { content: 'first', seq: 1 },
    { content: 'second', seq: 2 },
  ]);
});

test('CHAT-03, CHAT-05, CHAT-36, CHAT-37, ERR-47, ERR-48: a failed load shows an error and is retried; the same conversation is opened each time', async ({
  page,
}) => {
  await signUp(page, 'chat_failures', { at: noApp });
  await page.route('**/rpc/open_chat_session', (route) => route.abort());
  await page.goto('/chat');
  await expect(page.getByText('Failed to load chat session. Please try again.')).toBeVisible();
  await page.unroute('**/rpc/open_chat_session');
  await pressRetry(page);
  await expect(page.getByText('How can we help?')).toBeVisible();
  await write(page, 'Still here?');
  await expect(log(page).locator('[data-seq]')).toHaveCount(1);

  await page.route('**/rpc/get_chat_updates*', (route) => route.abort());
  await page.reload();
  await expect(page.getByText('Failed to load messages. Please try again.')).toBeVisible();
  await page.unroute('**/rpc/get_chat_updates*');
  await pressRetry(page);
  await expect(log(page).locator('[data-seq]')).toHaveText([/Still here\?/]);
});

test('ROUTE-36: unread replies of support are marked at the Support item, until they are in view', async ({
  page,
  browser,
  baseURL,
}) => {
  await signUp(page, 'chat_badge', { at: noApp });
  const sessionId = await openId(page);
  await callApi(page, 'chat_messages', { session_id: sessionId, content: 'Hello?' });
  await page.goto('/wallet');
  const item = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Support/ });
  await expect(item).toHaveAccessibleName('Support');
  const agent = await agentOf(browser, baseURL ?? '');
  await agent.write(sessionId, 'Hello!');
  await expect(item).toHaveAccessibleName(/1 unread/);
  for (let i = 0; i < 9; i += 1) await agent.write(sessionId, `Answer ${i}`);
  await expect(item).toHaveAccessibleName(/10 unread/);
  await expect(item).toContainText('9+');

  await page.setViewportSize({ width: 390, height: 844 });
  await item.click();
  await expect(log(page)).toContainText('Answer 8');
  await expect(item).toHaveAccessibleName('Support');
  // The bar at the bottom makes room for the keyboard.
  await field(page).focus();
  await expect(item).toBeHidden();
  await field(page).blur();
  await expect(item).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
});
