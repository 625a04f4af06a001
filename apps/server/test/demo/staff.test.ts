import { userRoles } from '@fulcrum/contract';
import { contactStatuses } from '@fulcrum/domain';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clearDemo, deleteDemoMessages } from '../../src/features/demo/index.ts';
import { demoPassword } from '../../src/features/identity/index.ts';
import { startTestServer, type TestServer } from '../harness/index.ts';

let target: TestServer;
beforeAll(async () => {
  target = await startTestServer({
    config: { demo: true, demoHistory: true, priceFeed: { kind: 'simulated', seed: 'a full list' } },
    feed: null,
  });
  await target.server.demo.done();
}, 300_000);
afterAll(() => target.close());

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
  await owner.end();

  await target.restart();
  await target.server.demo.done();
  const { rows } = await target.db.query(
    `select (select count(*)::int from app.users where email like '%@demo.fulcrum.local') as users,
       (select count(*)::int from app.chat_sessions) as chats,
       (select count(*)::int from app.kyc_verifications) as checks,
       (select count(*)::int from app.contact_forms) as messages,
       (select count(*)::int from app.positions) as positions,
       (select w.balance::text from app.wallets w join app.users u on u.id = w.user_id
        where u.email = 'trader@fulcrum.local') as balance`,
  );
  expect(rows).toEqual([
    { users: 0, chats: 0, checks: 0, messages: 0, positions: 1, balance: '10000.00000000' },
  ]);
}, 300_000);
