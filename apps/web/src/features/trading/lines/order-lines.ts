/**
 * The chart lines of a pair's open orders, as far as these are not filled. A new price is checked by the rules of the order form, as if the whole
 * order were placed there with its present reserve. The server checks again.
 */
import {
  asMoney,
  asSize,
  type FeeRate,
  type Price,
  parseDecimal,
  rulesOf,
  type Size,
  toNumber,
} from '@fulcrum/domain';
import { stepPrice } from '../../../shared/decimals/price.ts';
import { snapToGrid } from '../../../shared/decimals/snap-to-grid.ts';
import { log } from '../../../shared/log/log.ts';
import { formatAmount, formatPrice } from '../../../shared/numbers/index.ts';
import { getErrorMessage, type Order } from '../../../shared/supabase/index.ts';
import type { CommandError, LineTarget, MovableLine, PillPart, PriceStream } from '../../market/index.ts';
import { getOrderLabel, getRemainingText, remainingSize, triggerOrLimit } from '../orders/labels.ts';
import { forBothSides } from '../ticket/protection-units.ts';
import { summarizeOrder, toPrice } from '../ticket/summary.ts';
import { getFailedRule, type OrderFacts, type PriceStatus } from '../ticket/validators.ts';
import { requestCancelFromChart } from './chart-requests.ts';
import type { LinedPair } from './position-lines.ts';

const amendFailedText = 'Failed to move the order';

export interface OrderContext {
  readonly stream: PriceStream;
  readonly pair: LinedPair;
  readonly feeRate: FeeRate;
  /** USDT, or null while it is not known. */
  readonly available: () => number | null;
  readonly amend: (order: Order, price: Price) => Promise<unknown>;
}

const typed = (price: number | null) => {
  const known = toPrice(price);
  return known === null ? ({ kind: 'empty' } as const) : ({ kind: 'price', price: known } as const);
};

/** Only a price that may be traded on rejects a stop; with any other the order waits. */
function priceStatusOf(stream: PriceStream, symbol: string): PriceStatus {
  const last = stream.latest(symbol);
  const isCurrent = last?.market_open && last.state !== 'closed' && last.state !== 'stale';
  return isCurrent ? 'fresh' : 'closed';
}

/** What waits for its trigger, and what only reduces, reserves nothing. */
const reservesNothing = ({ reduceOnly, reserved }: Order): boolean => reduceOnly || reserved === 0;

const termsAt = (order: Order, price: Price, size: Size | null, { pair, feeRate }: OrderContext) => ({
  limits: pair.limits,
  rules: rulesOf(order.rules),
  feeRate,
  price,
  size,
  leverage: order.leverage,
});

/** The server judges the whole order, also where a part of it is filled. */
function factsAt(order: Order, price: Price, context: OrderContext): OrderFacts {
  const { stream, available } = context;
  const { symbol, type, reserved, triggerPrice } = order;
  const size = order.size === 0 ? null : asSize(parseDecimal(order.size));
  const terms = termsAt(order, price, size, context);
  const free = reservesNothing(order) ? null : available();
  return {
    symbol,
    // Of a conditional order the server judges the side of its trigger.
    type: type === 'STOP' && triggerPrice === null ? type : 'LIMIT',
    restricted: false,
    archived: false,
    priceStatus: priceStatusOf(stream, symbol),
    market: toPrice(stream.latest(symbol)?.price),
    amount: size === null ? { kind: 'whole position' } : { kind: 'amount', size },
    sizedByRisk: false,
    price: { kind: 'price', price },
    protection: forBothSides({
      takeProfit: typed(order.takeProfitPrice),
      stopLoss: typed(order.stopLossPrice),
    }),
    protectionUnit: 'price',
    terms,
    summary: summarizeOrder(terms),
    // The order's present reserve is available for its next price.
    available: free === null ? null : asMoney(parseDecimal(free) + parseDecimal(reserved)),
  };
}

function orderLine(order: Order, orderPrice: number, context: OrderContext): MovableLine {
  const { limits, tickSize, stepSize } = context.pair;
  const sizeText = getRemainingText(order, stepSize);
  const orderLabel = `${getOrderLabel(order)} ${sizeText.toLowerCase()} ${order.symbol}`;
  const size: PillPart = { text: sizeText, tone: 'none' };

  const at = (requestedPrice: number): LineTarget => {
    const snappedPrice = snapToGrid(requestedPrice, limits);
    const facts = factsAt(order, snappedPrice, context);
    const rest = termsAt(order, snappedPrice, remainingSize(order), context);
    const needed = reservesNothing(order) ? 0n : summarizeOrder(rest).requiredTotal;
    const reserve = formatAmount(needed === null ? null : toNumber(needed));
    const priceText = formatPrice(toNumber(snappedPrice), tickSize);
    return {
      price: toNumber(snappedPrice),
      priceText,
      parts: [
        { ...size, narrowText: '' },
        { text: `reserves ${reserve}`, tone: 'none', narrowText: reserve },
      ],
      name: `${orderLabel} at ${priceText}, reserves ${reserve}`,
      fault: getFailedRule(order.side, facts)?.text ?? null,
    };
  };
  const send = async (price: Price): Promise<CommandError> => {
    try {
      await context.amend(order, price);
      return null;
    } catch (cause) {
      log.warn('Moving an order on the chart failed', cause);
      return getErrorMessage(cause, amendFailedText);
    }
  };
  const currentTarget = at(orderPrice);
  return {
    id: order.id,
    kind: 'order',
    side: order.side === 'BUY' ? 'LONG' : 'SHORT',
    head: getOrderLabel(order).toUpperCase(),
    price: orderPrice,
    priceText: currentTarget.priceText,
    name: currentTarget.name,
    parts: () => [size],
    movement: {
      at,
      step: (from, ticks) => toNumber(stepPrice(snapToGrid(from, limits), BigInt(ticks), limits)),
      send: (to) => send(snapToGrid(to, limits)),
    },
    dismissal: {
      kind: 'question',
      name: `Cancel ${orderLabel.charAt(0).toLowerCase()}${orderLabel.slice(1)}`,
      ask: () => requestCancelFromChart(order),
    },
  };
}

export const orderLines = (orders: readonly Order[], context: OrderContext): readonly MovableLine[] =>
  orders
    .filter(({ symbol }) => symbol === context.pair.symbol)
    // A market order is never open, and a trailing stop moves by itself.
    .flatMap((order) => {
      const at = order.trailRate === null ? triggerOrLimit(order) : null;
      return at === null ? [] : [orderLine(order, at, context)];
    });
