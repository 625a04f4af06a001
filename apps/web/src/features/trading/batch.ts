/**
 * Sends one command for each of many rows, a few at a time. Each row has its own outcome, and failed rows can be
 * retried without repeating finished ones. Invariant: an item that is done or in flight is never sent a second time.
 * Limit: `concurrencyMax` in flight; stopping lets those finish and skips the rest.
 */
import { useCallback, useRef, useState } from 'react';

const concurrencyMax = 4;

export type Outcome<Done> =
  | { readonly kind: 'pending' }
  | { readonly kind: 'done'; readonly done: Done }
  | { readonly kind: 'failed'; readonly reason: string };

/** Runs `execute` over all items in order, with at most `limit` in flight, until `isStopped`. `execute` must not reject. */
export async function forEachLimited<Item>(
  items: readonly Item[],
  limit: number,
  execute: (item: Item) => Promise<void>,
  isStopped: () => boolean,
): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) {
      if (isStopped()) return;
      await execute(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}

interface BatchCommand<Item, Done> {
  readonly execute: (item: Item) => Promise<Done>;
  /** Returns the failure's text for the user. */
  readonly toReason: (cause: unknown) => string;
}

/** Outcomes by the items' ids; an item without one has not been sent. */
export function useBatch<Item extends { readonly id: string }, Done>({
  execute,
  toReason,
}: BatchCommand<Item, Done>) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome<Done>>>(new Map());
  const [running, setRunning] = useState(false);
  const latest = useRef(outcomes);
  const stopped = useRef(false);
  /** In addition to `running`, which a second click within the same frame does not see yet. */
  const isRunning = useRef<boolean>(false);

  const setOutcome = (id: string, outcome: Outcome<Done>) => {
    latest.current = new Map(latest.current).set(id, outcome);
    setOutcomes(latest.current);
  };
  const executeOne = async (item: Item) => {
    setOutcome(item.id, { kind: 'pending' });
    try {
      setOutcome(item.id, { kind: 'done', done: await execute(item) });
    } catch (cause) {
      setOutcome(item.id, { kind: 'failed', reason: toReason(cause) });
    }
  };
  /** Sends the `items` that are not done; resolves with all outcomes so far. */
  const run = async (items: readonly Item[]): Promise<ReadonlyMap<string, Outcome<Done>>> => {
    if (isRunning.current) return latest.current;
    isRunning.current = true;
    stopped.current = false;
    setRunning(true);
    const open = items.filter(({ id }) => latest.current.get(id)?.kind !== 'done');
    await forEachLimited(open, concurrencyMax, executeOne, () => stopped.current);
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
