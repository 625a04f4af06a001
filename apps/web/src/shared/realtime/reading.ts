/**
 * Reading a part of the account while changes of it are announced. What is announced between the question and its answer
 * is kept and put over the answer, which may be the older of the two: an answer never takes back what was announced.
 * Limit: 500 changes a reading; with more of them the answer is worth nothing and the question is asked again.
 */
import type { QueryClient } from '@tanstack/react-query';
import type { Notification, Order, Position, Wallet } from '../supabase/rows.ts';

/** A row as it became. */
export type AccountChange =
  | { readonly table: 'wallets'; readonly row: Wallet }
  | { readonly table: 'positions'; readonly row: Position }
  | { readonly table: 'orders'; readonly row: Order }
  | { readonly table: 'notifications'; readonly row: Notification };

interface Reading {
  readonly changes: AccountChange[];
  isOverflown: boolean;
}

export const mostChanges = 500;
const mostAttempts = 3;

const underWay = new WeakMap<QueryClient, Set<Reading>>();

/** Tells every reading under way of a change. */
export function noteChange(cache: QueryClient, change: AccountChange): void {
  for (const reading of underWay.get(cache) ?? []) {
    if (reading.changes.length < mostChanges) reading.changes.push(change);
    else reading.isOverflown = true;
  }
}

/** What `read` answers, with what was announced meanwhile put over it. */
export async function readUnder<Answer>(
  cache: QueryClient,
  read: () => Promise<Answer>,
  drain: (answer: Answer, change: AccountChange) => Answer,
): Promise<Answer> {
  const readings = underWay.get(cache) ?? new Set<Reading>();
  underWay.set(cache, readings);
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const reading: Reading = { changes: [], isOverflown: false };
    readings.add(reading);
    try {
      const answer = await read();
      if (!reading.isOverflown) return reading.changes.reduce(drain, answer);
    } finally {
      readings.delete(reading);
    }
  }
  throw new Error('The account changes faster than it can be read');
}
