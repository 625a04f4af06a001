/** The figures of an order, in display units; null while they are not known. */
import { type Side, toNumber } from '@fulcrum/domain';
import { getAfterOrder } from './margin-use.ts';
import type { OrderFacts } from './validators.ts';

export type ReadFigure = (facts: OrderFacts) => number | null;

const figureOf = (value: bigint | null): number | null => (value === null ? null : toNumber(value));
export const priceOf: ReadFigure = ({ terms }) => figureOf(terms.price);
export const worthOf: ReadFigure = ({ summary }) => figureOf(summary.orderValue);
export const marginOf: ReadFigure = ({ summary }) => figureOf(summary.requiredMargin);
export const feeOf: ReadFigure = ({ summary }) => figureOf(summary.openingFee);
export const liquidationOf = {
  BUY: ({ summary }) => figureOf(summary.liquidationLong),
  SELL: ({ summary }) => figureOf(summary.liquidationShort),
} as const satisfies Record<Side, ReadFigure>;
/** What the order would leave of the available balance. */
export const availableOf: ReadFigure = (facts) => figureOf(getAfterOrder(facts)?.available ?? null);
