/** The results of take profit and stop loss of the entered order, for the side that they are meant for. */
import { requiredMargin, type Side } from '@fulcrum/domain';
import { getOutcome, inferSide, type Outcome } from './protection.ts';
import { getTypedPrice, type OrderFacts } from './validators.ts';

export interface Outcomes {
  readonly takeProfit: Outcome | null;
  readonly stopLoss: Outcome | null;
}

const none: Outcomes = { takeProfit: null, stopLoss: null };

/** `knownSide` is the side, if already known. */
export function getOutcomes({ terms, protection }: OrderFacts, knownSide: Side | null = null): Outcomes {
  const { price: entryPrice, size, leverage, rules, limits } = terms;
  if (entryPrice === null || size === null || size > limits.maxQty) return none;
  const [takeProfit, stopLoss] = [getTypedPrice(protection.takeProfit), getTypedPrice(protection.stopLoss)];
  const side = knownSide ?? inferSide(entryPrice, { takeProfitPrice: takeProfit, stopLossPrice: stopLoss });
  const margin = requiredMargin(entryPrice, size, leverage);
  const position = { side, entryPrice, size, leverage, margin };
  return {
    takeProfit: getOutcome(rules, position, takeProfit),
    stopLoss: getOutcome(rules, position, stopLoss),
  };
}
