/** Two agents and one trader at once: names, presence, a warning before a second answer, transfer, search, a close. */
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test.use({ serverFor: 'support team' });

const password = 'correct-horse-9';

test('support: two agents in one inbox see each other, transfer a session, find it again and close it once', {
  tag: '@core',
}, async ({ page: first, browser, fulcrum }) => {
  const context = await browser.newContext({ baseURL: fulcrum.url });
  const second = await context.newPage();
  await signIn(first, 'admin@fulcrum.local');
  await callApi(first, 'rpc/admin_create_user', {
    p_email: 'agent.two@example.test',
    p_username: 'agent.two',
    p_password: password,
    p_role: 'support',
  });
  await first.getByRole('button', { name: 'Logout' }).click();
  await expect(first).toHaveURL(/\/login/);
  const errors = [collectErrors(first, /409 .*\/rpc\/assign_chat_session$/), collectErrors(second)];
  await signIn(first, 'support@fulcrum.local');
  await signIn(second, 'agent.two@example.test', { password });

  const trader = await ApiUser.register(fulcrum.url, 'team_tess');
  const { body } = await trader.ask('rpc/open_chat_session', {});
  const { id } = body as { id: string };
  await trader.ask('chat_messages', { session_id: id, content: 'Where is my zebra margin?' });

  const rowOf = (page: Page) =>
    page.getByRole('list', { name: 'Active sessions' }).getByRole('button', { name: /team_tess/ });
  const logOf = (page: Page) => page.getByRole('log', { name: 'Conversation with team_tess' });
  const replyOf = (page: Page) => page.getByRole('textbox', { name: 'Reply to team_tess' });
  const colleagues = (page: Page) => page.getByRole('status', { name: 'Colleagues' });
  const mine = (page: Page) =>
    page.getByRole('group', { name: 'Filter sessions' }).getByRole('button', { name: /^Mine/ });

  await test.step('each sees that the other is here, and writes', async () => {
    await rowOf(first).click();
    await rowOf(second).click();
    await expect(colleagues(first)).toHaveText('agent.two is here');
    await expect(colleagues(second)).toHaveText('demo_support is here');
    await replyOf(second).pressSequentially('In the wal');
    await expect(colleagues(first)).toHaveText('agent.two is writing');
  });

  await test.step('an answer of a colleague has a name, and Send warns once', async () => {
    await replyOf(first).fill('In the wallet, beside the balance.');
    await replyOf(first).press('Enter');
    await expect(rowOf(second)).toContainText('demo_support: In the wallet');
    await expect(rowOf(second)).toContainText('assigned to demo_support');
    await expect(rowOf(first)).toContainText('assigned to You');
    const bubble = logOf(second).locator('[data-seq="2"]');
    await expect(bubble).toContainText('demo_support');
    await expect(logOf(first).locator('[data-seq="2"]')).not.toContainText('demo_support');
    await replyOf(second).press('Enter');
    const warning = second.getByRole('alert').filter({ hasText: 'demo_support answered after you began' });
    await expect(warning).toBeVisible();
    await expect(replyOf(second)).toHaveValue('In the wal');
    await replyOf(second).press('Enter');
    await expect(warning).toBeHidden();
    await expect(logOf(first).locator('[data-seq="3"]')).toContainText('agent.two');
    await expect(colleagues(first)).toHaveText('agent.two is here');
  });

  await test.step('a transfer moves it to the other list, with words; a second one meanwhile is refused', async () => {
    await expect(mine(first)).toContainText('1');
    await first.getByRole('button', { name: 'Transfer, now: You' }).click();
    await first.getByRole('menuitem', { name: /^agent\.two/ }).click();
    const dialog = first.getByRole('dialog', { name: 'Transfer to agent.two?' });
    await dialog.getByRole('textbox', { name: 'Note for colleagues (optional)' }).fill('Knows margin');
    // Another assignment between the menu and the button.
    const { agents } = await callApi<{ agents: { id: string; username: string }[] }>(
      second,
      'rpc/get_support_team',
      {},
    );
    const idOf = (name: string) => agents.find(({ username }) => username === name)?.id ?? null;
    await callApi(second, 'rpc/assign_chat_session', {
      p_session_id: id,
      p_agent_id: null,
      p_expected: idOf('demo_support'),
      p_client_id: crypto.randomUUID(),
    });
    await dialog.getByRole('button', { name: 'Transfer', exact: true }).click();
    await expect(dialog.getByRole('alert')).toHaveText(
      'This session is no longer assigned to anyone. Nothing was changed.',
    );
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await first.getByRole('button', { name: 'Transfer, now: Unassigned' }).click();
    await first.getByRole('menuitem', { name: /^agent\.two/ }).click();
    await dialog.getByRole('textbox').fill('Knows margin');
    await dialog.getByRole('button', { name: 'Transfer', exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(logOf(second)).toContainText('Assigned to agent.two: Knows margin');
    await expect(mine(first)).toContainText('0');
    await expect(mine(second)).toContainText('1');
  });

  const calls: string[] = [];
  let closedMs = 0;
  await test.step('a close by a colleague names them and causes no further call', async () => {
    await second.getByRole('button', { name: 'Close Session' }).click();
    const question = second.getByRole('dialog', { name: /Close without an answer/ });
    if (await question.isVisible()) await question.getByRole('button', { name: 'Close session' }).click();
    await expect(first.getByText(/^Closed by agent\.two, \d\d:\d\d\./)).toBeVisible();
    await expect(replyOf(first)).toHaveAttribute('aria-disabled', 'true');
    await expect(first.getByRole('button', { name: /^Transfer/ })).toHaveCount(0);
    first.on('request', (request) => calls.push(new URL(request.url()).pathname));
    closedMs = Date.now();
  });

  await test.step('the closed session is found by a word and opens at its message', async () => {
    await second.getByRole('searchbox', { name: 'Search names, emails and messages' }).fill('zeb');
    await second.getByRole('button', { name: /team_tess.*Where is my zebra/ }).click();
    await expect(logOf(second).locator('[data-seq="1"]')).toContainText('Where is my zebra margin?');
    await expect(second).toHaveURL(/message=1/);
    await expect(second.getByText(/^Closed by you, /)).toBeVisible();
    await second.setViewportSize({ width: 768, height: 900 });
    await expect(second.getByRole('region', { name: 'Active Sessions' })).toBeHidden();
    await second.getByRole('button', { name: 'Back to the sessions' }).click();
    await expect(second.getByRole('region', { name: 'Active Sessions' })).toBeVisible();
  });
  // The account beside an open session is read every five seconds.
  await first.waitForTimeout(Math.max(0, closedMs + 5_500 - Date.now()));
  expect(calls.filter((path) => path.endsWith('/get_attended_trader'))).toEqual([]);
  expect(errors.flat()).toEqual([]);
  await context.close();
});

test('support: tags, a snooze and a mention reach the other agent at once; the trader’s message ends the snooze', async ({
  page: first,
  browser,
  fulcrum,
}) => {
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  await admin.call('admin_create_user', {
    p_email: 'agent.three@example.test',
    p_username: 'agent.three',
    p_password: password,
    p_role: 'support',
  });
  const context = await browser.newContext({ baseURL: fulcrum.url });
  const second = await context.newPage();
  const errors = [collectErrors(first), collectErrors(second)];
  await signIn(first, 'support@fulcrum.local');
  await signIn(second, 'agent.three@example.test', { password });
  const open = async (name: string) => {
    const trader = await ApiUser.register(fulcrum.url, name);
    const { body } = await trader.ask('rpc/open_chat_session', {});
    const { id } = body as { id: string };
    const send = (content: string) => trader.ask('chat_messages', { session_id: id, content });
    await send('Hello');
    return send;
  };
  const send = await open('triage_tom');
  await open('triage_ida');
  const rowOf = (page: Page, name: string) =>
    page.getByRole('list', { name: 'Active sessions' }).getByRole('button', { name: new RegExp(name) });
  const chip = (page: Page, name: RegExp) =>
    page.getByRole('group', { name: 'Filter sessions' }).getByRole('button', { name });

  await test.step('a new tag is on the row of both, and filters the list', async () => {
    await rowOf(first, 'triage_tom').click();
    await first.getByRole('button', { name: 'Add a tag' }).press('Enter');
    await first.getByRole('menuitem', { name: 'Tags of the team…' }).press('Enter');
    const dialog = first.getByRole('dialog', { name: 'Tags of the team' });
    await dialog.getByLabel('New tag').fill('Refund');
    await first.keyboard.press('Enter');
    await expect(dialog).toContainText('Use 1-24 lowercase letters, digits or hyphens.');
    await dialog.getByLabel('New tag').fill('refund');
    await first.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(first.getByRole('list', { name: 'Tags of this session' })).toHaveText('refund');
    await expect(rowOf(second, 'triage_tom')).toContainText('refund');
    await second.getByRole('button', { name: 'Tag: any' }).click();
    await second.getByRole('menuitem', { name: /^refund/ }).click();
    await expect(rowOf(second, 'triage_ida')).toHaveCount(0);
    await second.getByRole('button', { name: 'Tag: refund' }).click();
    await second.getByRole('menuitem', { name: 'Any tag' }).click();
    await expect(rowOf(second, 'triage_ida')).toBeVisible();
  });

  await test.step('a snoozed session leaves both lists, and comes back with the trader’s message', async () => {
    await first.getByRole('button', { name: 'Snooze' }).click();
    await first.getByRole('menuitem', { name: /^For an hour/ }).click();
    await expect(first.getByRole('button', { name: /^Snoozed until/ })).toBeVisible();
    await expect(rowOf(second, 'triage_tom')).toHaveCount(0);
    await chip(second, /^Snoozed/).click();
    await expect(rowOf(second, 'triage_tom')).toContainText('until');
    await expect(rowOf(second, 'triage_ida')).toHaveCount(0);
    await chip(second, /^All/).click();
    await send('Are you there?');
    await expect(rowOf(second, 'triage_tom')).toContainText('Are you there?');
    await expect(first.getByRole('button', { name: 'Snooze', exact: true })).toBeVisible();
  });

  await test.step('a name in a note notifies that agent, until the session is opened', async () => {
    await rowOf(second, 'triage_ida').click();
    await first.getByRole('tab', { name: 'Internal note' }).click();
    await first.getByRole('button', { name: 'Mention' }).click();
    await first.getByRole('menuitem', { name: 'agent.three' }).click();
    const note = first.getByRole('textbox', { name: 'Internal note' });
    await expect(note).toHaveValue('@agent.three ');
    await note.pressSequentially('please look');
    await note.press('Enter');
    await expect(second.getByText('demo_support mentioned you')).toBeVisible();
    await expect(rowOf(second, 'triage_tom')).toContainText('You are mentioned');
    await chip(second, /^Mentions/).click();
    await expect(rowOf(second, 'triage_ida')).toHaveCount(0);
    await rowOf(second, 'triage_tom').click();
    const log = second.getByRole('log', { name: 'Conversation with triage_tom' });
    await expect(log.getByText('@agent.three', { exact: true })).toBeVisible();
    await chip(second, /^All/).click();
    await expect(rowOf(second, 'triage_tom')).not.toContainText('You are mentioned');
    await second.reload();
    await expect(rowOf(second, 'triage_tom')).toContainText('refund');
    await expect(chip(second, /^Mentions/)).toHaveCount(0);
  });
  expect(errors.flat()).toEqual([]);
  await context.close();
});
