/**
 * A month of a school in minutes: 30 students come in by a file, get accounts of their class, enter its contest, and trade by the exchange API
 * while a price is moved; the ranking is live, the result is frozen, and certificate and market are verified without a server.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dayMs, hourMs, minuteMs } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendSignedOrder } from '../exchange/signed-order.ts';
import { childEnv } from '../harness/child-env.ts';
import { eventually } from '../harness/eventually.ts';
import { testPassword } from '../harness/index.ts';
import { refreshed } from '../identity/user-server.ts';
import { reason, type TestUser } from '../trading/trading-server.ts';
import { type Contest, type ContestFloor, startContestFloor } from './contest-floor.ts';

const students = 30;
const script = (name: string) => fileURLToPath(new URL(`../../../../scripts/${name}.ts`, import.meta.url));

interface Student extends TestUser {
  /** Of the contest. */
  readonly accountId: string;
  readonly bot: (order: Readonly<Record<string, string>>) => Promise<void>;
}

let school: ContestFloor;
let floor: ContestFloor['floor'];
let tutor: TestUser;
let folder: string;
beforeAll(async () => {
  school = await startContestFloor({ priceFeed: { kind: 'simulated', seed: null } }, { feed: null });
  floor = school.floor;
  tutor = await floor.addUser('manager');
  folder = mkdtempSync(join(tmpdir(), 'fulcrum-school-'));
});
afterAll(async () => {
  await floor.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Moves the time, and waits for the prices of then; sessions are renewed. */
async function moveTo(instant: number, users: readonly Pick<TestUser, 'client'>[]): Promise<void> {
  floor.clock.set(instant);
  for (const { client } of [floor.admin, tutor, ...users]) await refreshed(client);
  await eventually(() => expect(floor.server.market.price('BTCUSDT')?.marketTime).toBe(instant));
}

/** Each chooses a password by the link of the import, as the page does. */
async function comeIn(link: string): Promise<SupabaseClient> {
  const client = floor.client();
  const token_hash = new URL(link).searchParams.get('token_hash') ?? '';
  const { error } = await client.auth.verifyOtp({ token_hash, type: 'recovery' });
  if (error) throw error;
  const { error: refused } = await client.auth.updateUser({ password: testPassword });
  if (refused) throw refused;
  return client;
}

async function importStudents(className: string): Promise<readonly TestUser[]> {
  const rows = Array.from({ length: students }, (_, index) => ({
    ...{ email: `student-${index}-${randomUUID().slice(0, 8)}@school.test`, username: `student_${index}` },
    ...{ role: '', manager: '', start_balance: '', phone: '', class: className },
  }));
  const { data } = await floor.admin.client
    .rpc('import_users', {
      p_import_id: randomUUID(),
      p_rows_in_all: students,
      p_links: 'file',
      p_rows: rows,
    })
    .throwOnError();
  const users: TestUser[] = [];
  for (const { email, username, verdict, link } of data.rows) {
    expect(verdict).toBe('created');
    const client = await comeIn(link);
    const { data: own } = await client.auth.getUser();
    users.push({ id: own.user?.id ?? '', email, username, client });
  }
  return users;
}

/** Enters, and makes a key of the account. */
async function enterWithBot(contest: Contest, user: TestUser): Promise<Student> {
  const accountId = (await school.enter(contest, user)).account_id ?? '';
  const { data: key } = await user.client
    .rpc('create_api_key', { p_name: 'bot', p_account_id: accountId, p_scopes: ['read', 'trade'] })
    .throwOnError();
  const bot: Student['bot'] = (order) => sendSignedOrder(floor.url, key, order, floor.clock.now());
  return { ...user, accountId, bot };
}

const runTool = (name: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, [script(name), ...args], { env: childEnv, encoding: 'utf8' });

function save(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test('a class of 30 comes in, trades by the exchange API, and its contest ends with results that anyone can verify', async () => {
  const { data: made } = await floor.admin.client
    .rpc('save_class', {
      ...{ p_name: 'Markets 30', p_begins_at: school.iso(-dayMs), p_ends_at: school.iso(20 * dayMs) },
      ...{ p_start_balance: 10_000, p_rules: 'perpetual', p_leverage_max: 20, p_symbols: null },
      ...{ p_positions_max: null, p_tutor_ids: [tutor.id] },
    })
    .throwOnError();
  const users = await importStudents('Markets 30');
  const { data: members } = await tutor.client
    .rpc('list_class_members', { p_class_id: made.id })
    .throwOnError();
  expect(members).toHaveLength(students);

  const contest = await school.save(
    {
      ...{ p_name: 'Class cup', p_class_id: made.id },
      ...{ p_begins_at: school.iso(hourMs), p_registration_ends_at: school.iso(2 * hourMs) },
      p_ends_at: school.iso(3 * hourMs),
    },
    { ruleSet: 'perpetual', startBalance: 10_000, leverageMax: 20 },
    tutor,
  );
  const entrants: Student[] = [];
  for (const user of users) entrants.push(await enterWithBot(contest, user));
  const stranger = await floor.addUser('trader');
  const { error: refused } = await stranger.client.rpc('enter_contest', { p_contest_id: contest.id });
  expect(refused?.code).toBe('not_found');

  // They start together: every second one buys, each another amount.
  await moveTo(Date.parse(contest.begins_at), entrants);
  await eventually(async () => {
    const { data } = await tutor.client
      .rpc('get_contest_market', { p_contest_id: contest.id })
      .throwOnError();
    expect(data).not.toBeNull();
  });
  await moveTo(floor.clock.now() + minuteMs, entrants);
  await Promise.all(
    entrants.map(({ bot }, index) =>
      bot({
        ...{ symbol: 'BTCUSDT', side: index % 2 === 0 ? 'BUY' : 'SELL', type: 'MARKET' },
        ...{ quantity: ((index + 1) / 1_000).toFixed(3), newClientOrderId: `start-${index}` },
      }),
    ),
  );
  // An order is carried out after the latency of its account.
  await moveTo(floor.clock.now() + 2_000, entrants);
  await eventually(async () => {
    const { rows } = await floor.db.query('select from app.positions where user_id = any ($1::uuid[])', [
      entrants.map(({ accountId }) => accountId),
    ]);
    expect(rows).toHaveLength(students);
  });
  await floor.admin.client
    .rpc('shock_price', { p_symbol: 'BTCUSDT', p_percent: 3, p_half_life_minutes: 600, p_reason: reason })
    .throwOnError();
  await moveTo(floor.clock.now() + 10 * minuteMs, entrants);

  const { ranks } = await school.rankingFor(tutor, contest);
  expect(ranks).toHaveLength(students);
  const equities = ranks.map(({ equity }) => Number(equity));
  expect(equities).toEqual(equities.toSorted((one, other) => other - one));
  // The one with the most longs gains the most by the move, the one with the most shorts loses the most.
  expect(ranks[0]?.username).toBe('student_28');
  expect(ranks.at(-1)?.username).toBe('student_29');

  await moveTo(Date.parse(contest.ends_at), entrants);
  await eventually(async () => expect(await school.isFrozen(contest)).toBe(true));
  const result = await school.resultFor(tutor, contest);
  expect(result).toMatchObject({ positions_closed: students, interventions: [{ symbol: 'BTCUSDT' }] });
  expect((await school.rankingFor(tutor, contest)).frozen).toBe(true);

  const winner = entrants.find(({ username }) => username === 'student_28');
  if (!winner) throw new Error('the winner is an entrant');
  const { data: certificate } = await winner.client
    .rpc('get_contest_certificate', { p_contest_id: contest.id })
    .throwOnError();
  const verified = runTool('verify-certificate', save('certificate.json', certificate.text));
  expect(verified).toMatchObject({ status: 0, stderr: '' });
  expect(verified.stdout).toContain(`1 of ${students}`);

  const midnight = (Math.floor(Date.parse(contest.ends_at) / dayMs) + 1) * dayMs;
  await moveTo(midnight + 6 * minuteMs, [winner]);
  const { data: market } = await winner.client
    .rpc('get_contest_market', { p_contest_id: contest.id, p_with_file: true })
    .throwOnError();
  const report = runTool('verify-market', save('market.json', market.file));
  expect(report).toMatchObject({ status: 0, stderr: '' });
  expect(report.stdout).toContain('Every computed price agrees.');
}, 240_000);
