/** A contest from its creation to its frozen result, for an admin and an entrant. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { traderPassword } from '../harness/passwords.ts';
import { signIn, signUp } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test.use({ serverFor: 'contests' });

const order = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.1, p_leverage: 10 };
const rules = {
  ...{ v: 1, startBalance: 5000, ruleSet: 'standard', leverageMax: 10, symbols: null, positionsMax: null },
  ...{ score: 'return', tieBreaks: ['entry'], tradesMin: 1, names: 'shown' },
};
const contestAccount = async (user: ApiUser, name: string): Promise<string> => {
  const accounts = await user.call<{ id: string; name: string }[]>('list_accounts', {});
  return accounts.find((account) => account.name === name)?.id ?? '';
};

const sizes = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
] as const;

/** At each size nothing is cut sideways. */
async function fits(page: Page): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await expect
      .poll(() => page.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth))
      .toBe(0);
  }
}

test('A116: an admin makes a contest, a trader enters it by the screen, trades and sees the rank', async ({
  page,
  fulcrum,
}) => {
  const errors = collectErrors(page);
  const rival = await ApiUser.register(fulcrum.url, 'contest_rival');
  await signIn(page, 'admin@fulcrum.local', { at: '/admin/contests' });
  await expect(page.getByText('No contests yet')).toBeVisible();
  await page.getByRole('button', { name: 'New contest' }).click();
  const form = page.getByRole('dialog', { name: 'New contest' });
  await form.getByRole('button', { name: 'Create contest' }).click();
  await expect(form.getByText('Give the contest a name.')).toBeVisible();
  await form.getByLabel('Name', { exact: true }).fill('Autumn cup');
  await form.getByLabel('Description').fill('Three prizes.');
  await form.getByLabel('Trading begins').fill(await form.getByLabel('Registration opens').inputValue());
  await form.getByLabel('Start balance, USDT').fill('5000');
  await form.getByLabel('Greatest leverage').fill('10');
  await form.getByLabel('Score').selectOption('Return by drawdown');
  await form.getByRole('button', { name: 'Create contest' }).click();
  const view = page.getByRole('region', { name: 'Autumn cup' });
  await expect(view.getByText('No entrants yet')).toBeVisible();
  const id = new URL(page.url()).searchParams.get('contest') ?? '';
  await rival.call('enter_contest', { p_contest_id: id });
  await expect(view.getByRole('row').filter({ hasText: 'contest_rival' })).toBeVisible();
  await view.getByRole('button', { name: 'Change contest' }).click();
  const change = page.getByRole('dialog', { name: 'Change Autumn cup' });
  await expect(change.getByLabel('Start balance, USDT')).not.toBeEditable();
  await change.getByLabel('Description').fill('Three prizes, and a book.');
  await change.getByRole('button', { name: 'Save contest' }).click();
  await expect(view.getByText('Three prizes, and a book.')).toBeVisible();
  await fits(page);

  await page.setViewportSize({ width: 1440, height: 900 });
  const zoe = await ApiUser.register(fulcrum.url, 'contest_zoe');
  await signIn(page, `${zoe.username}@example.test`, { password: traderPassword, at: '/dashboard' });
  await page.getByRole('button', { name: 'Account: Main account' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Contests' }).click();
  await page.getByRole('button', { name: 'Show Autumn cup' }).click();
  await expect(view.getByText('Enter the contest to see its ranking.')).toBeVisible();
  await view.getByRole('button', { name: 'Enter contest' }).click();
  const enter = page.getByRole('dialog', { name: 'Enter Autumn cup?' });
  await expect(enter.getByText('The other entrants see your username and your result.')).toBeVisible();
  await enter.getByRole('button', { name: 'Enter contest' }).click();
  await expect(view.getByRole('row').filter({ hasText: 'contest_zoe' })).toContainText('You');
  await fits(page);
  await view.getByRole('button', { name: 'Open contest account' }).click();
  await expect(page.getByRole('button', { name: 'Account: Autumn cup' })).toBeVisible();
  await expect(page).toHaveURL(/\/a\/[\da-f-]{36}\/trading/);

  const inContest = await rival.inAccount(await contestAccount(rival, 'Autumn cup'));
  await inContest.call('open_position', { ...order, p_size: 0.01 });
  await page.goto(page.url().replace('/trading', '/dashboard'));
  const standing = page.getByRole('region', { name: 'Autumn cup' });
  await expect(standing.getByRole('listitem')).toHaveCount(2);
  await standing.getByRole('link', { name: 'Ranking and rules' }).click();
  await expect(page.getByText('You are in its account')).toBeVisible();
  expect(errors).toEqual([]);
});

test('A116: at its end everything is closed, and the result can be read, downloaded and verified', async ({
  page,
  fulcrum,
}) => {
  const errors = collectErrors(page);
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const rival = await ApiUser.register(fulcrum.url, 'sprint_rival');
  const iso = (fromNow: number) => new Date(Date.now() + fromNow).toISOString();
  const { id } = await admin.call<{ id: string }>('save_contest', {
    ...{ p_name: 'Sprint', p_description: '', p_class_id: null, p_rules: rules },
    ...{ p_registration_opens_at: iso(-60_000), p_registration_ends_at: iso(20_000) },
    ...{ p_begins_at: iso(-1_000), p_ends_at: iso(20_000) },
  });
  await rival.call('enter_contest', { p_contest_id: id });
  const inContest = await rival.inAccount(await contestAccount(rival, 'Sprint'));
  await inContest.call('open_position', { ...order, p_size: 0.01 });
  await signUp(page, 'sprint_zoe', { at: `/contests?contest=${id}` });
  const view = page.getByRole('region', { name: 'Sprint' });
  await view.getByRole('button', { name: 'Enter contest' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Enter contest' }).click();
  const rows = view.getByRole('table', { name: 'Ranking of Sprint' }).getByRole('row');
  await expect(rows.filter({ hasText: 'sprint_rival' })).toBeVisible();
  await expect(view.getByText('Ended')).toBeVisible({ timeout: 90_000 });
  await expect(rows.filter({ hasText: 'sprint_zoe' })).toContainText('Too few trades');
  const result = page.getByRole('region', { name: 'Result and proof' });
  await expect(result).toContainText('The end closed 1 position at the last accepted prices');
  const download = page.waitForEvent('download');
  await result.getByRole('button', { name: 'Download the document' }).click();
  const document = await readFile(await (await download).path(), 'utf8');
  const hash = createHash('sha256').update(document).digest('hex');
  await expect(result.getByText(hash)).toBeVisible();
  expect(JSON.parse(document).entrants).toHaveLength(2);
  const given = page.waitForEvent('download');
  await result.getByRole('button', { name: 'Download my certificate' }).click();
  const certificate = JSON.parse(await readFile(await (await given).path(), 'utf8'));
  expect(JSON.parse(certificate.statement)).toMatchObject({
    ...{ entrant: { username: 'sprint_zoe' }, result_sha256: hash, result: { rank: null } },
  });
  await fits(page);
  const late = await inContest.ask('rpc/open_position', order);
  expect(late.body).toMatchObject({ code: 'account_archived' });
  expect(errors).toEqual([]);
});
