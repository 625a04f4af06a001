/**
 * One command for each of many rows, a few at a time, each with an outcome of its own: what failed is told by name and can be
 * asked for again without touching what is done. Invariant: an item that is done or under way is never sent a second time.
 * Limit: `mostAtOnce` under way; stopping lets those finish and leaves the rest as they are.
 */
import { useCallback, useRef, useState } from 'react';

const mostAtOnce = 4;

export type Outcome<Done> =
  | { readonly kind: 'pending' }
  | { readonly kind: 'done'; readonly done: Done }
  | { readonly kind: 'failed'; readonly reason: string };

/** Runs `act` over all items in their order, at most `limit` under way, until `isStopped`. `act` must not reject. */
export async function eachOf<Item>(
  items: readonly Item[],
  limit: number,
  act: (item: Item) => Promise<void>,
  isStopped: () => boolean,
): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) {
      if (isStopped()) return;
      await act(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}

interface Command<Item, Done> {
  readonly act: (item: Item) => Promise<Done>;
  /** Why it failed, for the user. */
  readonly reasonOf: (cause: unknown) => string;
}

/** Outcomes by the items' ids; an item without one has not been sent. */
export function useBatch<Item extends { readonly id: string }, Done>({ act, reasonOf }: Command<Item, Done>) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome<Done>>>(new Map());
  const [running, setRunning] = useState(false);
  const latest = useRef(outcomes);
  const stopped = useRef(false);
  /** Beside `running`, which a second press of the same frame has not seen yet. */
  const isRunning = useRef<boolean>(false);

  const note = (id: string, outcome: Outcome<Done>) => {
    latest.current = new Map(latest.current).set(id, outcome);
    setOutcomes(latest.current);
  };
  const one = async (item: Item) => {
    note(item.id, { kind: 'pending' });
    try {
      note(item.id, { kind: 'done', done: await act(item) });
    } catch (cause) {
      note(item.id, { kind: 'failed', reason: reasonOf(cause) });
    }
  };
  /** Sends those of `items` that are not done; resolves with all outcomes so far. */
  const run = async (items: readonly Item[]): Promise<ReadonlyMap<string, Outcome<Done>>> => {
    if (isRunning.current) return latest.current;
    isRunning.current = true;
    stopped.current = false;
    setRunning(true);
    const open = items.filter(({ id }) => latest.current.get(id)?.kind !== 'done');
    await eachOf(open, mostAtOnce, one, () => stopped.current);
    isRunning.current = false;
    setRunning(false);
    return latest.current;
  };
  const stop = () => {
    stopped.current = true;
  };
  const reset = useCallback(() => {
    latest.current = new Map();
    setOutcomes(latest.current);
  }, []);
  return { outcomes, running, run, stop, reset };
}
