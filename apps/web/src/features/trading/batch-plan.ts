/**
 * The rows of a batch confirmation at this moment. The confirmation covers only the rows it was opened with: a later
 * row is left out, a row that is gone is listed as gone, and a blocked row is listed and skipped.
 */
import type { Outcome } from './batch.ts';

export type PlanRow<Item, Done> =
  | { readonly kind: 'ready' | 'blocked' | 'pending' | 'gone'; readonly item: Item }
  | { readonly kind: 'done'; readonly item: Item; readonly done: Done }
  | { readonly kind: 'failed'; readonly item: Item; readonly reason: string };

interface PlanInput<Item, Done> {
  /** The rows that the confirmation lists, as they were when it opened. */
  readonly selected: readonly Item[];
  /** The current rows. */
  readonly live: readonly Item[];
  readonly outcomes: ReadonlyMap<string, Outcome<Done>>;
  /** Returns true for a row that cannot be changed now, such as a position of a closed market. */
  readonly isBlocked: (item: Item) => boolean;
}

export function buildPlan<Item extends { readonly id: string }, Done>({
  selected,
  live,
  outcomes,
  isBlocked,
}: PlanInput<Item, Done>): readonly PlanRow<Item, Done>[] {
  const present = new Map(live.map((item) => [item.id, item]));
  return selected.map((was): PlanRow<Item, Done> => {
    const outcome = outcomes.get(was.id);
    const item = present.get(was.id);
    if (outcome?.kind === 'done') return { kind: 'done', item: was, done: outcome.done };
    if (outcome?.kind === 'pending') return { kind: 'pending', item: item ?? was };
    // Applies to a lost answer too: the row no longer exists.
    if (!item) return { kind: 'gone', item: was };
    if (isBlocked(item)) return { kind: 'blocked', item };
    if (outcome?.kind === 'failed') return { kind: 'failed', item, reason: outcome.reason };
    return { kind: 'ready', item };
  });
}

/** The rows to send now: those not sent yet, and those that failed. */
export const getSendable = <Item, Done>(rows: readonly PlanRow<Item, Done>[]): readonly Item[] =>
  rows.filter(({ kind }) => kind === 'ready' || kind === 'failed').map(({ item }) => item);

/** `3 closed, 1 not: ETHUSDT short: Price is stale.` */
export function formatOutcome<Item, Done>(
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
