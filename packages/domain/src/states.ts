/**
 * The closed lists of sides, statuses and types, and which status may follow which. Invariant: a status without
 * successors is final.
 */

export const sides = ['BUY', 'SELL'] as const;
export type Side = (typeof sides)[number];
/** Exact: `buy` is no side (A22). */
export const isSide = (text: string): text is Side => sides.some((side) => side === text);

export const positionStatuses = ['open', 'closed'] as const;
export type PositionStatus = (typeof positionStatuses)[number];

/** Why a position closed (A05). */
export const closeReasons = ['manual', 'liquidation', 'take_profit', 'stop_loss', 'staff'] as const;
export type CloseReason = (typeof closeReasons)[number];

/** Which price a close was booked at, in the order of preference (RULE-19 to RULE-21, A24). */
export const closePriceSources = ['live', 'mark', 'entry'] as const;
export type ClosePriceSource = (typeof closePriceSources)[number];

/** The types and states of an order (A20). */
export const orderTypes = ['MARKET', 'LIMIT', 'STOP'] as const;
export type OrderType = (typeof orderTypes)[number];
export const orderStatuses = ['NEW', 'FILLED', 'REJECTED', 'CANCELED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** The types and states of a line of the trader's history. */
export const transactionTypes = ['deposit', 'withdrawal', 'position_closed', 'fee'] as const;
export type TransactionType = (typeof transactionTypes)[number];
/** The descriptions of payments that no staff ordered: of a new, a reset and a closed account. */
export const ownPayments = {
  start: 'Initial balance',
  reset: 'Account reset',
  close: 'Account closed',
} as const;
export const transactionStatuses = ['completed', 'pending'] as const;

const afterPosition: Readonly<Record<PositionStatus, readonly PositionStatus[]>> = {
  open: ['closed'],
  closed: [],
};
const afterOrder: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  NEW: ['FILLED', 'REJECTED', 'CANCELED'],
  FILLED: [],
  REJECTED: [],
  CANCELED: [],
};

export const positionMayBecome = (from: PositionStatus, to: PositionStatus): boolean =>
  afterPosition[from].includes(to);
export const orderMayBecome = (from: OrderStatus, to: OrderStatus): boolean => afterOrder[from].includes(to);
