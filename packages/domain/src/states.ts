/**
 * The closed lists of sides, statuses and types, and which status may follow which. Invariant: a status without
 * successors is final.
 */

export const sides = ['BUY', 'SELL'] as const;
export type Side = (typeof sides)[number];
export const oppositeOf = (side: Side): Side => (side === 'BUY' ? 'SELL' : 'BUY');
/** Exact: `buy` is no side (A22). */
export const isSide = (text: string): text is Side => sides.some((side) => side === text);

export const positionStatuses = ['open', 'closed'] as const;
export type PositionStatus = (typeof positionStatuses)[number];

/** Why a position closed (A05). */
export const closeReasons = [
  'manual',
  'liquidation',
  'take_profit',
  'stop_loss',
  'staff',
  // A contest ended with the position open.
  'program_end',
] as const;
export type CloseReason = (typeof closeReasons)[number];

/** Which price a close was booked at, in the order of preference (RULE-19 to RULE-21, A24). */
export const closePriceSources = ['live', 'mark', 'entry'] as const;
export type ClosePriceSource = (typeof closePriceSources)[number];

/** The types and states of an order (A20). */
export const basicOrderTypes = ['MARKET', 'LIMIT', 'STOP'] as const;
export type BasicOrderType = (typeof basicOrderTypes)[number];
/**
 * Of `perpetual` accounts besides: they wait for their trigger price, then trade at the market (`_MARKET`) or at their limit. There a STOP
 * is one of them, too.
 */
export const conditionalTypes = [
  'STOP_MARKET',
  'TAKE_PROFIT',
  'TAKE_PROFIT_MARKET',
  'TRAILING_STOP_MARKET',
] as const;
export const orderTypes = [...basicOrderTypes, ...conditionalTypes] as const;
export type OrderType = (typeof orderTypes)[number];
/** Conditional orders that fire when the market moves against the position that they close. */
export const stopOrderTypes = [
  'STOP',
  'STOP_MARKET',
  'TRAILING_STOP_MARKET',
] as const satisfies readonly OrderType[];
export const isStopOrderType = (type: OrderType): boolean => stopOrderTypes.some((stop) => stop === type);
export const orderStatuses = [
  'NEW',
  'PARTIALLY_FILLED',
  'FILLED',
  'REJECTED',
  'CANCELED',
  'EXPIRED',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** Whether an order waits for a price. */
export const isWaiting = (status: OrderStatus): boolean => status === 'NEW' || status === 'PARTIALLY_FILLED';
/**
 * How long an order of a `perpetual` account waits: until it fills (GTC), not at all (IOC), whole or not at all (FOK), only while it
 * takes nothing (GTX, "post only"), until an instant (GTD).
 */
export const timesInForce = ['GTC', 'IOC', 'FOK', 'GTX', 'GTD'] as const;
export type TimeInForce = (typeof timesInForce)[number];

/** Whether an order traded at once or waited in the book for the other side. */
export const liquidities = ['taker', 'maker'] as const;
export type Liquidity = (typeof liquidities)[number];

/** The types and states of a line of the trader's history. */
export const transactionTypes = [
  'deposit',
  'withdrawal',
  'position_closed',
  'fee',
  'funding',
  'financing',
] as const;
export type TransactionType = (typeof transactionTypes)[number];
/** The descriptions of payments that no staff ordered: of a new, a reset and a closed account. */
export const ownPayments = {
  start: 'Initial balance',
  reset: 'Account reset',
  close: 'Account closed',
} as const;
export const transactionStatuses = ['completed', 'pending'] as const;

const afterOrder: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  NEW: ['PARTIALLY_FILLED', 'FILLED', 'REJECTED', 'CANCELED', 'EXPIRED'],
  PARTIALLY_FILLED: ['PARTIALLY_FILLED', 'FILLED', 'CANCELED', 'EXPIRED'],
  FILLED: [],
  REJECTED: [],
  CANCELED: [],
  EXPIRED: [],
};

export const orderMayBecome = (from: OrderStatus, to: OrderStatus): boolean => afterOrder[from].includes(to);
