/** A class from its creation to its tutor's view. */
import { readFile } from 'node:fs/promises';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test.use({ serverFor: 'classes' });

test('A112: an admin makes a class, a member trades under its limits, and its tutor sees it', async ({
  page,
  fulcrum,
}) => {
  const errors = collectErrors(page);
  const kira = await ApiUser.register(fulcrum.url, 'class_kira');
  await ApiUser.register(fulcrum.url, 'class_leo');
  await signIn(page, 'admin@fulcrum.local', { at: '/admin/classes' });
  await expect(page.getByText('No classes yet')).toBeVisible();
  await page.getByRole('button', { name: 'New class' }).click();
  const form = page.getByRole('dialog', { name: 'New class' });
  await form.getByLabel('Name', { exact: true }).fill('9b Economics');
  await form.getByLabel('Start balance, USDT').fill('5000');
  await form.getByLabel('Greatest leverage').fill('10');
  await form.getByLabel('Symbols').fill('BTCUSDT');
  await form.getByLabel('Most open positions').fill('1');
  await form.getByRole('checkbox', { name: 'demo_manager' }).check();
  await form.getByRole('button', { name: 'Create class' }).click();
  const view = page.getByRole('region', { name: '9b Economics' });
  await expect(view.getByText('No members yet')).toBeVisible();

  await view.getByRole('button', { name: 'Add members' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add members to 9b Economics' });
  await dialog.getByRole('searchbox', { name: 'Search traders' }).fill('class_');
  await dialog.getByRole('button', { name: 'Add class_kira' }).click();
  await dialog.getByRole('button', { name: 'Add class_leo' }).click();
  await expect(dialog.getByText('Member', { exact: true })).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(view.getByRole('status')).toContainText('2 members');

  const [account] = (await kira.call<{ id: string; kind: string }[]>('list_accounts', {})).filter(
    ({ kind }) => kind === 'class',
  );
  const inClass = await kira.inAccount(account!.id);
  const order = { p_side: 'BUY', p_size: 0.1, p_leverage: 10 };
  await inClass.call('open_position', { ...order, p_symbol: 'BTCUSDT' });
  const second = await inClass.ask('rpc/open_position', { ...order, p_symbol: 'BTCUSDT' });
  expect(second.body).toMatchObject({ code: 'too_many_open' });
  const other = await inClass.ask('rpc/open_position', { ...order, p_symbol: 'ETHUSDT' });
  expect(other.body).toMatchObject({ message: 'Your class does not trade ETHUSDT.' });

  await view.getByRole('button', { name: 'Remove class_leo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(view.getByRole('status')).toContainText('1 member');

  await signIn(page, 'manager@fulcrum.local');
  await expect(page.getByRole('heading', { name: /^Managed Users/ })).toBeVisible();
  const row = view.getByRole('row').filter({ hasText: 'class_kira' });

  await expect(row).not.toContainText('Never');
  const download = page.waitForEvent('download');
  await view.getByRole('button', { name: 'File of the class' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file).toMatch(/^Username,Email,Equity,Return%.*\r\nclass_kira,class_kira@example\.test,/);
  await view.getByRole('button', { name: 'Equity' }).click();
  await expect(view.getByRole('columnheader', { name: 'Equity' })).toHaveAttribute('aria-sort', 'descending');
  expect(errors).toEqual([]);
});
