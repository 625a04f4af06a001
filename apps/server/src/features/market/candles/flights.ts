/**
 * Requests to providers: those for the same thing share one, only so many are under way at a time, and only so many wait
 * for their turn. Invariant: whatever a request comes to, its place is given to the next one.
 */
import { busy } from '@fulcrum/contract';

export interface Flights<Result> {
  /** The result of `work`, or of the one under way for the same key. @throws AppError busy when too many wait */
  join(key: string, work: () => Promise<Result>): Promise<Result>;
}

export function createFlights<Result>(limits: {
  readonly underWay: number;
  readonly waiting: number;
}): Flights<Result> {
  const flights = new Map<string, Promise<Result>>();
  const waiting: (() => void)[] = [];
  let underWay = 0;

  async function fly(work: () => Promise<Result>): Promise<Result> {
    // Whoever leaves hands the place on, so that nobody slips in between.
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
      const flight = fly(work).finally(() => flights.delete(key));
      flights.set(key, flight);
      return flight;
    },
  };
}
