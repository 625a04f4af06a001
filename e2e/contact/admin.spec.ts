/** CALL-80, CALL-81, A79: the Contact Forms tab of the admin console. */
import type { Page } from '@playwright/test';
import { violations } from '../harness/axe.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, signIn } from '../harness/session.ts';
import { collectErrors, demoPassword } from '../harness/steps.ts';
import { sendMessage } from './messages.ts';

test.use({ serverEnv: { TRUST_PROXY: '127.0.0.1' } });

const rows = (page: Page) => page.getByRole('button', { name: /^Open the message of/ });
const open = (page: Page, subject: string) =>
  page.getByRole('button', { name: new RegExp(`Open the message of .+: ${subject}$`) });
const detail = (page: Page) => page.getByRole('article');
const chosen = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });

test('ADMIN-85 … ADMIN-89, CALL-80, CALL-81, ENT-39: a shift: newest first, filter and message in the address, actions exactly by status', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
  const errors = collectErrors(page);
  for (let i = 0; i < 26; i += 1) await sendMessage(fulcrum, { subject: `Older ${i}` });
  await sendMessage(fulcrum, {
    name: 'Tess Trader',
    email: 'TRADER@fulcrum.local',
    subject: 'My phone number',
    message: 'See <b>https://example.test/help</b> and javascript:alert(1).\nThank you!',
  });
  await signIn(page, 'admin@fulcrum.local', { at: '/admin?tab=contact' });
  await expect(rows(page)).toHaveCount(25);
  await expect(rows(page).first()).toHaveAccessibleName(/My phone number$/);
  await expect(rows(page).nth(1)).toHaveAccessibleName(/Older 25$/);
  await page.getByRole('button', { name: 'Load more' }).click();
  await expect(rows(page)).toHaveCount(27);
  await expect(page.getByText('27 in all')).toBeVisible();

  // By keyboard: open, read, back to the row.
  await open(page, 'My phone number').press('Enter');
  await expect(detail(page).getByRole('heading', { name: 'My phone number' })).toBeFocused();
  await expect(page).toHaveURL(/tab=contact&form=[0-9a-f-]{36}$/);
  await expect(detail(page)).toContainText('trader@fulcrum.local');
  await expect(detail(page)).toContainText('demo_trader');
  await expect(detail(page)).toContainText('Its owner may not have written this message.');
  await expect(detail(page)).toContainText('</b> and javascript:alert(1).');
  await expect(
    detail(page).getByRole('link', { name: 'https://example.test/help (opens in a new tab)' }),
  ).toHaveAttribute('rel', /noopener/);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(open(page, 'My phone number')).toBeFocused();
  await expect(page).toHaveURL(/tab=contact$/);

  // Opening changed nothing; a reload opens the same form.
  await open(page, 'My phone number').click();
  await page.reload();
  const buttons = detail(page).getByRole('button');
  await expect(buttons).toHaveText(['', 'Mark as read', 'Archive']);
  await expect(detail(page).getByRole('status')).toHaveText('New');
  const mail = detail(page).getByRole('link', { name: 'Open in your mail program' });
  await expect(mail).toHaveAttribute(
    'href',
    /^mailto:trader@fulcrum\.local\?subject=Re%3A%20My%20phone%20number&body=/,
  );
  await detail(page).getByRole('button', { name: 'Mark as read' }).click();
  await expect(detail(page).getByRole('status')).toHaveText('Read');
  await expect(buttons).toHaveText(['', 'Mark as replied']);
  await expect(detail(page).getByRole('heading')).toBeFocused();
  await detail(page).getByRole('button', { name: 'Mark as replied' }).click();
  await expect(detail(page).getByRole('status')).toHaveText('Replied');
  await expect(buttons).toHaveText(['']);
  await expect(detail(page)).toContainText('Marked as replied');
  await expect(mail).toBeHidden();

  await open(page, 'Older 25').click();
  await detail(page).getByRole('button', { name: 'Archive' }).click();
  await expect(detail(page).getByRole('status')).toHaveText('Archived');
  await expect(buttons).toHaveText(['']);
  await detail(page).getByRole('button', { name: 'Close message' }).click();

  await chosen(page, 'Archived').click();
  await expect(page).toHaveURL(/tab=contact&status=archived$/);
  await expect(rows(page)).toHaveCount(1);
  await chosen(page, 'Read').click();
  await expect(chosen(page, 'Read')).toBeChecked();
  await expect(page.getByText('No message matches')).toBeVisible();
  await page.goBack();
  await expect(rows(page)).toHaveCount(1);
  expect(errors).toEqual([]);
});

test('A79: new forms wait behind a button; of two admins, the second gets a conflict', async ({
  page,
  browser,
  fulcrum,
}) => {
  await sendMessage(fulcrum, { subject: 'Contested' });
  await signIn(page, 'admin@fulcrum.local', { at: '/admin?tab=contact&status=new' });
  await expect(open(page, 'Contested')).toBeVisible();
  await sendMessage(fulcrum, { subject: 'Just in' });
  await page.getByRole('button', { name: 'Show 1 new message' }).click();
  await expect(rows(page).first()).toHaveAccessibleName(/Just in$/);

  await callApi(page, 'rpc/admin_create_user', {
    p_email: 'second@example.test',
    p_username: 'second-admin',
    p_password: demoPassword,
    p_role: 'admin',
    p_current_password: demoPassword,
  });
  const context = await browser.newContext({ baseURL: fulcrum.url });
  const other = await context.newPage();
  // This page gets no announcement.
  await other.routeWebSocket(/realtime/, () => undefined);
  await signIn(other, 'second@example.test', { at: '/admin?tab=contact' });
  await open(other, 'Contested').click();
  await expect(detail(other).getByRole('button', { name: 'Mark as read' })).toBeVisible();
  await open(page, 'Contested').click();
  await detail(page).getByRole('button', { name: 'Archive' }).click();
  await expect(detail(page).getByRole('status')).toHaveText('Archived');
  await detail(other).getByRole('button', { name: 'Mark as read' }).click();
  await expect(detail(other).getByRole('alert')).toHaveText('Someone else changed this in the meantime.');
  await expect(detail(other).getByRole('status')).toHaveText('Archived');
  await context.close();
});

test('with a mail server the reply is written here, and a refusal keeps its text', async ({
  page,
  fulcrum,
}) => {
  await page.route('**/config.json', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), mail: 'smtp' } });
  });
  await sendMessage(fulcrum, { subject: 'To be answered' });
  await signIn(page, 'admin@fulcrum.local', { at: '/admin?tab=contact' });
  await open(page, 'To be answered').click();
  const reply = detail(page).getByRole('textbox', { name: 'Reply by email' });
  const send = detail(page).getByRole('button', { name: 'Send reply' });
  await send.click();
  await expect(reply).toBeFocused();
  await expect(detail(page)).toContainText('Reply is required');
  await reply.fill('Under Trading.');
  // This server has none, and the page explains what to do.
  await send.click();
  await expect(detail(page).getByRole('alert')).toContainText('This server sends no mail.');
  await expect(reply).toHaveValue('Under Trading.');
  await page.setViewportSize({ width: 390, height: 844 });
  await detail(page).getByRole('button', { name: 'Close message' }).click();
  await expect(open(page, 'To be answered')).toBeFocused();
  await open(page, 'To be answered').click();
  await expect(reply).toHaveValue('Under Trading.');
  await expect(open(page, 'To be answered')).toBeHidden();
  expect(await violations(page)).toEqual([]);
});
