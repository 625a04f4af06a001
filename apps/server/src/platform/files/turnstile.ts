/**
 * Lets a fixed number through at a time; the others wait in order. Bytes of files go to and from PostgreSQL through it, so
 * that many transfers cannot take all connections away from everybody else.
 *
 * Known limitation: the queue has no limit of its own. Who calls bounds it: each transfer waits for one turn at a time, and
 * the number of transfers is limited (features/files).
 */
export function createTurnstile(atOnceMax: number): <T>(work: () => Promise<T>) => Promise<T> {
  let inside = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (inside < atOnceMax) inside += 1;
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await work();
    } finally {
      // The place of who leaves goes to the first in line; `inside` stays as it is.
      const next = waiting.shift();
      if (next) next();
      else inside -= 1;
    }
  };
}
