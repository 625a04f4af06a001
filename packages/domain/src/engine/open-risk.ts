/**
 * What the open positions of an account may still lose, before fees: to the stop loss of each, or its whole margin where it has none.
 *
 * Known limitations: a gap beyond a stop loss costs more, and gains of the other side are not deducted.
 */
import { asMoney, type Money } from '../money.ts';
import { settlementAt } from './settlement.ts';
import type { Position } from './types.ts';

/** USDT, zero or more. A stop loss in profit risks nothing. */
export function openRiskOf(positions: Iterable<Position>): Money {
  let risk = 0n;
  for (const position of positions) {
    if (position.closing) continue;
    const { stopLossPrice, margin } = position;
    const loss = stopLossPrice === null ? margin : -settlementAt(position, stopLossPrice).realizedPnl;
    if (loss > 0n) risk += loss;
  }
  return asMoney(risk);
}
