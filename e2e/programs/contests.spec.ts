/** A contest from its creation to its frozen result, for an admin and an entrant. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hourMs } from '@fulcrum/domain';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { traderPassword } from '../harness/passwords.ts';
import { signIn, signUp } from '../harness/session.ts';
import { collectErrors, expectToFit } from '../harness/steps.ts';

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

test('A116: an admin makes a contest, a trader enters it by the screen, trades and sees the rank', {
  tag: '@core',
}, async ({ page, fulcrum }) => {
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
  await expectToFit(page, [390, 1440]);

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
  await expectToFit(page, [390, 1440]);
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
  const errors = collectErrors(page, /get_contest_result/);
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
  await expectToFit(page, [390, 1440]);
  await test.step('a result that could not be read is read again', async () => {
    await page.route('**/rpc/get_contest_result', (route) => route.fulfill({ status: 500 }), { times: 1 });
    await page.reload();
    await expect(result.getByText('Failed to load the result')).toBeVisible();
    await expectToFit(page, [390, 1440]);
    await result.getByRole('button', { name: 'Retry' }).click();
    await expect(result.getByText(hash)).toBeVisible();
  });
  const late = await inContest.ask('rpc/open_position', order);
  expect(late.body).toMatchObject({ code: 'account_archived' });
  expect(errors).toEqual([]);
});

test('A116: the projector shows a contest in a room, names and a screen that stays on by choice', async ({
  page,
  fulcrum,
}) => {
  const errors = collectErrors(page);
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const iso = (fromNow: number) => new Date(Date.now() + fromNow).toISOString();
  const { id } = await admin.call<{ id: string }>('save_contest', {
    ...{ p_name: 'Room cup', p_description: '', p_class_id: null },
    p_rules: { ...rules, names: 'numbered' },
    ...{ p_registration_opens_at: iso(-60_000), p_registration_ends_at: iso(hourMs) },
    ...{ p_begins_at: iso(-1_000), p_ends_at: iso(hourMs) },
  });
  for (const name of ['room_ada', 'room_bea', 'room_cem']) {
    const user = await ApiUser.register(fulcrum.url, name);
    await user.call('enter_contest', { p_contest_id: id });
  }
  await page.setViewportSize({ width: 1920, height: 1080 });
  await signIn(page, 'admin@fulcrum.local', { at: `/admin/contests?contest=${id}` });
  const proof = page.getByRole('region', { name: 'Simulated prices and their proof' });
  await expect(proof).toContainText('The keys stay secret until');
  await expect(proof.getByRole('button', { name: 'Download the market file' })).toHaveCount(0);
  const given = page.waitForEvent('download');
  await proof.getByRole('button', { name: 'Download the commitment' }).click();
  const commitment = await readFile(await (await given).path(), 'utf8');
  await expect(proof.getByText(createHash('sha256').update(commitment).digest('hex'))).toBeVisible();
  await test.step('an answer without the document saves no file', async () => {
    let saved = 0;
    page.on('download', () => (saved += 1));
    await page.route('**/rpc/get_contest_market', (route) =>
      route.continue({ postData: { ...route.request().postDataJSON(), p_with_commitment: false } }),
    );
    await proof.getByRole('button', { name: 'Download the commitment' }).click();
    await expect(page.getByText('Failed to download the commitment')).toBeVisible();
    expect(saved).toBe(0);
    await page.unroute('**/rpc/get_contest_market');
  });

  await page.getByRole('link', { name: 'Projector' }).click();
  const board = page.getByRole('list', { name: 'Ranking of Room cup' });
  await expect(board.getByRole('listitem')).toHaveCount(3);
  // The entrants see numbers, so the room does too until the user decides.
  await expect(board).toContainText('Entrant 1');
  await expect(board).not.toContainText('room_ada');
  await page.getByRole('button', { name: 'Show names' }).click();
  await expect(board).toContainText('room_ada');
  await expect(page.getByRole('navigation')).toHaveCount(0);
  const sizeOf = async () =>
    (await board.getByRole('listitem').first().locator('bdi').boundingBox())?.height ?? 0;
  const atHd = await sizeOf();
  expect(atHd).toBeGreaterThan(36);
  await page.setViewportSize({ width: 3840, height: 2160 });
  await expect.poll(sizeOf).toBeCloseTo(2 * atHd, 0);
  await expectToFit(page, [390, 1440]);
  await page.setViewportSize({ width: 1920, height: 1080 });
  const theme = () => page.locator('html').getAttribute('data-theme');
  const before = await theme();
  await page.getByRole('button', { name: 'Dark or light' }).click();
  await expect.poll(theme).not.toBe(before);

  // It says so when nothing comes any more, and goes on.
  const announced = page.locator('main > header').getByRole('status');
  await expect(page.getByText(/^Ranking of \d/)).toBeVisible();
  await expect(announced).toHaveText('');
  await page.route('**/rest/v1/rpc/get_contest_ranking', (route) => route.abort());
  await expect(page.getByText('Reconnecting. Ranking of')).toBeVisible({ timeout: 30_000 });
  await expect(announced).toHaveText('Reconnecting');
  await expect(board.getByRole('listitem')).toHaveCount(3);
  await page.unroute('**/rest/v1/rpc/get_contest_ranking');
  await expect(page.getByText(/^Ranking of \d/)).toBeVisible({ timeout: 30_000 });
  await expect(announced).toHaveText('Connected again');
  await page.goto('/admin/projector?contest=00000000-0000-4000-8000-000000000000');
  await expect(page.getByText('Nothing to show')).toBeVisible();
  const { id: classId } = await admin.call<{ id: string }>('save_class', {
    ...{ p_name: 'Room class', p_begins_at: iso(-hourMs), p_ends_at: iso(hourMs), p_tutor_ids: [] },
    ...{
      p_start_balance: 5000,
      p_leverage_max: 10,
      p_rules: 'standard',
      p_symbols: null,
      p_positions_max: null,
    },
  });
  await page.goto(`/admin/classes?class=${classId}`);
  await page.getByRole('region', { name: 'Room class' }).getByRole('link', { name: 'Projector' }).click();
  await expect(page.getByRole('heading', { name: 'Room class' })).toBeVisible();
  await expect(page.getByText('No one yet')).toBeVisible();
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/classes\\?class=${classId}`));
  await page.goto(`/admin/projector?contest=${id}`);
  await page.getByRole('link', { name: 'Back' }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/contests\\?contest=${id}`));
  // What the aborted requests left.
  expect(errors.filter((text) => !/ERR_FAILED|get_contest_ranking/.test(text))).toEqual([]);
});

test('A116: an admin withdraws a contest that was made by mistake', async ({ page, fulcrum }) => {
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const iso = (fromNow: number) => new Date(Date.now() + fromNow).toISOString();
  const { id } = await admin.call<{ id: string }>('save_contest', {
    ...{ p_name: 'Mistaken cup', p_description: '', p_class_id: null, p_rules: rules },
    ...{ p_registration_opens_at: iso(-60_000), p_registration_ends_at: iso(hourMs) },
    ...{ p_begins_at: iso(hourMs), p_ends_at: iso(2 * hourMs) },
  });
  const entrant = await ApiUser.register(fulcrum.url, 'mistaken_ada');
  await entrant.call('enter_contest', { p_contest_id: id });
  await signIn(page, 'admin@fulcrum.local', { at: `/admin/contests?contest=${id}` });
  const view = page.getByRole('region', { name: 'Mistaken cup' });
  await view.getByRole('button', { name: 'Withdraw contest' }).click();
  const dialog = page.getByRole('dialog', { name: 'Withdraw Mistaken cup?' });
  await expect(dialog).toContainText('Its entrant is notified, and the account is archived.');
  await dialog.getByLabel('Reason').fill('Wrong dates');
  await dialog.getByRole('button', { name: 'Withdraw contest' }).click();
  await expect(view.getByText('This contest was withdrawn before it began.')).toBeVisible();
  await expect(view.getByRole('button', { name: 'Change contest' })).toHaveCount(0);
  await expect(view.getByRole('link', { name: 'Projector' })).toHaveCount(0);
  await page.goto(`/admin/projector?contest=${id}`);
  await expect(page.getByText('Mistaken cup was withdrawn')).toBeVisible();
});

test('A116: a contest that another admin saved meanwhile is not overwritten', async ({ page, fulcrum }) => {
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const madeAt = Date.now();
  const iso = (fromThen: number) => new Date(madeAt + fromThen).toISOString();
  const terms = {
    ...{ p_name: 'Shared cup', p_description: '', p_class_id: null, p_rules: rules },
    ...{ p_registration_opens_at: iso(-60_000), p_registration_ends_at: iso(hourMs) },
    ...{ p_begins_at: iso(hourMs), p_ends_at: iso(2 * hourMs) },
  };
  const { id, version } = await admin.call<{ id: string; version: number }>('save_contest', terms);
  await signIn(page, 'admin@fulcrum.local', { at: `/admin/contests?contest=${id}` });
  await page.getByRole('button', { name: 'Change contest' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change Shared cup' });
  const description = dialog.getByLabel('Description');
  await description.fill('Three prizes.');
  const theirs = { p_description: 'A book for the first.', p_ends_at: iso(3 * hourMs) };
  await admin.call('save_contest', { ...terms, ...theirs, p_id: id, p_version: version });
  // The list behind the dialog has read it.
  await expect(page.getByText(theirs.p_description)).toBeVisible({ timeout: 30_000 });
  await dialog.getByRole('button', { name: 'Save contest' }).click();
  await expect(
    dialog.getByText('Someone else changed this in the meantime. Close the dialog and open it again.'),
  ).toBeVisible();
  await expect(description).toHaveValue('Three prizes.');
  const savedEnd = async () => {
    const contests = await admin.call<{ id: string; ends_at: string }[]>('list_contests', {});
    return Date.parse(contests.find((contest) => contest.id === id)?.ends_at ?? '');
  };
  expect(await savedEnd()).toBe(madeAt + 3 * hourMs);

  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Change contest' }).click();
  await expect(description).toHaveValue(theirs.p_description);
  await description.fill('Three prizes.');
  await dialog.getByRole('button', { name: 'Save contest' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Three prizes.')).toBeVisible();
  expect(await savedEnd()).toBe(madeAt + 3 * hourMs);
});
