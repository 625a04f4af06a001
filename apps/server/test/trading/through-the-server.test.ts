/** The engine behind HTTP, token, validation and the official client, as a trader's browser or bot reaches it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '../../src/features/wallet/index.ts';
import { startTestServer, type TestServer, type Trader } from '../harness/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  server.feed.setPrice('BTCUSDT', '100');
});
afterAll(async () => {
  expect(await checkInvariants(server.db)).toMatchObject({ ok: true, violations: [] });
  await server.close();
});

const open = ({ client, userId }: Trader, more: Record<string, unknown> = {}) =>
  client.rpc('open_position', {
    p_user_id: userId,
    p_symbol: 'BTCUSDT',
    p_side: 'BUY',
    p_entry_price: 100,
    p_size: 1,
    p_leverage: 10,
    p_required_margin: 10,
    ...more,
  });

const walletOf = async ({ client }: Trader) =>
  (await client.from('wallets').select('balance, available_balance').single()).data;

const codes = (answers: readonly { error: { code: string } | null }[]) =>
  Object.entries(Object.groupBy(answers, ({ error }) => error?.code ?? 'done')).map(
    ([code, group]) => [code, group?.length] as const,
  );

test('CALL-47 RULE-02: of 200 parallel open_position calls that the balance covers 100 times exactly 100 succeed', async () => {
  const trader = await server.signUpTrader({ balance: 1000 });
  const answers = await Promise.all(Array.from({ length: 200 }, () => open(trader)));
  expect(new Map(codes(answers))).toEqual(
    new Map([
      ['done', 100],
      ['insufficient_balance', 100],
    ]),
  );
  expect(await walletOf(trader)).toEqual({ balance: 1000, available_balance: 0 });
  const { rows } = await server.db.query('select sum(amount) as sum from app.ledger_entries');
  expect(rows).toEqual([{ sum: '0.00000000' }]);
});

test('CALL-48 A23: of 50 parallel close_position calls for one position one succeeds', async () => {
  const trader = await server.signUpTrader({ balance: 1000 });
  const { data } = await open(trader);
  server.feed.setPrice('BTCUSDT', '102');
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      trader.client.rpc('close_position', {
        p_position_id: data.id,
        p_close_price: 1_000_000,
        p_realized_pnl: 999_900,
      }),
    ),
  );
  server.feed.setPrice('BTCUSDT', '100');
  expect(new Map(codes(answers))).toEqual(
    new Map([
      ['done', 1],
      ['position_closed', 49],
    ]),
  );
  expect(await walletOf(trader)).toEqual({ balance: 1002, available_balance: 1002 });
});

test('RULE-03 RULE-16: the answer equals the next read, for position and wallet', async () => {
  const trader = await server.signUpTrader({ balance: 1000 });
  const { data: opened } = await open(trader);
  const [{ data: rows }, wallet] = await Promise.all([
    trader.client.from('positions').select('id, entry_price, margin, status').eq('status', 'open'),
    walletOf(trader),
  ]);
  expect(rows).toEqual([{ id: opened.id, entry_price: 100, margin: 10, status: 'open' }]);
  expect(wallet).toEqual({ balance: 1000, available_balance: 990 });
});

test('RULE-02: the refusal carries its text and both figures', async () => {
  const trader = await server.signUpTrader({ balance: 5 });
  const { error, status } = await open(trader);
  expect(status).toBe(400);
  expect(error).toMatchObject({
    code: 'insufficient_balance',
    message: 'Insufficient available balance. Required: 10.00 USDT, Available: 5.00 USDT',
  });
});

test('A18: the account is the token’s, for any p_user_id', async () => {
  const [trader, other] = [
    await server.signUpTrader({ balance: 1000 }),
    await server.signUpTrader({ balance: 1000 }),
  ];
  const { data } = await open(trader, { p_user_id: other.userId });
  expect(data.user_id).toBe(trader.userId);
  expect(await walletOf(other)).toEqual({ balance: 1000, available_balance: 1000 });
});
