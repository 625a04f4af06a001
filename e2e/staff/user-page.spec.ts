/** One user with an address of their own: head, figures, and their records in sections. */

import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, noApp, signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test.use({ serverFor: 'manager page' });

test('ADMIN-25, ADMIN-26, ADMIN-27, ADMIN-28: a trader’s page has what is known and done, each section at its address', async ({
  page,
  fulcrum,
}) => {
  const errors = collectErrors(page);
  const trader = await ApiUser.register(fulcrum.url, 'user_page');
  await trader.ask('rpc/open_position', { p_symbol: 'ETHUSDT', p_side: 'BUY', p_size: 1, p_leverage: 10 });
  const { body } = await trader.ask('rpc/open_chat_session', {});
  const { id: chatId } = body as { id: string };
  await trader.ask('chat_messages', {
    session_id: chatId,
    sender_id: trader.id,
    content: 'Where is my margin?',
    read_at: null,
    client_id: crypto.randomUUID(),
  });
  await signIn(page, 'admin@fulcrum.local', { at: noApp });
  await callApi(page, 'rpc/adjust_wallet_balance', {
    p_user_id: trader.id,
    p_amount: 250,
    p_reason: 'A welcome gift',
    p_client_id: crypto.randomUUID(),
  });
  await page.goto(`/admin/users/${trader.id}`);
  await expect(page.getByRole('heading', { name: 'user_page', level: 1 })).toBeVisible();
  await expect(page.getByRole('region', { name: 'user_page', exact: true })).toContainText('10,250.00');
  for (const action of ['Impersonate', 'Manage funds', 'Edit user']) {
    await expect(page.getByRole('button', { name: `${action}: user_page` })).toBeVisible();
  }
  await page.getByRole('button', { name: 'More actions for user_page' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Assign manager…', 'Restrict…', 'Delete…']);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'More actions for user_page' })).toBeFocused();
  await expect(page.getByRole('heading', { name: /^Open Positions - user_page/ })).toBeVisible();

  const tab = (name: string) => page.getByRole('tab', { name, exact: true });
  await tab('Positions').focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/section=ledger$/);
  const ledger = page.getByRole('region', { name: 'Ledger' });
  await expect(
    ledger.getByRole('row').filter({ hasText: 'Deposit' }).filter({ hasText: '+250.00' }),
  ).toBeVisible();
  await tab('Transactions').click();
  await expect(page.getByRole('region', { name: 'Transactions' })).toContainText('+250.00');
  await tab('Orders').click();
  await expect(page.getByRole('region', { name: 'Orders' })).toBeVisible();
  await tab('KYC').click();
  await expect(page.getByText('Nothing submitted yet')).toBeVisible();
  await tab('Chats').click();
  await page.getByRole('button', { name: /^Read the conversation of user_page/ }).click();
  const conversation = page.getByRole('dialog', { name: 'Conversation with user_page' });
  await expect(conversation).toContainText('Where is my margin?');
  await expect(page).toHaveURL(new RegExp(`chat=${chatId}`));
  await page.keyboard.press('Escape');
  await expect(conversation).toBeHidden();
  const { body: messages } = await trader.ask('chat_messages?select=read_at');
  expect(messages).toEqual([{ read_at: null }]);
  await tab('Audit').click();
  await expect(page.getByRole('region', { name: 'Audit' })).toContainText('A welcome gift');
  await expect(page.getByRole('region', { name: 'Audit' })).toContainText('demo_admin');
  await page.reload();
  await expect(tab('Audit')).toHaveAttribute('aria-selected', 'true');

  // A change appears on the open page by itself.
  await callApi(page, 'rpc/adjust_wallet_balance', {
    p_user_id: trader.id,
    p_amount: -50,
    p_reason: 'Taken back',
    p_client_id: crypto.randomUUID(),
  });
  await expect(page.getByRole('region', { name: 'user_page', exact: true })).toContainText('10,200.00');

  for (const unknownId of [crypto.randomUUID(), 'nonsense']) {
    await page.goto(`/admin/users/${unknownId}`);
    await expect(page.getByText('User not found')).toBeVisible();
  }
  expect(errors).toEqual([]);
});
