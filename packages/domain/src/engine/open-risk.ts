/**
 * What the open positions of an account may still lose, before fees. A position loses up to its stop loss and the stop orders that reduce it;
 * what none of them covers loses its margin.
 *
 * Known limitations: a gap beyond a stop costs more, a stop order with a limit may not fill at all, and gains of the other side are not
 * deducted. A waiting stop order that is not reduce-only counts for nothing here, though it would close the position.
 */
import { asMoney, type Money, type Price, type Size } from '../money.ts';
import { isStopOrderType } from '../states.ts';
import { conditionOf } from './conditions.ts';
import { isBeyondLiquidation } from './protection.ts';
import { settlementAt } from './settlement.ts';
import { splitPosition } from './split.ts';
import type { Order, Position } from './types.ts';

/** Where a position is closed at a loss, and how much of it; a null size is the whole. */
export interface StopLevel {
  readonly price: Price;
  readonly size: Size | null;
}

/** The stop loss of the position and the waiting stop orders that reduce it before its liquidation, the first to fire first. */
export function stopLevelsOf(position: Position, orders: readonly Order[]): readonly StopLevel[] {
  const { symbol, side, stopLossPrice, liquidationPrice } = position;
  const levels: StopLevel[] = stopLossPrice === null ? [] : [{ price: stopLossPrice, size: null }];
  for (const order of orders) {
    if (order.symbol !== symbol || order.side === side || !order.reduceOnly || !isStopOrderType(order.type))
      continue;
    const condition = conditionOf(order);
    if (condition && !isBeyondLiquidation(side, condition.price, liquidationPrice))
      levels.push({ price: condition.price, size: order.closePosition ? null : order.size });
  }
  const towardsLoss = side === 'BUY' ? -1 : 1;
  return levels.sort((one, other) => towardsLoss * Number(one.price - other.price));
}

/** Whether the levels close the whole position. */
export const isStoppedWhole = ({ size }: Position, levels: readonly StopLevel[]): boolean =>
  levels.some((level) => level.size === null) ||
  levels.reduce((sum, level) => sum + (level.size ?? 0n), 0n) >= size;

/** USDT, zero or more. A stop in profit risks nothing. */
export function openRiskOf(positions: Iterable<Position>, orders: readonly Order[]): Money {
  let risk = 0n;
  for (const position of positions) if (!position.closing) risk += riskOf(position, orders);
  return asMoney(risk);
}

function riskOf(position: Position, orders: readonly Order[]): bigint {
  let risk = 0n;
  let rest = position;
  for (const { price, size } of stopLevelsOf(position, orders)) {
    const isWhole = size === null || size >= rest.size;
    const stopped = isWhole ? { part: rest, rest } : splitPosition(rest, size, rest.id);
    const loss = -settlementAt(stopped.part, price).realizedPnl;
    if (loss > 0n) risk += loss;
    if (isWhole) return risk;
    rest = stopped.rest;
  }
  return risk + rest.margin;
}
