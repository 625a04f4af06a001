/** Places and amends orders through the app's own handlers. */
import { randomUUID } from 'node:crypto';
import {
  type AlgoOrderTerms,
  type AmendmentTerms,
  amendmentTerms,
  batchMax,
  type OrderTerms,
  orderTerms,
  type WireAlgoOrder,
  type WireOrder,
} from '@fulcrum/contract/exchange';
import { hasLimit, isWaiting, minuteMs, parseDecimal } from '@fulcrum/domain';
import type { z } from 'zod';
import { type ExchangeError, exchangeErrorOf, exchangeErrors } from '../errors.ts';
import type { DoorKey } from '../keys.ts';
import { parseTerms } from '../request.ts';
import type { OrderDependencies } from './dependencies.ts';
import { requireOrder } from './find.ts';
import {
  algoStatementOf,
  checkPrice,
  checkQuantity,
  type OrderStatement,
  statementOf,
  toOrderRow,
} from './order-input.ts';
import { isActivated, isConditional, type StoredOrder, toWireAlgoOrder, toWireOrder } from './order-wire.ts';

/** One outcome of a batch. */
export type Outcome = WireOrder | { readonly code: number; readonly msg: string };

/** For as long, a client that got no answer repeats an order and is answered with it, although it is final. */
const repeatMs = minuteMs;

interface Submitted {
  readonly order: StoredOrder;
  /** Whether an earlier request placed it. */
  readonly isRepeat: boolean;
}

export function createPlacing(deps: OrderDependencies) {
  const { clock, symbols, reads, arrivals, trading, withReadSlot } = deps;

  async function stored(key: DoorKey, id: string): Promise<StoredOrder> {
    const order = await reads.byId(key.accountId, id);
    if (!order) throw exchangeErrors.unknownOrder();
    return order;
  }

  /** The order of that row, placed now or by an earlier request. */
  async function placed(key: DoorKey, stated: OrderStatement, settles: boolean): Promise<StoredOrder> {
    const row = toOrderRow(stated, symbols.pairOf(stated.symbol));
    const { rows, ids } = await trading.writes['orders.insert'](key.caller, [row]);
    const [id] = ids;
    if (id === undefined) throw exchangeErrors.unknownOrder();
    if (!settles || rows[0]?.due_at == null) return stored(key, id);
    const arrival = arrivals.expect({ id, accountId: key.accountId });
    const now = await stored(key, id).catch((error: unknown) => {
      arrival.forget();
      throw error;
    });
    if (now.due_at === null) {
      arrival.forget();
      return now;
    }
    await arrival.arrived();
    return stored(key, id);
  }

  /**
   * `settles`: waits until an order with a latency has arrived.
   * @throws ExchangeError -4116 for the client id of an order that has been final for the client to see
   */
  async function submit(key: DoorKey, stated: OrderStatement, settles: boolean): Promise<Submitted> {
    const begunAt = clock.now();
    const order = await placed(key, stated, settles);
    const at = order.created_at.getTime();
    if (!isWaiting(order.status) && at < begunAt - repeatMs) throw exchangeErrors.clientIdUsed();
    return { order, isRepeat: at < begunAt };
  }

  async function insert(key: DoorKey, terms: OrderTerms): Promise<WireOrder> {
    const isResult = terms.newOrderRespType === 'RESULT';
    const { order, isRepeat } = await submit(key, statementOf(terms, newClientId()), isResult);
    const answer = toWireOrder(order, symbols.idOf(order.symbol), 'condition');
    // What an earlier request placed may have been filled since: its present state, not that of a new order.
    return isResult || isRepeat ? answer : acknowledged(answer);
  }

  async function amend(key: DoorKey, terms: AmendmentTerms): Promise<WireOrder> {
    if ((terms.priceMatch ?? 'NONE') !== 'NONE') throw exchangeErrors.notOffered('priceMatch');
    const pair = symbols.pairOf(terms.symbol);
    const order = await withReadSlot(key.userId, () =>
      requireOrder(reads, key.accountId, pair.symbol, terms),
    );
    if (!isWaiting(order.status)) throw exchangeErrors.unknownOrder();
    if (order.side !== terms.side) throw exchangeErrors.illegal('side', "must be the order's");
    // A conditional one with a limit can be amended once it has become a LIMIT order.
    if (order.type !== 'LIMIT' && !(hasLimit(order.type) && isActivated(order)))
      throw exchangeErrors.badType();
    checkQuantity(terms.quantity, pair);
    checkPrice('Price', terms.price, pair);
    const isSame =
      parseDecimal(terms.price) === parseDecimal(order.price ?? '0') &&
      parseDecimal(terms.quantity) === parseDecimal(order.size);
    if (isSame) throw exchangeErrors.unchanged();
    await trading.procedures.amend_order(key.caller, {
      p_order_id: order.id,
      p_price: terms.price,
      p_size: terms.quantity,
    });
    return toWireOrder(await stored(key, order.id), terms.symbol);
  }

  const inBatch = async <Terms>(
    schema: z.ZodType<Terms>,
    list: string,
    run: (terms: Terms) => Promise<WireOrder>,
  ): Promise<Outcome[]> => {
    const items = parseList('batchOrders', list, batchMax);
    return Promise.all(items.map((item) => outcomeOf(async () => run(parseTerms(schema, item)))));
  };

  return {
    insert,
    amend,
    insertAll: (key: DoorKey, list: string) => inBatch(orderTerms, list, (terms) => insert(key, terms)),
    amendAll: (key: DoorKey, list: string) => inBatch(amendmentTerms, list, (terms) => amend(key, terms)),

    /** As `insert`, up to the engine. */
    check(terms: OrderTerms): void {
      toOrderRow(statementOf(terms, newClientId()), symbols.pairOf(terms.symbol));
    },

    async insertAlgo(key: DoorKey, terms: AlgoOrderTerms): Promise<WireAlgoOrder> {
      const { order } = await submit(key, algoStatementOf(terms, newClientId()), false);
      if (!isConditional(order.type)) throw exchangeErrors.unknownOrder();
      return toWireAlgoOrder(order, terms.symbol);
    },
  };
}

/** 22 characters, from the pool of random ids: reading random bytes for each would take a twentieth of an order's time. */
const newClientId = (): string => Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');

/** The answer before the market has been asked. */
const acknowledged = (order: WireOrder): WireOrder => ({
  ...order,
  status: 'NEW',
  avgPrice: '0',
  executedQty: '0',
  cumQty: '0',
  cumQuote: '0',
});

/** What became of one of several; a fault of the server is that of the whole request. */
export async function outcomeOf(run: () => Promise<WireOrder>): Promise<Outcome> {
  try {
    return await run();
  } catch (error) {
    const refusal: ExchangeError | null = exchangeErrorOf(error);
    if (!refusal) throw error;
    return { code: refusal.code, msg: refusal.message };
  }
}

/** @throws ExchangeError for what is no JSON list, an empty one, or one that is too long */
export function parseList(name: string, text: string, most: number): readonly unknown[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw exchangeErrors.batchUnreadable(name);
  }
  if (!Array.isArray(list)) throw exchangeErrors.batchUnreadable(name);
  if (list.length === 0) throw exchangeErrors.batchEmpty();
  if (list.length > most) throw exchangeErrors.batchTooLarge(most);
  return list;
}
