/** The value of a position when it closes at a price, before fees. */
import type { Money, Price } from '../money.ts';
import { netPnl, rulesOf } from '../rule-sets.ts';
import { isLiquidated, type Settlement, settle } from '../rules.ts';
import type { Position } from './types.ts';

/** The change of the balance by a close at this price; at least minus the margin (A03). */
export const settlementAt = (position: Position, price: Price): Settlement =>
  settle(rulesOf(position.rules).realizedPnl(position, price), position.margin);

/** The change of the balance by a close that trades this value. */
export const settlementOf = (
  position: Position,
  { price, value }: { readonly price: Price; readonly value: Money },
): Settlement =>
  position.entryValue === null
    ? settlementAt(position, price)
    : settle(netPnl(position.side, position.entryValue, value), position.margin);

/**
 * Whether no margin is left to lose at this price. The check includes the loss: where a tick is worth more than the
 * margin, the liquidation price lies beyond the margin's end (A107).
 */
export const isExhausted = (position: Position, price: Price): boolean =>
  isLiquidated(position.side, position.liquidationPrice, price) ||
  settlementAt(position, price).toInsurance > 0n;
