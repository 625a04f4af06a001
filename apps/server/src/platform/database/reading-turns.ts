/**
 * Turns for statements whose cost their caller decides, by a filter, an order or how much they keep: rows of `/rest/v1` and the lists
 * of staff. Invariant: they leave connections for everything else (sign-in, commands, `/health`), and nobody has so many at once
 * that the others wait for all of theirs.
 *
 * Known limitation: a turn is not a connection; a list that asks two things at once takes two for its one turn.
 */
import { createFairQueue, type FairQueue } from '../fair-queue.ts';

/** Beside the pool of `pool.ts`. A page asks for a dozen things at once, and a script for a hundred a second. */
const limits = { runningMax: 8, runningOfOneMax: 3, waitingMax: 2_000, waitingOfOneMax: 1_000 };

export const createReadingTurns = (): FairQueue => createFairQueue(limits);
