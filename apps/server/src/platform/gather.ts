/**
 * Gathers calls into one: what is asked in a turn goes together, and what is asked while `run` is under way goes with the next. So one
 * statement serves all who wait, and at most one is under way.
 *
 * Known limitation: a statement that hangs holds up all who wait, until the database's own limit ends it.
 */
interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** `run` returns a result for each item, in their order; what it throws rejects them all. */
export function createGather<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  { itemsMax }: { readonly itemsMax: number },
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;

  async function runNext(): Promise<void> {
    const taken = waiting.splice(0, itemsMax);
    try {
      const results = await run(taken.map(({ item }) => item));
      // Sound: `run` returns as many results as it was given items.
      for (const [index, { resolve }] of taken.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
    if (waiting.length > 0) void runNext();
    else isRunning = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      setImmediate(() => void runNext());
    });
}
