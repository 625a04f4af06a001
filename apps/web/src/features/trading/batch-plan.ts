/**
 * What a question about many rows is about at this moment. It was asked of certain rows: one that came later is not touched,
 * one that went meanwhile is said to be gone, one that cannot be acted on now is named and left alone.
 */
import type { Outcome } from './batch.ts';

export type PlanRow<Item, Done> =
  | { readonly kind: 'ready' | 'blocked' | 'pending' | 'gone'; readonly item: Item }
  | { readonly kind: 'done'; readonly item: Item; readonly done: Done }
  | { readonly kind: 'failed'; readonly item: Item; readonly reason: string };

interface Asked<Item, Done> {
  /** The rows that the question names, as they were. */
  readonly asked: readonly Item[];
  /** Those that there are now. */
  readonly live: readonly Item[];
  readonly outcomes: ReadonlyMap<string, Outcome<Done>>;
  /** Cannot be acted on now, such as a position of a closed market. */
  readonly isBlocked: (item: Item) => boolean;
}

export function planOf<Item extends { readonly id: string }, Done>({
  asked,
  live,
  outcomes,
  isBlocked,
}: Asked<Item, Done>): readonly PlanRow<Item, Done>[] {
  const present = new Map(live.map((item) => [item.id, item]));
  return asked.map((was): PlanRow<Item, Done> => {
    const outcome = outcomes.get(was.id);
    const item = present.get(was.id);
    if (outcome?.kind === 'done') return { kind: 'done', item: was, done: outcome.done };
    if (outcome?.kind === 'pending') return { kind: 'pending', item: item ?? was };
    // A lost answer: whatever was said, it is not there any more.
    if (!item) return { kind: 'gone', item: was };
    if (isBlocked(item)) return { kind: 'blocked', item };
    if (outcome?.kind === 'failed') return { kind: 'failed', item, reason: outcome.reason };
    return { kind: 'ready', item };
  });
}

/** What can be sent now: what was not sent yet, and what failed. */
export const sendable = <Item, Done>(rows: readonly PlanRow<Item, Done>[]): readonly Item[] =>
  rows.filter(({ kind }) => kind === 'ready' || kind === 'failed').map(({ item }) => item);

/** `3 closed, 1 not: ETHUSDT short: Price is stale.` */
export function outcomeText<Item, Done>(
  rows: readonly PlanRow<Item, Done>[],
  done: string,
  nameOf: (item: Item) => string,
): string {
  const failed = rows.filter((row) => row.kind === 'failed');
  const count = rows.filter(({ kind }) => kind === 'done').length;
  const reasons = new Set(failed.map(({ reason }) => reason));
  const [first] = failed;
  if (!first) return `${count} ${done}.`;
  const head = `${count} ${done}, ${failed.length} not`;
  if (failed.length === 1) return `${head}: ${nameOf(first.item)}: ${first.reason}`;
  return reasons.size === 1 ? `${head}: ${first.reason}` : `${head}.`;
}
