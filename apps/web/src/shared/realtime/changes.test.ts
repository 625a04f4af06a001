import { describe, expect, test } from 'vitest';
import type { Notification, Order, Position } from '../supabase/rows.ts';
import {
  applyToClosed,
  applyToNotifications,
  applyToOpen,
  applyToOpenOrders,
  applyToPastOrders,
  closedListLimit,
  hasGap,
  newerOf,
  notificationsLimit,
} from './changes.ts';

/** A time of the wire on a day of November. */
const onDay = (day: number) => `2026-11-${`${day}`.padStart(2, '0')}T10:00:00+00:00`;
const position = (id: string, version: number, status: Position['status'] = 'open', day = 1) =>
  ({ id, version, status, closedAt: status === 'open' ? null : onDay(day) }) as Position;

describe('account versions', () => {
  test('the rows of one change share a version, so only a skipped one is a gap', () => {
    expect(hasGap(undefined, 7)).toBe(false);
    expect(hasGap(7, 7)).toBe(false);
    expect(hasGap(7, 8)).toBe(false);
    expect(hasGap(7, 9)).toBe(true);
  });
  test('a late event does not bring back an older row', () => {
    const held = position('a', 3);
    expect(newerOf(held, position('a', 2))).toBe(held);
    expect(newerOf(held, position('a', 4)).version).toBe(4);
    expect(newerOf(null, held)).toBe(held);
  });
});

describe('positions', () => {
  test('an opened position comes first, a repeated event changes nothing', () => {
    const open = [position('a', 1)];
    const after = applyToOpen(open, position('b', 1));
    expect(after.map((one) => one.id)).toEqual(['b', 'a']);
    expect(applyToOpen(after, position('b', 1))).toBe(after);
  });
  test('a closed position leaves the open list and leads the closed one', () => {
    const open = [position('a', 1), position('b', 1)];
    const row = position('b', 2, 'closed', 2);
    expect(applyToOpen(open, row).map((one) => one.id)).toEqual(['a']);
    expect(applyToClosed([position('c', 2, 'closed')], row).map((one) => one.id)).toEqual(['b', 'c']);
    expect(applyToClosed([row], row)).toEqual([row]);
  });
  test('the live closed list is bounded', () => {
    const closed = Array.from({ length: closedListLimit }, (_, index) => position(`${index}`, 2, 'closed'));
    const after = applyToClosed(closed, position('new', 2, 'closed', 2));
    expect([after.length, after[0]?.id]).toEqual([closedListLimit, 'new']);
  });
  test('an older closed position that staff edit takes no place of a later one', () => {
    const full = Array.from({ length: closedListLimit }, (_, index) =>
      position(`${999 - index}`, 2, 'closed', 28),
    );
    expect(applyToClosed(full, position('old', 9, 'closed', 1))).toBe(full);
    const few = [position('c', 2, 'closed', 20), position('a', 2, 'closed', 10)];
    expect(applyToClosed(few, position('b', 3, 'closed', 15)).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    expect(applyToClosed(few, position('b', 3, 'closed', 1)).map(({ id }) => id)).toEqual(['c', 'a', 'b']);
    // Positions of one batch have one time; the id orders them.
    expect(applyToClosed(few, position('b', 3, 'closed', 20)).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    // An edited time moves the position.
    expect(applyToClosed(few, position('a', 3, 'closed', 21)).map(({ id }) => id)).toEqual(['a', 'c']);
  });
});

describe('A20: orders', () => {
  const order = (id: string, version: number, status: Order['status'] = 'NEW', day = 1) =>
    ({ id, version, status, updatedAt: onDay(day) }) as Order;
  test('a placed order comes first, a final one goes over to the history', () => {
    const open = applyToOpenOrders([order('a', 1)], order('b', 1));
    expect(open.map(({ id }) => id)).toEqual(['b', 'a']);
    for (const status of ['FILLED', 'REJECTED', 'CANCELED', 'EXPIRED'] as const) {
      const row = order('a', 2, status, 2);
      expect(applyToOpenOrders(open, row).map(({ id }) => id)).toEqual(['b']);
      expect(applyToPastOrders([order('c', 2, 'FILLED')], row).map(({ id }) => id)).toEqual(['a', 'c']);
    }
  });
  test('an order that is filled in part goes on waiting', () => {
    const row = order('a', 2, 'PARTIALLY_FILLED');
    expect(applyToOpenOrders([order('a', 1)], row)).toEqual([row]);
    expect(applyToPastOrders([], row)).toEqual([]);
  });
  test('an open order is no history, a repeated event changes nothing', () => {
    const past = [order('a', 2, 'CANCELED')];
    expect(applyToPastOrders(past, order('b', 1))).toBe(past);
    expect(applyToPastOrders(past, order('a', 2, 'CANCELED'))).toBe(past);
  });
});

describe('A104: notifications', () => {
  const notification = (id: string, readAt: string | null = null, createdAt = onDay(20)) =>
    ({ id, readAt, createdAt }) as Notification;
  test('the newest comes first, the list is bounded', () => {
    const held = Array.from({ length: notificationsLimit }, (_, index) => notification(`${index}`));
    const after = applyToNotifications(held, notification('new', null, onDay(21)));
    expect([after.length, after[0]?.id]).toEqual([notificationsLimit, 'new']);
  });
  test('older ones that another tab marks as read take no place of the newest', () => {
    const held = Array.from({ length: notificationsLimit }, (_, index) =>
      notification(`${99 - index}`, null, onDay(20)),
    );
    expect(applyToNotifications(held, notification('old', onDay(21), onDay(19)))).toBe(held);
    expect(applyToNotifications(held.slice(1), notification('old', null, onDay(19))).at(-1)?.id).toBe('old');
    // A part of a second is later than the whole one.
    const later = notification('later', null, '2026-11-20T10:00:00.5+00:00');
    expect(applyToNotifications(held, later)[0]).toBe(later);
  });
  test('a read notification stays read, whatever arrives late', () => {
    const read = applyToNotifications([notification('a')], notification('a', '2026-11-19T10:00:00Z'));
    expect(read[0]?.readAt).not.toBeNull();
    expect(applyToNotifications(read, notification('a'))).toBe(read);
  });
});
