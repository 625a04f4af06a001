/** Balances, positions, trades and income at `/fapi`: figures as literals, and sums that agree with the ledger. */
import { parseDecimal, toDecimalString } from '@fulcrum/domain';
import { beforeEach, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { type Bot, door, type Params, shareDoor } from './door.ts';

let bot: Bot;
shareDoor();
beforeEach(async () => {
  door.feed.setPrice('BTCUSDT', '64000');
  bot = await door.join();
});

const trade = (side: 'BUY' | 'SELL', quantity: string, more: Params = {}) =>
  bot.post('v1/order', { symbol: 'BTCUSDT', side, type: 'MARKET', quantity, ...more });
const refusal = (code: number) => ({ status: 400, body: { code, msg: expect.any(String) } });
const sum = (texts: readonly string[]): string =>
  toDecimalString(texts.reduce((total, text) => total + parseDecimal(text), 0n));

test('balance, margins and the position, at the present mark', async () => {
  await trade('SELL', '0.5');
  await bot.post('v1/order', {
    ...{
      symbol: 'BTCUSDT',
      side: 'SELL',
      type: 'LIMIT',
      quantity: '0.1',
      price: '70000',
      timeInForce: 'GTC',
    },
  });
  door.feed.setPrice('BTCUSDT', '64100.5');
  const { body } = await bot.get('v3/account');
  expect(body).toMatchObject({
    ...{ canTrade: true, totalWalletBalance: '100000', totalUnrealizedProfit: '-50.25' },
    ...{ totalMarginBalance: '99949.75', totalInitialMargin: '1950', totalMaintMargin: '128' },
    ...{ totalPositionInitialMargin: '1600', totalOpenOrderInitialMargin: '350', availableBalance: '98050' },
    ...{ totalCrossWalletBalance: '98400', totalCrossUnPnl: '0', maxWithdrawAmount: '98050' },
  });
  expect(body.assets).toMatchObject([
    { asset: 'USDT', walletBalance: '100000', marginBalance: '99949.75', availableBalance: '98050' },
  ]);
  expect(body.assets[0].updateTime).toBeGreaterThan(1_600_000_000_000);
  expect(body.positions).toMatchObject([
    { symbol: 'BTCUSDT', positionAmt: '-0.5', entryPrice: '64000', isolatedWallet: '1600', leverage: '20' },
  ]);
  const { body: risk } = await bot.get('v3/positionRisk', { symbol: 'BTCUSDT' });
  expect(risk).toEqual([
    {
      symbol: 'BTCUSDT',
      positionSide: 'BOTH',
      positionAmt: '-0.5',
      entryPrice: '64000',
      breakEvenPrice: '64000',
      markPrice: '64100.5',
      unRealizedProfit: '-50.25',
      // (32000 + 1600) / (0.5 × 1.004), rounded down to the tick.
      liquidationPrice: '66932.27',
      isolatedMargin: '1549.75',
      isolatedWallet: '1600',
      notional: '-32050.25',
      marginAsset: 'USDT',
      marginType: 'isolated',
      isAutoAddMargin: 'false',
      leverage: '20',
      maxNotionalValue: '10000000',
      initialMargin: '1950',
      maintMargin: '128',
      positionInitialMargin: '1600',
      openOrderInitialMargin: '350',
      bidNotional: '0',
      askNotional: '7000',
      adl: 0,
      updateTime: expect.any(Number),
    },
  ]);
  expect((await bot.get('v3/balance')).body).toMatchObject([
    { asset: 'USDT', balance: '100000', availableBalance: '98050', crossWalletBalance: '98400' },
  ]);
  const all = await bot.get('v2/positionRisk');
  expect(all.body.length).toBeGreaterThan(100);
  expect(all.body.find(({ symbol }: { symbol: string }) => symbol === 'EURUSDUSDT')).toMatchObject({
    ...{ positionAmt: '0', entryPrice: '0', leverage: '20', unRealizedProfit: '0', updateTime: 0 },
  });
  const other = await door.join();
  expect((await other.get('v3/account')).body).toMatchObject({ totalInitialMargin: '0', positions: [] });
  expect((await other.get('v3/positionRisk')).body).toEqual([]);
});

test('leverage: set, refused beyond what there is, lower or on another market; brackets are those of liquidations', async () => {
  expect((await bot.post('v1/leverage', { symbol: 'BTCUSDT', leverage: 50 })).body).toEqual({
    ...{ symbol: 'BTCUSDT', leverage: 50, maxNotionalValue: '1000000' },
  });
  expect((await bot.get('v1/symbolConfig', { symbol: 'BTCUSDT' })).body).toEqual([
    {
      symbol: 'BTCUSDT',
      marginType: 'ISOLATED',
      isAutoAddMargin: false,
      leverage: 50,
      maxNotionalValue: '1000000',
    },
  ]);
  await trade('BUY', '0.1');
  const set = (leverage: number) => bot.post('v1/leverage', { symbol: 'BTCUSDT', leverage });
  expect(await set(10)).toMatchObject(refusal(-4161));
  expect(await set(126)).toMatchObject(refusal(-4028));
  expect(await set(2.5)).toMatchObject(refusal(-4028));
  expect((await set(100)).body).toMatchObject({ leverage: 100 });
  const { body } = await bot.get('v1/leverageBracket', { symbol: 'EURUSDUSDT' });
  expect(body).toHaveLength(1);
  expect(body[0].brackets.slice(0, 2)).toEqual([
    {
      bracket: 1,
      initialLeverage: 125,
      notionalCap: 250_000,
      notionalFloor: 0,
      maintMarginRatio: 0.003,
      cum: 0,
    },
    {
      bracket: 2,
      initialLeverage: 100,
      notionalCap: 1_000_000,
      notionalFloor: 250_000,
      maintMarginRatio: 0.005,
      cum: 500,
    },
  ]);
});

test('modes: what the account has is accepted again, what is not offered is refused in words', async () => {
  const success = { code: 200, msg: 'success' };
  const isolated = { symbol: 'BTCUSDT', marginType: 'ISOLATED' };
  expect((await bot.post('v1/marginType', isolated)).body).toEqual(success);
  expect((await bot.post('v1/marginType', isolated)).body).toEqual(success);
  expect(await bot.post('v1/marginType', { ...isolated, marginType: 'CROSSED' })).toMatchObject(
    refusal(-4167),
  );
  expect((await bot.get('v1/positionSide/dual')).body).toEqual({ dualSidePosition: false });
  expect((await bot.post('v1/positionSide/dual', { dualSidePosition: 'false' })).body).toEqual(success);
  expect(await bot.post('v1/positionSide/dual', { dualSidePosition: true })).toMatchObject(refusal(-4084));
  expect((await bot.get('v1/multiAssetsMargin')).body).toEqual({ multiAssetsMargin: false });
  expect((await bot.post('v1/multiAssetsMargin', { multiAssetsMargin: false })).body).toEqual(success);
  expect(await bot.post('v1/multiAssetsMargin', { multiAssetsMargin: true })).toMatchObject(refusal(-4167));
  const pro = await door.join({ p_fill_profile: 'pro' });
  expect((await pro.get('v1/commissionRate', { symbol: 'BTCUSDT' })).body).toEqual({
    ...{ symbol: 'BTCUSDT', makerCommissionRate: '0.0002', takerCommissionRate: '0.0005' },
  });
  expect((await bot.get('v1/accountConfig')).body).toMatchObject({ canTrade: true, canWithdraw: false });
  expect((await bot.get('v1/rateLimit/order')).body).toMatchObject([{ limit: 300 }, { limit: 1_200 }]);
});

test('margin of a position is added and taken out, and its history has both', async () => {
  await trade('BUY', '0.5');
  const margin = (amount: string, type: number) =>
    bot.post('v1/positionMargin', { symbol: 'BTCUSDT', amount, type, positionSide: 'BOTH' });
  expect((await margin('100.5', 1)).body).toEqual({
    ...{ amount: 100.5, code: 200, msg: 'Successfully modify position margin.', type: 1 },
  });
  await margin('0.5', 2);
  expect(await margin('100000', 1)).toMatchObject({ status: 400, body: { code: -2019 } });
  expect(await margin('101', 2)).toMatchObject(refusal(-4053));
  expect(await margin('0', 1)).toMatchObject(refusal(-4052));
  expect((await bot.get('v3/positionRisk')).body).toMatchObject([{ isolatedWallet: '1700' }]);
  expect((await bot.get('v1/positionMargin/history', { symbol: 'BTCUSDT' })).body).toMatchObject([
    { type: 1, amount: '100.5', deltaType: 'USER_ADJUST', symbol: 'BTCUSDT' },
    { type: 2, amount: '0.5' },
  ]);
  const ether = { symbol: 'ETHUSDT', amount: '1', type: 1 };
  expect(await bot.post('v1/positionMargin', ether)).toMatchObject(refusal(-4054));
});

test('A113: a bot’s life: three openings, a reduction, a flip, a liquidation; trades, income and ledger agree to the last digit', async () => {
  bot = await door.join({ p_fill_profile: 'pro', p_start_balance: 10_000 });
  for (const quantity of ['0.1', '0.2', '0.037']) await trade('BUY', quantity);
  door.feed.setPrice('BTCUSDT', '64500.01');
  await trade('SELL', '0.1', { reduceOnly: true });
  await trade('SELL', '0.5');
  door.feed.setPrice('BTCUSDT', '69000');
  await eventually(async () => expect((await bot.get('v3/positionRisk')).body).toEqual([]), 20);

  const { body: trades } = await bot.get('v1/userTrades', { symbol: 'BTCUSDT' });
  expect(trades.map(({ side, qty }: { side: string; qty: string }) => [side, qty])).toEqual([
    ['BUY', '0.1'],
    ['BUY', '0.2'],
    ['BUY', '0.037'],
    ['SELL', '0.1'],
    ['SELL', '0.5'],
    ['BUY', '0.263'],
  ]);
  const { body: forced } = await bot.get('v1/forceOrders');
  expect(forced).toMatchObject([{ side: 'BUY', executedQty: '0.263', status: 'FILLED' }]);
  expect(forced[0].clientOrderId).toMatch(/^autoclose-\d+$/);
  expect(trades.at(-1)).toMatchObject({ orderId: forced[0].orderId, id: forced[0].orderId });

  const { body: income } = await bot.get('v1/income', { limit: 1_000 });
  const of = (...types: string[]): string =>
    sum(
      income
        .filter(({ incomeType }: { incomeType: string }) => types.includes(incomeType))
        .map(({ income: amount }: { income: string }) => amount),
    );
  expect(of('REALIZED_PNL', 'INSURANCE_CLEAR')).toBe(
    sum(trades.map(({ realizedPnl }: { realizedPnl: string }) => realizedPnl)),
  );
  expect(of('COMMISSION')).toBe(
    `-${sum(trades.map(({ commission }: { commission: string }) => commission))}`,
  );
  expect(of('TRANSFER')).toBe('10000');
  const { body: state } = await bot.get('v3/account');
  expect(sum(income.map(({ income: amount }: { income: string }) => amount))).toBe(state.totalWalletBalance);
  const { rows } = await door.server.db.query<{ sum: string }>(
    'select sum(amount) from app.ledger_entries where user_id = $1',
    [bot.accountId],
  );
  expect(toDecimalString(parseDecimal(rows[0]?.sum ?? ''))).toBe(state.totalWalletBalance);

  const { body: part } = await bot.get('v1/userTrades', {
    symbol: 'BTCUSDT',
    fromId: trades[2].id,
    limit: 2,
  });
  expect(part).toEqual(trades.slice(2, 4));
  const ofOrder = await bot.get('v1/userTrades', { symbol: 'BTCUSDT', orderId: trades[4].orderId });
  expect(ofOrder.body).toEqual([trades[4]]);
  const other = await door.join();
  expect((await other.get('v1/userTrades', { symbol: 'BTCUSDT' })).body).toEqual([]);
  expect((await other.get('v1/income')).body).toMatchObject([{ incomeType: 'TRANSFER', income: '100000' }]);
});

test('a list of margin is filtered before it is cut', async () => {
  const bot = await door.join();
  const order = {
    symbol: 'BTCUSDT',
    side: 'BUY',
    type: 'MARKET',
    quantity: '0.1',
    newOrderRespType: 'RESULT',
  };
  await bot.post('v1/order', order);
  const adjust = (type: string, amount: string) =>
    bot.post('v1/positionMargin', { symbol: 'BTCUSDT', type, amount });
  for (const [type, amount] of [
    ['1', '5'],
    ['1', '6'],
    ['2', '1'],
  ] as const)
    expect((await adjust(type, amount)).status).toBe(200);
  const list = async (more: Record<string, string | number>) =>
    (await bot.get('v1/positionMargin/history', { symbol: 'BTCUSDT', ...more })).body;
  expect(await list({ type: '1', limit: 1 })).toMatchObject([{ type: 1, amount: '6' }]);
  expect(await list({ type: '2' })).toMatchObject([{ type: 2, amount: '1' }]);
  expect(await list({})).toHaveLength(3);
  expect(await list({ startTime: 1 })).toHaveLength(3);
});
