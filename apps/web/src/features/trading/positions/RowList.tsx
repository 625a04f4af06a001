/** A table of the panel, limited to one pair on request. Having no rows differs from having none of that pair. */
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo } from 'react';
import { setPreference } from '../../../shared/preferences/index.ts';
import type { Order, Position } from '../../../shared/supabase/index.ts';
import { type Column, DataTable, type DataTableProps, type Identified } from '../../../shared/table/index.ts';
import { Button, EmptyState } from '../../../shared/ui/index.ts';
import { tableStyles } from './PositionFigures.tsx';
import { type SortValues, useSortedRows } from './sorting.ts';
import type { StepsOf } from './steps.ts';

/** The rows of one pair, or all of them. Returns the same array when nothing is filtered out. */
export const filterByPair = <Row extends { readonly symbol: string }>(
  rows: readonly Row[],
  only: string | null,
): readonly Row[] => (only === null ? rows : rows.filter(({ symbol }) => symbol === only));

/** The count on a tab: `3`, or `1/3` while one pair is shown. */
export function formatCount(
  rows: readonly { readonly symbol: string }[] | undefined,
  only: string | null,
): string | number | undefined {
  if (!rows || only === null) return rows?.length;
  return `${filterByPair(rows, only).length}/${rows.length}`;
}

/** What the cells and cards of the panel need. The same object while nothing in it changed, because rows are memoized. */
export interface RowOptions {
  readonly stepsOf: StepsOf;
  readonly onSelect: (symbol: string) => void;
  readonly onProtect: (position: Position) => void;
  readonly onClose: (position: Position, sharePercent?: number) => void;
  readonly onReverse: (position: Position) => void;
  readonly onCancel: (order: Order) => void;
  /** Shows what happened to a liquidated position. */
  readonly onExplain: (position: Position) => void;
}

export interface PanelTable<Row extends Identified, Options = RowOptions>
  extends Pick<DataTableProps<Row>, 'caption' | 'failed'> {
  readonly createColumns: (options: Options) => readonly Column<Row>[];
  readonly Card: (props: Options & { readonly row: Row }) => ReactNode;
  /** The text for no rows, such as `No open positions`. */
  readonly none: string;
  /** Whether each column keeps its width, whatever its rows show. */
  readonly fixedWidths?: boolean;
  /** The columns that sort, by their headers; stable. */
  readonly sortValues?: SortValues<Row>;
  /** Where rows come from, while there are none. */
  readonly hint: ReactNode;
}

export interface RowListProps<Row extends Identified, Options = RowOptions> {
  readonly table: PanelTable<Row, Options>;
  readonly list: UseQueryResult<readonly Row[]>;
  /** The pair that the panel is limited to. */
  readonly only: string | null;
  readonly options: Options;
  /** A press on a table's row, beside its controls; stable. */
  readonly onPress?: (row: Row) => void;
}

interface NoRowsProps {
  readonly table: Pick<PanelTable<Identified>, 'none' | 'hint'>;
  readonly only: string | null;
  readonly total: number;
}

function NoRows({ table: { none, hint }, only, total }: NoRowsProps) {
  if (total === 0) return <EmptyState title={none}>{hint}</EmptyState>;
  return (
    <EmptyState
      title={`${none} in ${only}`}
      action={<Button onClick={() => setPreference('showsPairOnly', false)}>Show all pairs</Button>}
    >
      {total === 1 ? '1 in another pair.' : `${total} in other pairs.`}
    </EmptyState>
  );
}

export function RowList<Row extends Identified & { readonly symbol: string }, Options = RowOptions>({
  table,
  list,
  only,
  options,
  onPress,
}: RowListProps<Row, Options>) {
  const { caption, failed, createColumns, Card, fixedWidths = false, sortValues } = table;
  const { data: rows } = list;
  const shown = useMemo(() => rows && filterByPair(rows, only), [rows, only]);
  const sorting = useSortedRows(shown, sortValues);
  const columns = useMemo(
    (): readonly Column<Row, string>[] =>
      createColumns(options).map((column) => ({
        ...column,
        sort: sortValues?.[column.head] && column.head,
      })),
    [createColumns, options, sortValues],
  );
  const card = useCallback((row: Row) => <Card row={row} {...options} />, [Card, options]);
  return (
    <DataTable
      caption={caption}
      columns={columns}
      card={card}
      {...sorting}
      reading={list}
      failed={failed}
      empty={<NoRows table={table} only={only} total={rows?.length ?? 0} />}
      placeholders={3}
      // The tab's panel scrolls, beneath the table's header.
      className="!overflow-visible"
      tableClassName={fixedWidths ? `${tableStyles} min-[1400px]:table-fixed` : tableStyles}
      {...(onPress && { onPress })}
      cellClassName=""
      listClassName="flex flex-col gap-2.5"
      cardClassName="panel px-3.5 py-3"
    />
  );
}
