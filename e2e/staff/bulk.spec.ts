/** Bulk actions with their preview: on users of the list, and on members of a class (A72, A112). */
import { readFile } from 'node:fs/promises';
import { dayMs } from '@fulcrum/domain';
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors, expectToFit } from '../harness/steps.ts';

const names = ['term_ann', 'term_ben', 'term_cem'] as const;

const bar = (page: Page) => page.getByRole('region', { name: 'Selected users' });
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' });

test('A72, A112: funds are set with a preview, a class is filled, reset and moved, and links go out in one file', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
  const errors = collectErrors(page);
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const add = (username: string, p_role: string) =>
    admin.call<{ id: string }>('admin_create_user', {
      ...{ p_email: `${username}@example.test`, p_username: username, p_password: 'term-journey-1', p_role },
    });
  for (const name of names) await add(name, 'trader');
  await add('term_staff', 'support');
  const saveClass = (p_name: string) =>
    admin.call<{ id: string }>('save_class', {
      ...{ p_name, p_begins_at: new Date(Date.now() - dayMs), p_ends_at: new Date(Date.now() + dayMs) },
      ...{ p_start_balance: 5000, p_rules: 'standard', p_leverage_max: 10, p_symbols: null },
      ...{ p_positions_max: null, p_tutor_ids: [] },
    });
  const first = await saveClass('Group one');
  await saveClass('Group two');

  await signIn(page, 'admin@fulcrum.local', { at: '/admin?tab=users&q=term_' });
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await bar(page).getByRole('button', { name: 'Adjust funds' }).click();
  const funds = page.getByRole('dialog', { name: 'Adjust funds of 4 users' });
  await funds.getByText('Set to', { exact: true }).click();
  await funds.getByRole('spinbutton', { name: 'Balance' }).fill('7500');
  await expect(preview(page)).toContainText('3 users change, 1 is refused.');
  await expect(preview(page)).toContainText('22,500.00 USDT');
  await expect(preview(page).getByRole('list', { name: 'Refused' })).toHaveText(
    'term_staff This is possible for traders only.',
  );
  const submit = funds.getByRole('button', { name: 'Set 3 users to 7,500.00 USDT' });
  await submit.click();
  await expect(funds.getByText('Please give a reason.')).toBeVisible();
  await funds.getByLabel('Reason').fill('Term begins');
  await submit.click();
  await expect(funds.getByText('3 users changed, 1 refused.')).toBeVisible();
  await funds.getByRole('button', { name: 'Done' }).click();
  await expect(bar(page)).toContainText('1');

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await bar(page).getByRole('button', { name: 'Add to class' }).click();
  const join = page.getByRole('dialog', { name: 'Add 4 users to a class' });
  await join.getByRole('combobox', { name: 'Class' }).selectOption('Group one');
  await expect(preview(page)).toContainText('3 users change, 1 is refused.');
  await join.getByLabel('Reason').fill('Enrolled');
  await join.getByRole('button', { name: 'Add 3 users' }).click();
  await expect(join.getByText('3 users added, 1 refused.')).toBeVisible();
  await join.getByRole('button', { name: 'Done' }).click();

  await page.goto(`/admin/classes?class=${first.id}`);
  const view = page.getByRole('region', { name: 'Group one' });
  await view.getByRole('checkbox', { name: 'Select term_ann' }).check();
  await view.getByRole('checkbox', { name: 'Select term_ben' }).check();
  await bar(page).getByRole('button', { name: 'Adjust funds' }).click();
  const bonus = page.getByRole('dialog', { name: 'Adjust funds of 2 users' });
  await bonus.getByRole('spinbutton', { name: 'Amount' }).fill('250');
  await bonus.getByLabel('Reason').fill('A bonus');
  await expect(preview(page)).toContainText('10,500.00 USDT');
  await bonus.getByRole('button', { name: 'Add 250.00 USDT to 2 users' }).click();
  await bonus.getByRole('button', { name: 'Done' }).click();
  const row = (name: string) => view.getByRole('row').filter({ hasText: name });
  await expect(row('term_ann')).toContainText('5,250.00');
  await expect(row('term_cem')).toContainText('5,000.00');

  await view.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await bar(page).getByRole('button', { name: 'Reset' }).click();
  const reset = page.getByRole('dialog', { name: 'Reset 3 users' });
  await expect(preview(page)).toContainText('15,000.00 USDT');
  await reset.getByLabel('Reason').fill('A new start');
  await reset.getByRole('button', { name: 'Reset 3 users' }).click();
  await expect(reset.getByText('3 users reset.')).toBeVisible();
  await reset.getByRole('button', { name: 'Done' }).click();
  await expect(row('term_ann')).toContainText('5,000.00');

  await view.getByRole('checkbox', { name: 'Select term_cem' }).check();
  await bar(page).getByRole('button', { name: 'Move to class' }).click();
  const move = page.getByRole('dialog', { name: 'Move 1 user from Group one' });
  await move.getByRole('combobox', { name: 'Class' }).selectOption('Group two');
  await move.getByLabel('Reason').fill('The other group');
  await move.getByRole('button', { name: 'Move 1 user' }).click();
  await expect(move.getByText('1 user moved.')).toBeVisible();
  await move.getByRole('button', { name: 'Done' }).click();
  await expect(view.getByRole('status').first()).toContainText('2 members');

  await view.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await bar(page).getByRole('button', { name: 'Invite again' }).click();
  const invite = page.getByRole('dialog', { name: 'Invite 2 users again' });
  await invite.getByText('In one file').click();
  await invite.getByLabel('Reason').fill('The first links expired');
  await invite.getByRole('button', { name: 'Invite 2 users' }).click();
  const download = page.waitForEvent('download');
  await invite.getByRole('button', { name: 'Download 2 links' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file).toMatch(/^Email,Link\r\nterm_ann@example\.test,http.*token_hash/);
  expect(errors).toEqual([]);
});

test('A12, A112: a manager adjusts the funds of own students on the list and in a class; another manager’s is not selectable', async ({
  page,
  fulcrum,
}) => {
  const errors = collectErrors(page);
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const password = 'term-journey-2';
  const add = (username: string, p_role: string) =>
    admin.call<{ id: string }>('admin_create_user', {
      ...{ p_email: `${username}@example.test`, p_username: username, p_password: password, p_role },
    });
  const tutor = await add('tutor_mia', 'manager');
  const [ida, jon, kai] = [
    await add('pupil_ida', 'trader'),
    await add('pupil_jon', 'trader'),
    await add('pupil_kai', 'trader'),
  ];
  await admin.call('assign_users_to_manager', { p_user_ids: [ida.id, jon.id], p_manager_id: tutor.id });
  const group = await admin.call<{ id: string }>('save_class', {
    ...{ p_name: 'Group three', p_begins_at: new Date(Date.now() - dayMs) },
    ...{ p_ends_at: new Date(Date.now() + dayMs), p_start_balance: 5000, p_rules: 'standard' },
    ...{ p_leverage_max: 10, p_symbols: null, p_positions_max: null, p_tutor_ids: [tutor.id] },
  });
  await admin.call('add_class_members', {
    ...{ p_class_id: group.id, p_user_ids: [ida.id, jon.id, kai.id], p_reason: 'Enrolled' },
  });

  await signIn(page, 'tutor_mia@example.test', { password, at: '/manager' });
  const list = page.getByRole('region', { name: /^Managed Users/ });
  await list.getByRole('checkbox', { name: 'Select pupil_ida' }).check();
  await expect(bar(page).getByRole('button')).toHaveText(['Select all 2', 'Adjust funds', 'Clear']);
  await bar(page).getByRole('button', { name: 'Select all 2' }).click();
  await bar(page).getByRole('button', { name: 'Adjust funds' }).click();
  const funds = page.getByRole('dialog', { name: 'Adjust funds of 2 users' });
  await funds.getByText('Set to', { exact: true }).click();
  await funds.getByRole('spinbutton', { name: 'Balance' }).fill('900');
  await funds.getByLabel('Reason').fill('A new month');
  await expect(preview(page)).toContainText('1,800.00 USDT');
  await funds.getByRole('button', { name: 'Set 2 users to 900.00 USDT' }).click();
  await expect(funds.getByText('2 users changed.')).toBeVisible();
  await funds.getByRole('button', { name: 'Done' }).click();
  await expect(bar(page)).toHaveCount(0);

  const view = page.getByRole('region', { name: 'Group three' });
  await expect(view.getByRole('row').filter({ hasText: 'pupil_kai' })).toBeVisible();
  await expect(view.getByRole('checkbox', { name: 'Select pupil_kai' })).toHaveCount(0);
  await expect(view.getByText('You can select the members who are assigned to you.')).toBeVisible();
  await view.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await bar(page).getByRole('button', { name: 'Adjust funds' }).click();
  const bonus = page.getByRole('dialog', { name: 'Adjust funds of 2 users' });
  await bonus.getByRole('spinbutton', { name: 'Amount' }).fill('50');
  await bonus.getByLabel('Reason').fill('A bonus');
  await bonus.getByRole('button', { name: 'Add 50.00 USDT to 2 users' }).click();
  await bonus.getByRole('button', { name: 'Done' }).click();
  const row = (name: string) => view.getByRole('row').filter({ hasText: name });
  await expect(row('pupil_ida')).toContainText('5,050.00');
  await expect(row('pupil_kai')).toContainText('5,000.00');

  // Of selected members only those count who are still assigned; without one there is nothing to select.
  await view.getByRole('checkbox', { name: 'Select all on this page' }).check();
  const unassign = (user: { id: string }) =>
    admin.call('assign_users_to_manager', { p_user_ids: [user.id], p_manager_id: null });
  await unassign(ida);
  await expect(bar(page).getByRole('status')).toHaveText('1selected');
  await bar(page).getByRole('button', { name: 'Adjust funds' }).click();
  await expect(page.getByRole('dialog', { name: 'Adjust funds of 1 user' })).toBeVisible();
  await page.keyboard.press('Escape');
  await unassign(jon);
  await expect(bar(page)).toHaveCount(0);
  await expect(view.getByRole('row')).toHaveCount(4);
  await expect(view.getByRole('checkbox')).toHaveCount(0);
  await expectToFit(page, [320, 1440]);
  expect(errors).toEqual([]);
});
