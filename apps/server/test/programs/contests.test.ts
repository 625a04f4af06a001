/** Contests through the official client (A112, A116): terms, entry, windows, equal money, and what staff cannot do. */
import { randomUUID } from 'node:crypto';
import { dayMs, hourMs } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { refreshed } from '../identity/user-server.ts';
import { reason, type TestUser } from '../trading/trading-server.ts';
import { type ContestFloor, rules, startContestFloor } from './contest-floor.ts';

let school: ContestFloor;
let floor: ContestFloor['floor'];
let admin: TestUser;
beforeAll(async () => {
  school = await startContestFloor();
  floor = school.floor;
  admin = floor.admin;
});
beforeEach(async () => {
  floor.feed.setPrice('BTCUSDT', '100');
  await refreshed(admin.client);
});
afterAll(() => floor.close());

const buy = { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 1, p_leverage: 10 };
const openIn = async (client: SupabaseClient, more: Record<string, unknown> = {}) => {
  const { data, error } = await client.rpc('open_position', { ...buy, ...more });
  return { id: data?.id as string, refusal: error && [error.code, error.message] };
};
const saved = async (more: Record<string, unknown> = {}, ruled: Record<string, unknown> = {}, by = admin) => {
  const { error } = await by.client.rpc('save_contest', school.terms(more, ruled));
  return error && [error.code, error.message];
};

test('challenges do not count among the contests that a server has at most', async () => {
  const { rows } = await floor.db.query<{ id: string }>(
    `insert into app.programs (face, name, registration_opens_at, registration_ends_at, begins_at, ends_at, rules, created_at, updated_at)
     select 'challenge', 'Challenge ' || n, $1, $2, $1, $2, $3::jsonb, $1, $1 from generate_series(1, 500) n returning id`,
    [school.iso(0), school.iso(dayMs), JSON.stringify(rules)],
  );
  const ids = rows.map(({ id }) => id);
  expect(await saved()).toBeNull();
  await floor.db.query(
    `update app.programs set face = 'contest', begun_at = begins_at where id = any ($1::uuid[])`,
    [ids],
  );
  const message = 'There are 500 contests that have not ended. Wait for the end of one.';
  expect(await saved()).toEqual(['conflict', message]);
  await floor.db.query('update app.programs set withdrawn_at = created_at where id = any ($1::uuid[])', [
    ids,
  ]);
});

describe('a contest that cannot be is refused in words', () => {
  test.each([
    [{}, { leverageMax: 126 }, 'The greatest leverage is a whole number from 1 to 125.'],
    [{}, { startBalance: 0 }, 'The start balance is from 1 to 10000000 USDT.'],
    [{}, { score: 'sharpe' }, 'A contest that is ranked by the Sharpe ratio lasts at least 10 days.'],
    [{ p_name: '' }, {}, 'Give the account a name.'],
    [{ p_ends_at: '2020-01-01T00:00:00Z' }, {}, 'Trading ends after it begins.'],
  ])('%j %j', async (more, ruled, message) => {
    expect(await saved(more, ruled)).toEqual(['invalid_argument', message]);
  });

  test('an unknown market, a taken name, and rules that are none', async () => {
    expect((await saved({}, { symbols: ['NOSUCH'] }))?.[0]).toBe('unknown_symbol');
    const { name } = await school.save();
    expect(await saved({ p_name: name.toUpperCase() })).toEqual([
      'conflict',
      'There is a contest or challenge of this name. Choose another one.',
    ]);
    expect((await saved({}, { v: 2 }))?.[0]).toBe('invalid_argument');
    expect((await saved({}, { bonus: 5 }))?.[0]).toBe('invalid_argument');
    expect((await saved({}, { tieBreaks: ['entry', 'entry'] }))?.[0]).toBe('invalid_argument');
  });
});

describe('what is fixed', () => {
  const change = (made: { id: string; name: string; version: number }, more: object, ruled: object = {}) =>
    saved({ p_id: made.id, p_version: made.version, p_name: made.name, ...more }, { ...ruled });
  const times = (of: Record<string, unknown>) => ({
    p_registration_opens_at: of.registration_opens_at,
    p_registration_ends_at: of.registration_ends_at,
    p_begins_at: of.begins_at,
    p_ends_at: of.ends_at,
  });

  test('the rules with the first entrant, the rest but name and description with the start', async () => {
    const later = { p_begins_at: school.iso(hourMs), p_ends_at: school.iso(dayMs) };
    const made = await school.save(later);
    expect(await change(made, later, { startBalance: 6000 })).toBeNull();
    const second = { ...made, version: 2 };
    await school.entrant(made);
    expect(await change(second, later, { startBalance: 7000 })).toEqual([
      'conflict',
      'The contest has entrants: its rules and its class are fixed. Times can change until it begins.',
    ]);
    expect(
      await change(second, { ...later, p_ends_at: school.iso(2 * dayMs) }, { startBalance: 6000 }),
    ).toBeNull();
    const [stored] = (await admin.client.rpc('list_contests').throwOnError()).data.filter(
      ({ id }: { id: string }) => id === made.id,
    );
    expect(stored).toMatchObject({ version: 3, entrants: 1, phase: 'registration' });
    floor.clock.advance(hourMs);
    await refreshed(admin.client);
    const begun = 'The contest has begun: only its name and description can change.';
    const third = { ...made, version: 3 };
    expect(
      await change(third, { ...times(stored), p_ends_at: school.iso(3 * dayMs) }, { startBalance: 6000 }),
    ).toEqual(['conflict', begun]);
    expect(await change(third, times(stored), { startBalance: 6000, names: 'numbered' })).toEqual([
      'conflict',
      begun,
    ]);
    expect(
      await change(
        third,
        { ...times(stored), p_name: 'Renamed', p_description: 'Other words' },
        { startBalance: 6000 },
      ),
    ).toBeNull();
    expect(await change(third, times(stored), { startBalance: 6000 })).toEqual([
      'conflict',
      'Someone else changed this in the meantime.',
    ]);
    const actions = (await floor.audit(made.id)).map(({ action }) => action);
    expect(actions).toEqual([
      ...['contest.create', 'contest.edit', 'contest.enter', 'contest.edit', 'contest.edit'],
    ]);
  });

  test('a repeat of the request that made a contest answers with it', async () => {
    const request = { p_client_id: randomUUID(), p_name: `Once ${randomUUID().slice(0, 8)}` };
    const first = await school.save(request);
    expect(await school.save(request)).toMatchObject({ id: first.id, version: 1 });
  });
});

describe('an entrant', () => {
  test('has an account with the same money and rules as all others, apart from the main account', async () => {
    floor.feed.setPrice('ETHUSDT', '10');
    const made = await school.save({}, { leverageMax: 5, symbols: ['BTCUSDT'], positionsMax: 1 });
    const [one, other] = [await school.entrant(made), await school.entrant(made)];
    for (const { client, trader } of [one, other]) {
      expect((await client.from('wallets').select('balance').single()).data).toEqual({ balance: 5000 });
      const { data } = await trader.client
        .from('trading_accounts')
        .select('kind, name, leverage_max, start_balance, rules')
        .eq('kind', 'contest')
        .single();
      expect(data).toEqual({
        ...{ kind: 'contest', name: made.name, leverage_max: 5, start_balance: 5000, rules: 'standard' },
      });
    }
    expect((await openIn(one.client)).refusal?.[0]).toBe('leverage_capped');
    expect((await openIn(one.client, { p_symbol: 'ETHUSDT', p_leverage: 5 })).refusal).toEqual([
      'symbol_not_allowed',
      'Your contest does not trade ETHUSDT.',
    ]);
    expect((await openIn(one.client, { p_leverage: 5 })).refusal).toBeNull();
    expect((await openIn(one.client, { p_leverage: 5 })).refusal?.[0]).toBe('too_many_open');
    // A repeat of the entry changes nothing.
    expect((await school.enter(made, one.trader)).account_id).toBe(one.accountId);
    const actions = (await floor.audit(one.trader.id)).map(({ action }) => action);
    expect(actions).toEqual(['contest.enter']);
  });

  test('neither resets, renames nor archives it', async () => {
    const { client, trader, accountId } = await school.entrant(await school.save());
    expect((await client.rpc('reset_account', {})).error?.message).toBe(
      'An account of a contest keeps its money and is not reset.',
    );
    for (const [procedure, args] of [
      ['rename_account', { p_name: 'Mine' }],
      ['archive_account', {}],
    ] as const) {
      const { error } = await trader.client.rpc(procedure, { p_account_id: accountId, ...args });
      expect(error?.code).toBe('not_allowed');
    }
  });

  test('of a class contest is a member of the class; to all others it does not exist', async () => {
    const tutor = await floor.addUser('manager');
    const { data: group } = await admin.client
      .rpc('save_class', {
        ...{
          p_name: `Class ${randomUUID().slice(0, 8)}`,
          p_begins_at: school.iso(-dayMs),
          p_ends_at: school.iso(dayMs),
        },
        ...{ p_start_balance: 5000, p_rules: 'standard', p_leverage_max: 10, p_symbols: null },
        ...{ p_positions_max: null, p_tutor_ids: [tutor.id] },
      })
      .throwOnError();
    const made = await school.save({ p_class_id: group.id }, { names: 'numbered' }, tutor);
    expect(made).toMatchObject({ class_name: group.name });
    const [member, outsider] = [await floor.addUser('trader'), await floor.addUser('trader')];
    await admin.client
      .rpc('add_class_members', { p_class_id: group.id, p_user_ids: [member.id] })
      .throwOnError();
    expect((await outsider.client.rpc('enter_contest', { p_contest_id: made.id })).error?.code).toBe(
      'not_found',
    );
    await school.enter(made, member);
    const namesOf = async (by: TestUser) =>
      (await school.rankingFor(by, made)).ranks.map(({ username }) => username);
    expect(await namesOf(tutor)).toEqual([member.username]);
    const stranger = await floor.addUser('manager');
    expect((await stranger.client.rpc('get_contest_ranking', { p_contest_id: made.id })).error?.code).toBe(
      'not_found',
    );
    expect(await saved({ p_class_id: group.id }, {}, stranger)).toEqual([
      'not_found',
      'This class does not exist.',
    ]);
    expect((await saved({}, {}, tutor))?.[0]).toBe('not_allowed');
  });
});

describe('the windows', () => {
  test('registration: before and after it no one enters, and of two at once each has one account', async () => {
    const made = await school.save({
      ...{ p_registration_opens_at: school.iso(60_000), p_registration_ends_at: school.iso(120_000) },
      ...{ p_begins_at: school.iso(180_000), p_ends_at: school.iso(hourMs) },
    });
    const trader = await floor.addUser('trader');
    const ask = () => trader.client.rpc('enter_contest', { p_contest_id: made.id });
    expect((await ask()).error?.message).toMatch(/^Registration opens on \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/);
    floor.clock.advance(60_000);
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(first.data.account_id).toBe(second.data.account_id);
    expect(first.data.entrants).toBe(1);
    const late = await floor.addUser('trader');
    floor.clock.advance(60_000);
    const { error } = await late.client.rpc('enter_contest', { p_contest_id: made.id });
    expect([error?.code, error?.message]).toEqual([
      'conflict',
      expect.stringMatching(/^Registration ended on \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/),
    ]);
  });

  test('trading: nothing opens before the begin, not by an order either', async () => {
    const made = await school.save({ p_begins_at: school.iso(60_000) });
    const { client } = await school.entrant(made);
    const { refusal } = await openIn(client);
    expect(refusal?.[0]).toBe('contest_not_begun');
    expect(refusal?.[1]).toMatch(
      /^Trading in this contest begins on .* UTC\. Nothing can be opened before\.$/,
    );
    const { error } = await client
      .from('orders')
      .insert({ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', price: 90, size: 1, leverage: 10 });
    expect(error?.code).toBe('contest_not_begun');
    floor.clock.advance(60_000);
    floor.feed.setPrice('BTCUSDT', '100');
    expect((await openIn(client)).refusal).toBeNull();
  });
});

describe('staff do nothing in a contest account', () => {
  const inContest = [
    'contest_account',
    'This account is in a contest: only its entrant trades in it, and staff change nothing.',
  ];
  const refusalOf = ({ error }: { error: { code: string; message: string } | null }) =>
    error && [error.code, error.message];

  test('no funds, no edit, no deposit by a bulk action, no token of an impersonation', async () => {
    const { client, trader, accountId } = await school.entrant(await school.save());
    const { id } = await openIn(client);
    expect(
      refusalOf(
        await admin.client.rpc('adjust_wallet_balance', {
          ...{ p_user_id: trader.id, p_account_id: accountId, p_amount: 500, p_reason: reason },
        }),
      ),
    ).toEqual(inContest);
    // The preview foretells it.
    const { data: preview } = await admin.client
      .rpc('preview_funds', { p_user_id: trader.id, p_account_id: accountId, p_amount: 500 })
      .throwOnError();
    expect(preview).toMatchObject({ before: { balance: 5000 }, after: null, refusal: inContest[1] });
    const edited = await admin.client.from('positions').update({ leverage: 5, reason }).eq('id', id).select();
    // The table API reaches the positions of main accounts alone.
    expect([edited.status, edited.data]).toEqual([200, []]);
    expect((await client.from('wallets').select('balance').single()).data).toEqual({ balance: 5000 });
    const visitor = await floor.addUser('admin');
    await floor.impersonate(visitor, trader);
    expect(refusalOf(await visitor.client.rpc('account_token', { p_account_id: accountId }))).toEqual(
      inContest,
    );
    expect((await visitor.client.rpc('enter_contest', { p_contest_id: randomUUID() })).error?.code).toBe(
      'not_allowed',
    );
  });

  test('the engine itself refuses every command of another actor', async () => {
    const { client, trader, accountId } = await school.entrant(await school.save());
    const { id } = await openIn(client);
    const origin = (authority: 'admin' | null) => ({
      ...{ accountId, ownerId: trader.id, actorId: admin.id, authority, reason },
    });
    const { engine } = floor.server.trading;
    for (const command of [
      { kind: 'close', positionId: id, size: null, reason: 'manual' },
      { kind: 'protect', positionId: id, takeProfitPrice: null, stopLossPrice: null },
      { kind: 'reset', startBalance: 1n, reason },
      { kind: 'edit', positionId: id, edit: { leverage: 5 }, expectedVersion: null, reason },
      { kind: 'close_out', marks: {} },
      { kind: 'adjust', amount: 1n, reason },
    ] as const) {
      for (const authority of ['admin', null] as const) {
        const attempt = engine.submit(origin(authority), command as never, null);
        await expect(attempt).rejects.toMatchObject({ code: 'contest_account' });
      }
    }
  });

  test('a restriction concerns the user: it cancels and refuses in the contest as well', async () => {
    const { client, trader } = await school.entrant(await school.save());
    await admin.client
      .rpc('restrict_user', { p_user_id: trader.id, p_restricted: true, p_reason: reason })
      .throwOnError();
    expect((await openIn(client)).refusal?.[0]).toBe('account_restricted');
  });
});

describe('the live ranking', () => {
  test('is by equity, for entrants and staff, with names by the setting of the contest', async () => {
    const made = await school.save({}, { names: 'numbered' });
    const [calm, bold] = [await school.entrant(made), await school.entrant(made)];
    await openIn(bold.client, { p_size: 10 });
    floor.feed.setPrice('BTCUSDT', '101');
    floor.clock.advance(6_000);
    floor.feed.setPrice('BTCUSDT', '101');
    const seen = await school.rankingFor(calm.trader, made);
    expect(seen).toMatchObject({ frozen: false, entrants: 2 });
    expect(seen.ranks).toMatchObject([
      { rank: 1, number: 2, username: null, equity: 5010, return_pct: 0.2, trades: 1, score: null },
      { rank: 2, number: 1, username: calm.trader.username, equity: 5000, is_self: true, trades: 0 },
    ]);
    expect(seen.own).toMatchObject({ rank: 2, number: 1 });
    const all = await school.rankingFor(admin, made);
    expect(all.ranks.map(({ username }) => username)).toEqual([bold.trader.username, calm.trader.username]);
    expect(all.own).toBeNull();
    const visitor = await floor.addUser('trader');
    const { error } = await visitor.client.rpc('get_contest_ranking', { p_contest_id: made.id });
    expect([error?.code, error?.message]).toEqual(['not_allowed', 'Enter the contest to see its ranking.']);
    expect(rules.names).toBe('shown');
  });
});

test('a ranking that takes long to read shows the one before meanwhile', async () => {
  const made = await school.save();
  const { client } = await school.entrant(made);
  const first = await school.rankingFor(admin, made);
  await openIn(client);
  floor.feed.setPrice('BTCUSDT', '110');
  const owner = new pg.Client({ connectionString: floor.databaseUrl });
  await owner.connect();
  await owner.query('begin; lock table app.positions in access exclusive mode');
  floor.clock.advance(6_000);
  try {
    expect(await school.rankingFor(admin, made)).toEqual(first);
  } finally {
    await owner.query('rollback');
    await owner.end();
  }
  floor.feed.setPrice('BTCUSDT', '110');
  await expect
    .poll(async () => (await school.rankingFor(admin, made)).ranks[0]?.equity, { interval: 100 })
    .toBe(5010);
});

describe('a contest that was made by mistake', () => {
  const later = () =>
    school.save({
      ...{ p_begins_at: school.iso(2 * hourMs), p_registration_ends_at: school.iso(2 * hourMs) },
      p_ends_at: school.iso(4 * hourMs),
    });
  const withdraw = (id: string, by: TestUser = admin, p_reason: string | null = reason) =>
    by.client.rpc('withdraw_contest', { p_contest_id: id, p_reason });

  test('is withdrawn before its begin: accounts are archived, entrants are notified once, its name is free', async () => {
    const made = await later();
    const { trader, accountId, client } = await school.entrant(made);
    expect((await withdraw(made.id, admin, ' ')).error?.code).toBe('reason_required');
    const { data } = await withdraw(made.id).throwOnError();
    expect(data).toMatchObject({ phase: 'withdrawn', can_enter: false });
    await withdraw(made.id).throwOnError();
    expect((await floor.notices(trader)).filter(({ kind }) => kind === 'contest_withdrawn')).toEqual([
      {
        kind: 'contest_withdrawn',
        message: `${made.name} was withdrawn before it began. Your account of it is archived.`,
      },
    ]);
    const rows = (await floor.audit(made.id)).filter(({ action }) => action === 'contest.withdraw');
    expect(rows).toMatchObject([{ actor_id: admin.id, reason, detail: { entrants: 1 } }]);
    const { rows: accounts } = await floor.db.query('select status from app.trading_accounts where id = $1', [
      accountId,
    ]);
    expect(accounts).toEqual([{ status: 'archived' }]);
    expect((await openIn(client)).refusal?.[0]).toBe('account_archived');
    // The entrant still sees it, nobody enters it, nobody changes it, and another one has its name.
    const other = await floor.addUser('trader');
    const listed = async ({ client: by }: TestUser) =>
      (await by.rpc('list_contests').throwOnError()).data.map(({ id }: { id: string }) => id);
    expect(await listed(trader)).toContain(made.id);
    expect(await listed(other)).not.toContain(made.id);
    const entry = await other.client.rpc('enter_contest', { p_contest_id: made.id });
    expect(entry.error?.message).toBe('This contest was withdrawn.');
    expect(await saved({ p_id: made.id, p_version: data.version, p_name: made.name })).toEqual([
      'conflict',
      'This contest was withdrawn.',
    ]);
    const again = await school.save({ p_name: made.name });
    await school.entrant(again);
    expect((await school.enter(again, trader)).account_id).not.toBeNull();
  });

  test('never begins nor ends, and one that has begun is not withdrawn', async () => {
    const made = await later();
    await withdraw(made.id).throwOnError();
    floor.clock.advance(5 * hourMs);
    await refreshed(admin.client);
    const begun = await school.save();
    await expect
      .poll(async () => {
        const { rows } = await floor.db.query<{ id: string }>(
          'select id from app.programs where begun_at is not null and id = any ($1::uuid[])',
          [[made.id, begun.id]],
        );
        return rows.map(({ id }) => id);
      })
      .toEqual([begun.id]);
    expect((await withdraw(begun.id)).error?.message).toBe(
      'The contest has begun: it goes on until its end.',
    );
  });

  test.each(['a change', 'a withdrawal'])(
    '%s that waited for another one is decided by the time after it',
    async (kind) => {
      const made = await later();
      const owner = new pg.Client({ connectionString: floor.databaseUrl });
      await owner.connect();
      try {
        await owner.query('begin');
        await owner.query('select from app.programs where id = $1 for update', [made.id]);
        const changed = { p_id: made.id, p_version: made.version, p_name: made.name };
        const request = (kind === 'a change' ? saved(changed) : withdraw(made.id)).then((answer) => answer);
        await expect
          .poll(async () => {
            const { rows } = await floor.db.query('select from pg_locks where not granted');
            return rows.length;
          })
          .toBeGreaterThan(0);
        floor.clock.set(Date.parse(made.begins_at));
        await owner.query('rollback');
        expect(JSON.stringify(await request)).toContain('The contest has begun: ');
      } finally {
        await owner.end();
      }
    },
  );
});
