/** The figures of an order, in display units; null while they are not known. */
import { type Side, toNumberOrNull } from '@fulcrum/domain';
import { getAfterOrder } from './margin-use.ts';
import type { OrderFacts } from './validators.ts';

export type ReadFigure = (facts: OrderFacts) => number | null;

export const priceOf: ReadFigure = ({ terms }) => toNumberOrNull(terms.price);
export const worthOf: ReadFigure = ({ summary }) => toNumberOrNull(summary.orderValue);
export const marginOf: ReadFigure = ({ summary }) => toNumberOrNull(summary.requiredMargin);
export const feeOf: ReadFigure = ({ summary }) => toNumberOrNull(summary.openingFee);
export const liquidationOf = {
  BUY: ({ summary }) => toNumberOrNull(summary.liquidationLong),
  SELL: ({ summary }) => toNumberOrNull(summary.liquidationShort),
} as const satisfies Record<Side, ReadFigure>;
/** What the order would leave of the available balance. */
export const availableAfter: ReadFigure = (facts) => toNumberOrNull(getAfterOrder(facts)?.available ?? null);
