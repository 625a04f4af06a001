/** A fill in one sentence with figures (A114): where the market was, and what each part of the price cost. */

import { formatAmount, formatPrice, formatSize } from '../../shared/numbers/index.ts';
import type { Execution } from '../../shared/supabase/index.ts';

export type FilledPart = Pick<
  Execution,
  | 'id'
  | 'symbol'
  | 'side'
  | 'size'
  | 'value'
  | 'price'
  | 'mid'
  | 'quoteId'
  | 'liquidity'
  | 'fee'
  | 'spreadCost'
  | 'impactCost'
  | 'latencyCost'
  | 'realizedPnl'
  | 'createdAt'
>;

export interface Steps {
  readonly tickSize: number;
  readonly stepSize: number;
  readonly baseAsset: string;
}

/** Costs of the whole size in USDT; negative is a gain. */
export const costsOf = ({ size, spreadCost, impactCost, latencyCost, fee }: FilledPart) => ({
  spread: size * spreadCost,
  impact: size * impactCost,
  latency: size * latencyCost,
  fee,
});

const usdt = (amount: number): string => `${formatAmount(amount)} USDT`;

export function explainFill(fill: FilledPart, { tickSize, stepSize, baseAsset }: Steps): string {
  const { side, size, price, mid, quoteId, liquidity } = fill;
  const { spread, impact, latency, fee } = costsOf(fill);
  const did = `${side === 'BUY' ? 'Bought' : 'Sold'} ${formatSize(size, stepSize)} ${baseAsset} at ${formatPrice(price, tickSize)}`;
  const paid = `the fee was ${usdt(fee)}`;
  const middle = `The middle of the market was ${formatPrice(mid, tickSize)}`;
  if (liquidity === 'maker') {
    return `${did}, its own price, as a maker. ${middle}, ${usdt(spread)} beyond it; ${paid}.`;
  }
  if (quoteId === null) return `${did}, the market's one price, without a spread; ${paid}.`;
  if (latency !== 0) {
    const effect = `${latency > 0 ? 'cost' : 'gave'} ${usdt(Math.abs(latency))}`;
    return `${did} on average. ${middle} when it arrived; until it was filled the market moved, which ${effect}; the spread cost ${usdt(spread)}, the depth ${usdt(impact)}, and ${paid}.`;
  }
  return `${did} on average. ${middle}; the spread cost ${usdt(spread)}, the depth ${usdt(impact)}, and ${paid}.`;
}
