/** Orders and conditional ("algo") orders of the key's account. */
import { z } from 'zod';
import { wireAlgoOrder, wireOrder } from './order-shapes.ts';
import { readRoute, sent, tradeRoute, wire } from './route.ts';

const keyword = z.string().min(1).max(30).toUpperCase();
const price = sent.decimal.optional();
const flag = sent.flag.optional();
const responseType = z.enum(['ACK', 'RESULT']).default('ACK');
/** The contract trades at its mark, so both are the same price here. */
const workingType = z.enum(['CONTRACT_PRICE', 'MARK_PRICE']).optional();

/** What `order` and `algoOrder` both take. */
const terms = {
  symbol: sent.symbol,
  side: keyword,
  /** BOTH; there is no hedge mode. */
  positionSide: keyword.optional(),
  type: keyword,
  timeInForce: keyword.optional(),
  quantity: price,
  price,
  reduceOnly: flag,
  closePosition: flag,
  /** Either name; only of a trailing stop. */
  activatePrice: price,
  activationPrice: price,
  /** Per cent. */
  callbackRate: price,
  workingType,
  priceProtect: flag,
  priceMatch: keyword.optional(),
  selfTradePreventionMode: keyword.optional(),
  /** The end of a GTD order. */
  goodTillDate: sent.time.optional(),
  newOrderRespType: responseType,
} as const;

export const orderTerms = z.object({
  ...terms,
  newClientOrderId: sent.clientId.optional(),
  stopPrice: price,
  /** Stop loss and take profit of the position that the order opens. */
  'stopLoss[triggerPrice]': price,
  'takeProfit[triggerPrice]': price,
});
export type OrderTerms = z.output<typeof orderTerms>;

const algoOrderTerms = z.object({
  ...terms,
  algoType: keyword.default('CONDITIONAL'),
  clientAlgoId: sent.clientId.optional(),
  triggerPrice: price,
});
export type AlgoOrderTerms = z.output<typeof algoOrderTerms>;

/** One of the two names an order; the number counts where both are sent. */
const named = {
  orderId: sent.id.optional(),
  origClientOrderId: z.string().min(1).max(64).optional(),
} as const;
const algoNamed = { algoId: sent.id.optional(), clientAlgoId: z.string().min(1).max(64).optional() } as const;

export const amendmentTerms = z.object({
  symbol: sent.symbol,
  side: keyword,
  ...named,
  quantity: sent.decimal,
  price: sent.decimal,
  priceMatch: keyword.optional(),
});
export type AmendmentTerms = z.output<typeof amendmentTerms>;

const page = {
  startTime: sent.time.optional(),
  endTime: sent.time.optional(),
} as const;

const done = z.object({ code: z.literal(200), msg: z.string() });
const refused = z.object({ code: z.number().int(), msg: z.string() });
const outcomes = z.array(z.union([wireOrder, refused]));
const paths = {
  order: ['/fapi/v1/order'],
  algoOrder: ['/fapi/v1/algoOrder'],
  batch: ['/fapi/v1/batchOrders'],
} as const;
/** How many orders a batch may have. */
export const batchMax = 5;
export const cancelBatchMax = 10;

export const orderRoutes = [
  tradeRoute('placeOrder', 'POST', paths.order, {
    weight: 1,
    orders: 1,
    summary: 'Places an order of any type; conditional ones are accepted here, too.',
    params: orderTerms,
    result: wireOrder,
  }),
  tradeRoute('testOrder', 'POST', ['/fapi/v1/order/test'], {
    weight: 1,
    summary: 'Checks the parameters and filters of an order and places nothing.',
    params: orderTerms,
    result: z.object({}),
  }),
  readRoute('order', 'GET', paths.order, {
    weight: 1,
    summary: 'An order by its number or client id, in any state; the number of an algo order is found, too.',
    params: z.object({ symbol: sent.symbol, ...named }),
    result: wireOrder,
  }),
  tradeRoute('cancelOrder', 'DELETE', paths.order, {
    weight: 1,
    summary: 'Cancels a waiting order; the number of an algo order is found, too.',
    params: z.object({ symbol: sent.symbol, ...named }),
    result: wireOrder,
  }),
  tradeRoute('amendOrder', 'PUT', paths.order, {
    weight: 1,
    orders: 1,
    summary: 'Changes price and size of a waiting LIMIT order.',
    params: amendmentTerms,
    result: wireOrder,
  }),
  readRoute('openOrder', 'GET', ['/fapi/v1/openOrder'], {
    weight: 1,
    summary: 'A waiting order by its number or client id.',
    params: z.object({ symbol: sent.symbol, ...named }),
    result: wireOrder,
  }),
  readRoute('openOrders', 'GET', ['/fapi/v1/openOrders'], {
    weight: 1,
    summary: 'Waiting orders of one symbol or of all, without those that wait for a trigger.',
    params: z.object({ symbol: sent.symbol.optional() }),
    result: z.array(wireOrder),
  }),
  readRoute('allOrders', 'GET', ['/fapi/v1/allOrders'], {
    weight: 5,
    summary:
      'Orders in any state, the oldest first: from a number or an instant on, else the latest. Closes and clicks are among them.',
    params: z.object({
      symbol: sent.symbol.optional(),
      orderId: sent.id.optional(),
      ...page,
      limit: sent.limit(500, 1_000),
    }),
    result: z.array(wireOrder),
  }),
  tradeRoute('cancelAllOrders', 'DELETE', ['/fapi/v1/allOpenOrders'], {
    weight: 1,
    summary: 'Cancels all waiting orders of a symbol, without those that wait for a trigger.',
    params: z.object({ symbol: sent.symbol }),
    result: done,
  }),
  tradeRoute('placeOrders', 'POST', paths.batch, {
    weight: 5,
    orders: batchMax,
    summary: 'Places up to five orders, each with its own outcome.',
    params: z.object({ batchOrders: z.string().max(16_000) }),
    result: outcomes,
  }),
  tradeRoute('amendOrders', 'PUT', paths.batch, {
    weight: 5,
    orders: batchMax,
    summary: 'Amends up to five orders, each with its own outcome.',
    params: z.object({ batchOrders: z.string().max(16_000) }),
    result: outcomes,
  }),
  tradeRoute('cancelOrders', 'DELETE', paths.batch, {
    weight: 1,
    summary: 'Cancels up to ten orders, each with its own outcome.',
    params: z.object({
      symbol: sent.symbol,
      /** A JSON array of numbers, under either name. */
      orderIdList: z.string().max(400).optional(),
      orderidlist: z.string().max(400).optional(),
      /** A JSON array of client ids, under either name. */
      origClientOrderIdList: z.string().max(1_000).optional(),
      origclientorderidlist: z.string().max(1_000).optional(),
    }),
    result: outcomes,
  }),
  tradeRoute('countdownCancelAll', 'POST', ['/fapi/v1/countdownCancelAll'], {
    weight: 10,
    summary:
      'Cancels all waiting orders of a symbol at the end of a countdown that has to be renewed; 0 ends the countdown.',
    params: z.object({
      symbol: sent.symbol,
      /** Milliseconds. */
      countdownTime: z
        .string()
        .regex(/^\d{1,9}$/, 'must be milliseconds')
        .transform(Number),
    }),
    result: z.object({ symbol: z.string(), countdownTime: z.string() }),
  }),
  tradeRoute('newAlgoOrder', 'POST', paths.algoOrder, {
    weight: 1,
    orders: 1,
    summary: 'Places an order that waits for a trigger price.',
    params: algoOrderTerms,
    result: wireAlgoOrder,
  }),
  readRoute('algoOrder', 'GET', paths.algoOrder, {
    weight: 1,
    summary: 'An algo order in any state, take profit and stop loss of a position among them.',
    params: z.object(algoNamed),
    result: wireAlgoOrder,
  }),
  tradeRoute('cancelAlgoOrder', 'DELETE', paths.algoOrder, {
    weight: 1,
    summary: 'Cancels an algo order; of a position it removes the take profit or the stop loss.',
    params: z.object(algoNamed),
    result: z.object({
      algoId: wire.id,
      clientAlgoId: z.string(),
      code: z.literal('200'),
      msg: z.literal('success'),
    }),
  }),
  readRoute('openAlgoOrders', 'GET', ['/fapi/v1/openAlgoOrders'], {
    weight: 1,
    summary: 'Algo orders that wait for their trigger.',
    params: z.object({ symbol: sent.symbol.optional(), algoId: sent.id.optional() }),
    result: z.array(wireAlgoOrder),
  }),
  readRoute('allAlgoOrders', 'GET', ['/fapi/v1/allAlgoOrders'], {
    weight: 5,
    summary: 'Algo orders in any state, the oldest first: from a number or an instant on, else the latest.',
    params: z.object({
      symbol: sent.symbol.optional(),
      algoId: sent.id.optional(),
      ...page,
      limit: sent.limit(500, 1_000),
    }),
    result: z.array(wireAlgoOrder),
  }),
  tradeRoute('cancelAllAlgoOrders', 'DELETE', ['/fapi/v1/algoOpenOrders'], {
    weight: 1,
    summary: 'Cancels all algo orders of a symbol that wait; a position loses its take profit and stop loss.',
    params: z.object({ symbol: sent.symbol }),
    result: done,
  }),
] as const;
