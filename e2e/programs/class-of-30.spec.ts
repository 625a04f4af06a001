/**
 * A school's contest as tutor and students see it: 30 come in by a file, trade by bots, and the result is read back from every file. What needs
 * another time, such as the keys of the prices, is in `apps/server/test/programs/class-of-30.test.ts`.
 */
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hourMs } from '@fulcrum/domain';
import type { Locator, Page } from '@playwright/test';
import { type ApiKey, sendSignedOrder } from '../../apps/server/test/exchange/signed-order.ts';
import { childEnv } from '../../apps/server/test/harness/child-env.ts';
import { ApiUser } from '../harness/api-user.ts';
import { expect, test } from '../harness/fulcrum.ts';
import { traderPassword } from '../harness/passwords.ts';
import { signIn } from '../harness/session.ts';
import { collectErrors } from '../harness/steps.ts';

test.use({ serverFor: 'a class of 30' });

const students = 30;
const verifier = fileURLToPath(new URL('../../scripts/verify-certificate.ts', import.meta.url));
const terms = { p_start_balance: 10_000, p_rules: 'perpetual', p_leverage_max: 20 };
const rules = {
  ...{ v: 1, startBalance: 10_000, ruleSet: 'perpetual', leverageMax: 20, symbols: null, positionsMax: null },
  ...{ score: 'return', tieBreaks: ['entry'], tradesMin: 1, names: 'shown' },
};

interface Student {
  readonly user: ApiUser;
  readonly key: ApiKey;
}
interface Rank {
  readonly rank: number | null;
  readonly username: string | null;
  readonly equity: number;
}

async function download(page: Page, button: Locator): Promise<{ path: string; text: string }> {
  const waiting = page.waitForEvent('download');
  await button.click();
  const path = await (await waiting).path();
  return { path, text: await readFile(path, 'utf8') };
}

/** The rows of a file without quotes in it, by the names of its columns. */
function rowsOf(text: string): readonly Readonly<Record<string, string>>[] {
  const [head = '', ...lines] = text
    .replace(/^\ufeff/, '')
    .trim()
    .split('\r\n');
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  });
}

/** The admin brings them in on the screen; each chooses a password by the link. */
async function importStudents(page: Page, url: string): Promise<readonly ApiUser[]> {
  await signIn(page, 'admin@fulcrum.local', { at: '/admin/enrolment' });
  const names = Array.from({ length: students }, (_, index) => `cup_${index}`);
  const lines = ['email,username,class', ...names.map((name) => `${name}@school.test,${name},Markets 30`)];
  await page
    .getByLabel('File of users')
    .setInputFiles({ name: 'class.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) });
  const section = page.getByRole('region', { name: 'Import users' });
  await section.getByText('As one file for me').click();
  await section.getByRole('button', { name: `Create ${students} users` }).click();
  await expect(section.getByRole('status')).toContainText(`${students} created`);
  const { text } = await download(page, section.getByRole('button', { name: `Download ${students} links` }));
  const links = new Map(rowsOf(text).map(({ Email = '', Link = '' }) => [Email, Link]));
  return Promise.all(
    names.map((name) => ApiUser.fromLink(url, name, links.get(`${name}@school.test`) ?? '', traderPassword)),
  );
}

async function enterWithBot(user: ApiUser, contestId: string): Promise<Student> {
  await user.call('enter_contest', { p_contest_id: contestId });
  const accounts = await user.call<{ id: string; kind: string }[]>('list_accounts', {});
  const key = await user.call<ApiKey>('create_api_key', {
    ...{ p_name: 'bot', p_scopes: ['read', 'trade'] },
    p_account_id: accounts.find(({ kind }) => kind === 'contest')?.id,
  });
  return { user, key };
}

test('A112, A116: a class of 30 comes in by a file, trades by bots before the room, and every file agrees with the screen', async ({
  page,
  fulcrum,
}) => {
  const errors = collectErrors(page);
  const admin = await ApiUser.signIn(fulcrum.url, 'admin');
  const tutor = await ApiUser.signIn(fulcrum.url, 'manager');
  const iso = (fromNow: number) => new Date(Date.now() + fromNow).toISOString();
  const { id: classId } = await admin.call<{ id: string }>('save_class', {
    ...{ ...terms, p_name: 'Markets 30', p_symbols: null, p_positions_max: null, p_tutor_ids: [tutor.id] },
    ...{ p_begins_at: iso(-hourMs), p_ends_at: iso(24 * hourMs) },
  });
  const users = await importStudents(page, fulcrum.url);
  const { id } = await tutor.call<{ id: string }>('save_contest', {
    ...{ p_name: 'Class cup', p_description: '', p_class_id: classId, p_rules: rules },
    ...{ p_registration_opens_at: iso(-60_000), p_registration_ends_at: iso(60_000) },
    ...{ p_begins_at: iso(-1_000), p_ends_at: iso(60_000) },
  });
  const entrants = await Promise.all(users.map((user) => enterWithBot(user, id)));

  await signIn(page, 'manager@fulcrum.local', { at: `/manager/projector?contest=${id}` });
  const board = page.getByRole('list', { name: 'Ranking of Class cup' }).getByRole('listitem');
  await expect(board.first()).toBeVisible();
  // Every second one buys, each another amount; then the price rises.
  await Promise.all(
    entrants.map(({ key }, index) =>
      sendSignedOrder(fulcrum.url, key, {
        ...{ symbol: 'BTCUSDT', side: index % 2 === 0 ? 'BUY' : 'SELL', type: 'MARKET' },
        ...{ quantity: ((index + 1) / 1_000).toFixed(3), newClientOrderId: randomUUID() },
      }),
    ),
  );
  await admin.call('shock_price', {
    ...{ p_symbol: 'BTCUSDT', p_percent: 3, p_half_life_minutes: 600, p_reason: 'A journey' },
  });
  await expect(board.first()).toContainText('cup_28');
  await expect(page.getByText(/^Result of \d/)).toBeVisible({ timeout: 120_000 });
  await expect(board.first()).toContainText('cup_28');

  const ranking = await tutor.call<{ frozen: boolean; ranks: Rank[] }>('get_contest_ranking', {
    p_contest_id: id,
  });
  expect(ranking).toMatchObject({ frozen: true });
  expect(ranking.ranks.map(({ rank }) => rank)).toEqual(users.map((_, index) => index + 1));
  expect(ranking.ranks.at(-1)?.username).toBe('cup_29');

  await test.step('what a tutor saves is what was shown', async () => {
    await page.goto(`/manager/contests?contest=${id}`);
    const view = page.getByRole('region', { name: 'Class cup' });
    const saved = await download(page, view.getByRole('button', { name: 'File of the ranking' }));
    expect(
      rowsOf(saved.text).map(({ Rank, Username, Equity }) => [Number(Rank), Username, Number(Equity)]),
    ).toEqual(ranking.ranks.map(({ rank, username, equity }) => [rank, username, equity]));
    const result = page.getByRole('region', { name: 'Result and proof' });
    await expect(result).toContainText(`The end closed ${students} positions`);
    await expect(result).toContainText('Price shock, BTCUSDT');
    const document = await download(page, result.getByRole('button', { name: 'Download the document' }));
    await expect(result.getByText(createHash('sha256').update(document.text).digest('hex'))).toBeVisible();

    await page.goto('/manager');
    const members = page.getByRole('region', { name: 'Markets 30' });
    const file = await download(page, members.getByRole('button', { name: 'File of the class' }));
    expect(
      rowsOf(file.text)
        .map(({ Username }) => Username)
        .toSorted(),
    ).toEqual(users.map(({ username }) => username).toSorted());
  });

  await test.step('the winner verifies the certificate without a server', async () => {
    await signIn(page, 'cup_28@school.test', { password: traderPassword, at: `/contests?contest=${id}` });
    const result = page.getByRole('region', { name: 'Result and proof' });
    const { path } = await download(page, result.getByRole('button', { name: 'Download my certificate' }));
    const { stdout } = await promisify(execFile)(process.execPath, [verifier, path], { env: childEnv });
    expect(stdout).toContain(`1 of ${students}`);
  });
  expect(errors).toEqual([]);
});
