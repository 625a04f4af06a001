/**
 * Reads a part of the account while changes are announced. Changes announced between request and answer are stored and applied
 * to the answer, which may be older: an answer never reverts an announced change. Limit: 500 changes during a read; with more
 * the answer is discarded and the read repeated.
 */
import type { QueryClient } from '@tanstack/react-query';
import type { Notification, Order, Position, Wallet } from '../supabase/rows.ts';

/** A changed row. */
export type AccountChange =
  | { readonly table: 'wallets'; readonly row: Wallet }
  | { readonly table: 'positions'; readonly row: Position }
  | { readonly table: 'orders'; readonly row: Order }
  | { readonly table: 'notifications'; readonly row: Notification };

interface PendingRead {
  readonly changes: AccountChange[];
  isOverflown: boolean;
}

export const changesMax = 500;
const attemptsMax = 3;

const pendingReads = new WeakMap<QueryClient, Set<PendingRead>>();

/** Adds a change to all running reads. */
export function recordChange(cache: QueryClient, change: AccountChange): void {
  for (const pendingRead of pendingReads.get(cache) ?? []) {
    if (pendingRead.changes.length < changesMax) pendingRead.changes.push(change);
    else pendingRead.isOverflown = true;
  }
}

/** The answer of `read` with the changes announced meanwhile applied to it. */
export async function readWithChanges<Answer>(
  cache: QueryClient,
  read: () => Promise<Answer>,
  drain: (answer: Answer, change: AccountChange) => Answer,
): Promise<Answer> {
  const reads = pendingReads.get(cache) ?? new Set<PendingRead>();
  pendingReads.set(cache, reads);
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const pendingRead: PendingRead = { changes: [], isOverflown: false };
    reads.add(pendingRead);
    try {
      const answer = await read();
      if (!pendingRead.isOverflown) return pendingRead.changes.reduce(drain, answer);
    } finally {
      reads.delete(pendingRead);
    }
  }
  throw new Error('The account changes faster than it can be read');
}
