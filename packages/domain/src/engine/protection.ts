/**
 * Take profit and stop loss of a position or an order (A21), and the trigger prices of a position. Invariant: an
 * accepted protection lies on its own side of the price that it was checked against, so it does not fire at once.
 */
import { asPrice, divideRounded, type Price } from '../money.ts';
import { isOnStep, type PairLimits } from '../pairs.ts';
import { isWaiting, type Side } from '../states.ts';
import { type ConditionTrigger, conditionOf, waitsForTrigger } from './conditions.ts';
import type { Order, Position, Protection, ProtectionFault } from './types.ts';

export interface ProtectedTerms {
  readonly side: Side;
  /** The mark of an open position; the trigger price of a waiting order. */
  readonly reference: Price;
  readonly liquidationPrice: Price;
}

/** The fault of prices that are invalid for every position and market, or null. */
export function checkProtectionPrices(
  protection: Protection,
  { minPrice, maxPrice, tickSize }: Pick<PairLimits, 'tickSize' | 'minPrice' | 'maxPrice'>,
): ProtectionFault | null {
  for (const which of ['takeProfitPrice', 'stopLossPrice'] as const) {
    const price = protection[which];
    if (price === null) continue;
    const limits = { min: minPrice, max: maxPrice, tickSize };
    if (price < minPrice || price > maxPrice) return { code: 'out_of_range', which, ...limits };
    if (!isOnStep(price, tickSize)) return { code: 'off_tick', which, ...limits };
  }
  return null;
}

/** Whether the position is liquidated before it reaches this stop loss, which then never triggers. */
export const isBeyondLiquidation = (side: Side, stopLossPrice: Price, liquidationPrice: Price): boolean =>
  side === 'BUY' ? stopLossPrice <= liquidationPrice : stopLossPrice >= liquidationPrice;

/** The first fault of `protection`, or null. At the reference price itself it would fire at once, so it is refused. */
export function checkProtection(
  { side, reference, liquidationPrice }: ProtectedTerms,
  protection: Protection,
  pair: Pick<PairLimits, 'tickSize' | 'minPrice' | 'maxPrice'>,
): ProtectionFault | null {
  const malformed = checkProtectionPrices(protection, pair);
  if (malformed) return malformed;
  const { takeProfitPrice, stopLossPrice } = protection;
  const isLong = side === 'BUY';
  if (takeProfitPrice !== null && (isLong ? takeProfitPrice <= reference : takeProfitPrice >= reference)) {
    return { code: 'take_profit_side', mustBe: isLong ? 'above' : 'below', reference };
  }
  if (stopLossPrice === null) return null;
  if (isLong ? stopLossPrice >= reference : stopLossPrice <= reference) {
    return { code: 'stop_loss_side', mustBe: isLong ? 'below' : 'above', reference };
  }
  if (isBeyondLiquidation(side, stopLossPrice, liquidationPrice)) {
    return { code: 'stop_loss_beyond_liquidation', liquidationPrice };
  }
  return null;
}

/** `margin_recovered`: the price is back on the safe side, so the next fall warns again. */
export type PositionTriggerKind =
  | 'liquidation'
  | 'stop_loss'
  | 'take_profit'
  | 'close_at_reopen'
  | 'margin_warning'
  | 'margin_recovered';

interface Trigger<Kind extends string> extends ConditionTrigger {
  readonly kind: Kind;
}
export type PositionTrigger = Trigger<PositionTriggerKind>;
export type OrderTrigger = Trigger<'limit' | 'stop'>;

type LiquidationSpan = Pick<Position, 'side' | 'entryPrice' | 'liquidationPrice'>;
const WHOLE_PARTS = 10n;
const WARNING_PARTS = 8n;
const RECOVERED_PARTS = 7n;
/** The lowest price: every price has risen to it. */
const ANY_PRICE = asPrice(1n);

/** That many tenths of the way from the entry to the liquidation price, rounded towards the entry. */
const priceTowardsLiquidation = (
  { side, entryPrice, liquidationPrice }: LiquidationSpan,
  parts: bigint,
): Price => {
  const exact = entryPrice * (WHOLE_PARTS - parts) + liquidationPrice * parts;
  return asPrice(divideRounded(exact, WHOLE_PARTS, side === 'BUY' ? 'ceiling' : 'floor'));
};

/**
 * 80 % of the way from the entry to the liquidation price (A104), rounded towards the entry, so that it warns early.
 */
export const marginWarningPrice = (span: LiquidationSpan): Price =>
  priceTowardsLiquidation(span, WARNING_PARTS);

/** 70 % of the way, and never a price that warns, so that the two cannot alternate at one price. */
export function marginRecoveredPrice(span: LiquidationSpan): Price {
  const recovered = priceTowardsLiquidation(span, RECOVERED_PARTS);
  const warning = marginWarningPrice(span);
  if (recovered !== warning) return recovered;
  return asPrice(span.side === 'BUY' ? warning + 1n : warning - 1n);
}

/**
 * The triggers of an open position, in the order in which crossings of one tick apply: liquidation first. A close at
 * the next price that trades (A98, A110) fires at any price, because only tradable prices are checked. It comes after
 * the other closes. All of them book the same price, and the gravest reason is reported.
 */
export function triggersOf(position: Position): readonly PositionTrigger[] {
  if (position.closing) return [];
  const { side, liquidationPrice, stopLossPrice, takeProfitPrice, closeAtReopen, marginWarned } = position;
  const losing = side === 'BUY' ? 'falls' : 'rises';
  const winning = side === 'BUY' ? 'rises' : 'falls';
  const triggers: PositionTrigger[] = [{ kind: 'liquidation', price: liquidationPrice, when: losing }];
  if (stopLossPrice !== null) triggers.push({ kind: 'stop_loss', price: stopLossPrice, when: losing });
  if (takeProfitPrice !== null) triggers.push({ kind: 'take_profit', price: takeProfitPrice, when: winning });
  if (closeAtReopen) triggers.push({ kind: 'close_at_reopen', price: ANY_PRICE, when: 'rises' });
  triggers.push(
    marginWarned
      ? { kind: 'margin_recovered', price: marginRecoveredPrice(position), when: winning }
      : { kind: 'margin_warning', price: marginWarningPrice(position), when: losing },
  );
  return triggers;
}

/**
 * The trigger of an order (A20), or null for a MARKET order and for a final one. A LIMIT buys at its price or below
 * and sells at it or above, a STOP the other way round. An order of a `perpetual` account waits for its condition, and with a limit
 * until the market has passed that, which is on a tick like the market's (A113, A114).
 */
export function orderTriggerOf(order: WaitingOrder): OrderTrigger | null {
  const { type, side, price, status, rules, dueAt } = order;
  if (!isWaiting(status) || dueAt !== null) return null;
  if (waitsForTrigger(order)) {
    const condition = conditionOf(order);
    return condition && { kind: 'stop', ...condition };
  }
  if (type === 'MARKET' || price === null) return null;
  if (rules === 'perpetual') {
    // No market passes the lowest of all prices.
    if (side === 'BUY' && price <= 1n) return null;
    return side === 'BUY'
      ? { kind: 'limit', price: asPrice(price - 1n), when: 'falls' }
      : { kind: 'limit', price: asPrice(price + 1n), when: 'rises' };
  }
  if (type === 'LIMIT') return { kind: 'limit', price, when: side === 'BUY' ? 'falls' : 'rises' };
  return { kind: 'stop', price, when: side === 'BUY' ? 'rises' : 'falls' };
}
type WaitingOrder = Parameters<typeof conditionOf>[0] & Pick<Order, 'price' | 'dueAt'>;

/** Whether a mark price fires the trigger: reaching it is enough (A05). */
export const fires = ({ price, when }: Pick<Trigger<string>, 'price' | 'when'>, mark: Price): boolean =>
  when === 'rises' ? mark >= price : mark <= price;
