/**
 * Limits of one account's open positions and orders, far above a trader's needs. Without them one account could slow
 * down every start, every restriction and every other account's commands.
 */
import type { Account, Refusal } from './types.ts';

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
