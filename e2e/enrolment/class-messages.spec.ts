/** A message of a tutor to a class, and what its members see of each other (A112). */
import { dayMs } from '@fulcrum/domain';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test('A112: a tutor writes to a class, and its members read it and see the returns of each other', async ({
  page,
  fulcrum,
}) => {
  const errors = collectErrors(page);
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const manager = await ApiUser.signIn(fulcrum.url, 'manager');
  const members = [
    await ApiUser.register(fulcrum.url, 'note_ann'),
    await ApiUser.register(fulcrum.url, 'note_ben'),
  ];
  const made = await admin.call<{ id: string }>('save_class', {
    ...{ p_name: '8a', p_begins_at: new Date(Date.now() - dayMs), p_ends_at: new Date(Date.now() + dayMs) },
    ...{ p_start_balance: 5000, p_rules: 'standard', p_leverage_max: 10, p_symbols: null },
    ...{ p_positions_max: null, p_tutor_ids: [manager.id], p_members_see_each_other: true },
  });
  await admin.call('add_class_members', { p_class_id: made.id, p_user_ids: members.map(({ id }) => id) });

  await signIn(page, 'note_ben@example.test', { password: 'first-trade' });
  await page.goto('/profile');
  const mails = page.getByRole('switch', { name: 'Messages of my classes' });
  await mails.click();
  await expect(mails).toBeChecked();
  await page.reload();
  await expect(mails).toBeChecked();

  await signIn(page, 'manager@fulcrum.local');
  const view = page.getByRole('region', { name: '8a' });
  await view.getByRole('button', { name: 'Message' }).click();
  const dialog = page.getByRole('dialog', { name: 'Message to 8a' });
  await dialog.getByRole('button', { name: 'Send message' }).click();
  await expect(dialog.getByText('Type a subject.')).toBeVisible();
  await dialog.getByLabel('Subject').fill('Homework');
  await dialog.getByLabel('Text').fill('Read chapter two.');
  await dialog.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByText('Sent to 2 members, to 1 by mail too')).toBeVisible();
  expect(
    await members[0]!.call<{ class_name: string } | null>('list_classmates', {}),
    'the main account is of no class',
  ).toBeNull();

  await signIn(page, 'note_ann@example.test', { password: 'first-trade' });
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await expect(page.getByText('8a: Homework')).toBeVisible();
  const [account] = (await members[0]!.call<{ id: string; kind: string }[]>('list_accounts', {})).filter(
    ({ kind }) => kind === 'class',
  );
  await page.goto(`/a/${account!.id}/dashboard`);
  const list = page.getByRole('list', { name: 'Members by return' });
  await expect(list.getByRole('listitem')).toHaveText(['note_ann0.00 %', 'note_ben0.00 %']);
  const more = page.getByRole('button', { name: 'Show more' });
  await expect(more).toHaveCount(0);

  await test.step('members beyond the first page are read on demand', async () => {
    // The server answers a page of one member.
    await page.route('**/rpc/list_classmates', (route) =>
      route.continue({ postData: { ...route.request().postDataJSON(), p_limit: 1 } }),
    );
    await signIn(page, 'note_ben@example.test', { password: 'first-trade' });
    const [own] = (await members[1]!.call<{ id: string; kind: string }[]>('list_accounts', {})).filter(
      ({ kind }) => kind === 'class',
    );
    await page.goto(`/a/${own!.id}/dashboard`);
    await expect(page.getByText('The first 1 of 2 members, and you.')).toBeVisible();
    await more.click();
    await expect(list.getByRole('listitem')).toHaveText(['note_ann0.00 %', 'note_ben0.00 %']);
    await expect(page.getByText(/of 2 members/)).toHaveCount(0);
    await expect(more).toHaveCount(0);
  });
  expect(errors).toEqual([]);
});
