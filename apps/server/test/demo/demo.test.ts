/** The demo with its past, which takes long to write: one server shows all of it, and the last test clears it. */
import { userRoles } from '@fulcrum/contract';
import { contactStatuses, minuteMs } from '@fulcrum/domain';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clearDemo, deleteDemoMessages, deleteDemoSchool } from '../../src/features/demo/index.ts';
import { demoPassword } from '../../src/features/identity/index.ts';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import { startTestServer, type TestServer } from '../harness/index.ts';

let target: TestServer;
beforeAll(async () => {
  target = await startTestServer({
    config: {
      demo: true,
      demoHistory: true,
      priceFeed: { kind: 'simulated', seed: 'the demo has a past' },
    },
    feed: null,
  });
}, 300_000);
afterAll(() => target.close());

interface PositionRow {
  readonly id: string;
  readonly symbol: string;
  readonly entry_price: string;
  readonly close_price: string | null;
  readonly realized_pnl: string | null;
  readonly initial_stop_loss_price: string | null;
  readonly created_at: Date;
  readonly closed_at: Date | null;
}

const traderPositions = async (): Promise<PositionRow[]> => {
  const { rows } = await target.db.query<PositionRow>(
    `select p.* from app.positions p join app.users u on u.id = p.user_id
     where u.email = 'trader@fulcrum.local' order by p.created_at`,
  );
  return rows;
};

test('demo: a stop in the middle leaves nothing half-written, and the next start writes it', async () => {
  // The first start has just begun with it.
  await target.restart();
  await target.server.demo.done();
  const { rows } = await target.db.query<{ step: string }>(`select step from app.demo_steps order by step`);
  expect(rows.map(({ step }) => step)).toContain('trader');
}, 300_000);

test("demo: the trader has six weeks of trades in the shape of the pictures, on the chart's own prices", async () => {
  const rows = await traderPositions();
  const closed = rows.filter(({ closed_at }) => closed_at !== null);
  expect(closed.length).toBeGreaterThanOrEqual(55);
  // One was meant as a lesson.
  expect(closed.filter(({ initial_stop_loss_price }) => initial_stop_loss_price === null)).toHaveLength(1);
  const wins = closed.filter(({ realized_pnl }) => Number(realized_pnl) > 0).length;
  expect(wins / closed.length).toBeGreaterThan(0.45);
  expect(wins / closed.length).toBeLessThan(0.65);
  expect(rows.filter(({ closed_at }) => closed_at === null).map(({ symbol }) => symbol)).toEqual(
    expect.arrayContaining(['BTCUSDT', 'ETHUSDT', 'NVDA']),
  );
  const { rows: counts } = await target.db.query(
    `select (select count(*)::int from app.orders o where o.user_id = u.id and o.status = 'NEW') as waiting,
       (select count(*)::int from app.journal_entries e where e.user_id = u.id) as entries,
       (select count(*)::int from app.journal_entries e where e.user_id = u.id and e.position_id is not null) as linked,
       (select count(*)::int from app.notifications n where n.user_id = u.id and n.read_at is null) as unread,
       (select count(*)::int > 100 from app.equity_snapshots s where s.user_id = u.id) as curve
     from app.users u where u.email = 'trader@fulcrum.local'`,
  );
  expect(counts).toEqual([{ waiting: 2, entries: 14, linked: 11, unread: 3, curve: true }]);

  for (const { symbol, entry_price, close_price, created_at, closed_at } of closed) {
    for (const [price, at] of [
      [entry_price, created_at],
      [close_price, closed_at],
    ] as const) {
      const minute = Math.floor((at?.getTime() ?? 0) / minuteMs) * minuteMs;
      const [bar] = await target.server.market.candles(symbol, '1m', { limit: 1, before: minute + minuteMs });
      expect(bar).toBeDefined();
      expect(Number(price)).toBeGreaterThanOrEqual(bar?.low ?? Infinity);
      expect(Number(price)).toBeLessThanOrEqual(bar?.high ?? -Infinity);
    }
  }
}, 300_000);

test('demo: the ledger verifies, and the engine holds what is open', async () => {
  const { violations } = await checkInvariants(target.db);
  expect(violations).toEqual([]);
  const { positions, orders, staleAccounts, halted } = target.server.trading.state();
  expect({ staleAccounts, halted }).toEqual({ staleAccounts: 0, halted: null });
  const { rows } = await target.db.query(
    `select (select count(*)::int from app.positions where status = 'open') as positions,
       (select count(*)::int from app.orders where status = 'NEW') as orders`,
  );
  expect(rows).toEqual([{ positions, orders }]);
});

test('demo: another start adds nothing', async () => {
  const before = await traderPositions();
  await target.restart();
  await target.server.demo.done();
  expect((await traderPositions()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
}, 300_000);

const countBy = async (text: string): Promise<Record<string, number>> => {
  const { rows } = await target.db.query<{ key: string; count: number }>(text);
  return Object.fromEntries(rows.map(({ key, count }) => [key, count]));
};

test('demo: forty users who trade, chat, and were checked in every state', async () => {
  const byRole = await countBy(`select role as key, count(*)::int as count from app.users group by 1`);
  expect(new Set(Object.keys(byRole))).toEqual(new Set(userRoles));
  expect(Object.values(byRole).reduce((sum, count) => sum + count, 0)).toBe(44);

  const kyc = await countBy(`select kyc_status as key, count(*)::int as count from app.users group by 1`);
  expect(kyc).toMatchObject({
    unverified: expect.any(Number),
    pending: 8,
    verified: 14,
    rejected: 4,
  });
  const rejections = await countBy(
    `select reject_type as key, count(*)::int as count from app.kyc_verifications
     where reject_type is not null group by 1`,
  );
  expect(rejections).toEqual({ retry: 2, final: 2 });

  const chats = await countBy(
    `select case when status = 'closed' then case when rating is null then 'closed' else 'rated' end
       when waiting_since is not null then 'waiting' else 'answered' end as key, count(*)::int as count
     from app.chat_sessions group by 1`,
  );
  expect(chats).toEqual({ waiting: 4, answered: 3, closed: 1, rated: 8 });
  const messages = await countBy(
    `select status as key, count(*)::int as count from app.contact_forms group by 1`,
  );
  expect(new Set(Object.keys(messages))).toEqual(new Set(contactStatuses));

  const { rows } = await target.db.query(
    `select count(*) filter (where p.status = 'closed')::int > 100 as traded,
       count(distinct p.user_id) filter (where p.status = 'open')::int > 10 as open
     from app.positions p`,
  );
  expect(rows).toEqual([{ traded: true, open: true }]);
});

test('demo: an invented user has no password, and an administrator sees the drawing of a document', async () => {
  const client = target.client();
  const refused = await client.auth.signInWithPassword({
    email: 'amelia.stone@demo.fulcrum.local',
    password: demoPassword,
  });
  expect(refused.error).toMatchObject({ code: 'invalid_credentials' });

  await client.auth.signInWithPassword({ email: 'admin@fulcrum.local', password: demoPassword });
  const { data } = await client
    .from('kyc_verifications')
    .select('user_id')
    .eq('status', 'pending')
    .limit(1)
    .single();
  const { data: picture, error } = await client.storage
    .from('kyc-documents')
    .download(`${data?.user_id}/document_front.jpg`);
  expect(error).toBeNull();
  expect(picture?.type).toBe('image/jpeg');
  expect(picture?.size).toBeGreaterThan(3_000);
});

test('demo: a class and its contest run, and the trader is in both', async () => {
  const { rows } = await target.db.query<Record<string, unknown>>(
    `select a.kind, count(*)::int as accounts, count(*) filter (where u.email = 'trader@fulcrum.local')::int as own,
       (sum((select count(*) from app.positions p where p.user_id = a.id)) > 20) as trades,
       bool_and(w.version > 1) as all_traded
     from app.trading_accounts a join app.users u on u.id = a.owner_id join app.wallets w on w.user_id = a.id
     where a.kind in ('class', 'contest') group by 1 order by 1`,
  );
  const accounts = rows[0]?.accounts;
  expect(accounts).toBeGreaterThan(10);
  expect(rows).toEqual(
    ['class', 'contest'].map((kind) => ({ kind, accounts, own: 1, trades: true, all_traded: true })),
  );
  const client = target.client();
  await client.auth.signInWithPassword({ email: 'manager@fulcrum.local', password: demoPassword });
  const { data: contests } = await client.rpc('list_contests').throwOnError();
  expect(contests).toMatchObject([{ name: 'Autumn cup', phase: 'trading', entrants: accounts }]);
  const p_contest_id = contests[0].id;
  const { data: ranking } = await client.rpc('get_contest_ranking', { p_contest_id }).throwOnError();
  expect(ranking.ranks[0].return_pct).toBeGreaterThan(0);
  expect(ranking.ranks.at(-1).return_pct).toBeLessThan(0);
  const { data: classes } = await client.rpc('list_classes').throwOnError();
  expect(classes).toMatchObject([{ name: 'Markets, first year', members: accounts }]);
  const { rows: notices } = await target.db.query(
    `select from app.notifications where kind = 'contest_begun'`,
  );
  expect(notices).toEqual([]);
  // Its trades are invented: a commitment to prices would never agree with them.
  const { rows: begun } = await target.db.query(
    'select begun_at = begins_at as "asWritten" from app.programs',
  );
  expect(begun).toEqual([{ asWritten: true }]);
  expect((await client.rpc('get_contest_market', { p_contest_id }).throwOnError()).data).toBeNull();
});

test('demo: ordinary orders go on beside it, and nothing of it stays after the clearing', async () => {
  const { client } = await target.signUpTrader();
  const { error } = await client.rpc('open_position', {
    p_symbol: 'BTCUSDT',
    p_side: 'BUY',
    p_size: 0.01,
    p_leverage: 5,
  });
  expect(error).toBeNull();

  expect(await clearDemo({ ...target.server, accounts: target.server.accounts })).toBe(41);
  const owner = new pg.Client({ connectionString: target.databaseUrl });
  await owner.connect();
  expect(await deleteDemoMessages(owner)).toBe(9);
  expect(await deleteDemoSchool(owner)).toBe(true);
  await owner.end();

  await target.restart();
  await target.server.demo.done();
  const { rows } = await target.db.query(
    `select (select count(*)::int from app.users where email like '%@demo.fulcrum.local') as users,
       (select count(*)::int from app.chat_sessions) as chats,
       (select count(*)::int from app.kyc_verifications) as checks,
       (select count(*)::int from app.contact_forms) as messages,
       (select count(*)::int from app.positions) as positions,
       (select count(*)::int from app.classes) + (select count(*)::int from app.programs) as school,
       (select w.balance::text from app.wallets w join app.users u on u.id = w.user_id
        where u.email = 'trader@fulcrum.local') as balance`,
  );
  expect(rows).toEqual([
    { users: 0, chats: 0, checks: 0, messages: 0, positions: 1, school: 0, balance: '10000.00000000' },
  ]);
}, 300_000);
