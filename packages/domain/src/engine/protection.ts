/**
 * Take profit and stop loss of a position or an order (A21), and the prices at which a position is acted upon. Invariant:
 * a protection that was accepted lies on its own side of the price that it was checked against, so it does not fire at once.
 */
import { asPrice, divideRounded, type Price } from '../money.ts';
import { isOnStep, type PairLimits } from '../pairs.ts';
import type { Side } from '../states.ts';
import type { Position } from './account.ts';

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

/** The first fault of `protection`, or null. At the reference price itself it would fire at once, so it is refused. */
export function checkProtection(
  { side, reference, liquidationPrice }: ProtectedTerms,
  { takeProfitPrice, stopLossPrice }: Protection,
  pair: Pick<PairLimits, 'tickSize' | 'minPrice' | 'maxPrice'>,
): ProtectionFault | null {
  for (const [which, price] of [
    ['takeProfitPrice', takeProfitPrice],
    ['stopLossPrice', stopLossPrice],
  ] as const) {
    if (price === null) continue;
    const { minPrice: min, maxPrice: max, tickSize } = pair;
    if (price < min || price > max) return { code: 'out_of_range', which, min, max, tickSize };
    if (!isOnStep(price, tickSize)) return { code: 'off_tick', which, min, max, tickSize };
  }
  const isLong = side === 'BUY';
  if (takeProfitPrice !== null && (isLong ? takeProfitPrice <= reference : takeProfitPrice >= reference)) {
    return { code: 'take_profit_side', mustBe: isLong ? 'above' : 'below', reference };
  }
  if (stopLossPrice === null) return null;
  if (isLong ? stopLossPrice >= reference : stopLossPrice <= reference) {
    return { code: 'stop_loss_side', mustBe: isLong ? 'below' : 'above', reference };
  }
  if (isLong ? stopLossPrice <= liquidationPrice : stopLossPrice >= liquidationPrice) {
    return { code: 'stop_loss_beyond_liquidation', liquidationPrice };
  }
  return null;
}

export type PositionTriggerKind = 'liquidation' | 'stop_loss' | 'take_profit' | 'margin_warning';

export interface PositionTrigger {
  readonly kind: PositionTriggerKind;
  readonly price: Price;
  /** `rises`: fires at this price and above; `falls`: at this price and below. */
  readonly when: 'rises' | 'falls';
}

const WARNING_PARTS = 4n;
const WHOLE_PARTS = 5n;

/** 80 % of the way from the entry to the liquidation price (A104), rounded towards the entry: it warns rather early. */
export function marginWarningPrice({
  side,
  entryPrice,
  liquidationPrice,
}: Pick<Position, 'side' | 'entryPrice' | 'liquidationPrice'>): Price {
  const exact = entryPrice * (WHOLE_PARTS - WARNING_PARTS) + liquidationPrice * WARNING_PARTS;
  return asPrice(divideRounded(exact, WHOLE_PARTS, side === 'BUY' ? 'ceiling' : 'floor'));
}

/** What an open position waits for, liquidation first: the order in which crossings of one tick act on it. */
export function triggersOf(position: Position): readonly PositionTrigger[] {
  if (position.closing) return [];
  const { side, liquidationPrice, stopLossPrice, takeProfitPrice } = position;
  const losing = side === 'BUY' ? 'falls' : 'rises';
  const winning = side === 'BUY' ? 'rises' : 'falls';
  const triggers: PositionTrigger[] = [{ kind: 'liquidation', price: liquidationPrice, when: losing }];
  if (stopLossPrice !== null) triggers.push({ kind: 'stop_loss', price: stopLossPrice, when: losing });
  if (takeProfitPrice !== null) triggers.push({ kind: 'take_profit', price: takeProfitPrice, when: winning });
  triggers.push({ kind: 'margin_warning', price: marginWarningPrice(position), when: losing });
  return triggers;
}

/** Whether a mark price fires the trigger: reaching it is enough (A05). */
export const fires = ({ price, when }: Pick<PositionTrigger, 'price' | 'when'>, mark: Price): boolean =>
  when === 'rises' ? mark >= price : mark <= price;
