/** Challenges (A112): verdicts at the tick that decides, with their marks and arithmetic. */
import { asMoney, dayMs } from '@fulcrum/domain';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { openLockedAccount } from '../../src/features/accounts/index.ts';
import { writeStatesStatement } from '../../src/features/trading/engine/challenge-rows.ts';
import { eventually } from '../harness/eventually.ts';
import { refreshed } from '../identity/user-server.ts';
import { auditVerdict } from './audited-verdict.ts';
import {
  attempt,
  attemptsOf,
  buy,
  close,
  decided,
  floor,
  price,
  save,
  school,
  shareChallengeFloor,
  start,
  step,
  verdictOf,
} from './challenge-floor.ts';

shareChallengeFloor();

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
