/**
 * Single flight of requests to providers: identical ones share one; the number of running and of waiting requests is limited.
 * Invariant: whatever the outcome of a request, its slot goes to the next one.
 */
import { busy } from '@fulcrum/contract';

export interface SingleFlight<Result> {
  /** The result of `work`, or of the one under way for the same key. @throws AppError busy when too many wait */
  join(key: string, work: () => Promise<Result>): Promise<Result>;
}

export function createSingleFlight<Result>(limits: {
  readonly underWay: number;
  readonly waiting: number;
}): SingleFlight<Result> {
  const flights = new Map<string, Promise<Result>>();
  const waiting: (() => void)[] = [];
  let underWay = 0;

  async function runInSlot(work: () => Promise<Result>): Promise<Result> {
    // The finished request passes its slot on, so that no other request takes it first.
    if (underWay < limits.underWay) underWay += 1;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else underWay -= 1;
    }
  }

  return {
    async join(key, work) {
      const known = flights.get(key);
      if (known) return known;
      if (underWay >= limits.underWay && waiting.length >= limits.waiting) throw busy();
      const flight = runInSlot(work).finally(() => flights.delete(key));
      flights.set(key, flight);
      return flight;
    },
  };
}
