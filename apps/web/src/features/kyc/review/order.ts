/** The order of the queue, kept in this browser: newest first (KYC-22), unless the reviewer chose the oldest. */
import { useSyncExternalStore } from 'react';
import { createListeners } from '../../../shared/listeners/listeners.ts';
import { getStored, setStored } from '../../../shared/storage/index.ts';

const key = 'fulcrum-kyc-order';
const oldest = 'oldest';
const { subscribe, notify } = createListeners();

const isOldestFirst = (): boolean => getStored(key) === oldest;

export function storeOrder(isOldest: boolean): void {
  setStored(key, isOldest ? oldest : 'newest');
  notify();
}

export const useOldestFirst = (): boolean => useSyncExternalStore(subscribe, isOldestFirst);
