/** What take profit and stop loss of the order in the form would book, for the side that they are meant for. */
import { requiredMargin, type Side } from '@fulcrum/domain';
import { meantSide, type Outcome, outcomeAt } from './protection.ts';
import { type OrderFacts, priceIn } from './validators.ts';

export interface Outcomes {
  readonly takeProfit: Outcome | null;
  readonly stopLoss: Outcome | null;
}

const none: Outcomes = { takeProfit: null, stopLoss: null };

/** `asked` where the side is known already. */
export function outcomesOf({ terms, protection }: OrderFacts, asked: Side | null = null): Outcomes {
  const { price: entryPrice, size, leverage, rules, limits } = terms;
  if (entryPrice === null || size === null || size > limits.maxQty) return none;
  const [takeProfit, stopLoss] = [priceIn(protection.takeProfit), priceIn(protection.stopLoss)];
  const side = asked ?? meantSide(entryPrice, { takeProfitPrice: takeProfit, stopLossPrice: stopLoss });
  const margin = requiredMargin(entryPrice, size, leverage);
  const position = { side, entryPrice, size, leverage, margin };
  return {
    takeProfit: outcomeAt(rules, position, takeProfit),
    stopLoss: outcomeAt(rules, position, stopLoss),
  };
}
