/**
 * Limits of one account's open positions and orders. Those of every account are far above a trader's needs; without them one account could
 * slow down every start, every restriction and every other account's commands. Those of a class (A112) are its tutors' choice. Invariant:
 * a limit keeps an account from opening, and never from closing or reducing.
 */
import type { Context } from './commands.ts';
import type { Account, Refusal } from './types.ts';

export const MAX_OPEN_POSITIONS = 2_000;
export const MAX_OPEN_ORDERS = 500;

/** Why the account may open no further position, or null. */
export function positionsFull(
  { openPositionCount }: Pick<Account, 'openPositionCount'>,
  { limits }: Pick<Context, 'limits'>,
): Refusal | null {
  const max = Math.min(limits?.positionsMax ?? MAX_OPEN_POSITIONS, MAX_OPEN_POSITIONS);
  return openPositionCount < max ? null : { code: 'too_many_open', what: 'positions', max };
}

/** Why no further order of the account may wait, or null. */
export const ordersFull = ({ openOrderCount }: Pick<Account, 'openOrderCount'>): Refusal | null =>
  openOrderCount < MAX_OPEN_ORDERS ? null : { code: 'too_many_open', what: 'orders', max: MAX_OPEN_ORDERS };

/** Why the account opens nothing of the symbol now, by the limits of its class; or null. */
export function limitRefusal(
  symbol: string,
  { limits, now }: Pick<Context, 'limits' | 'now'>,
): Refusal | null {
  if (!limits) return null;
  const { symbols, opensFrom, opensUntil } = limits;
  if (opensFrom !== null && now < opensFrom) return { code: 'class_not_begun', at: opensFrom };
  if (opensUntil !== null && now >= opensUntil) return { code: 'class_over', at: opensUntil };
  return symbols === null || symbols.includes(symbol) ? null : { code: 'symbol_not_allowed', symbol };
}
