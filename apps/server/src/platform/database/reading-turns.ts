/**
 * Turns for statements whose cost their caller decides, by a filter, an order or how much they keep: rows of `/rest/v1` and the lists
 * of staff. Invariant: they leave connections for everything else (sign-in, commands, `/health`), and nobody has so many at once
 * that the others wait for all of theirs. What runs in a turn takes one connection of the pool: it asks one thing after the other.
 *
 * Known limitations: three people whose reads last can hold every turn, each for as long as a statement may take; who comes next
 * waits for the first of them that ends. Other work has turns of its own beside these eight of the pool's sixteen: analytics two, files of
 * positions two, uploads four and chats four, the last two for one statement at a time. All of it at once takes every connection
 * for a moment. Who stops waiting keeps their place.
 */
import { createFairQueue, type FairQueue } from '../fair-queue.ts';

/** Beside the pool of `pool.ts`. A page asks for a dozen things at once, and a script for a hundred a second. */
const limits = { runningMax: 8, runningOfOneMax: 3, waitingMax: 2_000, waitingOfOneMax: 1_000 };

export const createReadingTurns = (): FairQueue => createFairQueue(limits);
