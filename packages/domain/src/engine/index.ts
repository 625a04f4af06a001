export { closePriceOf } from './closing.ts';
export * from './commands.ts';
export {
  conditionOf,
  followTriggerOf,
  hasLimit,
  isTrailRate,
  trailLevel,
  waitsForTrigger,
} from './conditions.ts';
export { decide } from './decide.ts';
export { pnlByPrices } from './edit-pnl.ts';
export * from './effects.ts';
export { equityOf } from './equity.ts';
export { bookWithoutOwn, bookWithoutUsed } from './executions.ts';
export { isFundingDue } from './fund.ts';
export { InvariantViolation } from './invariant.ts';
export { MAX_OPEN_ORDERS, MAX_OPEN_POSITIONS } from './limits.ts';
export { feesOf as netFeesOf } from './net-orders.ts';
export { checkNetPlacement } from './net-placement.ts';
export { hasMoved } from './open.ts';
export { openRiskOf } from './open-risk.ts';
export { OpenSides } from './open-sides.ts';
export { feeOf, type OpeningCost, openingCost } from './opening.ts';
export { nextOwnDay } from './own-limits.ts';
export { checkPlacement } from './place.ts';
export * from './protection.ts';
export * from './soundness.ts';
export * from './split.ts';
export * from './types.ts';
