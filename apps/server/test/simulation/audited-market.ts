/**
 * The auditor's rules of what may be opened, and of the effect of a price on open positions and orders. Pure
 * functions; nothing here changes an account.
 */

import type { OpenCommand, PlaceCommand } from '@fulcrum/domain';
import { nearest, ratio } from './arithmetic.ts';
import {
  type AuditedSide,
  feeOf,
  isGoodReason,
  liquidationOf,
  marginOf,
  mostFunds,
  movedBeyond,
  onTheWay,
} from './formulas.ts';
import type {
  AuditedAccount,
  AuditedClosing,
  AuditedOrder,
  AuditedPosition,
  AuditedTerms,
  Consequence,
} from './ledger-book.ts';
import { availableIn, noCondition } from './ledger-book.ts';

export interface AuditedPair {
  readonly symbol: string;
  /** Of the market, which has its own brackets. */
  readonly type: string;
  readonly minPrice: bigint;
  readonly maxPrice: bigint;
  readonly tickSize: bigint;
  readonly minQty: bigint;
  readonly maxQty: bigint;
  readonly stepSize: bigint;
}

export interface AuditedQuote {
  readonly price: bigint;
  readonly stale: boolean;
  /** The market sent another price, which is not confirmed yet (A106). */
  readonly held: boolean;
  readonly marketOpen: boolean;
  readonly source?: string | undefined;
}

/** The time of a decision, and the state of the market. */
export interface Instant {
  readonly at: number;
  quote(symbol: string): AuditedQuote | undefined;
}

/** What holds for every account. */
export interface AuditedMarket {
  readonly tolerancePercent: bigint;
  readonly pairs: readonly AuditedPair[];
}

export interface Trade {
  readonly pair: AuditedPair;
  readonly side: AuditedSide;
  readonly size: bigint;
  readonly leverage: number;
  readonly takeProfit: bigint | null;
  readonly stopLoss: bigint | null;
}

/** The faults of an invalid trade, for any market (A22). */
export function inputFaults(
  { side, leverage, size }: Pick<OpenCommand | PlaceCommand, 'side' | 'leverage' | 'size'>,
  pair: AuditedPair | undefined,
): string[] {
  const faults: string[] = [];
  if (!pair) faults.push('unknown_symbol');
  if (side !== 'BUY' && side !== 'SELL') faults.push('side_invalid');
  if (!Number.isInteger(leverage) || leverage < 1 || leverage > 125) faults.push('leverage_invalid');
  if (pair && (size <= 0n || size < pair.minQty || size > pair.maxQty || size % pair.stepSize !== 0n)) {
    faults.push('amount_out_of_range');
  }
  return faults;
}

/** The faults of an invalid order, for any market (A20). */
export function placementFaults(command: PlaceCommand, pair: AuditedPair | undefined): string[] {
  const faults = inputFaults(command, pair);
  const { type, price, takeProfitPrice, stopLossPrice } = command;
  if (type !== 'MARKET' && type !== 'LIMIT' && type !== 'STOP') faults.push('order_type_invalid');
  if (!pair) return faults;
  const isBadPrice =
    type === 'MARKET' ? price !== null && price <= 0n : price === null || isOffGrid(price, pair);
  if (isBadPrice) faults.push('order_price_invalid');
  for (const protection of [takeProfitPrice, stopLossPrice]) {
    if (protection !== null && isOffGrid(protection, pair)) faults.push('protection_invalid');
  }
  return faults;
}

export function isOffGrid(price: bigint, pair: AuditedPair): boolean {
  return price < pair.minPrice || price > pair.maxPrice || price % pair.tickSize !== 0n;
}

/** Whether TP or SL would fire at `reference`, or never (A21). */
export function isProtectionWrong(
  { pair, side, takeProfit, stopLoss }: Pick<Trade, 'pair' | 'side' | 'takeProfit' | 'stopLoss'>,
  reference: bigint,
  liquidation: bigint,
): boolean {
  for (const price of [takeProfit, stopLoss]) if (price !== null && isOffGrid(price, pair)) return true;
  const gain = (price: bigint): bigint => (side === 'BUY' ? price - reference : reference - price);
  if (takeProfit !== null && gain(takeProfit) <= 0n) return true;
  if (stopLoss === null) return false;
  return gain(stopLoss) >= 0n || gain(stopLoss) <= gain(liquidation);
}

function liquidationOfTrade(
  { side, leverage, pair }: Pick<Trade, 'pair' | 'side' | 'leverage'>,
  entry: bigint,
  { rules, feeRate }: AuditedTerms,
): bigint {
  return liquidationOf(rules, { side, entry, leverage }, pair.tickSize, feeRate);
}

/** Whether a position opened at `entry` is liquidated or stopped out at this mark. */
export function isLostAt(trade: Trade, entry: bigint, mark: bigint, terms: AuditedTerms): boolean {
  const ends = [liquidationOfTrade(trade, entry, terms)];
  if (trade.stopLoss !== null) ends.push(trade.stopLoss);
  return ends.some((end) => (trade.side === 'BUY' ? mark <= end : mark >= end));
}

/** RULE-02, A07, A101: margin and fee have to be available; equal is enough. */
export function costFaults(
  { size, leverage }: Pick<Trade, 'size' | 'leverage'>,
  price: bigint,
  available: bigint,
  { feeRate }: AuditedTerms,
): string[] {
  const margin = marginOf(price, size, leverage);
  if (margin === 0n) return ['amount_too_small'];
  const cost = margin + feeOf(price, size, feeRate);
  return cost > available ? ['insufficient_balance'] : [];
}

/** The account's own greatest leverage, below that of the platform. */
const leverageFaults = ({ leverage }: Pick<Trade, 'leverage'>, { leverageMax }: AuditedTerms): string[] =>
  leverage > leverageMax ? ['leverage_capped'] : [];

/** Why nothing is opened at the market's price now. */
export function marketFaults(
  account: AuditedAccount,
  trade: Trade,
  {
    expected,
    instant,
    tolerancePercent,
  }: { expected: bigint | null; instant: Instant } & Pick<AuditedMarket, 'tolerancePercent'>,
): string[] {
  const { terms } = account;
  const faults = account.isRestricted ? ['account_restricted'] : [];
  const quote = instant.quote(trade.pair.symbol);
  if (!quote) return [...faults, 'no_price'];
  if (!quote.marketOpen) return [...faults, 'market_closed'];
  if (quote.stale) return [...faults, 'price_stale'];
  if (expected !== null && movedBeyond(expected, quote.price, tolerancePercent)) {
    return [...faults, 'price_moved'];
  }
  faults.push(...leverageFaults(trade, terms));
  faults.push(...costFaults(trade, quote.price, availableIn(account), terms));
  if (isProtectionWrong(trade, quote.price, liquidationOfTrade(trade, quote.price, terms))) {
    faults.push('protection_invalid');
  }
  return faults;
}

/** Why no order can wait at this price now, with this available balance (A20, A21). */
export function waitingFaults(
  { trade, price, isStop }: { readonly trade: Trade; readonly price: bigint; readonly isStop: boolean },
  available: bigint,
  instant: Instant,
  terms: AuditedTerms,
): string[] {
  const quote = instant.quote(trade.pair.symbol);
  const isTradable = quote?.marketOpen === true && !quote.stale;
  const isReached = isStop && isTradable && reaches({ type: 'STOP', side: trade.side, price }, quote.price);
  const faults = leverageFaults(trade, terms);
  if (isReached) faults.push('stop_reached');
  faults.push(...costFaults(trade, price, available, terms));
  if (isProtectionWrong(trade, price, liquidationOfTrade(trade, price, terms)))
    faults.push('protection_invalid');
  return faults;
}

export function tradeOf(command: OpenCommand | PlaceCommand, pair: AuditedPair): Trade {
  const { side, size, leverage, takeProfitPrice, stopLossPrice } = command;
  return {
    ...{ pair, size, leverage, takeProfit: takeProfitPrice, stopLoss: stopLossPrice },
    side: side === 'BUY' ? 'BUY' : 'SELL',
  };
}

/** A20: a LIMIT waits for a better price, a STOP for a worse one; reaching it is enough. */
export function reaches(
  { type, side, price }: Pick<AuditedOrder, 'type' | 'side' | 'price'>,
  mark: bigint,
): boolean {
  if (price === null || type === 'MARKET') return false;
  const waitsForLess = (type === 'LIMIT') === (side === 'BUY');
  return waitsForLess ? mark <= price : mark >= price;
}

/** The effects of a mark price on the position, the gravest first; only that one happens (A05, A21, A98, A104). */
export function consequencesOf(position: AuditedPosition, mark: bigint): readonly Consequence[] {
  if (position.closing) return [];
  const { side, stopLoss, takeProfit, liquidation } = position;
  const hasFallenTo = (price: bigint): boolean => (side === 'BUY' ? mark <= price : mark >= price);
  const hasRisenTo = (price: bigint): boolean => (side === 'BUY' ? mark >= price : mark <= price);
  const consequences: Consequence[] = [];
  if (hasFallenTo(liquidation)) consequences.push('liquidation');
  if (stopLoss !== null && hasFallenTo(stopLoss)) consequences.push('stop_loss');
  if (takeProfit !== null && hasRisenTo(takeProfit)) consequences.push('take_profit');
  // At any price: prices of a closed market have no consequence.
  if (position.isLeaving) consequences.push('close_at_reopen');
  const isWarning = hasFallenTo(onTheWay(position, 8n));
  if (!position.isWarned && isWarning) consequences.push('margin_warning');
  if (position.isWarned && !isWarning && hasRisenTo(onTheWay(position, 7n)))
    consequences.push('margin_recovered');
  return consequences;
}

/** Why this part of the position cannot close now (A23, A98, A110). */
export function closeFaults(
  { size, margin }: AuditedPosition,
  part: bigint,
  pair: AuditedPair | undefined,
  quote: AuditedQuote | undefined,
): string[] {
  if (!pair) return ['unknown_symbol'];
  const faults = quote && !quote.marketOpen ? ['market_closed'] : quote?.held ? ['price_stale'] : [];
  if (part === size) return faults;
  const isOffSteps = part <= 0n || part % pair.stepSize !== 0n || size - part < pair.minQty;
  if (isOffSteps) faults.push('amount_out_of_range');
  else if ((margin * part) / size === 0n) faults.push('amount_too_small');
  return faults;
}

/** The closed part, still open: a share of the margin, without the triggers of the whole (A23). */
export const partOf = (whole: AuditedPosition, size: bigint): AuditedPosition => ({
  ...{ ...whole, id: null, size, margin: (whole.margin * size) / whole.size, fees: 0n, splitFrom: whole },
  // What was booked before stays with the whole, as its ledger entries do.
  funding: 0n,
  // The nearest share of the value; the rest keeps what the rounding leaves.
  value: whole.value === null ? null : nearest(ratio(whole.value * size, whole.size)),
  ...{ takeProfit: null, stopLoss: null, isLeaving: false, version: 0 },
});

/** Why the engine has to refuse a movement of funds: reason, amount, overdraft (A12). */
export function fundFaults(account: AuditedAccount, amount: bigint, reason: string): string[] {
  const faults: string[] = [];
  if (!isGoodReason(reason)) faults.push('reason_required');
  if (amount === 0n || amount > mostFunds || amount < -mostFunds) faults.push('funds_amount_invalid');
  if (availableIn(account) + amount < 0n) faults.push('funds_beyond_available');
  return faults;
}

/** A110: an account ends whole or not at all. */
export const endingFaults = (positions: readonly AuditedPosition[], instant: Instant): readonly string[] =>
  positions.some(({ closing, symbol }) => !closing && instant.quote(symbol)?.held) ? ['price_held'] : [];

/**
 * A98, A110: allowed only where nothing can close; withdrawing, and repeating the current state, is always allowed.
 */
export function wishFaults(
  position: AuditedPosition | undefined,
  requested: boolean,
  instant: Instant,
): readonly string[] {
  if (!position) return ['position_not_found'];
  if (position.closing) return ['position_closed'];
  const quote = instant.quote(position.symbol);
  const isBarred = quote !== undefined && (!quote.marketOpen || quote.held);
  return requested && !position.isLeaving && !isBarred ? ['market_open'] : [];
}

/** The price of a close and its source: live, else mark, else entry (RULE-19 to RULE-21, A24). */
export function closePriceOf(
  position: AuditedPosition,
  quote: AuditedQuote | undefined,
): Pick<AuditedClosing, 'price' | 'source'> {
  if (!quote) return { price: position.entry, source: 'entry' };
  return { price: quote.price, source: quote.marketOpen && !quote.stale ? 'live' : 'mark' };
}

/** The order when it is placed, or stored as rejected. */
export function orderOf(
  { type, price, clientId }: PlaceCommand,
  { pair, side, size, leverage, takeProfit, stopLoss }: Trade,
  { reserved, rejections }: Pick<AuditedOrder, 'reserved' | 'rejections'>,
  at: number,
): AuditedOrder {
  const isRejected = rejections.length > 0;
  return {
    ...{ id: null, symbol: pair.symbol, side, price, size, leverage, takeProfit, stopLoss },
    type,
    clientId,
    ...noCondition,
    ...{ timeInForce: 'GTC', reduceOnly: false, filled: 0n, filledValue: 0n },
    reserved: isRejected ? 0n : reserved,
    status: isRejected ? 'REJECTED' : 'NEW',
    rejections,
    ...{ position: null, createdAt: at, version: 0, accountVersion: 0 },
  };
}

/** The position when it opens, with its fee charged (A07). */
export function positionOf(trade: Trade, entry: bigint, at: number, terms: AuditedTerms): AuditedPosition {
  const { side, size, leverage, takeProfit, stopLoss, pair } = trade;
  const { rules, feeRate } = terms;
  return {
    ...{ id: null, symbol: pair.symbol, side, entry, size, leverage, takeProfit, stopLoss, rules, feeRate },
    margin: marginOf(entry, size, leverage),
    liquidation: liquidationOfTrade(trade, entry, terms),
    initialStopLoss: stopLoss,
    fees: feeOf(entry, size, feeRate),
    ...{
      value: null,
      funding: 0n,
      fundedAt: null,
      splitFrom: null,
      isWarned: false,
      isLeaving: false,
      createdAt: at,
      editedAt: null,
      closing: null,
    },
    ...{ version: 0, accountVersion: 0 },
  };
}
