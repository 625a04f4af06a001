/**
 * Single flight of requests to providers: identical ones share one; the number of running and of waiting requests is limited.
 * Invariant: whatever the outcome of a request, its slot goes to the next one.
 */
import { createFairQueue } from '../../../platform/fair-queue.ts';

interface SingleFlight<Result> {
  /** The result of `work`, or of the one under way for the same key. @throws AppError busy when too many wait */
  join(key: string, work: () => Promise<Result>): Promise<Result>;
}

export function createSingleFlight<Result>(limits: {
  readonly underWay: number;
  readonly waiting: number;
}): SingleFlight<Result> {
  const { underWay: runningMax, waiting: waitingMax } = limits;
  const flights = new Map<string, Promise<Result>>();
  const withSlot = createFairQueue({ runningMax, waitingMax, waitingOfOneMax: waitingMax });
  return {
    join(key, work) {
      const known = flights.get(key);
      if (known) return known;
      const flight = withSlot('', work).finally(() => flights.delete(key));
      flights.set(key, flight);
      return flight;
    },
  };
}
