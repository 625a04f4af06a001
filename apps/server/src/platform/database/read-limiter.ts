/**
 * Limits concurrent statements whose cost the caller decides by a filter, an order or a large table: rows of `/rest/v1` and
 * the lists of staff. Invariant: they leave connections for sign-in, commands and `/health`, and one user cannot hold all
 * slots. Work in a slot uses one connection: its statements run in sequence.
 *
 * Known limitations: three users with long reads can hold every slot, each for as long as a statement timeout; the next
 * caller waits for the first that ends. Other work has limits beside these eight of the pool's sixteen connections:
 * analytics two, files of positions two, uploads four, chats four (the last two for one statement each). All of it at once
 * uses every connection for a moment. A caller that stops waiting keeps its place in the queue.
 */
import { createFairQueue, type FairQueue } from '../fair-queue.ts';

/** Bounds beside the pool of `pool.ts`. A page sends a dozen requests at once, and a script a hundred a second. */
const limits = { runningMax: 8, runningOfOneMax: 3, waitingMax: 2_000, waitingOfOneMax: 1_000 };

export const createReadLimiter = (): FairQueue => createFairQueue(limits);
