/**
 * Take profit and stop loss of a position or an order (A21), and the prices at which a position is acted upon. Invariant:
 * a protection that was accepted lies on its own side of the price that it was checked against, so it does not fire at once.
 */
import { asPrice, divideRounded, type Price } from '../money.ts';
import { isOnStep, type PairLimits } from '../pairs.ts';
import type { Side } from '../states.ts';
import type { Order, Position } from './account.ts';

export interface Protection {
  readonly takeProfitPrice: Price | null;
  readonly stopLossPrice: Price | null;
}

/** What is wrong with a protection, with the figure that its text prints. */
export type ProtectionFault =
  | {
      readonly code: 'off_tick' | 'out_of_range';
      readonly which: keyof Protection;
      readonly min: Price;
      readonly max: Price;
      readonly tickSize: Price;
    }
  | { readonly code: 'take_profit_side'; readonly mustBe: 'above' | 'below'; readonly reference: Price }
  | { readonly code: 'stop_loss_side'; readonly mustBe: 'above' | 'below'; readonly reference: Price }
  /** It would never fire: the position is liquidated first. */
  | { readonly code: 'stop_loss_beyond_liquidation'; readonly liquidationPrice: Price };

export interface ProtectedTerms {
  readonly side: Side;
  /** The mark of an open position; the trigger price of an order that waits. */
  readonly reference: Price;
  readonly liquidationPrice: Price;
}

/** What no position could have as its take profit or stop loss, wherever the market is, or null. */
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

/** Whether a position is liquidated before it comes to this stop loss, which then never acts. */
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

/** `margin_recovered`: the price is back, so that the next way down warns again. */
export type PositionTriggerKind =
  | 'liquidation'
  | 'stop_loss'
  | 'take_profit'
  | 'close_at_reopen'
  | 'margin_warning'
  | 'margin_recovered';

interface Trigger<Kind extends string> {
  readonly kind: Kind;
  readonly price: Price;
  /** `rises`: fires at this price and above; `falls`: at this price and below. */
  readonly when: 'rises' | 'falls';
}
export type PositionTrigger = Trigger<PositionTriggerKind>;
export type OrderTrigger = Trigger<'limit' | 'stop'>;

type MarginWay = Pick<Position, 'side' | 'entryPrice' | 'liquidationPrice'>;
const WHOLE_PARTS = 10n;
const WARNING_PARTS = 8n;
const RECOVERED_PARTS = 7n;
/** The least price there is: every price has risen to it. */
const ANY_PRICE = asPrice(1n);

/** So many tenths of the way from the entry to the liquidation price, rounded towards the entry. */
const onTheWay = ({ side, entryPrice, liquidationPrice }: MarginWay, parts: bigint): Price => {
  const exact = entryPrice * (WHOLE_PARTS - parts) + liquidationPrice * parts;
  return asPrice(divideRounded(exact, WHOLE_PARTS, side === 'BUY' ? 'ceiling' : 'floor'));
};

/** 80 % of the way from the entry to the liquidation price (A104), rounded towards the entry: it warns rather early. */
export const marginWarningPrice = (way: MarginWay): Price => onTheWay(way, WARNING_PARTS);

/** 70 % of the way, and never a price that warns: at no price do the two take turns. */
export function marginRecoveredPrice(way: MarginWay): Price {
  const recovered = onTheWay(way, RECOVERED_PARTS);
  const warning = marginWarningPrice(way);
  if (recovered !== warning) return recovered;
  return asPrice(way.side === 'BUY' ? warning + 1n : warning - 1n);
}

/**
 * What an open position waits for, in the order in which crossings of one tick act on it: liquidation first. A close at the
 * reopening waits for any price, and since only prices that may be traded on are looked at, that is the first one after the
 * reopening. It comes behind the other closes: all of them book that same price, and the gravest reason is the one to tell.
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
 * What an order waits for (A20), or null when it waits for no price: a MARKET order, and one that is final. A LIMIT buys
 * at its price or below and sells at it or above, a STOP the other way round.
 */
export function orderTriggerOf({
  type,
  side,
  price,
  status,
}: Pick<Order, 'type' | 'side' | 'price' | 'status'>): OrderTrigger | null {
  if (status !== 'NEW' || type === 'MARKET' || price === null) return null;
  if (type === 'LIMIT') return { kind: 'limit', price, when: side === 'BUY' ? 'falls' : 'rises' };
  return { kind: 'stop', price, when: side === 'BUY' ? 'rises' : 'falls' };
}

/** Whether a mark price fires the trigger: reaching it is enough (A05). */
export const fires = ({ price, when }: Pick<Trigger<string>, 'price' | 'when'>, mark: Price): boolean =>
  when === 'rises' ? mark >= price : mark <= price;
