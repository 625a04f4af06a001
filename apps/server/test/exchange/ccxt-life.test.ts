/** A bot's life with unmodified ccxt: what it sums up of its own trades and income is what the app and its ledger have, to the last digit. */
import { hourMs } from '@fulcrum/domain';
import type { binanceusdm, Trade } from 'ccxt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createManualClock } from '../../src/platform/clock/index.ts';
import { eventually } from '../harness/eventually.ts';
import { appRows, sumOf } from './app-rows.ts';
import { type Bot, type Door, startDoor } from './door.ts';
import { type ForeignHostGuard, guardForeignHosts } from './foreign-hosts.ts';
import { createCcxt } from './recipes/ccxt.ts';

const symbol = 'BTC/USDT:USDT';
let guard: ForeignHostGuard;
let door: Door;
const clock = createManualClock(Date.now());
beforeAll(async () => {
  guard = guardForeignHosts();
  door = await startDoor({ clock });
});
afterAll(async () => {
  await door.close();
  guard.remove();
  expect(guard.refused).toEqual([]);
});

const info = (row: object): Record<string, string> => (row as { info: Record<string, string> }).info;
const positionOf = async (exchange: binanceusdm) => (await exchange.fetchPositions([symbol]))[0];

async function connect(bot: Bot): Promise<binanceusdm> {
  const exchange = createCcxt(door.server.url, bot.key);
  // The test's clock stands still.
  exchange.nonce = () => clock.now();
  await exchange.loadMarkets();
  return exchange;
}

/** What the client reads of its account, against the rows of the app. */
async function compare(exchange: binanceusdm, bot: Bot): Promise<readonly Trade[]> {
  const rows = appRows(door, bot);
  const [trades, executions] = [await exchange.fetchMyTrades(symbol), await rows.executions()];
  expect(
    trades.map((trade) => ({
      ...{ number: trade.id, side: info(trade).side, size: info(trade).qty, price: info(trade).price },
      ...{ value: info(trade).quoteQty, fee: info(trade).commission, pnl: info(trade).realizedPnl },
    })),
  ).toEqual(
    executions.map(({ number, side, size, price, value, fee, pnl }) => ({
      ...{ number, side, size, price, value, fee, pnl },
    })),
  );
  const incomes = await exchange.fetchLedger('USDT', undefined, 1_000);
  const of = (...types: readonly string[]) =>
    sumOf(
      incomes
        .filter((row) => types.includes(String(info(row).incomeType)))
        .map((row) => String(info(row).income)),
    );
  const realized = sumOf(trades.map((trade) => String(info(trade).realizedPnl)));
  expect(of('REALIZED_PNL', 'INSURANCE_CLEAR')).toBe(realized);
  expect(await rows.ledger('close')).toBe(realized);
  expect(of('COMMISSION')).toBe(await rows.ledger('fee'));
  expect(of('COMMISSION')).toBe(sumOf(trades.map((trade) => `-${info(trade).commission}`)));
  const { balance } = await rows.wallet();
  expect(sumOf(incomes.map((row) => String(info(row).income)))).toBe(balance);
  expect(info(await exchange.fetchBalance()).totalWalletBalance).toBe(balance);
  return trades;
}

test('opened three times, reduced, flipped, trailed, opened again and liquidated', async () => {
  door.feed.setPrice('BTCUSDT', '64000');
  const bot = await door.join({ p_fill_profile: 'pro', p_start_balance: 10_000 });
  const exchange = await connect(bot);
  const market = (side: 'buy' | 'sell', amount: number, more: object = {}) =>
    exchange.createOrder(symbol, 'market', side, amount, undefined, more);
  await market('buy', 0.1);
  door.feed.setPrice('BTCUSDT', '63900.03');
  await market('buy', 0.2);
  door.feed.setPrice('BTCUSDT', '64012.77');
  await market('buy', 0.037);
  expect(await positionOf(exchange)).toMatchObject({ side: 'long', contracts: 0.337 });
  await compare(exchange, bot);

  door.feed.setPrice('BTCUSDT', '64500.01');
  await market('sell', 0.1, { reduceOnly: true });
  expect(await positionOf(exchange)).toMatchObject({ side: 'long', contracts: 0.237 });
  await market('sell', 0.5);
  expect(await positionOf(exchange)).toMatchObject({ side: 'short', contracts: 0.263 });
  await compare(exchange, bot);

  const trail = await exchange.createOrder(symbol, 'market', 'buy', 0.263, undefined, {
    ...{ trailingPercent: 1, reduceOnly: true },
  });
  for (const price of ['64100', '63000', '62800.5', '63200']) door.feed.setPrice('BTCUSDT', price);
  expect(await positionOf(exchange)).toMatchObject({ side: 'short' });
  // 1 % above the lowest price.
  door.feed.setPrice('BTCUSDT', '63428.51');
  await eventually(async () => expect(await positionOf(exchange)).toBeUndefined(), 20);
  expect(await exchange.fetchOrder(String(trail.id), symbol, { trigger: true })).toMatchObject({
    status: 'closed',
  });
  await compare(exchange, bot);

  await exchange.setLeverage(100, symbol);
  const opened = await market('buy', 1);
  const doomed = await positionOf(exchange);
  expect(doomed).toMatchObject({ contracts: 1, leverage: 100, entryPrice: opened.average });
  const liquidation = Number(doomed?.liquidationPrice);
  door.feed.setPrice('BTCUSDT', (liquidation + 1).toFixed(2));
  expect(await positionOf(exchange)).toMatchObject({ contracts: 1 });
  door.feed.setPrice('BTCUSDT', (liquidation - 25).toFixed(2));
  await eventually(async () => expect(await positionOf(exchange)).toBeUndefined(), 20);
  const trades = await compare(exchange, bot);
  expect(trades.map(({ side, amount }) => [side, amount])).toEqual([
    ['buy', 0.1],
    ['buy', 0.2],
    ['buy', 0.037],
    ['sell', 0.1],
    ['sell', 0.5],
    ['buy', 0.263],
    ['buy', 1],
    ['sell', 1],
  ]);
  const [forced] = await exchange.fetchMyLiquidations(symbol);
  expect(forced).toMatchObject({ contracts: 1, price: Number(info(trades.at(-1) ?? {}).price) });
  const last = await exchange.fetchOrder(String(trades.at(-1)?.order), symbol);
  expect(last.clientOrderId).toMatch(/^autoclose-/);
  // Nothing is left of the margin.
  expect(await exchange.fetchBalance()).toMatchObject({ USDT: { used: 0 } });
});

test('the funding that it fetches sums up to the ledger', async () => {
  const bots = await Promise.all(['buy', 'sell'].map(async (side) => ({ side, bot: await door.join() })));
  door.feed.setPrice('BTCUSDT', '64000');
  for (const { side, bot } of bots) {
    const exchange = await connect(bot);
    await exchange.createOrder(symbol, 'market', side, 0.317);
  }
  for (const price of ['64000', '64123.45', '63877.01']) {
    clock.set((Math.floor(clock.now() / (8 * hourMs)) + 1) * 8 * hourMs - 1);
    door.feed.setPrice('BTCUSDT', price);
    clock.advance(2);
    const until = clock.now();
    await eventually(async () => {
      const { rows } = await door.server.db.query<{ count: string }>(
        `select count(*) from app.positions where user_id = any($1) and status = 'open' and funded_at > $2`,
        [bots.map(({ bot }) => bot.accountId), new Date(until - hourMs)],
      );
      expect(rows[0]?.count).toBe('2');
    });
  }
  for (const { side, bot } of bots) {
    const exchange = await connect(bot);
    const fundings = await exchange.fetchFundingHistory(symbol);
    expect(fundings).toHaveLength(3);
    const sum = sumOf(fundings.map((row) => String(info(row).income)));
    expect(sum).toBe(await appRows(door, bot).ledger('funding'));
    // 0.01 % of each value: 2.0288, 2.032713365 and 2.024901217.
    expect(sum).toBe(side === 'buy' ? '-6.08641459' : '6.08641459');
    expect(fundings.map(({ amount }) => Number(amount) < 0)).toEqual(Array(3).fill(side === 'buy'));
  }
});
