/** A class from its creation to its tutor's view. */
import { readFile } from 'node:fs/promises';
import { dayMs } from '@fulcrum/domain';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test.use({ serverFor: 'classes' });

test('A112: an admin makes a class, a member trades under its limits, and its tutor sees it', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
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

test('A112: the dialogs of a class are its own, and show what another admin did meanwhile', async ({
  page,
  fulcrum,
}) => {
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  // Once: the dialog shows minutes, and a save with other times would change two more fields.
  const madeAt = Date.now();
  const terms = (name: string, endsInDays = 30) => ({
    ...{ p_name: name, p_start_balance: 5000, p_rules: 'standard', p_leverage_max: 10, p_tutor_ids: [] },
    ...{ p_symbols: null, p_positions_max: null },
    p_begins_at: new Date(madeAt - 2 * dayMs).toISOString(),
    p_ends_at: new Date(madeAt + endsInDays * dayMs).toISOString(),
  });
  const make = (name: string, endsInDays?: number) =>
    admin.call<{ id: string; version: number }>('save_class', terms(name, endsInDays));
  const first = await make('10a Trading');
  const second = await make('10b Trading');
  await make('10c Trading', -1);
  await signIn(page, 'admin@fulcrum.local', { at: '/admin/classes' });
  const dialog = page.getByRole('dialog');
  const name = dialog.getByLabel('Name', { exact: true });
  const positions = dialog.getByLabel('Most open positions');
  const save = dialog.getByRole('button', { name: 'Save class' });
  const view = page.getByRole('region', { name: '10a Trading' });

  await test.step('Back to another class closes the dialog, and its fields are those of the class', async () => {
    await page.getByRole('button', { name: 'Show 10a Trading' }).click();
    await page.getByRole('button', { name: 'Show 10b Trading' }).click();
    await page.getByRole('button', { name: 'Change class' }).click();
    await expect(name).toHaveValue('10b Trading');
    await page.goBack();
    await expect(view).toBeVisible();
    await expect(dialog).toBeHidden();
    await view.getByRole('button', { name: 'Change class' }).click();
    await expect(name).toHaveValue('10a Trading');
  });

  await test.step('a refused field states what to type', async () => {
    await positions.fill('9999');
    await name.fill(' ');
    await save.click();
    await expect(dialog.getByText('Give the class a name.')).toBeVisible();
    await expect(dialog.getByText('Type a whole number from 1 to 2000, or leave it empty.')).toBeVisible();
    await name.fill('10a Trading');
  });

  await test.step('a class that another admin saved meanwhile is shown beside the own entries', async () => {
    const theirs = { ...terms('10a First'), p_id: first.id, p_version: first.version, p_positions_max: 5 };
    await admin.call('save_class', theirs);
    await positions.fill('3');
    await save.click();
    await expect(dialog.getByRole('alert').first()).toContainText('changed this in the meantime');
    await expect(name).toHaveValue('10a First');
    await expect(positions).toHaveValue('3');
    await expect(dialog.getByText('Saved meanwhile: 5')).toBeVisible();
    await expect(dialog.getByText('Changed meanwhile.')).toHaveCount(1);
    await save.click();
    await expect(dialog).toBeHidden();
    const classes = await admin.call<{ id: string; name: string; positions_max: number }[]>(
      'list_classes',
      {},
    );
    expect(classes.find(({ id }) => id === first.id)).toMatchObject({ name: '10a First', positions_max: 3 });
    expect(classes.find(({ id }) => id === second.id)).toMatchObject({
      name: '10b Trading',
      positions_max: null,
    });
  });

  await test.step('a refusal stays with its member, and no success is shown for what was done already', async () => {
    const [zoe, max] = [
      await ApiUser.register(fulcrum.url, 'class_zoe'),
      await ApiUser.register(fulcrum.url, 'class_max'),
    ];
    await admin.call('add_class_members', { p_class_id: first.id, p_user_ids: [zoe.id, max.id] });
    const account = (await zoe.call<{ id: string; kind: string }[]>('list_accounts', {})).find(
      ({ kind }) => kind === 'class',
    );
    const inClass = await zoe.inAccount(account!.id);
    await inClass.call('open_position', {
      ...{ p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.01, p_leverage: 10 },
    });
    const own = page.getByRole('region', { name: '10a First' });
    await own.getByRole('button', { name: 'Remove class_zoe' }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(dialog.getByText('Something is open in the account of this class.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await own.getByRole('button', { name: 'Remove class_max' }).click();
    await expect(dialog.getByRole('heading')).toHaveText('Remove class_max from 10a First');
    await expect(dialog.getByText('Something is open')).toBeHidden();
    await admin.call('remove_class_members', { p_class_id: first.id, p_user_ids: [max.id] });
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(page.getByText('class_max was not a member any more')).toBeVisible();
    await expect(page.getByText('class_max was removed')).toBeHidden();

    await own.getByRole('button', { name: 'Add members' }).click();
    const found = dialog.getByRole('list', { name: 'Traders' }).getByRole('listitem');
    const search = dialog.getByRole('searchbox', { name: 'Search traders' });
    await search.fill('no such name');
    await expect(dialog.getByText(/^No traders match/)).toBeVisible();
    await search.fill('class_');
    await expect(found).not.toHaveCount(0);
    await expect(dialog.getByText(/^No traders match/)).toBeHidden();
    await dialog.getByRole('button', { name: 'Done' }).click();
  });

  await test.step('a class that has ended is marked, and no invitation leads into it', async () => {
    await expect(page.getByRole('row').filter({ hasText: '10c Trading' }).getByText('Ended')).toBeVisible();
    await expect(page.getByText('Ended', { exact: true })).toHaveCount(1);
    await page.goto('/admin/enrolment');
    await page.getByRole('button', { name: 'New invitation' }).click();
    const options = dialog.getByLabel('Class').getByRole('option');
    await expect(options.filter({ hasText: '10b Trading' })).toHaveCount(1);
    await expect(options.filter({ hasText: '10c Trading' })).toHaveCount(0);
  });

  await test.step('an address without its class states it', async () => {
    await page.goto('/admin/classes?class=nope');
    await expect(page.getByText('This class does not exist')).toBeVisible();
    await page.getByRole('button', { name: 'Show 10b Trading' }).click();
    await expect(page.getByText('This class does not exist')).toBeHidden();
  });

  await test.step('the class that a tutor chose is shown after a reload', async () => {
    const managers = await admin.call<{ users: { id: string; username: string }[] }>('list_users', {
      p_roles: ['manager'],
    });
    const tutor = managers.users.find(({ username }) => username === 'demo_manager');
    for (const title of ['11a Trading', '11b Trading']) {
      await admin.call('save_class', { ...terms(title), p_tutor_ids: [tutor!.id] });
    }
    await signIn(page, 'manager@fulcrum.local');
    const chosen = page.getByRole('combobox', { name: 'Class' });
    for (const title of ['11a Trading', '11b Trading']) {
      await chosen.selectOption(title);
      await page.reload();
      await expect(page.getByRole('region', { name: title })).toBeVisible();
      await expect(chosen.getByRole('option', { selected: true })).toHaveText(title);
    }
  });
});
