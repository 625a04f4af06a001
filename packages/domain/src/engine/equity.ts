/**
 * What an account would hold if every open position were closed at its mark, before fees (A108): the one definition
 * behind every curve. Isolated margin bounds each loss (A03), so equity is never negative.
 */
import { asMoney, type Money } from '../money.ts';
import { balanceOf, type Position, type Wallet } from './account.ts';
import { closePriceOf, settlementAt } from './closing.ts';
import type { MarketView } from './commands.ts';

/** USDT. `positions` are those of the wallet; closed ones count nothing, one without a mark is worth its margin. */
export function equityOf(
  wallet: Wallet,
  positions: Iterable<Position>,
  market: Pick<MarketView, 'quote'>,
): Money {
  let equity: bigint = balanceOf(wallet);
  for (const position of positions) {
    if (position.closing) continue;
    const { price } = closePriceOf(position, market.quote(position.symbol));
    equity += settlementAt(position, price).realizedPnl;
  }
  return asMoney(equity);
}
