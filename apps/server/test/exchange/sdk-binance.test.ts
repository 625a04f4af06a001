/** The npm package `binance`, unmodified: REST, whose signed parameters all stand in the query, and its user data stream. */
import { createBinance } from './recipes/binance.ts';
import { describeSdk, type Row, type SdkClient } from './sdk-suite.ts';
import { toUserEvent } from './user-event.ts';

const symbol = 'BTCUSDT';

function create(url: string, apiKey: string, secret: string): SdkClient {
  const { rest, sockets } = createBinance(url, apiKey, secret);
  /** Its types list the values of each parameter; the suite sends plain texts. */
  const methods = rest as unknown as Record<string, (params?: unknown) => Promise<Row>>;
  const call = async (method: string, params?: unknown): Promise<Row> => {
    try {
      return await methods[method]?.call(rest, params);
    } catch (error) {
      // It rejects with a plain object.
      throw Object.assign(new Error((error as Row).message), error);
    }
  };
  return {
    markets: async () => (await call('getExchangeInfo')).symbols,
    account: () => call('getAccountInformationV3'),
    insert: (order) => call('submitNewOrder', { ...order, newOrderRespType: 'RESULT' }),
    insertConditional: (condition) => call('submitNewAlgoOrder', { ...condition, algoType: 'CONDITIONAL' }),
    conditionalId: ({ algoId }) => String(algoId),
    openConditional: () => call('getOpenAlgoOrders', { symbol }),
    cancelConditional: (algoId) => call('cancelAlgoOrder', { algoId }),
    amend: (id, quantity, price) =>
      call('modifyOrder', { symbol, side: 'BUY', orderId: Number(id), quantity, price }),
    order: (id) => call('getOrder', { symbol, orderId: Number(id) }),
    openOrders: () => call('getAllOpenOrders', { symbol }),
    allOrders: () => call('getAllOrders', { symbol }),
    cancel: (id) => call('cancelOrder', { symbol, orderId: Number(id) }),
    cancelAll: () => call('cancelAllOpenOrders', { symbol }),
    insertBatch: (orders) => call('submitMultipleOrders', orders),
    cancelBatch: (ids) => call('cancelMultipleOrders', { symbol, orderIdList: ids.map(Number) }),
    setLeverage: (leverage) => call('setLeverage', { symbol, leverage }),
    setMarginType: (marginType) => call('setMarginType', { symbol, marginType }),
    isHedged: async () => (await call('getCurrentPositionMode')).dualSidePosition,
    addMargin: (amount) => call('setIsolatedPositionMargin', { symbol, amount, type: '1' }),
    positions: () => call('getPositionsV3', { symbol }),
    trades: () => call('getAccountTrades', { symbol }),
    income: () => call('getIncomeHistory', { limit: 1_000 }),
    candles: async (limit) =>
      (await call('getKlines', { symbol, interval: '1m', limit })).map((row: Row) => [
        Number(row[0]),
        row[4],
      ]),
    book: () => call('getOrderBook', { symbol, limit: 20 }),
    async follow(onEvent) {
      sockets.on('message', (event: Row) => {
        const known = toUserEvent(event);
        if (known) onEvent(known);
      });
      sockets.on('exception', () => {});
      await sockets.subscribeUsdFuturesUserDataStream();
      await new Promise((resolve) => setTimeout(resolve, 300));
      return () => sockets.closeAll(true);
    },
  };
}

describeSdk(create);
