/** The order of the queue, kept in this browser: newest first (KYC-22), unless the reviewer chose the oldest. */
import { useSyncExternalStore } from 'react';
import { getStored, setStored } from '../../../shared/storage/index.ts';

const key = 'fulcrum-kyc-order';
const oldest = 'oldest';
const listeners = new Set<() => void>();

const isOldestFirst = (): boolean => getStored(key) === oldest;

export function storeOrder(isOldest: boolean): void {
  setStored(key, isOldest ? oldest : 'newest');
  for (const listener of listeners) listener();
}

export const useOldestFirst = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, isOldestFirst);
