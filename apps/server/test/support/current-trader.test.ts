/** A103: support reads the trader of an open conversation, and no other account. */
import { randomUUID } from 'node:crypto';
import { getAttendedTrader } from '@fulcrum/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { startTestServer, type TestServer, type Trader } from '../harness/index.ts';
import { type Member, member, storeConversation } from './conversations.ts';

let server: TestServer;
let agent: Member;
let trader: Trader;
let sessionId: string;

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

beforeAll(async () => {
  server = await startTestServer();
  server.feed.setPrice('BTCUSDT', 50_000);
  agent = await member(server, 'support');
  trader = await server.signUpTrader({ balance: 5_000 });
  const { error } = await trader.client.rpc('open_position', {
    p_symbol: 'BTCUSDT',
    p_side: 'BUY',
    p_entry_price: 50_000,
    p_size: 0.01,
    p_leverage: 10,
  });
  if (error) throw error;
  for (const ago of [300, 200]) {
    await storeConversation(server.db, {
      userId: trader.userId,
      messages: [
        { at: minutesAgo(ago), agent: null },
        { at: minutesAgo(ago - 1), agent: agent.id },
      ],
      closed: { at: minutesAgo(ago - 2), by: agent.id },
      rating: ago / 100,
    });
  }
  sessionId = await storeConversation(server.db, {
    userId: trader.userId,
    messages: [{ at: minutesAgo(3), agent: null }],
  });
}, 60_000);
afterAll(() => server.close());

const read = (client: Trader['client'], id = sessionId) =>
  client.rpc('get_attended_trader', { p_session_id: id });

test('A103: account, wallet, open positions with marks and earlier conversations, never documents', async () => {
  await eventually(async () => {
    // The market writes the last prices down once a second.
    const { data } = await trader.client.from('positions').select('mark_price').single();
    expect(data?.mark_price).toBe(50_000);
  });
  const { data, error } = await read(agent.client);
  expect(error).toBeNull();
  const attended = getAttendedTrader.result.parse(data);
  expect(attended.user).toMatchObject({ id: trader.userId, email: trader.email, kyc_status: 'unverified' });
  expect(attended.positions).toMatchObject([{ symbol: 'BTCUSDT', mark_price: 50_000, status: 'open' }]);
  const { data: own } = await trader.client.from('positions').select('*').eq('status', 'open');
  expect(attended.positions).toEqual(own);
  const { data: wallet } = await trader.client.from('wallets').select('*').single();
  expect(attended.wallet).toEqual({
    balance: wallet.balance,
    available_balance: wallet.available_balance,
    currency: 'USDT',
  });
  expect(attended.earlier).toMatchObject([
    { messages: 2, rating: 2 },
    { messages: 2, rating: 3 },
  ]);
  expect(JSON.stringify(data)).not.toMatch(/document|selfie|_url|phone|password/);
});

test('A103: not once it is closed, nor of an id that is none: both look alike', async () => {
  const { userId } = await server.signUpTrader();
  const closed = await storeConversation(server.db, {
    userId,
    messages: [{ at: minutesAgo(9), agent: null }],
    closed: { at: minutesAgo(8), by: agent.id },
  });
  const [one, two] = [await read(agent.client, closed), await read(agent.client, randomUUID())];
  expect(one.status).toBe(404);
  expect({ ...one.error }).toEqual({ ...two.error });
});

test('A103: only support reads it', async () => {
  for (const role of ['trader', 'manager', 'admin']) {
    expect((await read((await member(server, role)).client)).status).toBe(403);
  }
  expect((await read(trader.client)).status).toBe(403);
});
