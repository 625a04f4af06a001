/** Challenges (A112): their terms, steps and attempts, and what staff cannot do. */
import { randomUUID } from 'node:crypto';
import { challengeEntrantsMax, dayMs, hourMs } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { createSteps } from '../../src/features/programs/steps.ts';
import { testLog } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { reason } from '../trading/trading-server.ts';
import {
  admin,
  attempt,
  attemptsOf,
  buy,
  type Challenge,
  close,
  decided,
  floor,
  price,
  save,
  school,
  shareChallengeFloor,
  start,
  step,
  terms,
  verdictOf,
} from './challenge-floor.ts';
import { createSecondPrograms, secondProcess } from './second-process.ts';

shareChallengeFloor();

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
