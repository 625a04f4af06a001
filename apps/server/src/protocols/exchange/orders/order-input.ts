/**
 * The parameters of an order as a row of `orders`, which the app's own handler places. Checks what clients tell apart by Binance's
 * codes: missing and superfluous parameters, precision, filters. All else is the engine's to judge.
 */
import type { AlgoOrderTerms, OrderTerms } from '@fulcrum/contract/exchange';
import {
  decimalsOf,
  hasLimit,
  isOnStep,
  isTrailRate,
  type OrderType,
  orderTypes,
  type PairLimits,
  parseDecimal,
  type TradingPair,
} from '@fulcrum/domain';
import { exchangeErrors } from '../errors.ts';
import { isConditional } from './order-wire.ts';

/** As `orders.insert` takes it. */
export type OrderRow = Readonly<Record<string, unknown>>;

/** What both doors of an order state, under one name each. */
export interface OrderStatement
  extends Omit<OrderTerms, 'newClientOrderId' | 'stopPrice' | 'activationPrice'> {
  readonly clientId: string;
  readonly triggerPrice: string | undefined;
  /** What the route calls it. */
  readonly triggerName: 'stopPrice' | 'triggerPrice';
}

/** `clientId`: for an order that the client gave no name. */
export const statementOf = (
  { newClientOrderId, stopPrice, activationPrice, activatePrice, ...same }: OrderTerms,
  clientId: string,
): OrderStatement => ({
  ...same,
  activatePrice: activatePrice ?? activationPrice,
  clientId: newClientOrderId ?? clientId,
  triggerPrice: stopPrice,
  triggerName: 'stopPrice',
});

/** @throws ExchangeError for a type without a condition */
export function algoStatementOf(
  { clientAlgoId, algoType, activationPrice, activatePrice, ...same }: AlgoOrderTerms,
  clientId: string,
): OrderStatement {
  if (algoType !== 'CONDITIONAL') throw exchangeErrors.illegal('algoType', 'must be CONDITIONAL');
  const type = typeOf(same.type);
  if (type !== null && !isConditional(type))
    throw exchangeErrors.illegal('type', 'must be a type that waits for a trigger');
  return {
    ...same,
    triggerPrice: same.triggerPrice,
    activatePrice: activatePrice ?? activationPrice,
    clientId: clientAlgoId ?? clientId,
    triggerName: 'triggerPrice',
    [stopLoss]: undefined,
    [takeProfit]: undefined,
  };
}

const stopLoss = 'stopLoss[triggerPrice]';
const takeProfit = 'takeProfit[triggerPrice]';

const typeOf = (text: string): OrderType | null => orderTypes.find((one) => one === text) ?? null;

/** @throws ExchangeError for what no order of that type and symbol may state */
export function toOrderRow(stated: OrderStatement, pair: TradingPair): OrderRow {
  const { symbol: _, side, quantity, price, triggerPrice, clientId } = stated;
  refuseWhatIsNotOffered(stated);
  const type = typeOf(stated.type);
  if (type === null) throw exchangeErrors.badType();
  requireTerms(stated, type);
  // One that closes a position may state a quantity of zero.
  const size = stated.closePosition ? undefined : quantity;
  if (size !== undefined) checkQuantity(size, pair);
  if (price !== undefined) checkPrice('Price', price, pair);
  const triggers = [triggerPrice, stated.activatePrice, stated[stopLoss], stated[takeProfit]];
  for (const trigger of triggers) if (trigger !== undefined) checkPrice('Stop price', trigger, pair);
  const isTrailing = type === 'TRAILING_STOP_MARKET';
  return {
    symbol: pair.symbol,
    type,
    side,
    size: size ?? null,
    // That of the symbol.
    leverage: null,
    price: price ?? null,
    time_in_force: stated.timeInForce ?? null,
    reduce_only: stated.reduceOnly ?? false,
    trigger_price: (isTrailing ? stated.activatePrice : triggerPrice) ?? null,
    trail_rate: stated.callbackRate ?? null,
    close_position: stated.closePosition ?? false,
    expires_at: stated.goodTillDate === undefined ? null : new Date(stated.goodTillDate).toISOString(),
    stop_loss_price: stated[stopLoss] ?? null,
    take_profit_price: stated[takeProfit] ?? null,
    client_id: clientId,
  };
}

function refuseWhatIsNotOffered({ positionSide = 'BOTH', priceMatch = 'NONE' }: OrderStatement): void {
  if (positionSide !== 'BOTH') throw exchangeErrors.onlyOneWay();
  if (priceMatch !== 'NONE') throw exchangeErrors.notOffered('priceMatch');
}

/** What a type has to state, and what it must not. */
function requireTerms(stated: OrderStatement, type: OrderType): void {
  const { quantity, price, timeInForce, closePosition = false, callbackRate } = stated;
  const isTrailing = type === 'TRAILING_STOP_MARKET';
  if (closePosition && type !== 'STOP_MARKET' && type !== 'TAKE_PROFIT_MARKET')
    throw exchangeErrors.cannotClose(type);
  if (closePosition && quantity !== undefined && parseExact(quantity) !== 0n)
    throw exchangeErrors.quantityWithClose();
  if (type === 'LIMIT' && timeInForce === undefined) throw exchangeErrors.missing('timeInForce');
  if (type === 'MARKET' && timeInForce !== undefined) throw exchangeErrors.unexpected('timeInForce');
  if (timeInForce === 'GTD' && stated.goodTillDate === undefined)
    throw exchangeErrors.missing('goodTillDate');
  if (timeInForce !== 'GTD' && stated.goodTillDate) throw exchangeErrors.unexpected('goodTillDate');
  if (!closePosition && quantity === undefined) throw exchangeErrors.missing('quantity');
  if (hasLimit(type) && price === undefined) throw exchangeErrors.missing('price');
  if (!hasLimit(type) && price !== undefined) throw exchangeErrors.unexpected('price');
  if (isConditional(type) && !isTrailing && stated.triggerPrice === undefined)
    throw exchangeErrors.missing(stated.triggerName);
  if ((!isConditional(type) || isTrailing) && stated.triggerPrice !== undefined)
    throw exchangeErrors.unexpected(stated.triggerName);
  if (isTrailing && callbackRate === undefined) throw exchangeErrors.missing('callbackRate');
  if (!isTrailing && callbackRate !== undefined) throw exchangeErrors.unexpected('callbackRate');
  if (!isTrailing && stated.activatePrice !== undefined) throw exchangeErrors.unexpected('activatePrice');
  if (callbackRate !== undefined && !isTrailRate(parseExact(callbackRate)))
    throw exchangeErrors.badCallbackRate();
}

/** @throws ExchangeError -1111 for more than eight decimals, or what no column holds */
export function parseExact(text: string): bigint {
  try {
    return parseDecimal(text);
  } catch {
    throw exchangeErrors.tooFine();
  }
}

/** Finer than the step allows is a matter of precision, off the step one of the filter. */
function refuseFiner(text: string, step: bigint): bigint {
  const units = parseExact(text);
  if (!isOnStep(units, 10n ** BigInt(8 - decimalsOf(step)))) throw exchangeErrors.tooFine();
  return units;
}

export function checkQuantity(text: string, { minQty, maxQty, stepSize }: PairLimits): void {
  const quantity = refuseFiner(text, stepSize);
  if (quantity === 0n) throw exchangeErrors.noQuantity();
  if (quantity < minQty) throw exchangeErrors.quantityTooSmall();
  if (quantity > maxQty) throw exchangeErrors.quantityTooLarge();
  if (!isOnStep(quantity, stepSize)) throw exchangeErrors.quantityOffStep();
}

export function checkPrice(name: string, text: string, { minPrice, maxPrice, tickSize }: PairLimits): void {
  const price = refuseFiner(text, tickSize);
  if (price === 0n) throw exchangeErrors.noPrice(name);
  if (price < minPrice) throw exchangeErrors.priceTooSmall(name);
  if (price > maxPrice) throw exchangeErrors.priceTooLarge(name);
  if (!isOnStep(price, tickSize)) throw exchangeErrors.priceOffTick(name);
}
