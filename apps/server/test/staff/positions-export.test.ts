/** Files of positions: their content, the owners of their links, and receivers that disconnect. */
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { SignedIn } from '@fulcrum/contract';
import { beforeAll, expect, test } from 'vitest';
import {
  createFileExports,
  type FileExportDependencies,
} from '../../src/features/staff/exports/file-stream.ts';
import { createPositionExport } from '../../src/features/staff/positions/export.ts';
import { eventually } from '../harness/eventually.ts';
import { createManualTimers } from '../harness/manual-timers.ts';
import { server, shareUserServer, type TestUser } from '../identity/user-server.ts';

const many = 30_000;
let admin: TestUser;
let manager: TestUser;
let trader: TestUser;
let busy: TestUser;

shareUserServer({ ledger: 'broken on purpose' });
beforeAll(async () => {
  server.feed.setPrice('BTCUSDT', '100');
  admin = await server.addUser('admin');
  manager = await server.addUser('manager');
  [trader, busy] = [
    await server.addUser('trader', { managerId: manager.id }),
    await server.addUser('trader'),
  ];
  await server.db.query(
    `insert into app.positions (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price, close_price,
       realized_pnl, status, created_at, closed_at, close_reason, rules, account_version)
     values (gen_random_uuid(), $1, 'BTCUSDT', 'BUY', 100, 2, 10, 20, 90.5, 93.45678901, -13.08642198, 'closed',
             '2026-11-06T10:00Z', '2026-11-06T23:30Z', 'manual', 'standard', 1),
            (gen_random_uuid(), $1, 'BTCUSDT', 'SELL', 100, 1, 5, 20, 119, 90, 10, 'closed',
             '2026-11-06T10:00Z', '2026-11-06T10:30Z', 'manual', 'as-specified', 1),
            (gen_random_uuid(), $1, 'BTCUSDT', 'SELL', 110, 1, 10, 11, 120, null, null, 'open',
             '2026-11-06T10:00Z', null, null, 'standard', 1)`,
    [trader.id],
  );
  await server.db.query(
    `insert into app.positions (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price, close_price,
       realized_pnl, status, created_at, closed_at, close_reason, rules, account_version)
     select gen_random_uuid(), $1, 'BTCUSDT', 'BUY', 100, 2, 10, 20, 90.5, 101, 2, 'closed',
            '2026-10-01T10:00Z'::timestamptz + n * interval '1 second', '2026-10-01T12:00Z'::timestamptz + n * interval '1 second',
            'manual', 'standard', n
     from generate_series(1, $2::int) n`,
    [busy.id, many],
  );
});

async function linkOf(by: TestUser, args: Record<string, unknown>) {
  const { data, error } = await by.client.rpc('export_positions', { p_time_zone: 'UTC', ...args });
  if (error) throw error;
  return data as { url: string; file_name: string };
}
async function headersOf({ client }: TestUser): Promise<Record<string, string>> {
  const { data } = await client.auth.getSession();
  return { apikey: server.anonKey, authorization: `Bearer ${data.session!.access_token}` };
}
const follow = async (url: string, by: TestUser, signal?: AbortSignal) =>
  fetch(`${server.url}${url}`, { headers: await headersOf(by), ...(signal && { signal }) });
const recorded = async (by: TestUser, action = 'positions.export') => {
  const { rows } = await server.db.query<{ subject_id: string | null; detail: Record<string, unknown> }>(
    `select subject_id, detail from app.audit_log where actor_id = $1 and action = $2 order by id`,
    [by.id, action],
  );
  return rows;
};

test('X-17, X-18, ADMIN-76, A77: closed ones, with the stated columns, exact figures and the day of the viewer', async () => {
  const { url, file_name } = await linkOf(admin, {
    p_status: 'closed',
    p_user_id: trader.id,
    p_time_zone: 'Pacific/Auckland',
  });
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' }).format(server.clock.now());
  expect(file_name).toBe(`closed_positions_${trader.username}_${today.replaceAll('-', '')}.csv`);
  const answer = await follow(url, admin);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/csv');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-disposition')).toContain(`attachment; filename="${file_name}"`);
  // RULE-11: each by the rule set that it was opened under.
  expect(await answer.text()).toBe(
    [
      'Symbol,Side,Entry Price,Close Price,Size,Leverage,PnL,ROE%,Closed At',
      'BTCUSDT,BUY,100,93.45678901,2,10,-13.08642198,-65.43,"Nov 07, 2026"',
      'BTCUSDT,SELL,100,90,1,5,10,10,"Nov 06, 2026"',
      '',
    ].join('\r\n'),
  );
  expect(await recorded(admin)).toMatchObject([
    { subject_id: trader.id, detail: { status: 'closed', rows: 2, outcome: 'whole' } },
  ]);
});

test('X-19, A77: open positions have the value of their mark; close price and closing time are empty', async () => {
  const { url, file_name } = await linkOf(manager, { p_status: 'open' });
  expect(file_name).toMatch(/^open_positions_all_\d{8}\.csv$/);
  expect(await (await follow(url, manager)).text()).toBe(
    'Symbol,Side,Entry Price,Close Price,Size,Leverage,PnL,ROE%,Closed At\r\nBTCUSDT,SELL,110,,1,10,10,90.91,\r\n',
  );
});

test('a link works once, for a minute, and in the requesting session only', async () => {
  const { url } = await linkOf(admin, { p_status: 'open' });
  expect((await follow(url, manager)).status).toBe(404);
  expect((await follow(url, trader)).status).toBe(404);
  expect((await fetch(`${server.url}${url}`)).status).toBe(401);
  const elsewhere = { ...admin, client: await server.signIn(admin.email) };
  expect((await follow(url, elsewhere)).status).toBe(404);
  const answer = await follow(url, admin);
  expect(answer.status).toBe(200);
  // Its end comes after its record, which the tests below count.
  await answer.text();
  const again = await follow(url, admin);
  expect([again.status, ((await again.json()) as { message: string }).message]).toEqual([
    404,
    'This link was already used or has expired. Please export again.',
  ]);
  const late = await linkOf(admin, { p_status: 'open', p_symbol: 'eth' });
  // Asking is on record before anything goes out, and also when nothing ever does.
  expect((await recorded(admin, 'positions.request_export')).at(-1)).toMatchObject({
    detail: { status: 'open', symbol: 'eth' },
  });
  server.clock.advance(60_001);
  expect((await follow(late.url, admin)).status).toBe(404);
});

test('MGR-08: a manager exports the own traders only, as they are when the file is made', async () => {
  const foreign = await manager.client.rpc('export_positions', {
    p_status: 'open',
    p_user_id: busy.id,
    p_time_zone: 'UTC',
  });
  expect([foreign.status, foreign.error?.message]).toEqual([404, 'User not found']);
  const zone = await manager.client.rpc('export_positions', { p_status: 'open', p_time_zone: 'Nowhere' });
  expect(zone).toMatchObject({ status: 400, error: { code: 'invalid_argument' } });
  const { url } = await linkOf(manager, { p_status: 'closed', p_user_id: trader.id });
  await server.db.query('update app.users set manager_id = null where id = $1', [trader.id]);
  expect((await follow(url, manager)).status).toBe(404);
});

test('the file contains all rows of the filter; a receiver that disconnects leaves no connection and is audited', async () => {
  const before = (await recorded(admin)).length;
  const whole = await follow((await linkOf(admin, { p_status: 'closed', p_user_id: busy.id })).url, admin);
  expect((await whole.text()).split('\r\n')).toHaveLength(many + 2);

  const leaving = new AbortController();
  const { url } = await linkOf(admin, { p_status: 'closed', p_symbol: 'btc' });
  const answer = await follow(url, admin, leaving.signal);
  await answer.body!.getReader().read();
  leaving.abort();
  await eventually(async () => {
    const actions = (await recorded(admin)).slice(before);
    expect(actions.map(({ detail }) => detail.outcome)).toEqual(['whole', 'broken off']);
    expect(actions[0]!.detail).toMatchObject({ rows: many });
    // The rest was not read without a receiver.
    expect(actions[1]!.detail.rows).toBeLessThan(many);
    expect(actions[1]!.subject_id).toBeNull();
  });
  // Reads the pool's state: the restricted role does not see other sessions. The engine holds one connection for good.
  const { pool } = server.db;
  await eventually(() => expect(pool.totalCount - pool.idleCount).toBe(1));
});

test('an ended session gets no further row, and a stalled receiver does not block other files', async () => {
  const leaver = await server.addUser('admin');
  const everything = { p_status: 'closed', p_user_id: busy.id };
  const [first, second] = [await linkOf(leaver, everything), await linkOf(leaver, everything)];
  const answer = await follow(first.url, leaver);
  const reader = answer.body!.getReader();
  await reader.read();
  // Waits for the first one's end; the other place stays free for others.
  const waiting = follow(second.url, leaver);
  const others = await follow((await linkOf(manager, { p_status: 'open' })).url, manager);
  expect([others.status, (await others.text()).split('\r\n').length]).toEqual([200, 2]);

  await leaver.client.auth.signOut();
  const readOn = async () => {
    for (;;) if ((await reader.read()).done) return;
  };
  await expect(readOn()).rejects.toThrow();
  expect((await waiting).status).toBe(401);
  await eventually(async () =>
    expect((await recorded(leaver)).map(({ detail }) => detail.outcome)).toEqual(['broken off']),
  );
});

test('A77: two slow receivers do not block a file for long; they continue while no other caller waits', async () => {
  const timers = createManualTimers(server.clock.now());
  const { market, accounts } = server.server;
  let reading = 0;
  const deps = {
    db: server.db,
    reader: {
      ...server.db,
      transaction: (work) =>
        server.db.transaction((tx) =>
          work({
            query: async (...statement) => {
              reading += 1;
              return tx.query<never>(...statement).finally(() => {
                reading -= 1;
              });
            },
          }),
        ),
    },
    market,
    clock: timers,
    timers,
    log: server.server.log,
    identity: accounts,
  } satisfies FileExportDependencies & { market: typeof market };
  const files = createFileExports(deps);
  const exports = { ...files, procedure: createPositionExport(deps, files) };
  const everything = { p_status: 'closed', p_user_id: busy.id, p_time_zone: 'UTC' } as const;
  const open = async (by: TestUser): Promise<Readable> => {
    const caller: SignedIn = {
      role: 'admin',
      userId: by.id,
      accountId: by.id,
      actorId: by.id,
      impersonationId: null,
      sessionId: crypto.randomUUID(),
    };
    const { url } = await exports.procedure(caller, everything);
    const token = url.split('/').at(-1)!;
    return (await exports.open(caller, token, new AbortController().signal)).body;
  };
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => server.addUser('admin')));
  const slow = await Promise.all([open(first!), open(second!)]);
  const ended = slow.map(
    (body) => new Promise<void>((resolve) => void body.once('error', () => resolve()).once('close', resolve)),
  );
  const untilOffered = async () => {
    await setImmediate();
    await eventually(() => expect(reading).toBe(0));
    await setImmediate();
  };
  // Each takes a page now and then, so neither is stalled.
  const takeAPage = async () => {
    for (const body of slow) await eventually(() => expect(body.read()).not.toBeNull());
    await untilOffered();
  };
  for (let round = 0; round < 4; round += 1) {
    await takeAPage();
    await timers.advance(20_000);
  }
  expect(slow.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  const endings = async (by: TestUser) =>
    (await recorded(by)).map(({ detail }) => [detail.outcome, detail.why]);

  await takeAPage();
  const waiting = open(third!);
  await eventually(async () => {
    await timers.advance(1000);
    expect(slow.some(({ destroyed }) => destroyed)).toBe(true);
  });
  await Promise.race(ended);
  let text = '';
  for await (const chunk of await waiting) text += chunk;
  expect(text.split('\r\n')).toHaveLength(many + 2);
  expect([...(await endings(first!)), ...(await endings(second!))]).toContainEqual([
    'broken off',
    'receiver too slow while others waited',
  ]);

  // A receiver that reads nothing is disconnected also while no other one waits.
  const last = await open(third!);
  await untilOffered();
  await timers.advance(31_000);
  await eventually(() => expect(last.destroyed).toBe(true));
  for (const body of slow) body.destroy();
  await exports.idle();
  expect((await endings(third!)).at(-1)).toEqual(['broken off', 'receiver stalled']);
});

test('X-17: with users, ids and UTC times the nine columns stay together, in order', async () => {
  const { url } = await linkOf(admin, { p_status: 'closed', p_user_id: trader.id, p_with_ids: true });
  const [head, first] = (await (await follow(url, admin)).text()).split('\r\n');
  const nine = 'Symbol,Side,Entry Price,Close Price,Size,Leverage,PnL,ROE%,Closed At';
  expect(head).toBe(`Username,Email,Position Id,${nine},Opened At (UTC),Closed At (UTC)`);
  expect(first).toMatch(
    new RegExp(`^${trader.username},${trader.email},[0-9a-f-]{36},BTCUSDT,BUY,100,93\\.45678901,2,10,`),
  );
  expect(first).toMatch(/,2026-11-06T10:00:00\.000Z,2026-11-06T23:30:00\.000Z$/);
});
