/**
 * The request that is being answered, known wherever its work goes on: its id is in the answer's `x-request-id`, in each line of
 * the log and in each row of the audit log that it makes. Invariant: an id is made here and never taken from a client, so a
 * row's id leads to one request of this server.
 *
 * Known limitation: what is queued for a later moment belongs to no request unless it takes the id along, as commands of
 * the engine do.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

const requests = new AsyncLocalStorage<string | null>();

export const newRequestId = (): string => randomUUID();

/** Null outside of any request: at the start, on a timer, in the operator's tools. */
export const currentRequestId = (): string | null => requests.getStore() ?? null;

export const withinRequest = <T>(id: string, work: () => T): T => requests.run(id, work);

/** For what a request sets going that is not its own: it goes on for others after it. */
export const outsideRequests = <T>(work: () => T): T => requests.run(null, work);
