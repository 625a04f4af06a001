/**
 * Hashes one password of an address at a time (A118): guessing the passwords of many accounts is slow, and never locks out
 * other users behind the address. The queue alternates between accounts, so guesses of one account delay the others once.
 * Correct passwords of one account are also not counted as guesses while their hashes are computed. Invariants: nothing
 * reads the database before its slot; the queue is bounded per address and in all; beyond it a caller receives `busy`.
 *
 * Known limitation: requests for ever other accounts can fill all places of their own address. A correct password then has
 * to retry.
 */
import { busy } from '@fulcrum/contract';
import { createFairQueue, type FairQueue } from '../../platform/fair-queue.ts';
import type { Limits } from '../../platform/limits/index.ts';

/** How many addresses can take all of their places before others have to ask again. */
const fullQueuesMax = 10;

type AddressQueues = <T>(address: string, account: string, work: () => Promise<T>) => Promise<T>;

export function createAddressQueues(
  limits: Pick<Limits, 'signInsWaitingOfAddress' | 'signInsWaitingOfAccountFromAddress'>,
): AddressQueues {
  const waitingMax = limits.signInsWaitingOfAddress.most;
  const waitingOfOneMax = limits.signInsWaitingOfAccountFromAddress.most;
  /** Queues by address while requests are pending; an address without an entry is free. */
  const queues = new Map<string, { readonly enqueue: FairQueue; pending: number }>();
  let waiting = 0;

  return async (address, account, work) => {
    const queue = queues.get(address) ?? {
      enqueue: createFairQueue({ runningMax: 1, waitingMax, waitingOfOneMax }),
      pending: 0,
    };
    const waits = queue.pending > 0;
    if (waits && waiting >= fullQueuesMax * waitingMax) throw busy();
    queues.set(address, queue);
    queue.pending += 1;
    if (waits) waiting += 1;
    try {
      return await queue.enqueue(account, work);
    } finally {
      if (waits) waiting -= 1;
      queue.pending -= 1;
      if (queue.pending === 0) queues.delete(address);
    }
  };
}
