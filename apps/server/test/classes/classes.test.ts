/** Classes through the official client: terms, members, and limits that the engine enforces (A112, A117). */
import { randomUUID } from 'node:crypto';
import { dayMs, minuteMs } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestUser } from '../trading/trading-server.ts';
import { type ClassFloor, startClassFloor } from './class-floor.ts';

let floor: ClassFloor['floor'];
let tutor: ClassFloor['tutor'];
let iso: ClassFloor['iso'];
let terms: ClassFloor['terms'];
let save: ClassFloor['save'];
let add: ClassFloor['add'];
let accountIn: ClassFloor['accountIn'];
let inClass: ClassFloor['inClass'];
beforeAll(async () => {
  ({ floor, tutor, iso, terms, save, add, accountIn, inClass } = await startClassFloor());
});
beforeEach(() => floor.feed.setPrice('BTCUSDT', '100'));
afterAll(() => floor.close());

const buy = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 1, p_leverage: 10 };
const openIn = async (client: SupabaseClient, more: Record<string, unknown> = {}) => {
  const { data, error } = await client.rpc('open_position', { ...buy, ...more });
  return { id: data?.id as string, refusal: error && [error.code, error.message] };
};

describe('a member has an account of the class', () => {
  test('with its money and rules, apart from the main account', async () => {
    const made = await save({ p_leverage_max: 5 });
    const trader = await floor.addUser('trader');
    expect(await add(made.id, trader)).toEqual([
      { user_id: trader.id, username: trader.username, outcome: 'done', message: null },
    ]);
    expect((await add(made.id, trader))[0]?.outcome).toBe('unchanged');
    const client = await inClass(made.id, trader);
    expect((await client.from('wallets').select('balance').single()).data).toEqual({ balance: 5000 });
    const { data: account } = await trader.client
      .from('trading_accounts')
      .select('kind, name, leverage_max, start_balance')
      .eq('kind', 'class')
      .single();
    expect(account).toEqual({ kind: 'class', name: made.name, leverage_max: 5, start_balance: 5000 });
    expect((await openIn(client)).refusal).toEqual([
      'leverage_capped',
      'This account opens with at most 5x leverage.',
    ]);
    expect((await openIn(client, { p_leverage: 5 })).refusal).toBeNull();
    expect((await openIn(trader.client)).refusal).toBeNull();
    const actions = (await floor.audit(trader.id)).map(({ action }) => action);
    expect(actions).toEqual(['class.add_member']);
    expect((await floor.audit(made.id)).map(({ action }) => action)).toEqual([
      'class.create',
      'class.add_member',
    ]);
  });

  test('only traders join, and a refused user does not stop the others', async () => {
    const made = await save();
    const trader = await floor.addUser('trader');
    const rows = await add(made.id, tutor, { ...trader, id: randomUUID() }, trader);
    expect(rows.map((row) => [row.outcome, row.message])).toEqual([
      ['refused', 'Only a trader joins a class.'],
      ['refused', 'User not found'],
      ['done', null],
    ]);
  });

  test('it is not renamed, archived or reset by its owner', async () => {
    const made = await save();
    const trader = await floor.addUser('trader');
    await add(made.id, trader);
    const p_account_id = await accountIn(made.id, trader.id);
    const client = await inClass(made.id, trader);
    expect((await client.rpc('reset_account', {})).error?.message).toBe(
      'This account belongs to your class and is not reset.',
    );
    for (const [procedure, args] of [
      ['rename_account', { p_name: 'Mine' }],
      ['archive_account', {}],
    ] as const) {
      const { error } = await trader.client.rpc(procedure, { p_account_id, ...args });
      expect(error?.code).toBe('not_allowed');
    }
  });

  test('a removed member keeps the history, trades no more, and may come back', async () => {
    const made = await save();
    const trader = await floor.addUser('trader');
    await add(made.id, trader);
    const client = await inClass(made.id, trader);
    const { id } = await openIn(client);
    const remove = async () =>
      (
        await floor.admin.client
          .rpc('remove_class_members', { p_class_id: made.id, p_user_ids: [trader.id] })
          .throwOnError()
      ).data.rows[0];
    expect(await remove()).toMatchObject({
      outcome: 'refused',
      message: 'Something is open in the account of this class.',
    });
    await client.rpc('close_position', { p_position_id: id }).throwOnError();
    expect(await remove()).toMatchObject({ outcome: 'done' });
    expect((await openIn(client)).refusal?.[0]).toBe('account_archived');
    expect((await add(made.id, trader))[0]?.outcome).toBe('done');
    expect((await openIn(await inClass(made.id, trader))).refusal).toBeNull();
  });
});

describe('the limits of a class', () => {
  test('symbols, most open positions and the end refuse in words, at once after a change', async () => {
    floor.feed.setPrice('ETHUSDT', '10');
    const made = await save({ p_symbols: ['ETHUSDT'] });
    const trader = await floor.addUser('trader');
    await add(made.id, trader);
    const client = await inClass(made.id, trader);
    expect((await openIn(client)).refusal).toEqual([
      'symbol_not_allowed',
      'Your class does not trade BTCUSDT.',
    ]);
    expect((await openIn(client, { p_symbol: 'ETHUSDT' })).refusal).toBeNull();

    const ofSaved = { p_id: made.id, p_name: made.name };
    const second = await save({ ...ofSaved, p_version: made.version, p_positions_max: 1 });
    expect((await openIn(client)).refusal).toEqual([
      'too_many_open',
      'At most 1 positions can be open at a time. Close or cancel some first.',
    ]);

    const third = await save({ ...ofSaved, p_version: second.version, p_ends_at: iso(60_000) });
    const { id } = await openIn(client);
    floor.clock.advance(60_000);
    floor.feed.setPrice('BTCUSDT', '100');
    const over = (await openIn(client)).refusal;
    expect(over?.[0]).toBe('class_over');
    expect(over?.[1]).toMatch(/^Your class ended on \d{4}-\d\d-\d\d \d\d:\d\d UTC\. You can close positions/);
    expect((await client.rpc('close_position', { p_position_id: id })).error).toBeNull();
    // The main account trades on.
    expect((await openIn(trader.client)).refusal).toBeNull();

    const late = await save({
      ...ofSaved,
      p_version: third.version,
      p_begins_at: iso(dayMs),
      p_ends_at: iso(2 * dayMs),
    });
    expect(late.version).toBe(4);
    expect((await openIn(client)).refusal?.[0]).toBe('class_not_begun');
  });

  test('money, rules and leverage are fixed once there was a member; an old version is refused', async () => {
    const made = await save();
    const change = async (more: Record<string, unknown>) => {
      const args = terms({ p_id: made.id, p_name: made.name, ...more });
      const { error } = await floor.admin.client.rpc('save_class', args);
      return error?.message ?? null;
    };
    expect(await change({ p_version: 1, p_start_balance: 6000 })).toBeNull();
    expect(await change({ p_version: 1 })).toBe('Someone else changed this in the meantime.');
    await add(made.id, await floor.addUser('trader'));
    const fixed = 'Start balance, rules and leverage are fixed, because the class has had a member.';
    expect(await change({ p_version: 2, p_start_balance: 7000 })).toBe(fixed);
    expect(await change({ p_version: 2, p_start_balance: 6000, p_leverage_max: 20 })).toBe(fixed);
    expect(await change({ p_version: 2, p_start_balance: 6000, p_rules: 'perpetual' })).toBe(fixed);
    expect(await change({ p_version: 2, p_start_balance: 6000, p_positions_max: 3 })).toBeNull();
  });

  test('a repeat of the request that made a class answers as before and changes nothing', async () => {
    const request = terms({ p_client_id: randomUUID() });
    const saved = async (more: Record<string, unknown> = {}) =>
      (await floor.admin.client.rpc('save_class', { ...request, ...more }).throwOnError()).data;
    const made = await saved();
    // Meanwhile its tutors changed.
    const other = await floor.addUser('manager');
    await save({ p_id: made.id, p_version: 1, p_name: made.name, p_tutor_ids: [other.id] });
    const again = await saved();
    expect(again).toMatchObject({ id: made.id, version: 2, tutors: [{ id: other.id }] });
    expect((await floor.audit(made.id)).map(({ action }) => action)).toEqual(['class.create', 'class.edit']);
  });

  test('a class that cannot be is refused in words', async () => {
    const refusal = async (more: Record<string, unknown>) =>
      (await floor.admin.client.rpc('save_class', terms(more))).error?.message;
    const { name } = await save();
    expect(await refusal({ p_name: name.toUpperCase() })).toBe(
      'There is a class of this name. Choose another one.',
    );
    expect(await refusal({ p_ends_at: iso(-2 * dayMs) })).toBe('A class ends after it begins.');
    expect(await refusal({ p_symbols: ['NOSUCH'] })).toContain('NOSUCH');
    expect(await refusal({ p_start_balance: 0 })).toContain('The start balance is from 1');
    expect(await refusal({ p_leverage_max: 126 })).toContain('The greatest leverage');
    expect(await refusal({ p_tutor_ids: [floor.admin.id] })).toBe('Manager not found');
  });

  test('a class with net positions trades on a book', async () => {
    const made = await save({ p_rules: 'perpetual' });
    const trader = await floor.addUser('trader');
    await add(made.id, trader);
    const { data } = await trader.client
      .from('trading_accounts')
      .select('rules, fill_profile')
      .eq('kind', 'class')
      .single();
    expect(data).toEqual({ rules: 'perpetual', fill_profile: 'retail' });
  });
});

describe('who reaches a class', () => {
  test('its tutors, with or without managing the members; another manager does not, and a former one no more', async () => {
    const made = await save();
    const [trader, other] = [await floor.addUser('trader'), await floor.addUser('manager')];
    await add(made.id, trader);
    const members = (by: TestUser) => by.client.rpc('list_class_members', { p_class_id: made.id });
    expect((await members(tutor)).data).toEqual([
      expect.objectContaining({ user_id: trader.id, equity: 5000, return_pct: 0, open_positions: 0 }),
    ]);
    expect((await members(other)).status).toBe(404);
    const idsOf = async (by: TestUser) =>
      (await by.client.rpc('list_classes').throwOnError()).data.map(({ id }: { id: string }) => id);
    expect(await idsOf(tutor)).toContain(made.id);
    expect(await idsOf(other)).toEqual([]);
    expect(await idsOf(floor.admin)).toContain(made.id);

    const former = await floor.addUser('manager');
    await save({ p_id: made.id, p_version: 1, p_name: made.name, p_tutor_ids: [former.id, tutor.id] });
    expect((await members(former)).status).toBe(200);
    const change = { user_id: former.id, new_role: 'support' };
    await floor.admin.client.rpc('safe_update_user_profile', change).throwOnError();
    const { rows } = await floor.db.query('select from app.class_tutors where user_id = $1', [former.id]);
    expect(rows).toEqual([]);
  });

  test('the figures of a member: equity, return, open risk, drawdown, last trade', async () => {
    const made = await save();
    const trader = await floor.addUser('trader');
    await add(made.id, trader);
    const client = await inClass(made.id, trader);
    const { id } = await openIn(client, { p_size: 10 });
    // The snapshot of the start is of another instant than that of the close.
    floor.clock.advance(1_000);
    floor.feed.setPrice('BTCUSDT', '95');
    await client.rpc('close_position', { p_position_id: id }).throwOnError();
    floor.feed.setPrice('BTCUSDT', '96');
    await openIn(client, { p_size: 10, p_stop_loss_price: 94 });
    const { data } = await tutor.client.rpc('list_class_members', { p_class_id: made.id }).throwOnError();
    expect(data[0]).toMatchObject({
      ...{ equity: 4950, return_pct: -1, drawdown_pct: 1, open_risk: 20, open_positions: 1 },
      last_login: expect.any(String),
      last_trade_at: expect.any(String),
    });

    // The drawdown is read from all snapshots of the class, so it is cached for a minute.
    await floor.db.query(
      'insert into app.equity_snapshots (user_id, at, balance, equity) values ($1, $2, 2500, 2500)',
      [await accountIn(made.id, trader.id), iso(1)],
    );
    const drawdown = async () =>
      (await tutor.client.rpc('list_class_members', { p_class_id: made.id }).throwOnError()).data[0]
        .drawdown_pct;
    expect(await drawdown()).toBe(1);
    floor.clock.advance(minuteMs);
    expect(await drawdown()).toBe(50);
  });

  test('what staff pay into an account or out of it is neither return nor drawdown', async () => {
    const made = await save();
    const trader = await floor.addUser('trader');
    await add(made.id, trader);
    const client = await inClass(made.id, trader);
    const adjust = (p_change: string, p_amount: number) =>
      floor.admin.client
        .rpc('adjust_funds_of_users', {
          ...{ p_user_ids: [trader.id], p_class_id: made.id, p_change, p_amount, p_reason: 'A test' },
        })
        .throwOnError();
    const close = async (size: number, price: string) => {
      floor.clock.advance(1_000);
      const { id } = await openIn(client, { p_size: size, p_leverage: 5 });
      floor.clock.advance(1_000);
      floor.feed.setPrice('BTCUSDT', price);
      await client.rpc('close_position', { p_position_id: id }).throwOnError();
      floor.feed.setPrice('BTCUSDT', '100');
      floor.clock.advance(1_000);
    };
    await close(10, '95');
    await adjust('subtract', 3_960);
    // A tenth of the 990 that are left.
    await close(10, '90.1');
    await adjust('add', 10_000);
    const { data } = await tutor.client.rpc('list_class_members', { p_class_id: made.id }).throwOnError();
    expect(data[0]).toMatchObject({ equity: 10_891, return_pct: -10.9 });
    // 0.99 × 0.9 of the beginning.
    expect(data[0].drawdown_pct).toBeCloseTo(10.9, 9);
  });

  test('totals and lists of staff keep speaking of main accounts', async () => {
    const made = await save({ p_start_balance: 123_456 });
    const trader = await floor.addUser('trader');
    await add(made.id, trader);
    await openIn(await inClass(made.id, trader));
    const { data } = await floor.admin.client
      .rpc('list_positions', { p_status: 'open', p_user_id: trader.id })
      .throwOnError();
    expect(data.total).toBe(0);
  });
});
