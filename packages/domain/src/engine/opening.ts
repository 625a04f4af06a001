/**
 * Creates a position, for a click and for an order. Invariant: margin and opening fee leave the available balance in
 * the same decision. The position stores the rules, the fee rate and the liquidation price of its opening.
 */
import { coversMargin, orderValue, requiredMargin } from '../margin.ts';
import {
  asMoney,
  type FeeRate,
  type Money,
  multiplyDivide,
  NO_MONEY,
  type Price,
  type Size,
  UNIT,
} from '../money.ts';
import type { TradingPair } from '../pairs.ts';
import { type MainRuleSetName, mainRulesOf, type RuleSetName } from '../rules.ts';
import type { Side } from '../states.ts';
import type { Changes } from './changes.ts';
import type { Context } from './commands.ts';
import { fillAt } from './executions.ts';
import type { Position, Protection, Refusal } from './types.ts';

export interface OpeningTerms extends Protection {
  readonly accountId: string;
  readonly pair: TradingPair;
  readonly side: Side;
  readonly size: Size;
  readonly leverage: number;
  readonly price: Price;
}

export interface OpeningCost {
  readonly margin: Money;
  readonly fee: Money;
  /** The sum of both, which has to be available (RULE-02, A07). */
  readonly total: Money;
}

/** The fee of a trade of this value, USDT rounded to 1e-8 half away from zero (A07). */
export const feeOf = (value: Money, rate: FeeRate): Money =>
  asMoney(multiplyDivide(value, rate, UNIT, 'half-away-from-zero'));

/** A margin of zero means that the amount is too small to trade (A101). */
export function openingCost(price: Price, size: Size, leverage: number, rate: FeeRate): OpeningCost {
  const margin = requiredMargin(price, size, leverage);
  const fee = feeOf(orderValue(price, size), rate);
  return { margin, fee, total: asMoney(margin + fee) };
}

/** Why the available balance does not cover the cost, or null; equal is enough (RULE-02, A101). */
export function costRefusal({ margin, total }: OpeningCost, available: Money): Refusal | null {
  if (margin === 0n) return { code: 'amount_too_small' };
  if (coversMargin(available, total)) return null;
  return { code: 'insufficient_balance', required: total, available };
}

/** Why the account does not allow this leverage, or null. */
export const leverageRefusal = (
  leverage: number,
  { leverageMax }: Pick<Context, 'leverageMax'>,
): Refusal | null => (leverage > leverageMax ? { code: 'leverage_capped', max: leverageMax } : null);

/** @throws TypeError for `perpetual`, whose positions are opened and liquidated by their values (`net-trade.ts`). */
export function mainRules(rules: RuleSetName): MainRuleSetName {
  if (rules === 'perpetual') throw new TypeError('a net position is not opened by itself');
  return rules;
}

/** For a position opened at `price` under the rules and the fee rate of the context (A04, A07). */
export const liquidationPriceOf = (
  { pair, side, leverage, price }: Pick<OpeningTerms, 'pair' | 'side' | 'leverage' | 'price'>,
  { rules, feeRate }: Pick<Context, 'rules' | 'feeRate'>,
): Price =>
  mainRulesOf(mainRules(rules)).liquidationPrice({
    side,
    entryPrice: price,
    leverage,
    tickSize: pair.tickSize,
    feeRate,
  });

/**
 * Opens at `terms.price`; the caller has checked that the available balance covers the cost. `orderId` is the order that
 * it fills.
 */
export function openPosition(
  changes: Changes,
  terms: OpeningTerms,
  context: Context,
  orderId: string | null = null,
): Position {
  const { accountId, pair, side, size, leverage, price, takeProfitPrice, stopLossPrice } = terms;
  const { feeRate, rules, now } = context;
  const { margin, fee } = openingCost(price, size, leverage, feeRate);
  const id = context.newId();
  changes.book('open', id, [
    { account: 'user:cash', amount: asMoney(-margin) },
    { account: 'user:margin', amount: margin },
  ]);
  chargeFee(changes, id, pair.symbol, fee);
  const position = changes.setPosition(null, {
    id,
    accountId,
    symbol: pair.symbol,
    side,
    entryPrice: price,
    size,
    leverage,
    margin,
    entryValue: null,
    liquidationPrice: liquidationPriceOf(terms, context),
    takeProfitPrice,
    stopLossPrice,
    initialStopLossPrice: stopLossPrice,
    rules,
    feeRate,
    fees: fee,
    funding: NO_MONEY,
    fundedAt: null,
    splitFrom: null,
    marginWarned: false,
    closeAtReopen: false,
    createdAt: now,
    editedAt: null,
    closing: null,
  });
  const { symbol } = position;
  const about = { orderId, positionId: id, flippedFrom: null, symbol, side, fee, realizedPnl: null };
  changes.addExecution(fillAt(price, size), about);
  return position;
}

/** Books a fee of a position and its line in the history; does nothing for a fee of zero. */
export function chargeFee(changes: Changes, positionId: string, symbol: string, fee: Money): void {
  const group = changes.book('fee', positionId, [
    { account: 'user:cash', amount: asMoney(-fee) },
    { account: 'house:fees', amount: fee },
  ]);
  changes.addTransaction('fee', asMoney(-fee), `Trading fee ${symbol}`, group);
}
