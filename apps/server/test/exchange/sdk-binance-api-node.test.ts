/** The npm package `binance-api-node`, unmodified: it routes conditional orders by their type, and names the fields of events anew. */
import { createBinanceApiNode } from './recipes/binance-api-node.ts';
import { describeSdk, type Row, type SdkClient, type UserEvent } from './sdk-suite.ts';

const symbol = 'BTCUSDT';

function toUserEvent(event: Row): UserEvent | null {
  if (event.eventType === 'ORDER_TRADE_UPDATE')
    return {
      ...{ kind: 'order', clientId: event.clientOrderId, execution: event.executionType },
      ...{ status: event.orderStatus, lastPrice: event.priceLastTrade, realized: event.realizedProfit },
    };
  if (event.eventType !== 'ACCOUNT_UPDATE') return null;
  return {
    kind: 'account',
    wallet: event.balances[0]?.walletBalance,
    positions: event.positions.map((row: Row) => ({
      ...{ symbol: row.symbol, amount: row.positionAmount, entry: row.entryPrice },
    })),
  };
}

const toLevels = (side: readonly Row[]) => side.map(({ price, quantity }) => [price, quantity] as const);

function create(url: string, apiKey: string, secret: string): SdkClient {
  const client = createBinanceApiNode(url, apiKey, secret) as Row;
  return {
    markets: async () => (await client.futuresExchangeInfo()).symbols,
    account: () => client.futuresAccountInfo(),
    insert: (order) => client.futuresOrder({ ...order, newOrderRespType: 'RESULT' }),
    insertConditional: (condition) => client.futuresOrder(condition),
    conditionalId: ({ algoId }) => String(algoId),
    openConditional: () => client.futuresOpenOrders({ symbol, conditional: true }),
    cancelConditional: (algoId) => client.futuresCancelOrder({ algoId }),
    amend: (orderId, quantity, price) =>
      client.futuresUpdateOrder({ symbol, side: 'BUY', orderId, quantity, price }),
    order: (orderId) => client.futuresGetOrder({ symbol, orderId }),
    openOrders: () => client.futuresOpenOrders({ symbol }),
    allOrders: () => client.futuresAllOrders({ symbol }),
    cancel: (orderId) => client.futuresCancelOrder({ symbol, orderId }),
    cancelAll: () => client.futuresCancelAllOpenOrders({ symbol }),
    insertBatch: (orders) => client.futuresBatchOrders({ batchOrders: JSON.stringify(orders) }),
    cancelBatch: (ids) =>
      client.futuresCancelBatchOrders({ symbol, orderIdList: JSON.stringify(ids.map(Number)) }),
    setLeverage: (leverage) => client.futuresLeverage({ symbol, leverage }),
    setMarginType: (marginType) => client.futuresMarginType({ symbol, marginType }),
    addMargin: (amount) => client.futuresPositionMargin({ symbol, amount, type: 1 }),
    isHedged: async () => (await client.futuresPositionMode()).dualSidePosition,
    positions: () => client.futuresPositionRisk({ symbol }),
    trades: () => client.futuresUserTrades({ symbol }),
    income: () => client.futuresIncome({ limit: 1_000 }),
    candles: async (limit) =>
      (await client.futuresCandles({ symbol, interval: '1m', limit })).map(({ openTime, close }: Row) => [
        openTime,
        close,
      ]),
    async book() {
      const { bids, asks } = await client.futuresBook({ symbol, limit: 20 });
      return { bids: toLevels(bids), asks: toLevels(asks) };
    },
    async follow(onEvent) {
      const stop = await client.ws.futuresUser((event: Row) => {
        const known = toUserEvent(event);
        if (known) onEvent(known);
      });
      await new Promise((resolve) => setTimeout(resolve, 300));
      return () => stop({ fastClose: true });
    },
  };
}

describeSdk(create);
