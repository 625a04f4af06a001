/**
 * What of the balance is in use, now and with the order in the form. Invariant: positions and reserved are together what
 * the wallet has less available than its balance, so that the sums of the screen add up.
 */
import { asMoney, coversMargin, type Money } from '@fulcrum/domain';
import { marginInUse } from '../../../shared/account/index.ts';
import type { OrderFacts } from './validators.ts';

export interface MarginUse {
  /** Margins of open positions. */
  readonly positions: Money;
  /** What waiting orders hold back. */
  readonly reserved: Money;
  /** Both. */
  readonly inUse: Money;
}

export function marginUse(balance: bigint, available: bigint, margins: bigint): MarginUse {
  const inUse = marginInUse(balance, available);
  // A position may be announced a moment before the wallet that it is paid from.
  const positions = margins < inUse ? margins : inUse;
  return { positions: asMoney(positions), reserved: asMoney(inUse - positions), inUse };
}

export interface AfterOrder {
  readonly available: Money;
  /** What the order takes into use: the margin of a position, all that a waiting order reserves. */
  readonly taken: Money;
}

/** What the order would leave; null while it cannot be paid or tells no cost. */
export function afterOrder({ type, summary, available }: OrderFacts): AfterOrder | null {
  const { requiredMargin, requiredTotal } = summary;
  if (available === null || requiredMargin === null || requiredTotal === null) return null;
  if (requiredTotal === 0n || !coversMargin(available, requiredTotal)) return null;
  return {
    available: asMoney(available - requiredTotal),
    taken: type === 'MARKET' ? requiredMargin : requiredTotal,
  };
}
