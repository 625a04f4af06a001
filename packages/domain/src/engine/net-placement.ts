/** Checks an order of a `perpetual` account, as far as every market and account would refuse it (A113). */
import type { Price, Size } from '../money.ts';
import { isOrderPrice } from '../order-price.ts';
import type { TradingPair } from '../pairs.ts';
import { type OrderType, orderTypes, type Side, type TimeInForce, timesInForce } from '../states.ts';
import { dayMs, minuteMs } from '../time.ts';
import type { ConditionTerms, MarketView, NetOrderTerms, PlaceCommand } from './commands.ts';
import { hasLimit, isTrailRate } from './conditions.ts';
import { NO_SIZE } from './executions.ts';
import { checkTerms, checkTrade } from './open.ts';
import { checkPlacement } from './place.ts';
import type { ConditionField, Order, Protection, Refusal } from './types.ts';

/** A GTD order ends between these distances from now. */
const expiryMin = 10 * minuteMs;
const expiryMax = 366 * dayMs;

/** A checked order. */
export interface NetPlacement extends Protection {
  readonly type: OrderType;
  readonly pair: TradingPair;
  readonly side: Side;
  /** Zero for one that closes the position. */
  readonly size: Size;
  readonly leverage: number;
  readonly price: Price | null;
  readonly timeInForce: TimeInForce;
  readonly reduceOnly: boolean;
  readonly quoteId: string | null;
  readonly condition: Condition;
}
/** As the order stores it. */
export type Condition = Pick<
  Order,
  'triggerPrice' | 'trailRate' | 'closePosition' | 'expiresAt' | 'boundPositionId'
>;

type Refused = { readonly refusal: Refusal };

/** The terms of an order besides its price and size, as it stores them. */
export function readTerms(
  { timeInForce, reduceOnly = false, quoteId = null }: NetOrderTerms,
  { expiresAt = null }: Pick<ConditionTerms, 'expiresAt'>,
  isLimit: boolean,
  now: number | null,
):
  | { readonly timeInForce: TimeInForce; readonly reduceOnly: boolean; readonly quoteId: string | null }
  | Refused {
  const known = timesInForce.find((name) => name === (timeInForce ?? 'GTC'));
  if (!known || (!isLimit && (known === 'GTX' || known === 'GTD')))
    return { refusal: { code: 'time_in_force_invalid' } };
  if ((known === 'GTD') !== (expiresAt !== null)) return { refusal: { code: 'expiry_invalid' } };
  const left = expiresAt === null || now === null ? null : expiresAt - now;
  if (left !== null && !(left >= expiryMin && left <= expiryMax))
    return { refusal: { code: 'expiry_invalid' } };
  return { timeInForce: known, reduceOnly, quoteId };
}

/** The conditions that the type has, and no other ones. */
function readCondition(type: OrderType, command: PlaceCommand, pair: TradingPair): Condition | Refused {
  const { triggerPrice = null, trailRate = null, closePosition = false } = command;
  const { expiresAt = null, boundPositionId = null } = command;
  const unexpected = (field: ConditionField): Refused => ({
    refusal: { code: 'condition_not_expected', type, field },
  });
  const isTrailing = type === 'TRAILING_STOP_MARKET';
  const isConditional = type !== 'MARKET' && type !== 'LIMIT';
  if (!isConditional && triggerPrice !== null) return unexpected('triggerPrice');
  if (!isTrailing && trailRate !== null) return unexpected('trailRate');
  if (isConditional && !hasLimit(type) && command.price !== null) return unexpected('price');
  if (closePosition && (!isConditional || hasLimit(type) || isTrailing)) return unexpected('closePosition');
  if (closePosition && command.size !== 0n) return unexpected('size');
  if (isTrailing && (trailRate === null || !isTrailRate(trailRate)))
    return { refusal: { code: 'trail_rate_invalid' } };
  if (isConditional && !(isTrailing && triggerPrice === null) && !isOrderPrice(triggerPrice, pair)) {
    const { minPrice: min, maxPrice: max, tickSize } = pair;
    return { refusal: { code: 'trigger_price_invalid', min, max, tickSize } };
  }
  return { triggerPrice, trailRate, closePosition, expiresAt, boundPositionId };
}

/** As `checkPlacement`, with the types, times in force and conditions of a `perpetual` account. `now`: null leaves the time of a GTD order unjudged. */
export function checkNetPlacement(
  command: PlaceCommand,
  { market, now }: { readonly market: Pick<MarketView, 'pair' | 'isListed'>; readonly now: number | null },
): { readonly placement: NetPlacement } | Refused {
  const { closePosition = false, size } = command;
  const trade = closePosition ? checkTerms(command, market) : checkTrade(command, market);
  if ('refusal' in trade) return trade;
  const { pair } = trade;
  const type = orderTypes.find((known) => known === command.type);
  if (!type) return { refusal: { code: 'order_type_invalid', types: orderTypes } };
  const isLimit = hasLimit(type);
  const terms = readTerms(command, command, isLimit, now);
  if ('refusal' in terms) return terms;
  const condition = readCondition(type, command, pair);
  if ('refusal' in condition) return condition;
  const { leverage, takeProfitPrice, stopLossPrice } = command;
  if (closePosition) {
    if (takeProfitPrice !== null || stopLossPrice !== null)
      return { refusal: { code: 'condition_not_expected', type, field: 'protection' } };
  } else {
    // Price and protection as an order of the plain type that it becomes.
    const plain = checkPlacement({ ...command, type: isLimit ? 'LIMIT' : 'MARKET' }, market);
    if ('refusal' in plain) return plain;
  }
  const { price } = command;
  return {
    placement: {
      ...{ type, pair, side: trade.side, size: closePosition ? NO_SIZE : size, leverage, price },
      ...{ ...terms, condition, takeProfitPrice, stopLossPrice },
      // What closes a position, or a part of one, opens nothing.
      reduceOnly: terms.reduceOnly || closePosition || condition.boundPositionId !== null,
    },
  };
}
