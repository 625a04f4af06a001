/** Orders at `/fapi` over real HTTP: placed, read, amended, cancelled, in one account with the app. */
import { beforeEach, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { type Bot, door, type Params, shareDoor } from './door.ts';

let bot: Bot;
shareDoor();
beforeEach(async () => {
  door.feed.setPrice('BTCUSDT', '64000');
  bot = await door.join();
});

const market = (more: Params = {}): Params => ({
  ...{ symbol: 'BTCUSDT', side: 'BUY', type: 'MARKET', quantity: '0.1', newOrderRespType: 'RESULT' },
  ...more,
});
const limit = (more: Params = {}): Params => ({
  ...{ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', quantity: '0.1', price: '60000', timeInForce: 'GTC' },
  ...more,
});
const refusal = (code: number, status = 400) => ({ status, body: { code, msg: expect.any(String) } });

test('a market order is answered filled, with its average price; it is in the app at once', async () => {
  const { status, body } = await bot.post('v1/order', market({ newClientOrderId: 'first' }));
  expect([status, body]).toEqual([
    200,
    {
      orderId: expect.any(Number),
      clientOrderId: 'first',
      symbol: 'BTCUSDT',
      side: 'BUY',
      positionSide: 'BOTH',
      status: 'FILLED',
      type: 'MARKET',
      origType: 'MARKET',
      timeInForce: 'GTC',
      price: '0',
      avgPrice: '64000',
      origQty: '0.1',
      executedQty: '0.1',
      cumQty: '0.1',
      cumQuote: '6400',
      stopPrice: '0',
      reduceOnly: false,
      closePosition: false,
      workingType: 'CONTRACT_PRICE',
      priceProtect: false,
      priceMatch: 'NONE',
      selfTradePreventionMode: 'NONE',
      goodTillDate: 0,
      time: expect.any(Number),
      updateTime: expect.any(Number),
    },
  ]);
  expect(body.orderId % 4).toBe(0);
  const { data } = await bot.client.from('orders').select('client_id, leverage, status').throwOnError();
  expect(data).toEqual([{ client_id: 'first', leverage: 20, status: 'FILLED' }]);
});

test('an acknowledgement states nothing of the fill; without a name of the client the door makes one', async () => {
  const { body } = await bot.post('v1/order', market({ newOrderRespType: 'ACK' }));
  expect(body).toMatchObject({ status: 'NEW', executedQty: '0', avgPrice: '0' });
  expect(body.clientOrderId).toMatch(/^[\w-]{22}$/);
  const found = await bot.get('v1/order', { symbol: 'BTCUSDT', origClientOrderId: body.clientOrderId });
  expect(found.body).toMatchObject({ orderId: body.orderId, status: 'FILLED' });
});

test('the leverage of an order is that of its symbol', async () => {
  await bot.client.rpc('set_leverage', { p_symbol: 'BTCUSDT', p_leverage: 7 }).throwOnError();
  await bot.post('v1/order', limit());
  const { data } = await bot.client.from('orders').select('leverage').throwOnError();
  expect(data).toEqual([{ leverage: 7 }]);
});

test('a waiting order is listed, amended and cancelled; a final one is not cancelled again', async () => {
  const { body: placed } = await bot.post('v1/order', limit({ newClientOrderId: 'wait' }));
  expect(placed).toMatchObject({ status: 'NEW', price: '60000', origQty: '0.1' });
  const { orderId } = placed;
  const named = { symbol: 'BTCUSDT', orderId };
  expect((await bot.get('v1/openOrders')).body).toEqual([placed]);
  expect((await bot.get('v1/openOrder', named)).body).toEqual(placed);

  const change = { ...named, side: 'BUY', quantity: '0.2', price: '61000' };
  expect((await bot.put('v1/order', change)).body).toMatchObject({ orderId, price: '61000', origQty: '0.2' });
  expect(await bot.put('v1/order', change)).toMatchObject(refusal(-5027));
  expect(await bot.put('v1/order', { ...change, price: '61000.001' })).toMatchObject(refusal(-1111));
  expect(await bot.put('v1/order', { ...change, side: 'SELL' })).toMatchObject(refusal(-1100));

  expect((await bot.delete('v1/order', named)).body).toMatchObject({ orderId, status: 'CANCELED' });
  expect(await bot.delete('v1/order', named)).toMatchObject(refusal(-2011));
  expect(await bot.put('v1/order', change)).toMatchObject(refusal(-2013));
  expect(await bot.get('v1/openOrder', named)).toMatchObject(refusal(-2013));
  expect((await bot.get('v1/order', named)).body).toMatchObject({ status: 'CANCELED', executedQty: '0' });
  expect((await bot.get('v1/openOrders', { symbol: 'BTCUSDT' })).body).toEqual([]);
});

test('another account’s orders are unknown, by number and by name', async () => {
  const { body } = await bot.post('v1/order', limit({ newClientOrderId: 'private' }));
  const other = await door.join();
  for (const name of [{ orderId: body.orderId }, { origClientOrderId: 'private' }]) {
    const named = { symbol: 'BTCUSDT', ...name };
    expect(await other.get('v1/order', named)).toMatchObject(refusal(-2013));
    expect(await other.delete('v1/order', named)).toMatchObject(refusal(-2011));
    expect(await other.put('v1/order', { ...named, side: 'BUY', quantity: '1', price: '1' })).toMatchObject(
      refusal(-2013),
    );
  }
  expect((await other.get('v1/openOrders')).body).toEqual([]);
  expect((await other.get('v1/allOrders', { symbol: 'BTCUSDT' })).body).toEqual([]);
  // Nor does a number name an order of another symbol.
  expect(await bot.get('v1/order', { symbol: 'ETHUSDT', orderId: body.orderId })).toMatchObject(
    refusal(-2013),
  );
});

test('a client id places once: a repeat is answered with the same order, another body refused', async () => {
  const order = market({ newClientOrderId: 'once' });
  const [first, second] = [await bot.post('v1/order', order), await bot.post('v1/order', order)];
  expect(second.body).toEqual(first.body);
  expect(await bot.post('v1/order', { ...order, quantity: '0.2' })).toMatchObject(refusal(-4116));
  const at = await Promise.all(
    Array.from({ length: 8 }, () => bot.post('v1/order', limit({ newClientOrderId: 'all-at-once' }))),
  );
  expect(new Set(at.map(({ body }) => body.orderId)).size).toBe(1);
  const { data } = await bot.client.from('orders').select('client_id').throwOnError();
  expect(data?.map(({ client_id }) => client_id).sort()).toEqual(['all-at-once', 'once']);
});

test('a repeat is answered with the order’s present state, not acknowledged as a new one', async () => {
  const order = market({ newClientOrderId: 'lost', newOrderRespType: 'ACK' });
  expect((await bot.post('v1/order', order)).body).toMatchObject({ status: 'NEW', executedQty: '0' });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect((await bot.post('v1/order', order)).body).toMatchObject({ status: 'FILLED', executedQty: '0.1' });
  const waiting = limit({ newClientOrderId: 'waits', newOrderRespType: 'ACK' });
  const { orderId } = (await bot.post('v1/order', waiting)).body;
  await bot.delete('v1/order', { symbol: 'BTCUSDT', orderId });
  expect((await bot.post('v1/order', waiting)).body).toMatchObject({ orderId, status: 'CANCELED' });
});

test('a batch places each order by itself and answers in their order', async () => {
  const batch = [limit(), limit({ price: '60000.001' }), market({ side: 'SELL', reduceOnly: true }), limit()];
  const { body } = await bot.post('v1/batchOrders', { batchOrders: JSON.stringify(batch) });
  expect(body).toMatchObject([
    { status: 'NEW' },
    { code: -1111, msg: 'Precision is over the maximum defined for this asset.' },
    { code: -2022, msg: 'ReduceOnly Order is rejected.' },
    { status: 'NEW' },
  ]);
  const ids = [body[0].orderId, body[3].orderId, 4];
  const amendments = ids.map((orderId) => ({
    ...{ symbol: 'BTCUSDT', side: 'BUY', orderId, quantity: 0.3, price: 59_000 },
  }));
  const amended = await bot.put('v1/batchOrders', { batchOrders: JSON.stringify(amendments) });
  expect(amended.body).toMatchObject([{ price: '59000' }, { origQty: '0.3' }, { code: -2013 }]);
  const cancelled = await bot.delete('v1/batchOrders', {
    symbol: 'BTCUSDT',
    orderidlist: JSON.stringify(ids),
  });
  expect(cancelled.body).toMatchObject([{ status: 'CANCELED' }, { status: 'CANCELED' }, { code: -2011 }]);
  for (const [list, code] of [
    ['[]', -1130],
    ['{}', -4104],
    ['[', -4104],
    [JSON.stringify(Array(6).fill(limit())), -4082],
  ] as const)
    expect(await bot.post('v1/batchOrders', { batchOrders: list })).toMatchObject(refusal(code));
});

test('cancels all waiting orders of a symbol and leaves those that wait for a trigger', async () => {
  door.feed.setPrice('ETHUSDT', '3000');
  await bot.post('v1/order', limit());
  await bot.post('v1/order', limit());
  await bot.post('v1/order', { ...limit(), symbol: 'ETHUSDT', price: '2000' });
  await bot.post('v1/algoOrder', conditional());
  const { body } = await bot.delete('v1/allOpenOrders', { symbol: 'BTCUSDT' });
  expect(body).toEqual({ code: 200, msg: 'The operation of cancel all open order is done.' });
  expect((await bot.get('v1/openOrders')).body).toMatchObject([{ symbol: 'ETHUSDT' }]);
  expect((await bot.get('v1/openAlgoOrders')).body).toMatchObject([{ algoStatus: 'NEW' }]);
  await bot.delete('v1/algoOpenOrders', { symbol: 'BTCUSDT' });
  expect((await bot.get('v1/openAlgoOrders')).body).toEqual([]);
});

const conditional = (more: Params = {}): Params => ({
  ...{ algoType: 'CONDITIONAL', symbol: 'BTCUSDT', side: 'BUY', type: 'STOP_MARKET', quantity: '0.1' },
  ...{ triggerPrice: '65000', clientAlgoId: `c${Math.random()}` },
  ...more,
});

test('a conditional order is an algo order; triggered it is an order with the next number, too', async () => {
  const { body: algo } = await bot.post('v1/algoOrder', conditional({ clientAlgoId: 'stop' }));
  expect(algo).toMatchObject({
    ...{ clientAlgoId: 'stop', algoStatus: 'NEW', actualOrderId: '', orderType: 'STOP_MARKET' },
    ...{ triggerPrice: '65000', quantity: '0.1', side: 'BUY', closePosition: false, triggerTime: 0 },
  });
  const { algoId } = algo;
  expect((await bot.get('v1/openOrders')).body).toEqual([]);
  expect((await bot.get('v1/openAlgoOrders', { symbol: 'BTCUSDT' })).body).toEqual([algo]);
  expect((await bot.get('v1/order', { symbol: 'BTCUSDT', orderId: algoId })).body).toMatchObject({
    ...{ orderId: algoId, status: 'NEW', type: 'STOP_MARKET', stopPrice: '65000' },
  });
  expect(await bot.get('v1/order', { symbol: 'BTCUSDT', orderId: algoId + 1 })).toMatchObject(refusal(-2013));

  door.feed.setPrice('BTCUSDT', '65000');
  await eventually(async () => {
    expect((await bot.get('v1/algoOrder', { algoId })).body).toMatchObject({
      ...{ algoStatus: 'FINISHED', actualOrderId: String(algoId + 1), actualPrice: '65000' },
    });
  }, 20);
  const actual = { orderId: algoId + 1, status: 'FILLED', type: 'MARKET', origType: 'STOP_MARKET' };
  expect((await bot.get('v1/order', { symbol: 'BTCUSDT', orderId: algoId + 1 })).body).toMatchObject(actual);
  expect((await bot.get('v1/allOrders', { symbol: 'BTCUSDT' })).body).toMatchObject([actual]);
  expect((await bot.get('v1/allAlgoOrders', { symbol: 'BTCUSDT' })).body).toMatchObject([{ algoId }]);
});

test('every type is accepted at either door, and a trailing stop under either name of its start', async () => {
  await bot.post('v1/order', market());
  const types: readonly Params[] = [
    { type: 'STOP_MARKET', stopPrice: '60000', closePosition: true },
    { type: 'TAKE_PROFIT_MARKET', stopPrice: '70000', quantity: '0.1', reduceOnly: true },
    { type: 'STOP', stopPrice: '61000', price: '60900', quantity: '0.1' },
    { type: 'TAKE_PROFIT', stopPrice: '69000', price: '69100', quantity: '0.1', timeInForce: 'GTX' },
    { type: 'TRAILING_STOP_MARKET', callbackRate: '1.5', activationPrice: '66000', quantity: '0.1' },
  ];
  for (const terms of types) {
    const sell = { symbol: 'BTCUSDT', side: 'SELL', ...terms };
    const placed = await bot.post('v1/order', sell);
    expect([terms.type, placed.body]).toMatchObject([
      terms.type,
      { status: 'NEW', type: terms.type, closePosition: terms.closePosition ?? false },
    ]);
    await bot.delete('v1/order', { symbol: 'BTCUSDT', orderId: placed.body.orderId });
    const { stopPrice, ...rest } = sell as Params & { stopPrice?: string };
    const algo = await bot.post('v1/algoOrder', {
      ...rest,
      ...(stopPrice !== undefined && { triggerPrice: stopPrice }),
    });
    expect([terms.type, algo.body]).toMatchObject([terms.type, { orderType: terms.type, algoStatus: 'NEW' }]);
  }
  const { body } = await bot.get('v1/openAlgoOrders');
  expect(body).toHaveLength(5);
  expect(body.at(-1)).toMatchObject({ activatePrice: '66000', callbackRate: '1.5', triggerPrice: '66000' });
});

test('take profit and stop loss are two close-position orders; cancelling one removes it, the other one stays', async () => {
  const { body } = await bot.post('v1/order', {
    ...market(),
    'takeProfit[triggerPrice]': '70000',
    'stopLoss[triggerPrice]': '62000',
  });
  expect(body.status).toBe('FILLED');
  const { body: legs } = await bot.get('v1/openAlgoOrders', { symbol: 'BTCUSDT' });
  expect(legs).toMatchObject([
    { orderType: 'TAKE_PROFIT_MARKET', triggerPrice: '70000', side: 'SELL', closePosition: true },
    { orderType: 'STOP_MARKET', triggerPrice: '62000', side: 'SELL', quantity: '0', algoStatus: 'NEW' },
  ]);
  const [takeProfit, stopLoss] = legs;
  expect(stopLoss.algoId - takeProfit.algoId).toBe(1);
  const other = await door.join();
  expect(await other.delete('v1/algoOrder', { algoId: takeProfit.algoId })).toMatchObject(refusal(-2011));
  expect((await bot.delete('v1/algoOrder', { algoId: takeProfit.algoId })).body).toEqual({
    ...{ algoId: takeProfit.algoId, clientAlgoId: `tp_${takeProfit.algoId}`, code: '200', msg: 'success' },
  });
  const { data } = await bot.client.from('positions').select('take_profit_price, stop_loss_price');
  expect(data).toEqual([{ take_profit_price: null, stop_loss_price: 62_000 }]);

  door.feed.setPrice('BTCUSDT', '61900');
  await eventually(async () => {
    const { body: fired } = await bot.get('v1/algoOrder', { algoId: stopLoss.algoId });
    expect(fired).toMatchObject({ algoStatus: 'FINISHED', actualPrice: '61900' });
    const order = { symbol: 'BTCUSDT', orderId: fired.actualOrderId };
    expect((await bot.get('v1/order', order)).body).toMatchObject({
      ...{ status: 'FILLED', side: 'SELL', executedQty: '0.1', origType: 'STOP_MARKET', reduceOnly: true },
    });
  }, 20);
});

test('both legs are cancelled together or at the same time, and a stop that moves meanwhile is not set back', async () => {
  const leg = { 'takeProfit[triggerPrice]': '70000', 'stopLoss[triggerPrice]': '62000' };
  await bot.post('v1/order', { ...market(), ...leg });
  const legs = async () => (await bot.get('v1/openAlgoOrders')).body as { algoId: number }[];
  const ids = (await legs()).map(({ algoId }) => algoId);
  const { data } = await bot.client.from('positions').select('id').single().throwOnError();
  const protect = (takeProfit: number | null, stopLoss: number | null) =>
    bot.client
      .rpc('set_take_profit_stop_loss', {
        ...{ p_position_id: data?.id, p_take_profit_price: takeProfit, p_stop_loss_price: stopLoss },
      })
      .throwOnError();
  expect(ids).toHaveLength(2);
  const { body } = await bot.delete('v1/batchOrders', {
    symbol: 'BTCUSDT',
    orderIdList: JSON.stringify(ids),
  });
  expect(body).toMatchObject([{ status: 'CANCELED' }, { status: 'CANCELED' }]);
  expect(await legs()).toEqual([]);

  await protect(70_000, 62_000);
  const answers = await Promise.all(ids.map((algoId) => bot.delete('v1/algoOrder', { algoId })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await legs()).toEqual([]);

  for (let stop = 62_001; stop <= 62_010; stop += 1) {
    await protect(70_000, 62_000);
    await Promise.all([bot.delete('v1/algoOrder', { algoId: ids[0] ?? 0 }), protect(69_000, stop)]);
    const { data: row } = await bot.client.from('positions').select('stop_loss_price').single();
    expect(row).toEqual({ stop_loss_price: stop });
  }
});

test('of two legs the newest is the last one; what closes a position may state a quantity of zero', async () => {
  const leg = { 'takeProfit[triggerPrice]': '70000', 'stopLoss[triggerPrice]': '62000' };
  await bot.post('v1/order', { ...market(), ...leg });
  const { body: legs } = await bot.get('v1/allAlgoOrders', { symbol: 'BTCUSDT' });
  const newest = await bot.get('v1/allAlgoOrders', { symbol: 'BTCUSDT', limit: 1 });
  expect(newest.body).toEqual([legs[1]]);
  const first = await bot.get('v1/allAlgoOrders', { symbol: 'BTCUSDT', limit: 1, algoId: legs[0].algoId });
  expect(first.body).toEqual([legs[0]]);
  const closing = { symbol: 'BTCUSDT', side: 'SELL', type: 'STOP_MARKET', stopPrice: '61000' };
  const { body } = await bot.post('v1/order', { ...closing, closePosition: true, quantity: '0' });
  expect(body).toMatchObject({ status: 'NEW', closePosition: true, origQty: '0' });
});

test('the LIMIT order that a triggered STOP became is amended like another one', async () => {
  const { body: algo } = await bot.post('v1/algoOrder', conditional({ type: 'STOP', price: '64500' }));
  const named = { symbol: 'BTCUSDT', orderId: algo.algoId + 1 };
  const change = { ...named, side: 'BUY', quantity: '0.1', price: '64400' };
  expect(await bot.put('v1/order', { ...change, orderId: algo.algoId })).toMatchObject(refusal(-1116));
  door.feed.setPrice('BTCUSDT', '65000');
  await eventually(async () => expect((await bot.get('v1/openOrder', named)).status).toBe(200), 20);
  expect((await bot.put('v1/order', change)).body).toMatchObject({ ...named, type: 'LIMIT', price: '64400' });
  expect((await bot.get('v1/openOrder', named)).body).toMatchObject({ price: '64400', status: 'NEW' });
});

test('a click in the app is a filled market order, and a list goes on from a number', async () => {
  await bot.client
    .rpc('open_position', { p_symbol: 'BTCUSDT', p_side: 'BUY', p_size: 0.5, p_leverage: 20 })
    .throwOnError();
  await bot.post('v1/order', limit());
  const { data } = await bot.client.from('positions').select('id').throwOnError();
  await bot.client.rpc('close_position', { p_position_id: data?.[0]?.id, p_size: 0.2 }).throwOnError();
  const { body } = await bot.get('v1/allOrders', { symbol: 'BTCUSDT' });
  expect(body).toMatchObject([
    { status: 'FILLED', type: 'MARKET', side: 'BUY', executedQty: '0.5', reduceOnly: false },
    { status: 'NEW', type: 'LIMIT' },
    { status: 'FILLED', type: 'MARKET', side: 'SELL', executedQty: '0.2', reduceOnly: true },
  ]);
  expect(body[0].clientOrderId).toBe(`web_${body[0].orderId}`);
  const from = await bot.get('v1/allOrders', { symbol: 'BTCUSDT', orderId: body[1].orderId, limit: 1 });
  expect(from.body).toEqual([body[1]]);
  const last = await bot.get('v1/allOrders', { symbol: 'BTCUSDT', limit: 2 });
  expect(last.body).toEqual([body[1], body[2]]);
  const none = await bot.get('v1/allOrders', { symbol: 'BTCUSDT', startTime: body[2].time + 1 });
  expect(none.body).toEqual([]);
  const byName = { symbol: 'BTCUSDT', origClientOrderId: body[2].clientOrderId };
  expect((await bot.get('v1/order', byName)).body).toEqual(body[2]);
  expect(await bot.delete('v1/order', byName)).toMatchObject(refusal(-2011));
});

test('an order of an account with a latency is answered when it is filled', async () => {
  const slow = await door.join({ p_fill_profile: 'stress' });
  const acknowledged = await slow.post('v1/order', market({ newOrderRespType: 'ACK' }));
  expect(acknowledged.body).toMatchObject({ status: 'NEW', executedQty: '0' });
  const began = performance.now();
  const { body } = await slow.post('v1/order', market());
  expect(body).toMatchObject({ status: 'FILLED', executedQty: '0.1' });
  expect(performance.now() - began).toBeGreaterThan(400);
});
