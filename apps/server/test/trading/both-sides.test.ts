/** A111 on PostgreSQL: a gap in an account that holds both sides of a symbol. */
import { formatFixed } from '@fulcrum/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CommandLogEntry } from '../../src/features/trading/engine/command-log.ts';
import { replayCommandLog } from '../harness/command-replay.ts';
import { startTestServer, type TestServer } from '../harness/index.ts';
import { type EngineSetup, openEngine, type Trader } from './database-engine.ts';

const commandLog: CommandLogEntry[] = [];
let desk: EngineSetup;
beforeAll(async () => {
  desk = await openEngine({ commandLog: (entry) => void commandLog.push(entry) });
});
beforeEach(() => desk.setPrice('BTCUSDT', '100'));
afterAll(async () => {
  expect(await desk.invariants()).toMatchObject({ ok: true, violations: [] });
  await desk.dispose();
});

/** BUY and SELL at 125x with a margin of 4,990.40 each, of 10,000. */
async function hedge(): Promise<{ trader: Trader; long: string; short: string }> {
  const trader = await desk.addTrader('10000');
  const size = { p_size: 6_238, p_leverage: 125 };
  const { id: long } = await desk.open(trader, size);
  const { id: short } = await desk.open(trader, { ...size, p_side: 'SELL' });
  return { trader, long, short };
}
const rowsOf = async ({ userId }: Trader) =>
  (
    await desk.db.query<Record<string, string | null>>(
      `select id, split_from, side, status, close_reason, close_price, realized_pnl, entry_price, size
       from app.positions where user_id = $1 order by created_at, closed_at, side, split_from nulls first`,
      [userId],
    )
  ).rows;
const insured = async () =>
  (await desk.db.query(`select amount from app.ledger_entries where account = 'insurance'`)).rows;

test('SEC-F2: a shock of 3 percent leaves a hedged pair at 10,000, and shows what paid for what', async () => {
  const { trader, long, short } = await hedge();
  desk.tick('BTCUSDT', '103');
  await desk.settle();
  const rows = await rowsOf(trader);
  const part = rows.find(({ split_from }) => split_from === long);
  expect(part).toMatchObject({ side: 'BUY', status: 'closed', close_reason: 'liquidation' });
  expect(Number(part?.realized_pnl)).toBeCloseTo(
    (Number(part?.close_price) - Number(part?.entry_price)) * Number(part?.size),
    6,
  );
  expect(rows.find(({ id }) => id === short)).toMatchObject({
    close_reason: 'liquidation',
    close_price: '103.00000000',
    realized_pnl: '-4990.40000000',
  });
  const messages = (await desk.notices(trader)).map(({ message }) => message);
  expect(messages).toContain('Liquidation: SELL 6238 BTCUSDT was closed at 103.00, PnL -4990.40 USDT.');
  expect(
    messages.find((message) =>
      message.includes(' of its gain paid for what your SELL position lost beyond its margin.'),
    ),
  ).toMatch(
    /^Liquidation: BUY 4574\.534 BTCUSDT was closed at 100\.\d+, PnL \+0\.00 USDT\. 13723\.60 USDT of its gain/,
  );
  await desk.close(trader, long);
  expect(Number((await desk.wallet(trader)).balance)).toBeCloseTo(10_000, 3);
  expect(Number((await desk.wallet(trader)).balance)).toBeLessThanOrEqual(10_000);
  expect(await insured()).toEqual([]);
});

test('SEC-F2: a click on the winner does not come before the loss, and its repeat answers the same', async () => {
  const { trader, long, short } = await hedge();
  // The price is known, but no tick has reached the engine yet.
  desk.setPrice('BTCUSDT', '103');
  const closed = await desk.close(trader, long, 'first');
  expect(closed).toMatchObject({ id: long, status: 'closed', close_reason: 'manual' });
  expect(Number((await desk.wallet(trader)).balance)).toBeLessThanOrEqual(10_000);
  await expect(desk.close(trader, short)).rejects.toMatchObject({ code: 'position_closed' });
  expect(await desk.close(trader, long, 'first')).toEqual(closed);
  await desk.restart();
  expect(await desk.close(trader, long, 'first')).toEqual(closed);
  const reasons = (await rowsOf(trader)).map(({ close_reason }) => close_reason);
  expect(Object.groupBy(reasons, String)).toMatchObject({
    liquidation: ['liquidation', 'liquidation'],
    manual: ['manual'],
  });
  expect(await insured()).toEqual([]);
});

test('SEC-F2: 200 positions of both sides, closed all at once after a gap, end at what they began with', async () => {
  const trader = await desk.addTrader('10000');
  const opened = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      desk.open(trader, { p_size: 30, p_leverage: 125, p_side: i % 2 === 0 ? 'BUY' : 'SELL' }),
    ),
  );
  desk.setPrice('BTCUSDT', '40');
  const closes = await Promise.allSettled(opened.map(({ id }) => desk.close(trader, id)));
  expect(closes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
  expect((await rowsOf(trader)).every(({ status }) => status === 'closed')).toBe(true);
  const { balance, available_balance } = await desk.wallet(trader);
  expect(Number(balance)).toBeLessThanOrEqual(10_000);
  expect(Number(balance)).toBeGreaterThan(9_999.99);
  expect(available_balance).toBe(balance);
});

test('SEC-F2: the replayed command log gives the stored ledger', async () => {
  const again = replayCommandLog(commandLog, (symbol) => desk.market.pair(symbol));
  const { rows } = await desk.db.query<{ entry: string }>(
    `select group_id || ' ' || account || ' ' || amount as entry from app.ledger_entries
     where group_id not in (select id from app.transactions where description = 'Initial balance') order by id`,
  );
  expect(again.ledger.map((row) => `${row.groupId} ${row.account} ${formatFixed(row.amount, 8)}`)).toEqual(
    rows.map(({ entry }) => entry),
  );
});

test('SEC-F2: through the server a 3 percent shock of SOLUSDT never lifts 10,000 above 10,000', async () => {
  const server: TestServer = await startTestServer();
  try {
    server.feed.setPrice('SOLUSDT', '150');
    const { client, userId } = await server.signUpTrader({ balance: 10_000 });
    const open = (p_side: string) =>
      client.rpc('open_position', {
        ...{ p_user_id: userId, p_symbol: 'SOLUSDT', p_side, p_entry_price: 150 },
        ...{ p_size: 4_158, p_leverage: 125, p_required_margin: 4_989.6 },
      });
    const [long, short] = [await open('BUY'), await open('SELL')];
    expect([long.error, short.error]).toEqual([null, null]);
    const balance = async () =>
      (await client.from('wallets').select('balance').single()).data?.balance as number;
    const openIds = async () =>
      ((await client.from('positions').select('id').eq('status', 'open')).data ?? []).map(({ id }) => id);
    server.feed.setPrice('SOLUSDT', '154.5');
    await expect.poll(openIds).toEqual([long.data.id]);
    expect(await balance()).toBeLessThanOrEqual(10_000);
    expect((await client.rpc('close_position', { p_position_id: long.data.id })).error).toBeNull();
    expect(await balance()).toBeLessThanOrEqual(10_000);
    expect(await balance()).toBeGreaterThan(9_999.99);
    const { data: closed } = await client
      .from('positions')
      .select('side, close_reason, realized_pnl')
      .eq('status', 'closed');
    expect(closed?.map(({ side, close_reason }) => `${side} ${close_reason}`).sort()).toEqual([
      'BUY liquidation',
      'BUY manual',
      'SELL liquidation',
    ]);
    const { data: notices } = await client.from('notifications').select('message').eq('kind', 'liquidation');
    expect(notices).toHaveLength(2);
  } finally {
    await server.close();
  }
});
