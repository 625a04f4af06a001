/** The npm package `node-binance-api`, unmodified; its own methods as far as it has them, else its signed request. */
import { createNodeBinanceApi } from './recipes/node-binance-api.ts';
import { describeSdk, type Row, type SdkClient } from './sdk-suite.ts';
import { toUserEvent } from './user-event.ts';

const symbol = 'BTCUSDT';

function create(url: string, apiKey: string, secret: string): SdkClient {
  const client = createNodeBinanceApi(url, apiKey, secret) as Row;
  return {
    markets: async () => (await client.futuresExchangeInfo()).symbols,
    account: () => client.futuresAccount(),
    insert: ({ type, side, quantity, price, ...more }) =>
      client.futuresOrder(type, side, symbol, quantity, price, { ...more, newOrderRespType: 'RESULT' }),
    insertConditional: ({ type, side, quantity, price, ...more }) =>
      client.futuresOrder(type, side, symbol, quantity, price, more),
    conditionalId: ({ algoId }) => String(algoId),
    // Its own method has the path that cancels them.
    openConditional: () => client.privateFuturesRequest('v1/openAlgoOrders', { symbol }),
    cancelConditional: (algoId) => client.futuresCancel(symbol, undefined, { conditional: true, algoId }),
    amend: (orderId, quantity, price) =>
      client.privateFuturesRequest('v1/order', { symbol, side: 'BUY', orderId, quantity, price }, 'PUT'),
    order: (orderId) => client.futuresOrderStatus(symbol, { orderId }),
    openOrders: () => client.futuresOpenOrders(symbol),
    allOrders: () => client.futuresAllOrders(symbol),
    cancel: (id) => client.futuresCancel(symbol, id),
    cancelAll: () => client.futuresCancelAll(symbol),
    insertBatch: (orders) => client.futuresMultipleOrders(orders),
    cancelBatch: (ids) =>
      client.futuresCancelMultipleOrders(symbol, { orderIdList: JSON.stringify(ids.map(Number)) }),
    setLeverage: (leverage) => client.futuresLeverage(symbol, leverage),
    setMarginType: (marginType) => client.futuresMarginType(symbol, marginType),
    addMargin: (amount) => client.futuresPositionMargin(symbol, amount),
    isHedged: async () => (await client.futuresPositionSideDual()).dualSidePosition,
    positions: () => client.futuresPositionRisk({ symbol }),
    trades: () => client.futuresUserTrades(symbol),
    income: () => client.futuresIncome({ limit: 1_000 }),
    candles: async (limit) =>
      (await client.futuresCandles(symbol, '1m', { limit })).map(({ openTime, close }: Row) => [
        openTime,
        close,
      ]),
    async book() {
      const { bids, asks } = await client.publicFuturesRequest('v1/depth', { symbol, limit: 20 });
      return { bids, asks };
    },
    follow(onEvent) {
      const note = (event: Row): void => {
        const known = toUserEvent(event);
        if (known) onEvent(known);
      };
      // It keeps its sockets by their addresses.
      const stop = (): void => {
        for (const address of Object.keys(client.futuresSubscriptions)) client.futuresTerminate(address);
      };
      return new Promise((resolve) => {
        const subscribed = (): void => void setTimeout(() => resolve(stop), 300);
        client.userFutureData(note, undefined, undefined, undefined, subscribed);
      });
    },
  };
}

describeSdk(create);
