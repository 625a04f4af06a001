/**
 * How much one account may have open. No trader comes near; without a limit one account could make every start, every
 * restriction and every other account's turn as slow as it likes.
 */
import type { Account } from './account.ts';
import type { Refusal } from './refusals.ts';

export const MAX_OPEN_POSITIONS = 2_000;
export const MAX_OPEN_ORDERS = 500;

/** Why the account may open no further position, or null. */
export const positionsFull = ({ openPositionCount }: Pick<Account, 'openPositionCount'>): Refusal | null =>
  openPositionCount < MAX_OPEN_POSITIONS
    ? null
    : { code: 'too_many_open', what: 'positions', max: MAX_OPEN_POSITIONS };

/** Why no further order of the account may wait, or null. */
export const ordersFull = ({ openOrderCount }: Pick<Account, 'openOrderCount'>): Refusal | null =>
  openOrderCount < MAX_OPEN_ORDERS ? null : { code: 'too_many_open', what: 'orders', max: MAX_OPEN_ORDERS };
