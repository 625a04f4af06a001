/** Binance's own SDK, unmodified: REST, market and user streams, and orders over a socket. */
import { expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { appRows } from './app-rows.ts';
import { createOfficialSdk } from './recipes/official-sdk.ts';
import { describeSdk, type Row, type SdkClient } from './sdk-suite.ts';
import { toUserEvent } from './user-event.ts';

const symbol = 'BTCUSDT';

function create(url: string, apiKey: string, secret: string): SdkClient {
  const { restAPI, websocketStreams } = createOfficialSdk(url, apiKey, secret);
  /** Its types list the values of each parameter; the suite sends plain texts. */
  const rest = restAPI as unknown as Record<string, (params?: object) => Promise<{ data(): Promise<Row> }>>;
  const call = async (method: string, params?: object): Promise<Row> => {
    const response = await rest[method]?.call(restAPI, params);
    return response?.data();
  };
  return {
    markets: async () => (await call('exchangeInformation')).symbols,
    account: () => call('accountInformationV3'),
    insert: (order) => call('newOrder', { ...order, newOrderRespType: 'RESULT' }),
    insertConditional: (condition) => call('newAlgoOrder', { ...condition, algoType: 'CONDITIONAL' }),
    conditionalId: ({ algoId }) => String(algoId),
    openConditional: () => call('currentAllAlgoOpenOrders', { symbol }),
    cancelConditional: (algoId) => call('cancelAlgoOrder', { algoId: Number(algoId) }),
    amend: (id, quantity, price) =>
      call('modifyOrder', { symbol, side: 'BUY', orderId: Number(id), quantity, price }),
    order: (id) => call('queryOrder', { symbol, orderId: Number(id) }),
    openOrders: () => call('currentAllOpenOrders', { symbol }),
    allOrders: () => call('allOrders', { symbol }),
    cancel: (id) => call('cancelOrder', { symbol, orderId: Number(id) }),
    cancelAll: () => call('cancelAllOpenOrders', { symbol }),
    insertBatch: (batchOrders) => call('placeMultipleOrders', { batchOrders }),
    cancelBatch: (ids) => call('cancelMultipleOrders', { symbol, orderIdList: ids.map(Number) }),
    setLeverage: (leverage) => call('changeInitialLeverage', { symbol, leverage }),
    setMarginType: (marginType) => call('changeMarginType', { symbol, marginType }),
    isHedged: async () => (await call('getCurrentPositionMode')).dualSidePosition,
    addMargin: (amount) => call('modifyIsolatedPositionMargin', { symbol, amount, type: '1' }),
    positions: () => call('positionInformationV3', { symbol }),
    trades: () => call('accountTradeList', { symbol }),
    income: () => call('getIncomeHistory', { limit: 1_000 }),
    candles: async (limit) =>
      (await call('klineCandlestickData', { symbol, interval: '1m', limit })).map((row: Row) => [
        Number(row[0]),
        row[4],
      ]),
    book: () => call('orderBook', { symbol, limit: 20 }),
    async follow(onEvent) {
      const { listenKey } = await call('startUserDataStream');
      const connection = await websocketStreams.connect();
      connection.userData(listenKey).on('message', (event: Row) => {
        const known = toUserEvent(event);
        if (known) onEvent(known);
      });
      await new Promise((resolve) => setTimeout(resolve, 300));
      return () => connection.disconnect();
    },
  };
}

const state = describeSdk(create);

test('market streams: book, trades, best prices, candles, mark price', async () => {
  const { door, bot } = state();
  const { websocketStreams } = createOfficialSdk(door.server.url, bot.key.apiKey, bot.key.secret);
  const connection = await websocketStreams.connect();
  const got = new Map<string, Row>();
  // As for REST: its types name each value.
  const streams = connection as unknown as Record<
    string,
    (params: object) => { on(event: 'message', note: Note): void }
  >;
  type Note = (event: Row) => void;
  for (const [method, more] of [
    ['diffBookDepthStreams', { updateSpeed: '100ms' }],
    ['individualSymbolBookTickerStreams', {}],
    ['aggregateTradeStreams', {}],
    ['klineCandlestickStreams', { interval: '1m' }],
    ['markPriceStream', { updateSpeed: '1s' }],
    ['individualSymbolMiniTickerStream', {}],
  ] as const)
    streams[method]
      ?.call(connection, { symbol: 'btcusdt', ...more })
      .on('message', (event) => got.set(event.e, event));
  let price = 64_000;
  try {
    await eventually(() => {
      price += 1;
      door.feed.setPrice('BTCUSDT', String(price));
      expect([...got.keys()].sort()).toEqual([
        ...['24hrMiniTicker', 'aggTrade', 'bookTicker', 'depthUpdate', 'kline', 'markPriceUpdate'],
      ]);
    }, 100);
  } finally {
    await connection.disconnect();
  }
  const { b: bid, a: ask } = got.get('bookTicker');
  expect(Number(bid)).toBeLessThan(Number(ask));
  for (const [event, shown] of [
    ['markPriceUpdate', got.get('markPriceUpdate').p],
    ['kline', got.get('kline').k.c],
    ['24hrMiniTicker', got.get('24hrMiniTicker').c],
  ])
    expect([event, Math.abs(Number(shown) / 64_000 - 1) < 0.02]).toEqual([event, true]);
});

test('orders over a socket', async () => {
  const { door, bot } = state();
  const { websocketAPI } = createOfficialSdk(door.server.url, bot.key.apiKey, bot.key.secret);
  const connection = await websocketAPI.connect();
  const order = { symbol, side: 'BUY', quantity: 0.1 } as const;
  const send = async (method: string, params: object): Promise<Row> => {
    const methods = connection as unknown as Record<string, (params: object) => Promise<{ data: Row }>>;
    return (await methods[method]?.call(connection, params))?.data;
  };
  const market = await send('newOrder', { ...order, type: 'MARKET', newOrderRespType: 'RESULT' });
  const rows = appRows(door, bot);
  const [execution] = await rows.executions();
  expect(market).toMatchObject({ status: 'FILLED', avgPrice: execution?.price });
  const limit = await send('newOrder', { ...order, type: 'LIMIT', price: 60_000, timeInForce: 'GTC' });
  const { orderId } = limit;
  expect(await send('modifyOrder', { ...order, orderId, price: 60_100 })).toMatchObject({ price: '60100' });
  expect(await send('queryOrder', { symbol, orderId })).toMatchObject({ status: 'NEW', price: '60100' });
  expect(await send('cancelOrder', { symbol, orderId })).toMatchObject({ status: 'CANCELED' });
  const algo = await send('newAlgoOrder', {
    ...{ ...order, side: 'SELL', algoType: 'CONDITIONAL', type: 'STOP_MARKET', triggerPrice: 60_000 },
  });
  expect(algo).toMatchObject({ algoStatus: 'NEW', triggerPrice: '60000' });
  await send('cancelAlgoOrder', { algoId: algo.algoId });
  expect(await send('positionInformationV2', { symbol })).toMatchObject([{ positionAmt: '0.1' }]);
  expect(await send('futuresAccountBalanceV2', {})).toMatchObject([
    { balance: (await rows.wallet()).balance },
  ]);
  expect(await send('accountInformationV2', {})).toMatchObject({
    totalWalletBalance: (await rows.wallet()).balance,
  });
  expect(await send('orderBook', { symbol, limit: 5 })).toMatchObject({ bids: expect.any(Array) });
  await expect(send('cancelOrder', { symbol, orderId })).rejects.toMatchObject({ code: -2011 });
  await connection.disconnect();
});
