/** What a table declares once for its head, cells, placeholders and phone cards. */
import type { ReactNode } from 'react';
import type { Identified } from './useFrozenRows.ts';

/**
 * A cell's place on a phone card: at the start or the end of a numbered row; a line with its name beneath the rows, beside others
 * or alone (`wide line`); the card's edge. Several columns may share a place.
 */
export type CardSlot = `${1 | 2 | 3 | 4} ${'start' | 'end'}` | 'line' | 'wide line' | 'edge';

export interface Column<Row, Sort extends string = never> {
  /** The header's text, unique in the table. */
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** CSS width of the placeholder. */
  readonly width: string;
  readonly numeric?: boolean;
  /** The order that the header requests. */
  readonly sort?: Sort | undefined;
  /** The whole text of a cell that may be truncated. */
  readonly tooltip?: (row: Row) => string | undefined;
  /** Classes of the header and the cells. */
  readonly className?: string;
  readonly cellClassName?: string;
  /** Stays at the right edge of a table that scrolls sideways. Only screen readers read the header. */
  readonly isPinned?: boolean;
  /** Left out: not on the card. */
  readonly card?: CardSlot;
  /** The cell on the card, where it differs; null leaves it out. */
  readonly cardCell?: (row: Row) => ReactNode;
  /** The name of the card's line, where it differs from the header. */
  readonly cardLabel?: string;
  /** Of a column that the user may hide or show (`ColumnsMenu`): what it is by default. Left out: always shown. */
  readonly choice?: 'shown' | 'hidden';
}

/** By the column's header: whether it is shown, where that differs from the default. */
export type ColumnChoice = Record<string, boolean>;
export type ChoosableColumn = Pick<Column<never>, 'head' | 'choice'>;

export const isColumnShown = ({ head, choice }: ChoosableColumn, chosen: ColumnChoice): boolean =>
  choice === undefined || (chosen[head] ?? choice === 'shown');

/** Rows marked for an action on all of them. */
export interface RowSelection<Row extends Identified> {
  readonly selected: ReadonlySet<Row['id']>;
  readonly mark: (ids: readonly Row['id'][], as: 'selected' | 'not selected') => void;
  /** `Select zoe.martin`. */
  readonly label: (row: Row) => string;
  /** Absent: every row can be selected. */
  readonly canSelect?: (row: Row) => boolean;
}

/** The state of the read behind the rows; the result of a query is one. */
export interface Reading {
  readonly isError: boolean;
  readonly isFetching: boolean;
  /** Whether the rows belong to the previous page or filter. */
  readonly isPlaceholderData?: boolean;
  readonly refetch: () => unknown;
}
