/**
 * Limits of one account's open positions and orders. Those of every account are far above a trader's needs; without them one account could
 * slow down every start, every restriction and every other account's commands. Those of a class or a contest (A112) are the choice of who runs
 * it. Invariant: a limit keeps an account from opening, and never from closing or reducing; but the end of a contest leaves only what
 * `close_out` does.
 */
import type { Price } from '../money.ts';
import type { Command, Context } from './commands.ts';
import type { Account, Position, Refusal } from './types.ts';

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

/** Why the account opens nothing of the symbol now, by the limits of its class or contest or by those of its owner; or null. */
export const limitRefusal = (
  symbol: string,
  context: Pick<Context, 'limits' | 'now' | 'ownLimit'>,
): Refusal | null => outerRefusal(symbol, context) ?? context.ownLimit?.() ?? null;

function outerRefusal(symbol: string, { limits, now }: Pick<Context, 'limits' | 'now'>): Refusal | null {
  if (!limits) return null;
  const { setBy, symbols, opensFrom, opensUntil } = limits;
  if (opensFrom !== null && now < opensFrom) return { code: `${setBy}_not_begun`, at: opensFrom };
  if (opensUntil !== null && now >= opensUntil) return { code: `${setBy}_over`, at: opensUntil };
  return symbols === null || symbols.includes(symbol) ? null : { code: 'symbol_not_allowed', symbol, setBy };
}

/**
 * The first stop loss of a position that has one of `stopLossPrice` now. In a contest only that of the opening counts: a stop that is set in
 * profit would make any gain a large multiple of its risk.
 */
export const firstStopOf = (
  { initialStopLossPrice }: Pick<Position, 'initialStopLossPrice'>,
  stopLossPrice: Price | null,
  { limits }: Pick<Context, 'limits'>,
): Price | null => initialStopLossPrice ?? (limits?.setBy === 'contest' ? null : stopLossPrice);

/** When the contest of the account ended; null while it lasts, and for any other account. */
export function contestEndedAt({ limits, now }: Pick<Context, 'limits' | 'now'>): number | null {
  if (limits?.setBy !== 'contest' || limits.opensUntil === null) return null;
  return now >= limits.opensUntil ? limits.opensUntil : null;
}

/** What still happens after the end: its own command, costs and orders that are due, and what ends or restricts the user. */
const afterEnd: ReadonlySet<Command['kind']> = new Set(['close_out', 'fund', 'expire', 'restrict', 'delete']);

/** Why the command comes after the end of the account's contest; or null. */
export function endedRefusal({ kind }: Command, context: Pick<Context, 'limits' | 'now'>): Refusal | null {
  const at = contestEndedAt(context);
  return at === null || afterEnd.has(kind) ? null : { code: 'contest_over', at };
}
