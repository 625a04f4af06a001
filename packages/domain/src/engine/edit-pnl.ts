/**
 * The PnL of a closed position by its prices alone. Staff enter the realized PnL themselves (A09); this figure is for
 * comparison and decides nothing.
 */
import { isLeverage, requiredMargin } from '../margin.ts';
import type { Money } from '../money.ts';
import { rulesOf } from '../rule-sets.ts';
import { settle } from '../rules.ts';
import { isSide } from '../states.ts';
import type { PositionEdit } from './commands.ts';
import type { Position } from './types.ts';

/** Null for an open position, and for an edit that leaves no complete figures. The loss ends at the margin (A03). */
export function pnlByPrices(position: Position, edit: PositionEdit): Money | null {
  const { closing } = position;
  if (!closing) return null;
  const { entryPrice = position.entryPrice, size = position.size, closePrice = closing.price } = edit;
  const { leverage = position.leverage, side = position.side } = edit;
  if (!entryPrice || !size || !closePrice || leverage === null || side === null) return null;
  if (entryPrice < 0n || size < 0n || closePrice < 0n || !isLeverage(leverage) || !isSide(side)) return null;

  const isSameMargin =
    entryPrice === position.entryPrice && size === position.size && leverage === position.leverage;
  const margin = isSameMargin ? position.margin : requiredMargin(entryPrice, size, leverage);
  const terms = { side, entryPrice, size, leverage, margin };
  return settle(rulesOf(position.rules).realizedPnl(terms, closePrice), margin).realizedPnl;
}
