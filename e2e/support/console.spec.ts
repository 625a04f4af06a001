/**
 * The support console in the browser. Traders use the API here; trader.spec.ts tests their page.
 */
import type { Locator, Page } from '@playwright/test';
import type { RunOptions } from 'axe-core';
import { type Answer, ApiUser } from '../harness/api-user.ts';
import { themes, violations } from '../harness/axe.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, noApp, signIn } from '../harness/session.ts';
import { collectErrors, setTheme, tabTo } from '../harness/steps.ts';

test.use({ serverFor: 'support console' });

/** A trader who writes to support. */
class Trader {
  readonly username: string;
  readonly #agent: ApiUser;

  constructor(agent: ApiUser) {
    this.#agent = agent;
    this.username = agent.username;
  }

  static async register(url: string, username: string): Promise<Trader> {
    return new Trader(await ApiUser.register(url, username));
  }

  ask(path: string): Promise<Answer> {
    return this.#agent.ask(path);
  }

  async sessionId(): Promise<string> {
    const { body } = await this.#agent.ask('rpc/open_chat_session', {});
    return (body as { id: string }).id;
  }

  async write(content: string): Promise<void> {
    const { status, body } = await this.#agent.ask('chat_messages', {
      session_id: await this.sessionId(),
      sender_id: this.#agent.id,
      content,
      read_at: null,
      client_id: crypto.randomUUID(),
    });
    expect(status, JSON.stringify(body)).toBe(201);
  }

  async received(): Promise<string[]> {
    const { body } = await this.ask('chat_messages?select=content,sender_role&order=seq');
    return (body as { content: string; sender_role: string }[])
      .filter(({ sender_role }) => sender_role === 'support')
      .map(({ content }) => content);
  }
}

const rowOf = (page: Page, { username }: Trader): Locator =>
  page.getByRole('list', { name: 'Active sessions' }).getByRole('button').filter({ hasText: username });
const log = (page: Page, { username }: Trader): Locator =>
  page.getByRole('log', { name: `Conversation with ${username}` });
const chip = (page: Page, name: string): Locator =>
  page.getByRole('group', { name: 'Filter sessions' }).getByRole('button', { name });

const statusOf = (page: Page): Promise<string | undefined> =>
  callApi<{ status: string }[]>(page, 'support_details?select=status').then(([own]) => own?.status);

async function enter(page: Page): Promise<void> {
  await signIn(page, 'support@fulcrum.local');
  await expect(page).toHaveURL(/\/support/);
  await expect(page.getByRole('status', { name: 'Connection' })).toHaveText('Live, nothing missed');
}

test('CHAT-13, CHAT-14, CHAT-16 … CHAT-19, CHAT-21 … CHAT-24, CHAT-28, CHAT-31, CHAT-34: sessions arrive live, are read, answered and closed', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
  const errors = collectErrors(page);
  await enter(page);
  await expect(page.getByText('No active sessions')).toBeVisible();
  await expect(page.getByText('Select a session to start chatting')).toBeVisible();

  const amelia = await Trader.register(fulcrum.url, 'console_amelia');
  await amelia.write('Where is the rest of my balance?');
  const row = rowOf(page, amelia);
  await expect(row).toContainText('console_amelia@example.test');
  await expect(row).toContainText('1 unread message');
  const began = new Date((await row.locator('time').getAttribute('datetime')) ?? '');
  const clock = [began.getHours(), began.getMinutes()].map((part) => String(part).padStart(2, '0'));
  await expect(row.locator('time')).toHaveText(`began at ${clock.join(':')}`);
  await expect(page.getByRole('region', { name: 'Active Sessions' })).toContainText(/Active Sessions\s*1/);
  await expect(row).toContainText('Unanswered for');
  await expect(page).toHaveTitle('(1) Support · Fulcrum');
  await amelia.write('Hello?');
  await expect(row).toContainText('2 unread messages');

  // Read is not answered: the pill disappears, the ring stays until a reply.
  await row.click();
  await expect(log(page, amelia)).toContainText('Where is the rest of my balance?');
  await expect(page.getByRole('textbox', { name: 'Reply to console_amelia' })).toBeFocused();
  await expect(row).not.toContainText('unread');
  await expect(row).toContainText('Unanswered for');

  // A note reaches colleagues only.
  await page.getByRole('tab', { name: 'Internal note' }).click();
  const note = page.getByRole('textbox', { name: 'Internal note' });
  await note.fill('Had the same last week.');
  await note.press('Enter');
  await expect(log(page, amelia)).toContainText('Had the same last week.');
  await expect(note).toHaveValue('');
  const notes = await amelia.ask('chat_notes?select=content');
  expect(notes.status).toBeGreaterThanOrEqual(400);

  // A canned reply is inserted with its names, and sent by a second Enter only.
  await page.getByRole('tab', { name: 'Reply' }).click();
  const reply = page.getByRole('textbox', { name: 'Reply to console_amelia' });
  await expect(reply).toHaveAttribute('placeholder', 'Type your message...');
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible();
  await reply.press('/');
  const find = page.getByRole('combobox', { name: 'Find a reply' });
  await expect(find).toBeFocused();
  await find.fill('hel');
  await find.press('Enter');
  await expect(reply).toHaveValue(
    'Hello console_amelia, this is demo_support from support. How can I help you?',
  );
  await expect(reply).toBeFocused();
  expect(await amelia.received()).toEqual([]);
  await reply.press('Enter');
  await expect.poll(() => amelia.received()).toHaveLength(1);
  await expect(row).toContainText('You: Hello console_amelia');
  await expect(row).not.toContainText('Unanswered');
  await expect(page).toHaveTitle('Support · Fulcrum');
  expect(await amelia.received()).not.toContain('Had the same last week.');

  // The trader beside the conversation.
  const panel = page.getByRole('complementary', { name: 'About the trader' });
  await expect(panel).toContainText('Not verified');
  await expect(panel).toContainText('10,000.00');

  // A conversation without a reply asks for confirmation.
  await amelia.write('One more thing');
  await expect(row).toContainText('Unanswered for');
  await page.getByRole('button', { name: 'Close Session' }).click();
  const question = page.getByRole('dialog', { name: 'Close without an answer to console_amelia?' });
  await expect(question.getByRole('button', { name: 'Keep it open' })).toBeFocused();
  await question.getByRole('button', { name: 'Close session', exact: true }).click();
  await expect(page.getByText('Select a session to start chatting')).toBeVisible();
  await expect(page.getByText('No active sessions')).toBeVisible();
  await expect(page.getByText('1 closed today')).toBeVisible();
  const [closed] = await callApi<{ status: string; support_id: string | null; closed_at: string | null }[]>(
    page,
    'chat_sessions?select=status,support_id,closed_at&order=created_at.desc&limit=1',
  );
  expect(closed?.status).toBe('closed');
  expect(closed?.support_id).not.toBeNull();
  expect(closed?.closed_at).not.toBeNull();
  expect(errors).toEqual([]);
});

test('A115: the first of the canned replies is what the help states about the message; nothing is sent by itself', async ({
  page,
  fulcrum,
}) => {
  await enter(page);
  const trader = await Trader.register(fulcrum.url, 'console_asks_help');
  await trader.write('Hello, why was my position liquidated?');
  await rowOf(page, trader).click();
  const reply = page.getByRole('textbox', { name: 'Reply to console_asks_help' });
  await reply.press('/');
  const options = page.getByRole('region', { name: 'Canned replies' }).getByRole('option');
  const suggested = options.first();
  await expect(suggested).toContainText('/suggestion');
  await expect(suggested).toContainText('from the help');
  await suggested.click();
  await expect(reply).toHaveValue(/liquidat/);
  expect(await trader.received()).toEqual([]);

  // Of a message that the help has nothing about there is none.
  await reply.fill('');
  await trader.write('Hello?');
  await expect(log(page, trader)).toContainText('Hello?');
  await reply.press('/');
  await expect(options.first()).toBeVisible();
  await expect(options.filter({ hasText: 'from the help' })).toHaveCount(0);
});

test('a whole shift by keyboard alone: walk, open, reply, note, close, find, status', async ({
  page,
  fulcrum,
}) => {
  await enter(page);
  const [first, second] = [
    await Trader.register(fulcrum.url, 'console_keys_one'),
    await Trader.register(fulcrum.url, 'console_keys_two'),
  ];
  await first.write('The first question');
  await second.write('The second question');
  await expect(rowOf(page, first)).toBeVisible();
  await expect(rowOf(page, second)).toBeVisible();
  await page.keyboard.press('j');
  await expect(rowOf(page, second)).toBeFocused();
  await page.keyboard.press('j');
  await expect(rowOf(page, first)).toBeFocused();
  await page.keyboard.press('k');
  await page.keyboard.press('ArrowDown');
  await expect(rowOf(page, first)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(log(page, first)).toContainText('The first question');

  // What comes while the focus is in the list waits.
  const third = await Trader.register(fulcrum.url, 'console_keys_three');
  await third.write('The third question');
  await expect(page.getByRole('button', { name: '1 new: show' })).toBeVisible();
  await expect(rowOf(page, third)).toHaveCount(0);

  await page.keyboard.press('r');
  const reply = page.getByRole('textbox', { name: 'Reply to console_keys_one' });
  await expect(reply).toBeFocused();
  await expect(rowOf(page, third)).toBeVisible();
  // Letters are letters in a field.
  await page.keyboard.type('jkc: here is the answer');
  await page.keyboard.press('Enter');
  await expect.poll(() => first.received()).toEqual(['jkc: here is the answer']);

  const leaveField = () => tabTo(page, page.getByRole('button', { name: 'Close Session' }), 'Shift+Tab');
  await leaveField();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet).toContainText('Close the session');
  // The quick search is on whatever the switch is, and the sheet lists it.
  await sheet.getByRole('switch', { name: 'Keyboard shortcuts' }).click();
  await expect(sheet.getByRole('listitem').filter({ hasText: 'Close the session' })).toContainText('(off)');
  await expect(sheet.getByRole('listitem').filter({ hasText: 'Quick search' })).not.toContainText('(off)');
  await sheet.getByRole('switch', { name: 'Keyboard shortcuts' }).click();
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();

  await page.keyboard.press('n');
  await expect(page.getByRole('textbox', { name: 'Internal note' })).toBeFocused();
  await page.keyboard.type('Solved');
  await page.keyboard.press('Enter');
  await expect(log(page, first)).toContainText('Solved');
  await leaveField();
  await page.keyboard.press('c');
  await expect(rowOf(page, first)).toHaveCount(0);
  await expect(page.locator('[data-session]:focus')).toHaveCount(1);

  await page.keyboard.press('f');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('keys_two');
  await expect(rowOf(page, third)).toHaveCount(0);
  await expect(rowOf(page, second)).toBeVisible();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await tabTo(page, chip(page, 'Mine'));
  await page.keyboard.press('Enter');
  await expect(page.getByText('None assigned to you')).toBeVisible();

  const busy = page.getByRole('radiogroup', { name: 'Your status' }).getByRole('radio', { name: 'Busy' });
  await tabTo(page, page.getByRole('radio', { name: 'Available' }), 'Shift+Tab');
  await page.keyboard.press('ArrowRight');
  await expect(busy).toBeChecked();
  await expect.poll(() => statusOf(page)).toBe('busy');
});

test('A67, A66: another agent closes the selected session: a text explains it, nothing can be sent', async ({
  page,
  fulcrum,
}) => {
  await enter(page);
  const trader = await Trader.register(fulcrum.url, 'console_closed');
  await trader.write('Is support there?');
  await rowOf(page, trader).click();
  await expect(log(page, trader)).toContainText('Is support there?');
  const id = await trader.sessionId();
  await callApi(page, `chat_sessions?id=eq.${id}&status=eq.open`, { status: 'closed' }, 'PATCH');
  await expect(rowOf(page, trader)).toHaveCount(0);
  await expect(log(page, trader)).toContainText('Is support there?');
  await expect(
    page.getByText(/^Closed by you, \d\d:\d\d\. The trader’s next message starts a new session\.$/),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Close Session' })).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Reply to console_closed' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
});

test('CHAT-25, CHAT-26, CHAT-27, CHAT-32, CHAT-33: the status follows the agent in and out', async ({
  page,
  browser,
  fulcrum,
}) => {
  await enter(page);
  const group = page.getByRole('radiogroup', { name: 'Your status' });
  await expect(group.getByRole('radio', { name: 'Available' })).toBeChecked();
  await expect.poll(() => statusOf(page)).toBe('available');
  await group.getByRole('radio', { name: 'Busy' }).check();
  await expect.poll(() => statusOf(page)).toBe('busy');

  // What was chosen holds through a restart of the server.
  const connection = page.getByRole('status', { name: 'Connection' });
  // A quick server is back before anybody looks, so the loss is awaited meanwhile.
  await Promise.all([expect(connection).not.toHaveText('Live, nothing missed'), fulcrum.restart()]);
  await expect(connection).toHaveText('Live, nothing missed', { timeout: 40_000 });
  await expect.poll(() => statusOf(page)).toBe('busy');
  await expect(group.getByRole('radio', { name: 'Busy' })).toBeChecked();

  // From elsewhere: the page is left, then entered again, then logged out of.
  const context = await browser.newContext({ baseURL: fulcrum.url });
  const admin = await context.newPage();
  await signIn(admin, 'admin@fulcrum.local', { at: noApp });
  await page.goto('about:blank');
  await expect.poll(() => statusOf(admin)).toBe('offline');
  await page.goto('/support');
  await expect.poll(() => statusOf(admin)).toBe('available');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login/);
  expect(await statusOf(admin)).toBe('offline');
  await context.close();
});

test('A103: beside the conversation at 1024 px, the topmost layer takes Escape alone', async ({
  page,
  fulcrum,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await enter(page);
  const trader = await Trader.register(fulcrum.url, 'console_drawer');
  await trader.write('The first time');
  const id = await trader.sessionId();
  await callApi(page, `chat_sessions?id=eq.${id}&status=eq.open`, { status: 'closed' }, 'PATCH');
  await trader.write('The second time');
  await rowOf(page, trader).click();
  await page.getByRole('button', { name: 'About the trader' }).click();
  const panel = page.getByRole('complementary', { name: 'About the trader' });
  await panel.getByRole('button', { name: /1 message/ }).click();
  const earlier = page.getByRole('dialog', { name: /console_drawer/ });
  await expect(earlier).toContainText('The first time');

  await page.keyboard.press('Escape');
  await expect(earlier).toBeHidden();
  await expect(panel).toBeVisible();

  // What the focus can reach is not beneath it.
  const send = await page.getByRole('button', { name: 'Send' }).boundingBox();
  const drawer = await panel.boundingBox();
  expect((send?.x ?? 0) + (send?.width ?? 0)).toBeLessThanOrEqual(drawer?.x ?? 0);
  await panel.getByRole('button', { name: 'Close this panel' }).press('Escape');
  await expect(panel).toBeHidden();
  await expect(page.getByRole('button', { name: 'About the trader' })).toBeFocused();
});

test('axe finds no violation in a conversation, wide and on a phone, in both themes', async ({
  page,
  fulcrum,
}) => {
  // A colour in transition belongs to neither theme.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await enter(page);
  const trader = await Trader.register(fulcrum.url, 'console_axe');
  await trader.write('Where is the margin?');
  await rowOf(page, trader).click();
  await expect(page.getByRole('complementary', { name: 'About the trader' })).toContainText('10,000.00');
  await page.getByRole('tab', { name: 'Internal note' }).click();
  const note = page.getByRole('textbox', { name: 'Internal note' });
  await note.fill('To be looked at');
  await note.press('Enter');
  await expect(log(page, trader)).toContainText('To be looked at');
  await note.fill('A second one');
  const found: string[] = [];
  const inspect = async (name: string, rules: RunOptions) => {
    found.push(...(await violations(page, rules)).map((one) => `${name} ${one}`));
  };
  for (const [theme, rules] of Object.entries(themes)) {
    await setTheme(page, theme);
    for (const width of theme === 'dark' ? [1440, 390] : [1440]) {
      await page.setViewportSize({ width, height: 800 });
      await inspect(`${theme} ${width}`, rules);
    }
    await page.setViewportSize({ width: 1440, height: 800 });
    await page.getByRole('tab', { name: 'Reply' }).click();
    await page.getByRole('button', { name: 'Replies' }).click();
    await inspect(`${theme} canned`, rules);
    await page.keyboard.press('Escape');
  }
  expect(found).toEqual([]);

  await test.step('support: a reply of the team is added and offered to all', async () => {
    await page.getByRole('button', { name: 'Replies' }).click();
    await page.getByRole('button', { name: 'Edit replies' }).click();
    const replies = page.getByRole('dialog', { name: 'Replies' });
    await replies.getByText('Team', { exact: true }).click();
    await replies.getByLabel('Shortcut').fill('fees');
    await replies.getByLabel('Reply', { exact: true }).fill('There is one fee, {username}.');
    await replies.getByRole('button', { name: 'Add reply' }).click();
    await expect(replies.getByText('/fees')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('option', { name: /fees.*team/ })).toBeVisible();
  });
});
