/** API keys: created in Account Settings, copied, used by a program, revoked by the trader or by staff. */
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { callApi, impersonate, signIn, signUp } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

const section = (page: Page) => page.getByRole('region', { name: 'API keys', exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const rowOf = (page: Page, name: string) => section(page).getByRole('listitem').filter({ hasText: name });

/** A program beside the browser, with nothing but the copied header. */
const asProgram = (url: string, authorization: string) => async (path: string, body?: object) => {
  const answer = await fetch(`${url}/rest/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
};

test('A119: a key is created, its secret is shown once, a bot trades with it, and revoked it is refused at once', {
  tag: '@core',
}, async ({ page, context, fulcrum }) => {
  const errors = collectErrors(page, /400 .*create_api_key/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signUp(page, 'key_owner', { at: '/profile' });
  await expect(section(page)).toContainText('These keys are paper: they trade only here.');
  await expect(section(page)).toContainText('No API keys');
  const { id: practiceId } = await callApi<{ id: string }>(page, 'rpc/create_account', { p_name: 'Bots' });

  await test.step('a fault is at its field', async () => {
    await section(page).getByRole('button', { name: 'Create API key' }).click();
    const create = dialog(page).getByRole('button', { name: 'Create key' });
    await create.click();
    const name = dialog(page).getByLabel('Name');
    await expect(name).toHaveAccessibleDescription('Give the key a name.');
    await name.fill('Grid bot');
    await dialog(page).getByLabel('Addresses').fill('127.0.0.1, home');
    await create.click();
    await expect(dialog(page).getByLabel('Addresses')).toHaveAccessibleDescription(/^Not an IPv4 .*: home/);
    await expect(dialog(page).getByLabel('Addresses')).toBeFocused();
    await dialog(page).getByLabel('Addresses').fill('127.0.0.1 ::1');
    await dialog(page).getByLabel('Expires after').fill('2001-01-01');
    await create.click();
    await expect(dialog(page).getByLabel('Expires after')).toHaveAccessibleDescription(
      /^Choose an end that is still to come/,
    );
    await dialog(page).getByLabel('Expires after').fill('');
  });

  const authorization = await test.step('the secret is shown once and can be copied', async () => {
    await dialog(page).getByLabel('Account').selectOption('Bots');
    await dialog(page).getByRole('button', { name: 'Create key' }).click();
    await expect(dialog(page)).toContainText('It is not shown again');
    await dialog(page).getByRole('button', { name: 'Copy authorization header' }).click();
    await expect(dialog(page).getByRole('button', { name: 'Authorization header copied' })).toBeVisible();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(/^Bearer paper_[0-9A-Za-z]{43}\.[0-9A-Za-z]{43}$/);
    await dialog(page).getByRole('button', { name: 'I have stored it' }).click();
    const row = rowOf(page, 'Grid bot');
    await expect(row).toContainText('Read and trade');
    await expect(row).toContainText('AccountBots');
    await expect(row).toContainText('Addresses127.0.0.1, ::1');
    await expect(row).toContainText('Last usedNever');
    const secret = copied.split('.')[1] ?? '';
    await expect(page.locator('body')).not.toContainText(secret);
    await page.reload();
    await expect(row).toBeVisible();
    await expect(page.locator('body')).not.toContainText(secret);
    return copied;
  });

  const program = asProgram(fulcrum.url, authorization);
  await test.step('a program trades in the account of the key, and the list shows the use', async () => {
    const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10 };
    expect(await program('rpc/open_position', order)).toMatchObject({
      status: 200,
      body: { user_id: practiceId },
    });
    expect((await program('users?select=email')).status).toBe(403);
    await page.reload();
    await expect(rowOf(page, 'Grid bot')).toContainText('from 127.0.0.1');
  });

  await test.step('revoked, it is refused at once', async () => {
    await section(page).getByRole('button', { name: 'Revoke Grid bot' }).click();
    await dialog(page).getByRole('button', { name: 'Revoke', exact: true }).click();
    await expect(page.getByText('Key revoked')).toBeVisible();
    expect((await program('positions?select=id')).status).toBe(401);
    await expect(rowOf(page, 'Grid bot')).toHaveCount(0);
    await section(page).getByRole('button', { name: 'Show ended keys (1)' }).click();
    await expect(rowOf(page, 'Grid bot')).toContainText('Revoked');
  });
  expect(errors).toEqual([]);
});

test('A119, A45: staff see the keys of a trader and revoke one with a reason; an impersonation shows none', async ({
  page,
  fulcrum,
}) => {
  const trader = await ApiUser.register(fulcrum.url, 'key_holder');
  const key = await trader.call<{ api_key: string; secret: string }>('create_api_key', {
    p_name: 'Leaked bot',
    p_scopes: ['read'],
    p_account_id: trader.id,
  });
  const program = asProgram(fulcrum.url, `Bearer ${key.api_key}.${key.secret}`);
  await signIn(page, 'admin@fulcrum.local', { at: `/admin/users/${trader.id}` });
  await expect(rowOf(page, 'Leaked bot')).toContainText('Read');
  await section(page).getByRole('button', { name: 'Revoke Leaked bot' }).click();
  const revoke = dialog(page).getByRole('button', { name: 'Revoke key' });
  await revoke.click();
  await expect(dialog(page).getByLabel('Reason')).toHaveAccessibleDescription(/^Please give a reason/);
  expect((await program('orders?select=id')).status).toBe(200);
  await dialog(page).getByLabel('Reason').fill('Seen in a public repository');
  await revoke.click();
  await expect(page.getByText('Key revoked')).toBeVisible();
  expect((await program('orders?select=id')).status).toBe(401);
  await page.getByRole('tab', { name: 'Audit' }).click();
  const audit = page.getByRole('tabpanel', { name: 'Audit' });
  await expect(audit).toContainText('API key revoked');
  await expect(audit).toContainText('Seen in a public repository');

  await impersonate(page, 'key_holder', { at: '/profile' });
  await expect(section(page)).toContainText('This is not possible while impersonating a user.');
  await expect(section(page).getByRole('button')).toHaveCount(0);
});
