/**
 * The levels of a pair's orders that wait. A place is judged by the rules of the order form, as if the order were placed there
 * with what it reserves today; the server judges again.
 */
import { asFeeRate, asMoney, asSize, type Price, parseDecimal, rulesOf, toNumber } from '@fulcrum/domain';
import { stepPrice } from '../../../shared/decimals/price.ts';
import { log } from '../../../shared/log/log.ts';
import { formatAmount, formatPrice, formatSize } from '../../../shared/numbers/index.ts';
import { messageOf, type Order } from '../../../shared/supabase/index.ts';
import type { LinePlace, MovableLine, PillPart, PriceStream, Refusal } from '../../market/index.ts';
import { orderWords } from '../orders/words.ts';
import { priceOf, summaryOf } from '../ticket/summary.ts';
import { failedRuleOf, type OrderFacts, type PriceStatus } from '../ticket/validators.ts';
import { askToCancel } from './asked-from-chart.ts';
import { snapToGrid } from './grid.ts';
import type { LinedPair } from './position-lines.ts';

const amendFailedText = 'Failed to move the order';

export interface OrderContext {
  readonly stream: PriceStream;
  readonly pair: LinedPair;
  readonly feeRate: number;
  /** USDT, or null while it is not known. */
  readonly available: () => number | null;
  readonly amend: (order: Order, price: Price) => Promise<void>;
}

const typed = (price: number | null) => {
  const known = priceOf(price);
  return known === null ? ({ kind: 'empty' } as const) : ({ kind: 'price', price: known } as const);
};

/** Only a price that may be traded on speaks against a stop; any other lets the order wait. */
function priceStatusOf(stream: PriceStream, symbol: string): PriceStatus {
  const last = stream.latest(symbol);
  const isCurrent = last?.market_open && last.state !== 'closed' && last.state !== 'stale';
  return isCurrent ? 'fresh' : 'closed';
}

function factsAt(order: Order, price: Price, context: OrderContext): OrderFacts {
  const { stream, pair, feeRate, available } = context;
  const { symbol, type, size: amount, leverage, reserved } = order;
  const size = asSize(parseDecimal(amount));
  const terms = {
    limits: pair.limits,
    rules: rulesOf(order.rules),
    feeRate: asFeeRate(parseDecimal(feeRate)),
    price,
    size,
    leverage,
  };
  const free = available();
  return {
    symbol,
    type,
    restricted: false,
    priceStatus: priceStatusOf(stream, symbol),
    market: priceOf(stream.latest(symbol)?.price),
    amount: { kind: 'amount', size },
    price: { kind: 'price', price },
    protection: { takeProfit: typed(order.takeProfitPrice), stopLoss: typed(order.stopLossPrice) },
    terms,
    summary: summaryOf(terms),
    // What it reserves today is there for its next price.
    available: free === null ? null : asMoney(parseDecimal(free) + parseDecimal(reserved)),
  };
}

function orderLine(order: Order, orderPrice: number, context: OrderContext): MovableLine {
  const { limits, tickSize, stepSize } = context.pair;
  const words = `${orderWords(order)} ${formatSize(order.size, stepSize)} ${order.symbol}`;
  const size: PillPart = { text: formatSize(order.size, stepSize), tone: 'none' };

  const at = (wanted: number): LinePlace => {
    const place = snapToGrid(wanted, limits);
    const facts = factsAt(order, place, context);
    const needed = facts.summary.requiredTotal;
    const reserve = formatAmount(needed && toNumber(needed));
    const priceText = formatPrice(toNumber(place), tickSize);
    return {
      price: toNumber(place),
      priceText,
      parts: [
        { ...size, narrowText: '' },
        { text: `reserves ${reserve}`, tone: 'none', narrowText: reserve },
      ],
      name: `${words} at ${priceText}, reserves ${reserve}`,
      fault: failedRuleOf(order.side, facts)?.text ?? null,
    };
  };
  const send = async (price: Price): Promise<Refusal> => {
    try {
      await context.amend(order, price);
      return null;
    } catch (cause) {
      log.warn('Moving an order on the chart failed', cause);
      return messageOf(cause, amendFailedText);
    }
  };
  const here = at(orderPrice);
  return {
    id: order.id,
    kind: 'order',
    side: order.side === 'BUY' ? 'LONG' : 'SHORT',
    head: orderWords(order).toUpperCase(),
    price: orderPrice,
    priceText: here.priceText,
    name: here.name,
    parts: () => [size],
    movement: {
      at,
      step: (from, ticks) => toNumber(stepPrice(snapToGrid(from, limits), BigInt(ticks), limits)),
      send: (to) => send(snapToGrid(to, limits)),
    },
    dismissal: {
      kind: 'question',
      name: `Cancel ${words.charAt(0).toLowerCase()}${words.slice(1)}`,
      ask: () => askToCancel(order),
    },
  };
}

export const orderLines = (orders: readonly Order[], context: OrderContext): readonly MovableLine[] =>
  orders
    .filter(({ symbol }) => symbol === context.pair.symbol)
    // A market order never waits.
    .flatMap((order) => (order.price === null ? [] : [orderLine(order, order.price, context)]));
