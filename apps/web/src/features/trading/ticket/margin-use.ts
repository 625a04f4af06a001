/**
 * The part of the balance in use, now and with the entered order. Invariant: positions and reserves add up to balance
 * minus available, so that the sums on screen agree.
 */
import { asMoney, coversMargin, type Money } from '@fulcrum/domain';
import { marginInUse } from '../../../shared/account/index.ts';
import type { OrderFacts } from './validators.ts';

export interface MarginUse {
  /** Margins of open positions. */
  readonly positions: Money;
  /** Reserves of open orders. */
  readonly reserved: Money;
  /** The sum of both. */
  readonly inUse: Money;
}

export function getMarginUse(balance: bigint, available: bigint, margins: bigint): MarginUse {
  const inUse = marginInUse(balance, available);
  // A position's update may arrive shortly before that of its wallet.
  const positions = margins < inUse ? margins : inUse;
  return { positions: asMoney(positions), reserved: asMoney(inUse - positions), inUse };
}

export interface AfterOrder {
  readonly available: Money;
  /** What the order takes: the margin of a position, or the whole reserve of an open order. */
  readonly taken: Money;
}

/**
 * The amount available after the order; null while it is unaffordable or its cost is unknown. That of a net position depends on what it
 * already is.
 */
export function getAfterOrder({ type, terms, summary, available }: OrderFacts): AfterOrder | null {
  if (terms.rules.name === 'perpetual') return null;
  const { requiredMargin, requiredTotal } = summary;
  if (available === null || requiredMargin === null || requiredTotal === null) return null;
  if (requiredTotal === 0n || !coversMargin(available, requiredTotal)) return null;
  return {
    available: asMoney(available - requiredTotal),
    taken: type === 'MARKET' ? requiredMargin : requiredTotal,
  };
}
