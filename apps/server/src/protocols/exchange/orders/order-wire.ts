/**
 * Orders, conditional ("algo") orders and trades as `/fapi` shows them, from rows as PostgreSQL stores them: pure functions, for REST and
 * the user data stream alike. Decimals stay exact text. The numbers of a row are explained in docs/exchange-api.md: an order is n, the order
 * that a conditional one became n + 1; an execution without an order is shown as an order with its own number; take profit and stop
 * loss of a position are n + 1 and n + 2.
 */
import type { WireAlgoOrder, WireOrder, WireTrade } from '@fulcrum/contract/exchange';
import {
  asMoney,
  asSize,
  type CloseReason,
  entryPriceOf,
  hasLimit,
  isWaiting,
  type Liquidity,
  type OrderStatus,
  type OrderType,
  oppositeOf,
  parseDecimal,
  type Side,
  type TimeInForce,
  toDecimalString,
} from '@fulcrum/domain';

/** A row of `app.orders`: `orderColumnsSql`. Decimals and the number are text. */
export interface StoredOrder {
  readonly id: string;
  readonly number: string;
  readonly symbol: string;
  readonly type: OrderType;
  readonly side: Side;
  readonly price: string | null;
  readonly size: string;
  readonly status: OrderStatus;
  readonly reason: string | null;
  readonly client_id: string | null;
  readonly time_in_force: TimeInForce;
  readonly reduce_only: boolean;
  readonly filled_size: string;
  readonly filled_value: string;
  readonly trigger_price: string | null;
  readonly trail_rate: string | null;
  readonly close_position: boolean;
  readonly triggered_at: Date | null;
  readonly expires_at: Date | null;
  readonly due_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}
export const orderColumnsSql = `o.id, o.number, o.symbol, o.type, o.side, o.price, o.size, o.status, o.reason, o.client_id, o.time_in_force,
  o.reduce_only, o.filled_size, o.filled_value, o.trigger_price, o.trail_rate, o.close_position, o.triggered_at, o.expires_at, o.due_at,
  o.created_at, o.updated_at`;

/** A row of `app.executions e` with its order `o`, if it has one, and the position `p` that it names: `tradeColumnsSql`. */
export interface StoredTrade {
  readonly id: string;
  readonly number: string;
  readonly symbol: string;
  readonly side: Side;
  readonly size: string;
  readonly value: string;
  readonly price: string;
  readonly fee: string;
  readonly realized_pnl: string | null;
  readonly liquidity: Liquidity;
  readonly created_at: Date;
  /** Whether it closed a position and opened one on the other side. */
  readonly flips: boolean;
  /** Null for a click, a close, and what a trigger of the position closed. */
  readonly order_number: string | null;
  /** Of the order; a conditional one trades as the order that it became. */
  readonly order_type: OrderType | null;
  /** Of the position that it closed; null where it closed none by itself. */
  readonly close_reason: CloseReason | null;
}
export const tradeColumnsSql = `e.id, e.number, e.symbol, e.side, e.size, e.value, e.price, e.fee, e.realized_pnl, e.liquidity, e.created_at,
  e.flipped_from is not null as flips, o.number as order_number, o.type as order_type,
  case when e.realized_pnl is not null and e.flipped_from is null then p.close_reason end as close_reason`;
/** What `tradeColumnsSql` reads; the caller adds the conditions, of `e.user_id` first. */
export const tradesFromSql = `from app.executions e
  left join app.orders o on o.id = e.order_id
  left join app.positions p on p.id = e.position_id`;

/** A row of `app.positions` that is, or was, a whole net position: `legColumnsSql`. */
export interface StoredLegs {
  readonly id: string;
  readonly number: string;
  readonly symbol: string;
  readonly side: Side;
  readonly status: 'open' | 'closed';
  readonly take_profit_price: string | null;
  readonly stop_loss_price: string | null;
  readonly close_reason: CloseReason | null;
  readonly close_price: string | null;
  /** Of the execution that closed it, where one did without an order. */
  readonly closing_number: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly closed_at: Date | null;
}
export const legColumnsSql = `p.id, p.number, p.symbol, p.side, p.status, p.take_profit_price, p.stop_loss_price, p.close_reason, p.close_price,
  (select e.number from app.executions e
   where e.user_id = p.user_id and e.created_at = p.closed_at and e.position_id = p.id and e.order_id is null limit 1) as closing_number,
  p.created_at, p.updated_at, p.closed_at`;

/** A stored decimal without its trailing zeros; null is 0. */
export const decimal = (stored: string | null): string =>
  stored === null ? '0' : toDecimalString(parseDecimal(stored));
const millis = (at: Date | null): number => at?.getTime() ?? 0;

/** Value by size, rounded to 1e-8; 0 for nothing. */
function averagePrice(value: string, size: string): string {
  const entrySize = asSize(parseDecimal(size));
  if (entrySize === 0n) return '0';
  return toDecimalString(entryPriceOf({ entryValue: asMoney(parseDecimal(value)), size: entrySize }));
}

/** Whether the type waits for a trigger; STOP does in accounts with net positions. */
export const isConditional = (type: OrderType): boolean => type !== 'MARKET' && type !== 'LIMIT';

/** Whether a conditional order became an order: it has a second number then. One that was refused when it was triggered became none. */
export const isActivated = ({ type, triggered_at, status }: StoredOrder): boolean =>
  isConditional(type) && triggered_at !== null && status !== 'REJECTED';

/** Whether it is listed as an order, and not only as an algo order. */
export const isListedAsOrder = (order: StoredOrder): boolean =>
  !isConditional(order.type) || isActivated(order);

/** The name of what the app placed without one. */
const ownName = (number: number): string => `web_${number}`;
const liquidationName = (number: number): string => `autoclose-${number}`;
const legNames = { takeProfit: 'tp_', stopLoss: 'sl_' } as const;
/** The number in a name that this door made for what has none; null for any other name. */
export function numberOfName(name: string): number | null {
  const found = /^(?:web_|autoclose-|tp_|sl_)(\d{1,16})$/.exec(name);
  return found ? Number(found[1]) : null;
}

const fixed = {
  positionSide: 'BOTH',
  workingType: 'CONTRACT_PRICE',
  priceProtect: false,
  priceMatch: 'NONE',
  selfTradePreventionMode: 'NONE',
} as const;

/**
 * As an order. A conditional one is shown by `as: 'condition'` under its algo id, as exchanges did before they had algo orders, and by
 * `as: 'order'` as the order that it became. `symbol`: its id at this door.
 */
export function toWireOrder(
  row: StoredOrder,
  symbol: string,
  as: 'order' | 'condition' = isActivated(row) ? 'order' : 'condition',
): WireOrder {
  const { type, side, size, status, trail_rate: rate } = row;
  const number = Number(row.number);
  const becameOrder = isConditional(type) && as === 'order';
  const plain = hasLimit(type) ? 'LIMIT' : 'MARKET';
  return {
    ...fixed,
    orderId: becameOrder ? number + 1 : number,
    clientOrderId: row.client_id ?? ownName(number),
    symbol,
    side,
    status,
    type: becameOrder ? plain : type,
    origType: type,
    timeInForce: row.time_in_force,
    price: hasLimit(type) ? decimal(row.price) : '0',
    avgPrice: averagePrice(row.filled_value, row.filled_size),
    origQty: decimal(size),
    executedQty: decimal(row.filled_size),
    cumQty: decimal(row.filled_size),
    cumQuote: decimal(row.filled_value),
    stopPrice: decimal(row.trigger_price),
    ...(rate !== null && { activatePrice: decimal(row.trigger_price), priceRate: decimal(rate) }),
    reduceOnly: row.reduce_only,
    closePosition: row.close_position,
    goodTillDate: millis(row.expires_at),
    time: becameOrder ? millis(row.triggered_at) : millis(row.created_at),
    updateTime: millis(row.updated_at),
  };
}

function algoStatusOf({ status, triggered_at: at }: StoredOrder): WireAlgoOrder['algoStatus'] {
  if (status === 'REJECTED') return 'REJECTED';
  if (at !== null) return isWaiting(status) ? 'TRIGGERED' : 'FINISHED';
  if (status === 'CANCELED' || status === 'EXPIRED') return status;
  return 'NEW';
}

/** A conditional order as an algo order. */
export function toWireAlgoOrder(row: StoredOrder, symbol: string): WireAlgoOrder {
  const { type, trail_rate: rate } = row;
  const number = Number(row.number);
  return {
    ...fixed,
    algoId: number,
    clientAlgoId: row.client_id ?? ownName(number),
    algoType: 'CONDITIONAL',
    orderType: type,
    symbol,
    side: row.side,
    timeInForce: row.time_in_force,
    quantity: decimal(row.size),
    algoStatus: algoStatusOf(row),
    actualOrderId: isActivated(row) ? String(number + 1) : '',
    actualPrice: averagePrice(row.filled_value, row.filled_size),
    triggerPrice: decimal(row.trigger_price),
    price: hasLimit(type) ? decimal(row.price) : '0',
    icebergQuantity: null,
    ...(rate !== null && { activatePrice: decimal(row.trigger_price), callbackRate: decimal(rate) }),
    reduceOnly: row.reduce_only,
    closePosition: row.close_position,
    goodTillDate: millis(row.expires_at),
    createTime: millis(row.created_at),
    updateTime: millis(row.updated_at),
    triggerTime: millis(row.triggered_at),
    reason: row.status === 'REJECTED' ? (row.reason ?? '') : '',
  };
}

/** Which of the two a number names: the row's number plus 1 or 2. */
export type LegName = keyof typeof legNames;
const legOffsets = { takeProfit: 1, stopLoss: 2 } as const;
/** The algo id of a leg of the position with this number. */
export const legIdOf = (positionNumber: string, leg: LegName): number =>
  Number(positionNumber) + legOffsets[leg];

/** Take profit and stop loss of a position as close-position algo orders; those that it has. */
export function legsOf(position: StoredLegs, symbol: string): WireAlgoOrder[] {
  return (['takeProfit', 'stopLoss'] as const).flatMap((leg) => legOf(position, leg, symbol) ?? []);
}

/** One of them; null where the position has none. */
export function legOf(position: StoredLegs, leg: LegName, symbol: string): WireAlgoOrder | null {
  const price = leg === 'takeProfit' ? position.take_profit_price : position.stop_loss_price;
  if (price === null) return null;
  const { status, close_reason: reason } = position;
  const hasFired = reason === (leg === 'takeProfit' ? 'take_profit' : 'stop_loss');
  const number = legIdOf(position.number, leg);
  return {
    ...fixed,
    algoId: number,
    clientAlgoId: `${legNames[leg]}${number}`,
    algoType: 'CONDITIONAL',
    orderType: leg === 'takeProfit' ? 'TAKE_PROFIT_MARKET' : 'STOP_MARKET',
    symbol,
    side: oppositeOf(position.side),
    timeInForce: 'GTC',
    quantity: '0',
    algoStatus: status === 'open' ? 'NEW' : hasFired ? 'FINISHED' : 'EXPIRED',
    actualOrderId: hasFired ? (position.closing_number ?? '') : '',
    actualPrice: hasFired ? decimal(position.close_price) : '0',
    triggerPrice: decimal(price),
    price: '0',
    icebergQuantity: null,
    reduceOnly: true,
    closePosition: true,
    goodTillDate: 0,
    createTime: millis(position.created_at),
    updateTime: millis(position.updated_at),
    triggerTime: hasFired ? millis(position.closed_at) : 0,
    reason: '',
  };
}

/** The same under its algo id as an order, for who asks for it there; null where the position has none. */
export function orderOfLeg(position: StoredLegs, leg: LegName, symbol: string): WireOrder | null {
  const algo = legOf(position, leg, symbol);
  if (algo === null) return null;
  const { algoId, clientAlgoId, algoStatus, orderType, actualPrice } = algo;
  return {
    ...fixed,
    orderId: algoId,
    clientOrderId: clientAlgoId,
    symbol,
    side: algo.side,
    status: algoStatus === 'NEW' ? 'NEW' : algoStatus === 'FINISHED' ? 'FILLED' : 'EXPIRED',
    type: orderType,
    origType: orderType,
    timeInForce: 'GTC',
    price: '0',
    avgPrice: actualPrice,
    origQty: '0',
    executedQty: '0',
    cumQty: '0',
    cumQuote: '0',
    stopPrice: algo.triggerPrice,
    reduceOnly: true,
    closePosition: true,
    goodTillDate: 0,
    time: algo.createTime,
    updateTime: algo.updateTime,
  };
}

/** The order that a trade belongs to: the order's number, that of the order which a conditional one became, or the trade's own. */
function orderIdOfTrade({ number, order_number: order, order_type: type }: StoredTrade): number {
  if (order === null) return Number(number);
  return type !== null && isConditional(type) ? Number(order) + 1 : Number(order);
}

export const toWireTrade = (row: StoredTrade, symbol: string): WireTrade => ({
  symbol,
  id: Number(row.number),
  orderId: orderIdOfTrade(row),
  side: row.side,
  positionSide: 'BOTH',
  price: decimal(row.price),
  qty: decimal(row.size),
  quoteQty: decimal(row.value),
  realizedPnl: decimal(row.realized_pnl),
  commission: decimal(row.fee),
  commissionAsset: 'USDT',
  buyer: row.side === 'BUY',
  maker: row.liquidity === 'maker',
  time: millis(row.created_at),
});

/** A trade without an order (a click, a close, a liquidation) as the filled market order that clients expect behind it. */
export function orderOfTrade(row: StoredTrade, symbol: string): WireOrder {
  const number = Number(row.number);
  const size = decimal(row.size);
  const at = millis(row.created_at);
  const { close_reason: reason } = row;
  return {
    ...fixed,
    orderId: number,
    clientOrderId: reason === 'liquidation' ? liquidationName(number) : ownName(number),
    symbol,
    side: row.side,
    status: 'FILLED',
    type: 'MARKET',
    origType:
      reason === 'take_profit' ? 'TAKE_PROFIT_MARKET' : reason === 'stop_loss' ? 'STOP_MARKET' : 'MARKET',
    timeInForce: 'GTC',
    price: '0',
    avgPrice: decimal(row.price),
    origQty: size,
    executedQty: size,
    cumQty: size,
    cumQuote: decimal(row.value),
    stopPrice: '0',
    reduceOnly: row.realized_pnl !== null && !row.flips,
    closePosition: reason === 'take_profit' || reason === 'stop_loss',
    goodTillDate: 0,
    time: at,
    updateTime: at,
  };
}
