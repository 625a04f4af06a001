/**
 * The value of an account if every open position closed at its mark, before fees (A108). Every equity curve uses this
 * one definition. Isolated margin bounds each loss (A03), and gains of the other side pay what exceeds it (A111), so
 * equity is never negative.
 *
 * Known limitation: the rounding of the close prices of such gains (`offset.ts`) is not deducted.
 */
import { asMoney, type Money } from '../money.ts';
import type { Side } from '../states.ts';
import { closePriceOf } from './closing.ts';
import type { MarketView } from './commands.ts';
import { settlementAt } from './settlement.ts';
import { balanceOf, type Position, type Wallet } from './types.ts';

interface SymbolTotals {
  readonly gain: Record<Side, bigint>;
  readonly beyondMargin: Record<Side, bigint>;
}

/** USDT. `positions` are those of the wallet; closed ones count zero, one without a mark counts its margin. */
export function equityOf(
  wallet: Wallet,
  positions: Iterable<Position>,
  market: Pick<MarketView, 'quote'>,
): Money {
  let equity: bigint = balanceOf(wallet);
  const bySymbol = new Map<string, SymbolTotals>();
  for (const position of positions) {
    if (position.closing) continue;
    const { symbol, side } = position;
    const { price } = closePriceOf(position, market.quote(symbol));
    const { realizedPnl, toInsurance } = settlementAt(position, price);
    equity += realizedPnl;
    const totals = bySymbol.get(symbol) ?? {
      gain: { BUY: 0n, SELL: 0n },
      beyondMargin: { BUY: 0n, SELL: 0n },
    };
    bySymbol.set(symbol, totals);
    if (realizedPnl > 0n) totals.gain[side] += realizedPnl;
    totals.beyondMargin[side] += toInsurance;
  }
  for (const { gain, beyondMargin } of bySymbol.values()) {
    equity -= lesser(gain.BUY, beyondMargin.SELL) + lesser(gain.SELL, beyondMargin.BUY);
  }
  return asMoney(equity);
}

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);
