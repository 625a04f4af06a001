/** The coach (docs/coach.md): the review of a closed trade, the habits of a week, the warnings before an order, the first steps and the chance of a liquidation. All load when they are shown. */

export type { FirstStep } from './FirstStepsCard.tsx';
export { Week } from './lazy-parts.tsx';
export { ReviewButton } from './ReviewButton.tsx';
export { FirstStepsCard, LiquidationChance, OrderWarnings } from './trading-parts.ts';
