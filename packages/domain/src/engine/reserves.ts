/**
 * What an order that waits holds back of the available balance (A20). Invariant: what was reserved is released whole, to
 * the last unit, before anything else becomes of the order.
 */
import { asMoney } from '../money.ts';
import type { Order } from './account.ts';
import type { Changes } from './changes.ts';

/** Books nothing for an order that reserves nothing. */
export function bookReserve(changes: Changes, { id, reserved }: Pick<Order, 'id' | 'reserved'>): void {
  changes.book('reserve', id, [
    { account: 'user:cash', amount: asMoney(-reserved) },
    { account: 'user:order_margin', amount: reserved },
  ]);
}

/** The caller makes the order final, or books what it holds from now on: a released order holds nothing. */
export function releaseReserve(changes: Changes, { id, reserved }: Pick<Order, 'id' | 'reserved'>): void {
  changes.book('release', id, [
    { account: 'user:order_margin', amount: asMoney(-reserved) },
    { account: 'user:cash', amount: reserved },
  ]);
}
