/** Texts and order of a bulk action's report: refused users come first. */
import { pluralize } from '../../../shared/numbers/pluralize.ts';
import type { BulkKind, ReportRow } from './bulk.ts';

/** A bulk action as the user reads it. A move adds members of a class to another class, and archives their accounts of the first. */
export type BulkAction = BulkKind | 'move';

export const toBulkAction = (kind: BulkKind, isInClass: boolean): BulkAction =>
  kind === 'class' && isInClass ? 'move' : kind;

const outcomeRanks = { refused: 0, unchanged: 1, done: 2 } as const satisfies Record<
  ReportRow['outcome'],
  number
>;

export const sortByOutcome = (rows: readonly ReportRow[]): readonly ReportRow[] =>
  rows.toSorted((a, b) => outcomeRanks[a.outcome] - outcomeRanks[b.outcome]);

const doneLabels = {
  assign: { ofMany: 'changed', ofOne: 'Changed' },
  restrict: { ofMany: 'restricted', ofOne: 'Restricted' },
  lift: { ofMany: 'may trade again', ofOne: 'May trade again' },
  funds: { ofMany: 'changed', ofOne: 'Changed' },
  reset: { ofMany: 'reset', ofOne: 'Reset' },
  class: { ofMany: 'added', ofOne: 'Added' },
  move: { ofMany: 'moved', ofOne: 'Moved' },
  invite: { ofMany: 'invited again', ofOne: 'Invited again' },
} as const satisfies Record<BulkAction, { ofMany: string; ofOne: string }>;

export const outcomeLabel = (outcome: ReportRow['outcome'], action: BulkAction): string =>
  outcome === 'refused' ? 'Refused' : outcome === 'unchanged' ? 'Unchanged' : doneLabels[action].ofOne;

export const countOutcome = (rows: readonly ReportRow[], outcome: ReportRow['outcome']): number =>
  rows.filter((row) => row.outcome === outcome).length;

/** `17 users change, 1 is unchanged, 2 are refused.` */
export function formatPreview(rows: readonly ReportRow[]): string {
  const [done, unchanged, refused] = (['done', 'unchanged', 'refused'] as const).map((outcome) =>
    countOutcome(rows, outcome),
  );
  const parts = [done === 1 ? '1 user changes' : `${pluralize(done ?? 0, 'user')} change`];
  if (unchanged) parts.push(unchanged === 1 ? '1 stays unchanged' : `${unchanged} stay unchanged`);
  if (refused) parts.push(refused === 1 ? '1 is refused' : `${refused} are refused`);
  return `${parts.join(', ')}.`;
}

/** `17 users restricted, 1 unchanged, 2 refused.` */
export function formatSummary(rows: readonly ReportRow[], action: BulkAction): string {
  const [refused, unchanged] = [countOutcome(rows, 'refused'), countOutcome(rows, 'unchanged')];
  const parts = [`${pluralize(countOutcome(rows, 'done'), 'user')} ${doneLabels[action].ofMany}`];
  if (unchanged > 0) parts.push(`${unchanged} unchanged`);
  if (refused > 0) parts.push(`${refused} refused`);
  return `${parts.join(', ')}.`;
}

export const refusedIds = (rows: readonly ReportRow[]): readonly string[] =>
  rows.filter(({ outcome }) => outcome === 'refused').map(({ user_id }) => user_id);
