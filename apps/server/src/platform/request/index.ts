/**
 * The current request, available wherever its work continues: its id is in the response's `x-request-id`, in each line of
 * the log and in each row of the audit log. Invariant: the server creates the id and never takes one from a client, so a
 * row's id leads to one request.
 *
 * Known limitation: queued work belongs to no request unless it carries the id, as commands of the engine do.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

const requests = new AsyncLocalStorage<string | null>();

export const newRequestId = (): string => randomUUID();

/** Null outside of a request: at the start, on a timer, in the operator's tools. */
export const currentRequestId = (): string | null => requests.getStore() ?? null;

export const withinRequest = <T>(id: string, work: () => T): T => requests.run(id, work);

/** Continues the work of a request, here or of another process; null is none. */
export const withinRequestOrNone = <T>(id: string | null, work: () => T): T => requests.run(id, work);

/** Runs shared work that a request starts, and that continues for others after it. */
export const outsideRequests = <T>(work: () => T): T => requests.run(null, work);
