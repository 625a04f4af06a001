/** The end of a contest (A116): one closing price for all, markets shut or held included, and a result that is written once. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dayMs, hourMs, minuteMs, nextClosing, nextOpening } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import { readCertificate, requireResult } from '../../src/features/programs/index.ts';
import { childEnv } from '../harness/child-env.ts';
import { refreshed } from '../identity/user-server.ts';
import { reason, type TestUser } from '../trading/trading-server.ts';
import { type Contest, type ContestFloor, startContestFloor } from './contest-floor.ts';
import { createSecondPrograms } from './second-process.ts';

const verifyCertificate = fileURLToPath(
  new URL('../../../../scripts/verify-certificate.ts', import.meta.url),
);
const share = 'AAPL';
const hours = catalogue.find((pair) => pair.symbol === share)?.tradingHours ?? '';
let school: ContestFloor;
let floor: ContestFloor['floor'];
let admin: TestUser;
let owner: pg.Client;
beforeAll(async () => {
  school = await startContestFloor({ sessions: 'honour' });
  floor = school.floor;
  admin = floor.admin;
  owner = new pg.Client({ connectionString: floor.databaseUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await floor.close();
});
beforeEach(async () => {
  await refreshed(admin.client);
  setPrices('100');
});

const setPrices = (price: string) => {
  for (const symbol of ['BTCUSDT', 'ETHUSDT', share]) floor.feed.setPrice(symbol, price);
};

const open = async (client: SupabaseClient, p_symbol: string, more: Record<string, unknown> = {}) => {
  const args = { p_symbol, p_side: 'BUY', p_size: 1, p_leverage: 10, ...more };
  const { data } = await client.rpc('open_position', args).throwOnError();
  return data.id as string;
};
const positionsOf = async (accountId: string) => {
  const { rows } = await floor.db.query<Record<string, unknown>>(
    `select symbol, status, close_reason, close_price::float as close_price, close_price_source
     from app.positions where user_id = $1 order by symbol`,
    [accountId],
  );
  return rows;
};
const frozen = (contest: Contest) =>
  expect.poll(() => school.isFrozen(contest), { interval: 100 }).toBe(true);
const resultRows = async (contest: Contest) => {
  const { rows } = await floor.db.query<{ document: string; sha256: string }>(
    'select document, sha256 from app.program_results where program_id = $1',
    [contest.id],
  );
  return rows;
};
const endRows = async (contest: Contest) =>
  (await floor.audit(contest.id)).filter(({ action }) => action === 'contest.end');

/** A contest that lasts an hour from now on. */
const short = (ruled: Record<string, unknown> = {}) =>
  school.save({ p_ends_at: school.iso(hourMs), p_registration_ends_at: school.iso(hourMs) }, ruled);

test('everything is closed at the last accepted marks, of a market that is shut and of a price that is held too', async () => {
  floor.clock.set(nextOpening(hours, floor.clock.now()) ?? 0);
  await refreshed(admin.client);
  setPrices('100');
  const closing = nextClosing(hours, floor.clock.now()) ?? 0;
  const ends = new Date(closing + 10 * minuteMs).toISOString();
  const made = await school.save({ p_ends_at: ends, p_registration_ends_at: school.iso(hourMs) });
  const [one, other] = [await school.entrant(made), await school.entrant(made)];
  await open(one.client, 'BTCUSDT');
  await open(one.client, share);
  const { data: order } = await one.client
    .from('orders')
    .insert({ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', price: 90, size: 1, leverage: 10 })
    .select('id')
    .single()
    .throwOnError();
  await open(other.client, 'ETHUSDT', { p_side: 'SELL' });

  // The share's market closes at 103; a jump of the other one is held; a shock is part of the result.
  floor.clock.set(closing - minuteMs);
  floor.feed.setPrice(share, '103');
  floor.clock.set(Date.parse(ends) - 1_000);
  floor.feed.setPrice(share, '150', { breaks: false });
  floor.feed.setPrice('ETHUSDT', '60', { breaks: false });
  await refreshed(admin.client);
  await admin.client
    .rpc('shock_price', { p_symbol: 'BTCUSDT', p_percent: 10, p_reason: reason })
    .throwOnError();
  await school.passEnd(made, one.trader, other.trader);
  floor.feed.setPrice('BTCUSDT', '107');
  await frozen(made);

  const ended = { status: 'closed', close_reason: 'program_end' };
  const own = await positionsOf(one.accountId);
  expect(own).toMatchObject([
    { ...ended, symbol: share, close_price: 103, close_price_source: 'mark' },
    { ...ended, symbol: 'BTCUSDT', close_price: 107, close_price_source: 'live' },
  ]);
  expect(await positionsOf(other.accountId)).toMatchObject([
    { ...ended, symbol: 'ETHUSDT', close_price: 100, close_price_source: 'mark' },
  ]);
  const { rows: orders } = await floor.db.query('select status from app.orders where id = $1', [order?.id]);
  expect(orders).toEqual([{ status: 'CANCELED' }]);

  const result = await school.resultFor(other.trader, made);
  expect(result).toMatchObject({ positions_closed: 3 });
  expect(result?.closings).toMatchObject([
    { number: 1, symbol: share, state: 'shut', price: '103' },
    { number: 2, symbol: 'ETHUSDT', state: 'held', price: '100' },
  ]);
  expect(result?.interventions).toMatchObject([{ action: 'price.shock', symbol: 'BTCUSDT' }]);
  const ranking = await school.rankingFor(one.trader, made);
  expect(ranking).toMatchObject({ frozen: true, entrants: 2 });
  // 7 and 3 of the start balance of 5,000.
  expect(ranking.ranks).toMatchObject([
    { rank: 1, number: 1, equity: 5010, return_pct: 0.2, score: 0.2, trades: 2 },
    { rank: 2, number: 2, equity: 5000, return_pct: 0, score: 0, trades: 1 },
  ]);

  // The proof: the hash of the document is in the audit log, whose rows are chained.
  const document = result?.document ?? '';
  expect(createHash('sha256').update(document).digest('hex')).toBe(result?.sha256);
  expect(await endRows(made)).toMatchObject([
    {
      actor_id: null,
      detail: {
        result_sha256: result?.sha256,
        entrants: 2,
        positions_closed: 3,
        positions_closed_at_old_prices: 2,
      },
    },
  ]);

  // A certificate states the same, and is checked without a server.
  const certificateFor = async ({ client }: TestUser): Promise<string> =>
    (await client.rpc('get_contest_certificate', { p_contest_id: made.id }).throwOnError()).data.text;
  const [winner, second] = [await certificateFor(one.trader), await certificateFor(other.trader)];
  const { statement, fingerprint } = readCertificate(winner);
  expect(fingerprint).toBe(result?.certificate_key);
  expect(statement).toMatchObject({
    entrant: { number: 1, username: one.trader.username },
    ...{ result: { rank: 1, equity: '5010' }, entrants: 2, result_sha256: result?.sha256 },
  });
  requireResult(statement, document);
  const { rows: links } = await floor.db.query(
    `select c.seq::float8 as seq, encode(c.hash, 'hex') as hash from app.audit_chain c
     join app.audit_log a on a.id = c.audit_id where a.action = 'contest.end' and a.object_id = $1`,
    [made.id],
  );
  expect(links).toEqual([statement.audit]);
  expect(() => requireResult(statement, document.replace('5010', '5011'))).toThrow(/not the one/);
  expect(() => readCertificate(second.replace(other.trader.username, one.trader.username))).toThrow(
    /was changed/,
  );
  expect(() => readCertificate(second.replace(/"signature": ".{5}/, '"signature": "AAAAA'))).toThrow(
    /was changed/,
  );
  expect(() => readCertificate('{}')).toThrow(/no certificate/);
  const stranger = await floor.addUser('trader');
  expect((await stranger.client.rpc('get_contest_certificate', { p_contest_id: made.id })).status).toBe(403);

  const folder = mkdtempSync(join(tmpdir(), 'fulcrum-certificate-'));
  try {
    const [file, resultFile] = [join(folder, 'certificate.json'), join(folder, 'result.json')];
    writeFileSync(file, second);
    writeFileSync(resultFile, document);
    const verify = (...args: readonly string[]) =>
      spawnSync(process.execPath, [verifyCertificate, ...args], { encoding: 'utf8', env: childEnv });
    const verified = verify(file, '--result', resultFile, '--key', fingerprint);
    expect(verified).toMatchObject({ status: 0, stderr: '' });
    expect(verified.stdout).toContain('rank          2 of 2');
    expect(verified.stdout).toContain('The document of the result states the same.');
    expect(verify(file, '--key', 'another')).toMatchObject({
      ...{ status: 1, stdout: '', stderr: `NOT valid: it is signed by another key: ${fingerprint}\n` },
    });
    expect(verify(join(folder, 'none'))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('cannot read'),
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
  for (const { trader } of [one, other]) {
    expect(document).not.toContain(trader.username);
    expect(document).not.toContain(trader.id);
  }

  for (const { trader } of [one, other]) {
    expect((await floor.notices(trader)).map(({ message }) => message)).toContain(
      `${made.name} has ended. Its result is in Contests.`,
    );
  }

  // It stays readable and trades no more.
  const again = await school.clientIn(one.trader, one.accountId);
  const { error } = await again.rpc('open_position', {
    ...{ p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 1, p_leverage: 10 },
  });
  expect(error?.code).toBe('account_archived');
  expect((await again.from('wallets').select('balance').single()).data).toEqual({ balance: 5010 });
});

test('an open market that never trades again ends at its last accepted price a minute after the end, and the result states that', async () => {
  const made = await short();
  const { client, trader, accountId } = await school.entrant(made);
  await open(client, 'BTCUSDT');
  floor.feed.setPrice('BTCUSDT', '103');
  await school.passEnd(made, trader);
  const marks = async () =>
    (
      await floor.db.query<{ marks: unknown }>(
        'select closing_marks as marks from app.programs where id = $1',
        [made.id],
      )
    ).rows[0]?.marks;
  expect(await marks()).toBeNull();
  floor.clock.advance(minuteMs);
  await frozen(made);
  expect(await positionsOf(accountId)).toMatchObject([{ close_reason: 'program_end', close_price: 103 }]);
  expect((await school.resultFor(trader, made))?.closings).toMatchObject([
    { symbol: 'BTCUSDT', state: 'old', price: '103' },
  ]);
});

test('between the end and the close nothing is done in the account', async () => {
  const made = await short();
  const { client, trader, accountId } = await school.entrant(made);
  const id = await open(client, 'BTCUSDT');
  // A halt keeps the end from closing anything.
  await admin.client.rpc('halt_trading', { p_reason: reason }).throwOnError();
  await school.passEnd(made, trader);
  setPrices('109');
  const { rows } = await floor.db.query<{ marks: { at: string } | null }>(
    'select closing_marks as marks from app.programs where id = $1',
    [made.id],
  );
  expect(rows).toHaveLength(1);
  const marksOf = async () =>
    (
      await floor.db.query<{ marks: { marks: Record<string, { price: string }> } | null }>(
        'select closing_marks as marks from app.programs where id = $1',
        [made.id],
      )
    ).rows[0]?.marks?.marks.BTCUSDT;
  await expect.poll(marksOf).toMatchObject({ price: '109', state: 'live' });
  expect(await school.isFrozen(made)).toBe(false);

  // The server ends here and comes back, with other prices: the stored ones stand.
  await floor.restart();
  await refreshed(admin.client);
  await refreshed(trader.client);
  floor.clock.advance(5_000);
  setPrices('80');
  const own = await school.clientIn(trader, accountId);
  await admin.client.rpc('resume_trading', { p_reason: reason }).throwOnError();
  const late = await own.rpc('close_position', { p_position_id: id });
  expect(['contest_over', 'account_archived', 'position_closed']).toContain(late.error?.code);
  await frozen(made);
  expect(await positionsOf(accountId)).toMatchObject([{ close_price: 109, close_reason: 'program_end' }]);
  expect((await school.resultFor(trader, made))?.interventions.map(({ action }) => action)).toEqual([
    'trading.halt',
  ]);
});

test('a server that is stopped between the close and the result goes on, and two at once write one result', async () => {
  const made = await short();
  const { client, trader, accountId } = await school.entrant(made);
  await open(client, 'BTCUSDT');
  await owner.query(`create function app.refuse_result() returns trigger language plpgsql as $$
    begin raise exception 'the disk is gone'; end $$`);
  await owner.query(`create trigger refuse_result before insert on app.program_results
    for each row execute function app.refuse_result()`);
  await school.passEnd(made, trader);
  setPrices('104');
  await expect.poll(async () => (await positionsOf(accountId))[0]?.status).toBe('closed');
  expect(await resultRows(made)).toEqual([]);
  expect(await school.isFrozen(made)).toBe(false);
  await floor.restart();
  await owner.query('drop trigger refuse_result on app.program_results');
  await owner.query('drop function app.refuse_result()');
  // A second process that does the same at the same time.
  const second = createSecondPrograms(floor);
  await second.start();
  try {
    await frozen(made);
  } finally {
    await second.stop();
  }
  const [first, ...more] = await resultRows(made);
  expect(more).toEqual([]);
  expect(await endRows(made)).toMatchObject([{ detail: { result_sha256: first?.sha256, entrants: 1 } }]);

  // Another start finds nothing to do.
  await floor.restart();
  await expect.poll(() => school.isFrozen(made)).toBe(true);
  expect(await resultRows(made)).toEqual([first]);
  expect(await endRows(made)).toHaveLength(1);
});

describe('the result', () => {
  test('ranks by the score of the contest; who opened too little has no rank', async () => {
    const made = await short({ score: 'drawdown', tradesMin: 1 });
    const [busy, idle] = [await school.entrant(made), await school.entrant(made)];
    const id = await open(busy.client, 'BTCUSDT');
    floor.clock.advance(1_000);
    setPrices('95');
    await busy.client.rpc('close_position', { p_position_id: id }).throwOnError();
    await school.passEnd(made, busy.trader, idle.trader);
    await frozen(made);
    // A loss of 0.1 %, and a smaller drawdown counts as one per cent.
    expect((await school.rankingFor(idle.trader, made)).ranks).toMatchObject([
      { rank: 1, number: 1, score: -0.1, drawdown_pct: 0.1, unranked: null },
      { rank: null, number: 2, score: 0, unranked: 'too_few_trades' },
    ]);
  });

  test('of a contest without entrants is empty, and a deleted entrant is excluded from a running one and stays in a frozen one', async () => {
    const empty = await short();
    const made = await short();
    const [gone, stays] = [await school.entrant(made), await school.entrant(made)];
    await open(gone.client, 'BTCUSDT');
    const remove = ({ trader }: { trader: TestUser }) =>
      admin.client.rpc('delete_user_with_data', { p_user_id: trader.id, p_reason: reason }).throwOnError();
    await remove(gone);
    await school.passEnd(made, stays.trader);
    await Promise.all([frozen(empty), frozen(made)]);
    expect((await school.rankingFor(admin, empty)).ranks).toEqual([]);
    expect((await school.rankingFor(admin, made)).ranks).toMatchObject([
      { number: 2, username: stays.trader.username },
    ]);
    await remove(stays);
    floor.clock.advance(dayMs);
    await refreshed(admin.client);
    const ranking = await school.rankingFor(admin, made);
    expect(ranking).toMatchObject({ entrants: 1, ranks: [{ number: 2, username: null }] });
    const { data: contests } = await admin.client.rpc('list_contests').throwOnError();
    const entrantsOf = ({ id }: Contest) =>
      contests.find((contest: { id: string }) => contest.id === id)?.entrants;
    expect([entrantsOf(made), entrantsOf(empty)]).toEqual([1, 0]);
    const [stored] = await resultRows(made);
    expect(JSON.parse(stored?.document ?? '').entrants).toHaveLength(1);
  });

  test('nothing changes it: not even the application’s own role can', async () => {
    for (const statement of [
      `update app.program_results set document = ''`,
      'delete from app.program_results',
      'delete from app.programs',
    ]) {
      await expect(floor.db.query(statement)).rejects.toMatchObject({ code: '42501' });
    }
  });
});
