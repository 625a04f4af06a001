/**
 * Gains on one side of a symbol pay for losses on the other (A111). The gain of opposite open positions at that price
 * pays a loss beyond its margin, the oldest first, before the insurance does. Such a position, or the needed part of
 * it, closes at a price moved towards its entry, until its gain is smaller by the loss. Its row follows the formulas
 * of its rule set (RULE-05 to RULE-08), whatever leverages the two sides have.
 *
 * Known limitations: the price moves by whole 1e-8, so a closed part of size S may pay up to S × 1e-8 × the rule
 * set's factor more than the loss. Other symbols with correlated prices and other accounts are not considered.
 */
import {
  asMoney,
  asPrice,
  asSize,
  divideRounded,
  type Money,
  type Price,
  type Size,
  UNIT,
} from '../money.ts';
import type { PairLimits } from '../pairs.ts';
import { rulesOf } from '../rule-sets.ts';
import { isExhausted } from './settlement.ts';
import type { Position } from './types.ts';

const gainAt = (position: Position, price: Price): Money =>
  rulesOf(position.rules).realizedPnl(position, price);

/** The oldest first; equal times in the order of the ids. */
export const byAge = (a: Position, b: Position): number =>
  a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);

/** The members of `open` that gain at the price where `losers` of the other side close, the oldest first. */
export function findPayers(losers: readonly Position[], price: Price, open: Iterable<Position>): Position[] {
  const [loser] = losers;
  const payers: Position[] = [];
  for (const position of open) {
    const isOpposite = position.symbol === loser?.symbol && position.side !== loser.side;
    if (isOpposite && gainAt(position, price) > 0n && !isExhausted(position, price)) payers.push(position);
  }
  return payers.sort(byAge);
}

export interface Payment {
  /** The closing size of the payer: its whole size, or a part that leaves the rest tradable. */
  readonly size: Size;
  /** The price of that close. */
  readonly price: Price;
  /** How much smaller its gain is than at the market's price. */
  readonly paid: Money;
}

/**
 * The payment for `loss`, both above zero: the least whole steps whose gain suffices, else all of it at its entry.
 * `pair` is undefined for a delisted symbol, of which only the whole closes.
 */
export function calculatePayment(
  payer: Position,
  market: Price,
  loss: Money,
  pair: Pick<PairLimits, 'minQty' | 'stepSize'> | undefined,
): Payment {
  const { side, entryPrice } = payer;
  const factor = rulesOf(payer.rules).pnlFactor(payer);
  const move = side === 'BUY' ? market - entryPrice : entryPrice - market;
  const size = smallestPayingPart(payer, divideRounded(loss * UNIT, move * factor, 'ceiling'), pair);
  const needed = divideRounded(loss * UNIT, size * factor, 'ceiling');
  const back = needed < move ? needed : move;
  const price = asPrice(side === 'BUY' ? market - back : market + back);
  const part = { ...payer, size };
  return { size, price, paid: asMoney(gainAt(part, market) - gainAt(part, price)) };
}

function smallestPayingPart(
  { size, margin }: Position,
  least: bigint,
  pair: Pick<PairLimits, 'minQty' | 'stepSize'> | undefined,
): Size {
  if (!pair) return size;
  const part = divideRounded(least, pair.stepSize, 'ceiling') * pair.stepSize;
  const isTradable = size - part >= pair.minQty && part * margin >= size;
  return isTradable ? asSize(part) : size;
}
