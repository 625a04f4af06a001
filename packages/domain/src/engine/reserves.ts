/**
 * The reserve of a waiting order in the available balance (A20). Invariant: a reserve is released whole, to the last
 * unit, before the order fills or ends.
 */
import { asMoney } from '../money.ts';
import type { Changes } from './changes.ts';
import type { Order } from './types.ts';

/** Does nothing for an order without a reserve. */
export function bookReserve(changes: Changes, { id, reserved }: Pick<Order, 'id' | 'reserved'>): void {
  changes.book('reserve', id, [
    { account: 'user:cash', amount: asMoney(-reserved) },
    { account: 'user:order_margin', amount: reserved },
  ]);
}

/** The caller makes the order final or books its new reserve: a released order has none. */
export function releaseReserve(changes: Changes, { id, reserved }: Pick<Order, 'id' | 'reserved'>): void {
  changes.book('release', id, [
    { account: 'user:order_margin', amount: asMoney(-reserved) },
    { account: 'user:cash', amount: reserved },
  ]);
}
