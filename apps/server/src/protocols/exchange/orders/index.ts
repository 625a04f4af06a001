/** The handlers of orders and algo orders at `/fapi`. */
import type { orderRoutes, WireAlgoOrder, WireOrder } from '@fulcrum/contract/exchange';
import { isWaiting } from '@fulcrum/domain';
import { exchangeErrors } from '../errors.ts';
import type { HandlersOf } from '../handlers.ts';
import { createCanceling } from './canceling.ts';
import type { Countdowns } from './countdowns.ts';
import type { OrderDependencies } from './dependencies.ts';
import { requireAlgo, requireNamed } from './find.ts';
import type { Named } from './order-reads.ts';
import {
  isConditional,
  isListedAsOrder,
  legOf,
  legsOf,
  orderOfLeg,
  orderOfTrade,
  toWireAlgoOrder,
  toWireOrder,
} from './order-wire.ts';
import { createPlacing } from './placing.ts';

export function createOrderHandlers(
  deps: OrderDependencies,
  countdowns: Pick<Countdowns, 'set'>,
): HandlersOf<typeof orderRoutes> {
  const { symbols, reads, withReadSlot } = deps;
  const placing = createPlacing(deps);
  const canceling = createCanceling(deps);
  /** The app's symbol; null for all. */
  const symbolOf = (id: string | undefined): string | null =>
    id === undefined ? null : symbols.pairOf(id).symbol;

  function show(named: Named): WireOrder {
    if (named.kind === 'leg') {
      const order = orderOfLeg(named.position, named.leg, symbols.idOf(named.position.symbol));
      if (order === null) throw exchangeErrors.unknownOrder();
      return order;
    }
    const id = symbols.idOf(named.row.symbol);
    return named.kind === 'trade' ? orderOfTrade(named.row, id) : toWireOrder(named.row, id, named.as);
  }

  function showAlgo(named: Named): WireAlgoOrder {
    const algo =
      named.kind === 'leg'
        ? legOf(named.position, named.leg, symbols.idOf(named.position.symbol))
        : named.kind === 'order' && isConditional(named.row.type)
          ? toWireAlgoOrder(named.row, symbols.idOf(named.row.symbol))
          : null;
    if (algo === null) throw exchangeErrors.unknownOrder();
    return algo;
  }

  return {
    placeOrder: ({ key, params }) => placing.insert(key, params),
    testOrder: ({ params }) => {
      placing.check(params);
      return {};
    },
    placeOrders: ({ key, params }) => placing.insertAll(key, params.batchOrders),
    amendOrder: ({ key, params }) => placing.amend(key, params),
    amendOrders: ({ key, params }) => placing.amendAll(key, params.batchOrders),
    newAlgoOrder: ({ key, params }) => placing.insertAlgo(key, params),

    order: ({ key, params }) =>
      withReadSlot(key.userId, async () =>
        show(await requireNamed(reads, key.accountId, symbols.pairOf(params.symbol).symbol, params)),
      ),
    openOrder: ({ key, params }) =>
      withReadSlot(key.userId, async () => {
        const { symbol } = symbols.pairOf(params.symbol);
        const order = show(await requireNamed(reads, key.accountId, symbol, params));
        if (!isWaiting(order.status)) throw exchangeErrors.unknownOrder();
        return order;
      }),
    openOrders: ({ key, params }) =>
      withReadSlot(key.userId, async () => {
        const rows = await reads.waiting(key.accountId, symbolOf(params.symbol));
        return rows
          .filter(isListedAsOrder)
          .map((row) =>
            toWireOrder(row, symbols.idOf(row.symbol), isConditional(row.type) ? 'order' : 'condition'),
          );
      }),
    allOrders: ({ key, params }) =>
      withReadSlot(key.userId, async () => {
        const { orderId, startTime, endTime, limit } = params;
        const page = { symbol: symbolOf(params.symbol), fromNumber: orderId, startTime, endTime, limit };
        return (await reads.history(key.accountId, page)).map(show);
      }),

    cancelOrder: ({ key, params }) => canceling.cancel(key, params),
    cancelOrders: ({ key, params }) => canceling.cancelList(key, params.symbol, params),
    cancelAllOrders: async ({ key, params }) => {
      await canceling.cancelAll(key, symbols.pairOf(params.symbol).symbol);
      return { code: 200, msg: 'The operation of cancel all open order is done.' };
    },
    countdownCancelAll: async ({ key, params: { symbol, countdownTime } }) => {
      await countdowns.set(key.accountId, symbols.pairOf(symbol).symbol, countdownTime);
      return { symbol, countdownTime: String(countdownTime) };
    },

    algoOrder: ({ key, params }) =>
      withReadSlot(key.userId, async () => showAlgo(await requireAlgo(reads, key.accountId, params))),
    cancelAlgoOrder: async ({ key, params }) => ({
      ...(await canceling.cancelAlgo(key, params)),
      code: '200',
      msg: 'success',
    }),
    openAlgoOrders: ({ key, params }) =>
      withReadSlot(key.userId, async () => {
        const symbol = symbolOf(params.symbol);
        const rows = await reads.waiting(key.accountId, symbol);
        const legs = await reads.openLegs(key.accountId, symbol);
        const algos = [
          ...rows
            .filter((row) => !isListedAsOrder(row))
            .map((row) => toWireAlgoOrder(row, symbols.idOf(row.symbol))),
          ...legs.flatMap((position) => legsOf(position, symbols.idOf(position.symbol))),
        ].sort((one, other) => one.algoId - other.algoId);
        const { algoId } = params;
        return algoId === undefined ? algos : algos.filter((algo) => algo.algoId === algoId);
      }),
    allAlgoOrders: ({ key, params }) =>
      withReadSlot(key.userId, async () => {
        const { algoId, startTime, endTime, limit } = params;
        const page = { symbol: symbolOf(params.symbol), fromNumber: algoId, startTime, endTime, limit };
        const { rows } = await reads.algoHistory(key.accountId, page);
        const algos = rows.flatMap((row) => {
          const id = symbols.idOf(row.symbol);
          return 'take_profit_price' in row ? legsOf(row, id) : [toWireAlgoOrder(row, id)];
        });
        // A position may have two: the last ones without a start, else the first ones.
        if (algoId === undefined && startTime === undefined) return algos.slice(-limit);
        return algos.filter((algo) => algo.algoId >= (algoId ?? 0)).slice(0, limit);
      }),
    cancelAllAlgoOrders: async ({ key, params }) => {
      await canceling.cancelAllAlgo(key, symbols.pairOf(params.symbol).symbol);
      return { code: 200, msg: 'The operation of cancel all open order is done.' };
    },
  };
}
