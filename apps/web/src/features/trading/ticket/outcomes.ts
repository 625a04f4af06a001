/** The results of take profit and stop loss of the entered order, for the side that they are meant for. */
import { lossPerUnit, type Price, type Protection, requiredMargin, type Side, sides } from '@fulcrum/domain';
import { getOutcome, inferSide, type Outcome } from './protection.ts';
import type { SidedProtection, TypedProtection } from './protection-units.ts';
import type { OrderTerms } from './summary.ts';
import { getTypedPrice, type OrderFacts } from './validators.ts';

export interface Outcomes {
  readonly takeProfit: Outcome | null;
  readonly stopLoss: Outcome | null;
}

const toPrices = ({ takeProfit, stopLoss }: TypedProtection): Protection => ({
  takeProfitPrice: getTypedPrice(takeProfit),
  stopLossPrice: getTypedPrice(stopLoss),
});

const none: Outcomes = { takeProfit: null, stopLoss: null };

/** The side that take profit and stop loss are meant for; a long while that is open. */
export const getProtectedSide = (reference: Price | null, protection: SidedProtection): Side =>
  reference === null ? 'BUY' : inferSide(reference, toPrices(protection.BUY));

/** What a unit of size loses at the stop loss, the larger of both sides; null without a stop loss. */
export function stopLossOf(
  protection: SidedProtection,
  { price: entryPrice, leverage, rules }: Pick<OrderTerms, 'price' | 'leverage' | 'rules'>,
): Price | null {
  if (entryPrice === null) return null;
  const losses = sides.flatMap((side) => {
    const stop = getTypedPrice(protection[side].stopLoss);
    return stop === null ? [] : [lossPerUnit(stop, { entryPrice, leverage, rules })];
  });
  return losses.reduce<Price | null>((most, loss) => (most === null || loss > most ? loss : most), null);
}

/** `knownSide` is the side, if already known. A distance has the same result for both, but for the tick. */
export function getOutcomes({ terms, protection }: OrderFacts, knownSide: Side | null = null): Outcomes {
  const { price: entryPrice, size, leverage, rules, limits } = terms;
  if (entryPrice === null || size === null || size > limits.maxQty) return none;
  const side = knownSide ?? getProtectedSide(entryPrice, protection);
  const { takeProfitPrice, stopLossPrice } = toPrices(protection[side]);
  const margin = requiredMargin(entryPrice, size, leverage);
  const position = { side, entryPrice, size, leverage, margin };
  return {
    takeProfit: getOutcome(rules, position, takeProfitPrice),
    stopLoss: getOutcome(rules, position, stopLossPrice),
  };
}
