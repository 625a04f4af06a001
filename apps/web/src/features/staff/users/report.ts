/** The report of a bulk act in words and in the order in which it is read: what needs a look comes first. */
import type { BulkKind, ReportRow } from './bulk.ts';
import { counted } from './words.ts';

const places = { refused: 0, unchanged: 1, done: 2 } as const satisfies Record<ReportRow['outcome'], number>;

export const inReadingOrder = (rows: readonly ReportRow[]): readonly ReportRow[] =>
  rows.toSorted((a, b) => places[a.outcome] - places[b.outcome]);

const doneWords = {
  assign: { ofMany: 'changed', ofOne: 'Changed' },
  restrict: { ofMany: 'restricted', ofOne: 'Restricted' },
  lift: { ofMany: 'may trade again', ofOne: 'May trade again' },
} as const satisfies Record<BulkKind, { ofMany: string; ofOne: string }>;

export const outcomeWord = (outcome: ReportRow['outcome'], kind: BulkKind): string =>
  outcome === 'refused' ? 'Refused' : outcome === 'unchanged' ? 'Unchanged' : doneWords[kind].ofOne;

const has = (rows: readonly ReportRow[], outcome: ReportRow['outcome']): number =>
  rows.filter((row) => row.outcome === outcome).length;

/** `17 users restricted, 1 unchanged, 2 refused.` */
export function summary(rows: readonly ReportRow[], kind: BulkKind): string {
  const [refused, unchanged] = [has(rows, 'refused'), has(rows, 'unchanged')];
  const parts = [`${counted(has(rows, 'done'), 'user', 'users')} ${doneWords[kind].ofMany}`];
  if (unchanged > 0) parts.push(`${unchanged} unchanged`);
  if (refused > 0) parts.push(`${refused} refused`);
  return `${parts.join(', ')}.`;
}

export const refusedIds = (rows: readonly ReportRow[]): readonly string[] =>
  rows.filter(({ outcome }) => outcome === 'refused').map(({ user_id }) => user_id);
