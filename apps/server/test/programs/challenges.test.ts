/** Challenges (A112): verdicts at the tick that decides, with their marks and arithmetic; steps, attempts, and what staff cannot do. */
import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from '@fulcrum/contract/database';
import { asMoney, challengeEntrantsMax, dayMs, hourMs } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openLockedAccount } from '../../src/features/accounts/index.ts';
import { createCertificateSigner } from '../../src/features/programs/certificate.ts';
import {
  createChallengeResults,
  formatChallengeResult,
} from '../../src/features/programs/challenge-result.ts';
import { CertificateFault, readCertificate, requireResult } from '../../src/features/programs/index.ts';
import { hashOf } from '../../src/features/programs/result.ts';
import { createSteps } from '../../src/features/programs/steps.ts';
import { writeStatesStatement } from '../../src/features/trading/engine/challenge-rows.ts';
import { childEnv } from '../harness/child-env.ts';
import { testLog } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { refreshed } from '../identity/user-server.ts';
import { reason, type TestUser } from '../trading/trading-server.ts';
import { auditVerdict, type KnownTicks } from './audited-verdict.ts';
import { type ContestFloor, startContestFloor } from './contest-floor.ts';
import { createSecondPrograms, secondProcess } from './second-process.ts';

const verifyCertificate = fileURLToPath(
  new URL('../../../../scripts/verify-certificate.ts', import.meta.url),
);

type Functions = Database['public']['Functions'];
type Challenge = Functions['list_challenges']['Returns'][number];
type Attempt = Functions['get_challenge_attempts']['Returns']['attempts'][number];

let school: ContestFloor;
let floor: ContestFloor['floor'];
let admin: TestUser;
beforeAll(async () => {
  school = await startContestFloor();
  floor = school.floor;
  admin = floor.admin;
});
afterAll(() => floor.close());
beforeEach(async () => {
  for (const symbol of ['BTCUSDT', 'ETHUSDT']) floor.feed.setPrice(symbol, '100');
  await refreshed(admin.client);
});

const step = (more: Record<string, unknown> = {}) => ({
  ...{ targetPct: 8, dailyLoss: null, maxLoss: { pct: 4, mode: 'static', lockPct: null } },
  ...{ consistencyPct: null, daysMin: 0, daysMax: null },
  ...more,
});
const terms = (steps: readonly object[], more: Record<string, unknown> = {}, ruled: object = {}) => ({
  ...{ p_name: `Challenge ${randomUUID().slice(0, 8)}`, p_description: 'Be careful', p_class_id: null },
  ...{
    p_opens_at: school.iso(-hourMs),
    p_starts_until: school.iso(30 * dayMs),
    p_ends_at: school.iso(60 * dayMs),
  },
  p_rules: {
    ...{ v: 1, startBalance: 5000, ruleSet: 'standard', leverageMax: 10, symbols: null, positionsMax: null },
    ...{ attemptsMax: 2, steps, ...ruled },
  },
  ...more,
});
const save = async (
  steps: readonly object[] = [step()],
  more: Record<string, unknown> = {},
  ruled: object = {},
) => (await admin.client.rpc('save_challenge', terms(steps, more, ruled)).throwOnError()).data as Challenge;
const start = async (by: TestUser, { id }: Pick<Challenge, 'id'>): Promise<Challenge> =>
  (await by.client.rpc('start_challenge', { p_challenge_id: id }).throwOnError()).data;
const attemptsOf = async (by: TestUser, { id }: Pick<Challenge, 'id'>): Promise<Attempt[]> =>
  (await by.client.rpc('get_challenge_attempts', { p_challenge_id: id }).throwOnError()).data.attempts;

async function attempt(challenge: Challenge, by?: TestUser) {
  const trader = by ?? (await floor.addUser('trader'));
  const { account_id } = await start(trader, challenge);
  const accountId = account_id ?? '';
  return { trader, accountId, client: await school.clientIn(trader, accountId) };
}
const buy = async (client: SupabaseClient, p_size: number, p_symbol = 'BTCUSDT', more: object = {}) => {
  const args = { p_symbol, p_side: 'BUY', p_size, p_leverage: 10, ...more };
  const { data } = await client.rpc('open_position', args).throwOnError();
  return data.id as string;
};
const close = (client: SupabaseClient, p_position_id: string) =>
  client.rpc('close_position', { p_position_id }).throwOnError();
const price = (of: string, symbol = 'BTCUSDT') => floor.feed.setPrice(symbol, of);
const verdictOf = async (by: TestUser, challenge: Challenge, stepAt = 0) => {
  const [last] = await attemptsOf(by, challenge);
  return last?.steps[stepAt]?.verdict ?? null;
};
/** The verdict, which the auditor computes again. */
async function decided(by: TestUser, challenge: Challenge, stepAt = 0, known: KnownTicks = {}) {
  const verdict = await eventually(async () => {
    const found = await verdictOf(by, challenge, stepAt);
    if (!found) throw new Error('not decided');
    return found;
  }, 20);
  const [last] = await attemptsOf(by, challenge);
  await auditVerdict(floor.db, last?.steps[stepAt]?.account_id ?? '', known);
  return verdict;
}

describe('a verdict', () => {
  test('falls at the tick that touches the floor, at its marks, with the close-out and its rows', async () => {
    const challenge = await save();
    const { trader, client, accountId } = await attempt(challenge);
    await buy(client, 50);
    await buy(client, 1, 'ETHUSDT');
    price('101', 'ETHUSDT');
    price('96.1');
    const [before] = await attemptsOf(trader, challenge);
    expect(before).toMatchObject({ state: 'running', steps: [{ step: 1, verdict: null }] });
    expect(before?.steps[0]?.figures).toMatchObject({
      ...{ equity: '4806', balance: '5000', profitNeeded: '400', tradingDays: 1 },
      maxLoss: { from: '5000', allowed: '200', floor: '4800', locked: false },
    });
    price('95.98');
    const earlier = [
      { BTCUSDT: '100', ETHUSDT: '101' },
      { BTCUSDT: '96.1', ETHUSDT: '101' },
    ];
    const verdict = await decided(trader, challenge, 0, { earlier });
    expect(verdict).toMatchObject({
      ...{ outcome: 'failed', rule: 'max_loss' },
      marks: [
        { symbol: 'BTCUSDT', price: '95.98', state: 'live' },
        { symbol: 'ETHUSDT', price: '101', state: 'live' },
      ],
      arithmetic: { equity: '4800', balance: '5000', maxLoss: { floor: '4800' } },
    });
    price('105');
    const { rows } = await floor.db.query<Record<string, unknown>>(
      `select symbol, status, close_reason, close_price::float as close_price from app.positions where user_id = $1 order by symbol`,
      [accountId],
    );
    const ended = { status: 'closed', close_reason: 'program_end' };
    expect(rows).toEqual([
      { symbol: 'BTCUSDT', close_price: 95.98, ...ended },
      { symbol: 'ETHUSDT', close_price: 101, ...ended },
    ]);
    const { error } = await client.rpc('open_position', {
      ...{ p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 1, p_leverage: 10 },
    });
    expect(error?.code).toBe('account_archived');
    const { rows: audits } = await floor.db.query(
      `select action, object_id, detail ->> 'account_id' as account_id from app.audit_log where subject_id = $1 order by id`,
      [trader.id],
    );
    expect(audits).toEqual(
      ['challenge.start', 'challenge.fail'].map((action) => ({
        ...{ action, object_id: challenge.id, account_id: accountId },
      })),
    );
    const { rows: notices } = await floor.db.query<{ kind: string }>(
      'select kind from app.notifications where user_id = $1',
      [accountId],
    );
    expect(notices).toEqual([{ kind: 'challenge_failed' }]);
    const [last] = await attemptsOf(trader, challenge);
    expect(last).toMatchObject({ state: 'failed', is_self: true, username: trader.username });
  });

  test('a stop loss that the same tick reaches is decided first', async () => {
    const challenge = await save();
    const { trader, client, accountId } = await attempt(challenge);
    await buy(client, 60, 'BTCUSDT', { p_stop_loss_price: 97 });
    price('96.5');
    const verdict = await decided(trader, challenge);
    expect(verdict).toMatchObject({
      rule: 'max_loss',
      arithmetic: { balance: '4790', equity: '4790' },
      marks: [{ symbol: 'BTCUSDT', price: '96.5', state: 'live' }],
    });
    const { rows } = await floor.db.query<{ close_reason: string }>(
      'select close_reason from app.positions where user_id = $1',
      [accountId],
    );
    expect(rows).toEqual([{ close_reason: 'stop_loss' }]);
  });

  test('an intraday peak of ticks moves the floor', async () => {
    const challenge = await save([step({ maxLoss: { pct: 4, mode: 'trailing_intraday', lockPct: null } })]);
    const { trader, client } = await attempt(challenge);
    await buy(client, 50);
    price('103');
    price('99.1');
    expect(await verdictOf(trader, challenge)).toBeNull();
    price('99');
    expect(await decided(trader, challenge, 0, { peak: '5150' })).toMatchObject({
      ...{ outcome: 'failed', rule: 'max_loss' },
      arithmetic: { equity: '4950', maxLoss: { from: '5150', floor: '4950' } },
    });
  });

  test('the peak survives a restart of the server', async () => {
    const challenge = await save([step({ maxLoss: { pct: 4, mode: 'trailing_intraday', lockPct: null } })]);
    const { trader, client, accountId } = await attempt(challenge);
    await buy(client, 50);
    price('103');
    price('100');
    await eventually(async () => {
      floor.clock.advance(1_000);
      price('100');
      const { rows } = await floor.db.query<{ peak: string }>(
        'select peak::float::text as peak from app.challenge_states where account_id = $1',
        [accountId],
      );
      expect(rows).toEqual([{ peak: '5150' }]);
    });
    // A stop writes what is newer.
    price('104');
    price('103');
    await floor.restart();
    price('103');
    price('100');
    expect(await decided(trader, challenge, 0, { peak: '5200' })).toMatchObject({
      ...{ rule: 'max_loss', arithmetic: { equity: '5000', maxLoss: { from: '5200', floor: '5000' } } },
    });
  });

  test('a day begins at midnight UTC with the balance of then', async () => {
    const dailyLoss = { pct: 2, of: 'initial', from: 'balance', countsOpen: true, checked: 'tick' };
    const challenge = await save([step({ maxLoss: { pct: 10, mode: 'static', lockPct: null }, dailyLoss })]);
    const { trader, client } = await attempt(challenge);
    const id = await buy(client, 50);
    price('98.2');
    await close(client, id);
    const midnight = (Math.floor(floor.clock.now() / dayMs) + 1) * dayMs;
    floor.clock.set(midnight + 60_000);
    await refreshed(trader.client);
    price('98.2');
    await eventually(async () => {
      const [last] = await attemptsOf(trader, challenge);
      expect(last?.steps[0]?.figures?.dailyLoss).toMatchObject({ from: '4910', floor: '4810' });
    });
    const again = await school.clientIn(trader, (await start(trader, challenge)).account_id ?? '');
    await buy(again, 50);
    price('96.2');
    expect(await decided(trader, challenge)).toMatchObject({
      ...{ rule: 'daily_loss', arithmetic: { equity: '4810', tradingDays: 2, dayBegins: midnight } },
    });
  });

  test('of a day that waits for its last prices does not count what is opened after midnight', async () => {
    const dailyLoss = { pct: 2, of: 'initial', from: 'balance', countsOpen: true, checked: 'day_end' };
    const challenge = await save([step({ maxLoss: { pct: 10, mode: 'static', lockPct: null }, dailyLoss })]);
    const { trader, client, accountId } = await attempt(challenge);
    await buy(client, 50);
    price('97');
    const midnight = (Math.floor(floor.clock.now() / dayMs) + 1) * dayMs;
    floor.clock.set(midnight + 60_000);
    await refreshed(trader.client);
    price('100', 'ETHUSDT');
    await buy(await school.clientIn(trader, accountId), 1, 'ETHUSDT');
    expect(await verdictOf(trader, challenge)).toBeNull();
    price('97');
    expect(await decided(trader, challenge)).toMatchObject({
      ...{ rule: 'daily_loss', decided_at: new Date(midnight).toISOString() },
      arithmetic: { equity: '4850', tradingDays: 1 },
    });
  });

  test('undecided at the time limit fails, with nothing open and without a tick', async () => {
    const challenge = await save([step({ daysMax: 1 })]);
    const { trader } = await attempt(challenge);
    floor.clock.advance(dayMs);
    await refreshed(trader.client);
    expect(await decided(trader, challenge)).toMatchObject({ rule: 'time_limit', marks: [] });
  });
});

test('an open market that never trades again leaves no account undecided: a minute after its end the last accepted price decides', async () => {
  const challenge = await save([step({ daysMax: 1 })]);
  const { trader, client, accountId } = await attempt(challenge);
  await buy(client, 1, 'ETHUSDT');
  price('99', 'ETHUSDT');
  // A gap without prices: until the minute is over it may trade again.
  floor.clock.advance(dayMs + 1_000);
  await refreshed(trader.client);
  await expect
    .poll(
      () => {
        floor.clock.advance(25_000);
        return verdictOf(trader, challenge);
      },
      { interval: 1_200, timeout: 20_000 },
    )
    .toMatchObject({
      ...{ outcome: 'failed', rule: 'time_limit', arithmetic: { equity: '4999' } },
      marks: [{ symbol: 'ETHUSDT', price: '99', state: 'old' }],
    });
  await auditVerdict(floor.db, accountId);
});

test('a step whose notice to the engine was lost is judged within a minute', async () => {
  const challenge = await save([step({ daysMax: 1 })]);
  const trader = await floor.addUser('trader');
  await openLockedAccount(
    floor.db,
    { tradingFeeRate: 0n },
    {
      ownerId: trader.id,
      belonging: { kind: 'challenge', programId: challenge.id, number: 900, attempt: 900, step: 1 },
      terms: { name: 'Lost #900', rules: 'standard', leverageMax: 10, startBalance: '5000' },
      at: new Date(floor.clock.now()),
    },
  );
  floor.clock.advance(dayMs);
  await refreshed(trader.client);
  expect(await decided(trader, challenge)).toMatchObject({ rule: 'time_limit' });
});

test('an engine writes states of the slots that it has, and of no others', async () => {
  const { accountId } = await attempt(await save());
  const { rows } = await floor.db.query<{ engine: number; slot: number }>(
    'select engine, slot from app.engine_slots where slot = app.slot_of($1)',
    [accountId],
  );
  const [{ engine, slot }] = rows as [{ engine: number; slot: number }];
  const state = {
    ...{ initial: asMoney(0n), deadline: null, highestDayEnd: asMoney(0n), peak: asMoney(0n) },
    ...{ day: { begins: 0, balance: asMoney(0n), equity: asMoney(0n) }, bestDay: asMoney(0n) },
    ...{ tradingDays: 0, tradedToday: false },
  };
  const client = new pg.Client({ connectionString: floor.databaseUrl });
  await client.connect();
  await client.query('begin');
  const write = async () =>
    (await client.query(writeStatesStatement(engine, [{ accountId, state }], 0))).rowCount;
  expect(await write()).toBe(1);
  await client.query('update app.engine_slots set engine = null where slot = $1', [slot]);
  expect(await write()).toBe(0);
  await client.query('rollback');
  await client.end();
});

describe('steps and attempts', () => {
  test('a target that is realized passes; the next step has an account of its own, then the challenge is passed', async () => {
    const challenge = await save([step({ targetPct: 2 }), step({ targetPct: 1 })]);
    const { trader, client, accountId } = await attempt(challenge);
    const id = await buy(client, 50);
    price('103');
    expect(await verdictOf(trader, challenge)).toBeNull();
    await close(client, id);
    expect(await decided(trader, challenge)).toMatchObject({
      ...{ outcome: 'passed', rule: null, arithmetic: { profit: '150', profitNeeded: '100' } },
    });
    const second = await eventually(async () => {
      const [last] = await attemptsOf(trader, challenge);
      const next = last?.steps[1];
      if (!next) throw new Error('not opened');
      return next;
    });
    expect(second.account_id).not.toBe(accountId);
    expect(second.figures).toMatchObject({ balance: '5000', initial: '5000', tradingDays: 0 });
    const inSecond = await school.clientIn(trader, second.account_id);
    const other = await buy(inSecond, 50);
    price('104.5');
    await close(inSecond, other);
    expect((await decided(trader, challenge, 1)).outcome).toBe('passed');
    expect((await attemptsOf(trader, challenge))[0]?.state).toBe('passed');
    const again = await trader.client.rpc('start_challenge', { p_challenge_id: challenge.id });
    expect(again.error?.message).toBe('You have passed this challenge.');
    await eventually(async () => {
      const actions = (await floor.audit(trader.id)).map(({ action }) => action);
      expect(actions).toEqual([
        ...['challenge.start', 'challenge.pass', 'challenge.advance', 'challenge.pass', 'challenge.complete'],
      ]);
    });
  });

  test('a server that is stopped between two steps opens the next one after its start, and two at once open one', async () => {
    const challenge = await save([step({ targetPct: 2 }), step()]);
    const { trader, client } = await attempt(challenge);
    const owner = new pg.Client({ connectionString: floor.databaseUrl });
    await owner.connect();
    await owner.query(`create function app.refuse_step() returns trigger language plpgsql as $$
      begin raise exception 'the disk is gone'; end $$`);
    await owner.query(`create trigger refuse_step before insert on app.trading_accounts
      for each row when (new.program_step = 2) execute function app.refuse_step()`);
    const id = await buy(client, 50);
    price('103');
    await close(client, id);
    await decided(trader, challenge);
    expect((await attemptsOf(trader, challenge))[0]).toMatchObject({
      state: 'running',
      steps: [{ step: 1 }],
    });
    const { error } = await trader.client.rpc('start_challenge', { p_challenge_id: challenge.id });
    expect(error?.message).toBe('The next step of your attempt opens within seconds.');
    await floor.restart();
    await owner.query('drop trigger refuse_step on app.trading_accounts');
    await owner.query('drop function app.refuse_step()');
    await owner.end();
    const second = createSecondPrograms(floor);
    await second.start();
    await eventually(async () => {
      expect((await attemptsOf(trader, challenge))[0]?.steps).toMatchObject([{ step: 1 }, { step: 2 }]);
    });
    await second.stop();
    const advanced = (await floor.audit(trader.id)).filter(({ action }) => action === 'challenge.advance');
    expect(advanced).toHaveLength(1);
  });

  test('steps that cannot be opened keep no other one waiting, and are logged once', async () => {
    const broken = await save([step({ targetPct: 2 }), step()]);
    const { accountId } = await attempt(broken);
    const asOwner = async (text: string) => {
      const owner = new pg.Client({ connectionString: floor.databaseUrl });
      await owner.connect();
      await owner.query(text);
      await owner.end();
    };
    // More than one reading has, older than all others, and of a user with another attempt in progress, so that none can be opened.
    await asOwner(`insert into app.trading_accounts
      select (jsonb_populate_record(a, jsonb_build_object('id', left(gen_random_uuid()::text, 34) || right(a.id::text, 2), 'name', 'Step ' || n, 'client_id', null, 'status', 'archived',
        'archived_at', a.created_at, 'program_attempt', 1000 + n, 'program_number', 1000 + n))).*
      from app.trading_accounts a, generate_series(1, 101) n where a.id = '${accountId}'`);
    await asOwner(`insert into app.program_verdicts
      select id, program_id, program_attempt, 1, 'passed', null, to_timestamp(program_attempt), '{}', '"none"', to_timestamp(program_attempt)
      from app.trading_accounts where program_id = '${broken.id}' and program_attempt > 1000`);
    const challenge = await save([step({ targetPct: 2 }), step()]);
    const { trader, client } = await attempt(challenge);
    const id = await buy(client, 50);
    price('103');
    await close(client, id);
    await eventually(async () => {
      expect((await attemptsOf(trader, challenge))[0]?.steps).toMatchObject([{ step: 1 }, { step: 2 }]);
    });
    const warned: unknown[] = [];
    const log = { ...testLog, warn: (about: unknown) => warned.push(about) } as typeof testLog;
    const steps = createSteps({ ...secondProcess(floor), log });
    await steps.openAll(() => true);
    expect(warned).toEqual([]);
    for (let call = 0; call < 2; call += 1) await steps.openAll(() => false);
    expect(warned).toHaveLength(101);
    await asOwner(`delete from app.program_verdicts where program_id = '${broken.id}'`);
  });

  test('a step that is passed as the challenge ends has no next one, and the attempt is not passed', async () => {
    const challenge = await save([step({ targetPct: 2 }), step()]);
    const { trader, client } = await attempt(challenge);
    const owner = new pg.Client({ connectionString: floor.databaseUrl });
    await owner.connect();
    const id = await buy(client, 50);
    price('103');
    // The check that opens the next step waits for this.
    await owner.query('begin');
    await owner.query('select from app.programs where id = $1 for no key update', [challenge.id]);
    await close(client, id);
    await decided(trader, challenge);
    expect((await attemptsOf(trader, challenge))[0]?.state).toBe('running');
    await owner.query(`update app.programs set ends_at = $2, registration_ends_at = $2 where id = $1`, [
      challenge.id,
      new Date(floor.clock.now() - 1),
    ]);
    await owner.query('commit');
    // Behind the check that waited.
    await owner.query('update app.programs set updated_at = updated_at where id = $1', [challenge.id]);
    await owner.end();
    expect((await attemptsOf(trader, challenge))[0]).toMatchObject({ state: 'failed', steps: [{ step: 1 }] });
    const { error } = await trader.client.rpc('start_challenge', { p_challenge_id: challenge.id });
    expect(error?.message).toBe('This challenge takes no more attempts.');
  });

  test('before a challenge opens, and when it is full, no attempt starts, and the answer has the reason', async () => {
    const early = await save([step()], { p_opens_at: school.iso(hourMs) });
    const full = await save();
    await floor.db.query('update app.programs set entrants = $2 where id = $1', [
      full.id,
      challengeEntrantsMax,
    ]);
    const trader = await floor.addUser('trader');
    const ask = async ({ id }: Challenge) =>
      (await trader.client.rpc('start_challenge', { p_challenge_id: id })).error?.message;
    expect(await ask(early)).toMatch(
      /^Attempts at this challenge can be started from \d{4}-\d\d-\d\d \d\d:\d\d UTC on\.$/,
    );
    expect(await ask(full)).toBe('This challenge has had 10000 accounts. It takes no more attempts.');
  });

  test('who has left the class of a challenge reads it, and starts no more attempts', async () => {
    const { data: group } = await admin.client
      .rpc('save_class', {
        ...{ p_name: `Class ${randomUUID().slice(0, 8)}`, p_begins_at: school.iso(-dayMs) },
        ...{ p_ends_at: school.iso(dayMs), p_start_balance: 5000, p_rules: 'standard', p_leverage_max: 10 },
        ...{ p_symbols: null, p_positions_max: null, p_tutor_ids: [] },
      })
      .throwOnError();
    const trader = await floor.addUser('trader');
    const members = { p_class_id: group.id, p_user_ids: [trader.id] };
    await admin.client.rpc('add_class_members', members).throwOnError();
    const challenge = await save([step()], { p_class_id: group.id });
    const { client } = await attempt(challenge, trader);
    await buy(client, 50);
    price('95.9');
    await decided(trader, challenge);
    await floor.db.query(
      `update app.trading_accounts set status = 'archived', archived_at = now() where class_id = $1`,
      [group.id],
    );
    const { data } = await trader.client.rpc('list_challenges').throwOnError();
    expect(data.find(({ id }: Challenge) => id === challenge.id)).toMatchObject({ can_start: false });
    const { error } = await trader.client.rpc('start_challenge', { p_challenge_id: challenge.id });
    expect(error?.message).toBe(
      'This challenge is for the members of its class, and you are not in it any more.',
    );
  });

  test('two challenges of one long name have accounts of all attempts and steps', async () => {
    const long = `A challenge with a long name ${randomUUID().slice(0, 8)}`;
    const trader = await floor.addUser('trader');
    for (const p_name of [`${long} a`, `${long} b`]) {
      const challenge = await save([step({ targetPct: 2 }), step({ targetPct: 2 }), step()], { p_name });
      for (const stepAt of [0, 1]) {
        const { account_id } = await eventually(async () => {
          const started = await start(trader, challenge);
          if (stepAt > 0 && (await attemptsOf(trader, challenge))[0]?.steps.length !== stepAt + 1)
            throw new Error('not opened');
          return started;
        });
        const client = await school.clientIn(trader, account_id ?? '');
        price('100');
        const id = await buy(client, 50);
        price('103');
        await close(client, id);
        await decided(trader, challenge, stepAt);
      }
      await eventually(async () => {
        expect((await attemptsOf(trader, challenge))[0]?.steps).toHaveLength(3);
      });
    }
    const { rows } = await floor.db.query<{ name: string }>(
      `select name from app.trading_accounts where owner_id = $1 and kind = 'challenge' order by created_at, program_step`,
      [trader.id],
    );
    expect(rows.map(({ name }) => name.slice(0, 20))).toEqual(Array(6).fill('A challenge with a l'));
    expect(new Set(rows.map(({ name }) => name)).size).toBe(6);
  });

  test('an attempt at a time, and as many as the rules allow', async () => {
    const challenge = await save();
    const { trader, client, accountId } = await attempt(challenge);
    expect((await start(trader, challenge)).account_id).toBe(accountId);
    const lose = async (by: SupabaseClient) => {
      price('100');
      await buy(by, 50);
      price('95.9');
      await eventually(async () => {
        const { rows } = await floor.db.query<{ count: number }>(
          `select count(*)::int as count from app.trading_accounts where program_id = $1 and status = 'active'`,
          [challenge.id],
        );
        expect(rows).toEqual([{ count: 0 }]);
      });
    };
    await lose(client);
    const second = await attempt(challenge, trader);
    expect(second.accountId).not.toBe(accountId);
    await lose(second.client);
    const { error } = await trader.client.rpc('start_challenge', { p_challenge_id: challenge.id });
    expect([error?.code, error?.message]).toEqual([
      ...['conflict', 'You have made all 2 attempts of this challenge.'],
    ]);
    expect((await attemptsOf(admin, challenge)).map(({ state }) => state)).toEqual(['failed', 'failed']);
  });

  test('staff neither fund, reset nor trade in it, and the owner does not reset it', async () => {
    const { trader, accountId, client } = await attempt(await save());
    const { error } = await admin.client.rpc('adjust_wallet_balance', {
      ...{ p_user_id: accountId, p_amount: 5, p_reason: reason, p_client_id: randomUUID() },
    });
    expect(error).not.toBeNull();
    const { error: reset } = await client.rpc('reset_account', {});
    expect(reset?.message).toBe('An account of a challenge keeps its money and is not reset.');
    const { rows } = await floor.db.query<{ balance: number }>(
      'select balance::float from app.wallets where user_id = $1',
      [accountId],
    );
    expect(rows).toEqual([{ balance: 5000 }]);
    expect(trader.id).not.toBe(accountId);
  });
});

describe('the certificate of a challenge that is passed', () => {
  const certificateFor = async ({ client }: TestUser, { id }: Challenge) =>
    (await client.rpc('get_challenge_certificate', { p_challenge_id: id }).throwOnError()).data;

  async function pass(challenge: Challenge, by?: TestUser) {
    const { trader, client, accountId } = await attempt(challenge, by);
    price('100');
    const id = await buy(client, 50);
    price('103');
    await close(client, id);
    await decided(trader, challenge);
    return { trader, accountId };
  }
  const completed = (trader: TestUser, challenge: Challenge): Promise<Attempt> =>
    eventually(async () => {
      const [last] = await attemptsOf(trader, challenge);
      if (last?.result_sha256 == null) throw new Error('no result yet');
      return last;
    });

  test('states the rules and the verdicts, is checked without a server, and any altered byte is refused', async () => {
    const challenge = await save([step({ targetPct: 2 })]);
    const running = await attempt(challenge);
    expect(await certificateFor(running.trader, challenge)).toBeNull();
    const { trader } = await pass(challenge);
    const last = await completed(trader, challenge);
    const { text } = (await certificateFor(trader, challenge)) ?? { text: '' };
    const { statement, fingerprint } = readCertificate(text);
    const { data: shown } = await admin.client
      .rpc('get_challenge_attempts', { p_challenge_id: challenge.id })
      .throwOnError();
    expect(fingerprint).toBe(shown.certificate_key);
    expect(statement).toMatchObject({
      challenge: { id: challenge.id, name: challenge.name, ends_at: challenge.ends_at },
      entrant: { number: last.attempt, username: trader.username },
      result: {
        rules: { steps: [{ targetPct: 2 }] },
        steps: [{ step: 1, verdict: last.steps[0]?.verdict }],
      },
      result_sha256: last.result_sha256,
    });
    // The hash is in the row of the audit log that the link leads to.
    const { rows } = await floor.db.query(
      `select c.seq::float8 as seq, encode(c.hash, 'hex') as hash, a.detail, r.document from app.audit_chain c
       join app.audit_log a on a.id = c.audit_id join app.program_results r on r.program_id = a.object_id
       where a.action = 'challenge.complete' and a.object_id = $1`,
      [challenge.id],
    );
    const [{ document, ...link }] = rows as [{ document: string }];
    expect(link).toEqual({
      ...statement.audit,
      detail: { attempt: last.attempt, result_sha256: last.result_sha256 },
    });
    requireResult(statement, document);
    expect(() => requireResult(statement, document.replace('150', '151'))).toThrow(/not the one/);
    expect(document).not.toContain(trader.username);
    expect(document).not.toContain(trader.id);

    const bytes = Buffer.from(text);
    const accepted = [...bytes.keys()].filter((at) => {
      const altered = Buffer.from(bytes);
      altered[at] = (bytes[at] ?? 0) ^ 1;
      try {
        readCertificate(altered.toString());
        return true;
      } catch (error) {
        if (error instanceof CertificateFault) return false;
        throw error;
      }
    });
    expect(accepted).toEqual([]);
    for (const changed of [` ${text}`, text.replace('-challenge-', '-contest-')])
      expect(() => readCertificate(changed)).toThrow(/changed outside the signed text/);

    const folder = mkdtempSync(join(tmpdir(), 'fulcrum-certificate-'));
    try {
      const file = join(folder, 'certificate.json');
      writeFileSync(file, text);
      const { status, stdout, stderr } = spawnSync(
        ...([process.execPath, [verifyCertificate, file, '--key', fingerprint]] as const),
        { encoding: 'utf8', env: childEnv },
      );
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toContain(
        `${trader.username} (attempt ${last.attempt}) has passed the challenge ${challenge.name}`,
      );
      expect(stdout).toMatch(/step 1 .* profit 150 USDT of 100 needed, trading days: 1/);
    } finally {
      rmSync(folder, { recursive: true });
    }
    // Staff and other traders get none.
    expect(
      (await admin.client.rpc('get_challenge_certificate', { p_challenge_id: challenge.id })).status,
    ).toBe(403);
    expect(await certificateFor(await floor.addUser('trader'), challenge)).toBeNull();
  });

  test('verdicts whose hash is another one are refused, signature or not', () => {
    const signer = createCertificateSigner(randomBytes(32).toString('base64url'));
    const challenge = { id: randomUUID(), name: 'A', begins_at: '', ends_at: '' };
    const signed = (result: Record<string, unknown>) =>
      signer.sign({
        ...{ v: 1, challenge, entrant: { number: 1, username: 'a' }, result, frozen_at: '' },
        ...{ audit: { seq: 1, hash: '' } },
        result_sha256: hashOf(formatChallengeResult({ challenge, attempt: 1, rules: {}, steps: [] })),
      });
    expect(readCertificate(signed({ rules: {}, steps: [] })).fingerprint).toBe(signer.fingerprint);
    expect(() => readCertificate(signed({ rules: {}, steps: [1] }))).toThrow(/not those that the SHA-256/);
  });

  test('two servers and a restart write one result; of a passed step that is not the last there is none', async () => {
    const challenge = await save([step({ targetPct: 2 })]);
    const more = await save([step({ targetPct: 2 }), step()]);
    const owner = new pg.Client({ connectionString: floor.databaseUrl });
    await owner.connect();
    await owner.query(`create function app.refuse_result() returns trigger language plpgsql as $$
      begin raise exception 'the disk is gone'; end $$`);
    await owner.query(`create trigger refuse_result before insert on app.program_results
      for each row execute function app.refuse_result()`);
    const { trader } = await pass(challenge);
    const other = await pass(more);
    expect((await attemptsOf(trader, challenge))[0]).toMatchObject({ state: 'passed', result_sha256: null });
    await floor.restart();
    await owner.query('drop trigger refuse_result on app.program_results');
    await owner.query('drop function app.refuse_result()');
    await owner.end();
    const second = createSecondPrograms(floor);
    await second.start();
    await completed(trader, challenge);
    await second.stop();
    const complete = (await floor.audit(trader.id)).filter(({ action }) => action === 'challenge.complete');
    expect(complete).toHaveLength(1);
    expect((await attemptsOf(other.trader, more))[0]).toMatchObject({
      state: 'running',
      result_sha256: null,
    });
  });

  test('attempts that cannot be completed keep no other one waiting, and are logged once', async () => {
    const broken = await save([step({ targetPct: 2 })]);
    const asOwner = async (text: string) => {
      const owner = new pg.Client({ connectionString: floor.databaseUrl });
      await owner.connect();
      await owner.query(text, [broken.id]);
      await owner.end();
    };
    // More than one reading has, and older than all others.
    await asOwner(`insert into app.program_verdicts
      select gen_random_uuid(), $1, n, 1, 'passed', null, to_timestamp(n), '{}', '"none"', to_timestamp(n) from generate_series(1, 101) n`);
    const whole = await save([step({ targetPct: 2 })]);
    const { trader } = await pass(whole);
    await completed(trader, whole);
    const warned: unknown[] = [];
    const log = { ...testLog, warn: (about: unknown) => warned.push(about) } as typeof testLog;
    const results = createChallengeResults({ db: floor.db, clock: floor.clock, log });
    await results.completeAll(() => true);
    expect(warned).toEqual([]);
    for (let call = 0; call < 2; call += 1) await results.completeAll(() => false);
    expect(warned).toHaveLength(101);
    await asOwner('delete from app.program_verdicts where program_id = $1');
  });
});

describe('terms', () => {
  test.each([
    [[step({ targetPct: 0 })], {}, {}, 'A profit target is above 0 and at most 1000 %.'],
    [
      [step(), step({ maxLoss: { pct: 5, mode: 'static', lockPct: 0 } })],
      {},
      {},
      'Step 2: A static floor does not move, so nothing stops it. Choose a trailing one, or no stop.',
    ],
    [
      [step()],
      { p_ends_at: '2020-01-01T00:00:00Z' },
      {},
      'Attempts can be started until the challenge ends, or until before that.',
    ],
    [[step()], {}, { leverageMax: 126 }, 'The greatest leverage is a whole number from 1 to 125.'],
  ])('that cannot be are refused in words %#', async (steps, more, ruled, message) => {
    const { error } = await admin.client.rpc('save_challenge', terms(steps, more, ruled));
    expect([error?.code, error?.message]).toEqual(['invalid_argument', message]);
  });

  test('are fixed with the first attempt but for name and description', async () => {
    const challenge = await save();
    await attempt(challenge);
    const same = {
      ...{ p_id: challenge.id, p_version: challenge.version, p_name: challenge.name },
      ...{
        p_opens_at: challenge.opens_at,
        p_starts_until: challenge.starts_until,
        p_ends_at: challenge.ends_at,
      },
    };
    const { error } = await admin.client.rpc('save_challenge', terms([step({ targetPct: 1 })], same));
    expect(error?.message).toBe('The challenge has attempts: only its name and description can change.');
    const renamed = await save([step()], {
      ...same,
      p_name: `${challenge.name} b`,
      p_description: 'Other words',
    });
    expect(renamed).toMatchObject({ id: challenge.id, description: 'Other words', version: 2, attempts: 1 });
  });
});
