/** A table of the panel, limited by the panel's filter. Having no rows differs from having none that match. */
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo } from 'react';
import { setPreference } from '../../../shared/preferences/index.ts';
import type { Order, Position } from '../../../shared/supabase/index.ts';
import {
  type Column,
  DataTable,
  type DataTableProps,
  type Identified,
  type Reading,
} from '../../../shared/table/index.ts';
import { allDays, isAllDays } from '../../../shared/time/day-range.ts';
import { Button, EmptyState } from '../../../shared/ui/index.ts';
import type { DayRange } from './DaysMenu.tsx';
import { tableStyles } from './PositionFigures.tsx';
import { type SortValues, useSortedRows } from './sorting.ts';
import type { StepsOf } from './steps.ts';

/** The rows of one pair, or all of them. Returns the same array when nothing is filtered out. */
const filterByPair = <Row extends { readonly symbol: string }>(
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

/** The rows that match the panel's filter, and how many there are without it. */
export interface PanelRows<Row> extends Reading {
  /** Undefined while they are being read. */
  readonly rows: readonly Row[] | undefined;
  readonly total: number;
}

/** The rows of a list that belong to one pair. */
export function usePairRows<Row extends { readonly symbol: string }>(
  list: UseQueryResult<readonly Row[]>,
  only: string | null,
): PanelRows<Row> {
  const { data, isError, isFetching, refetch } = list;
  const rows = useMemo(() => data && filterByPair(data, only), [data, only]);
  return { rows, total: data?.length ?? 0, isError, isFetching, refetch };
}

export interface RowListProps<Row extends Identified, Options = RowOptions> {
  readonly table: PanelTable<Row, Options>;
  readonly list: PanelRows<Row>;
  /** The pair that the panel is limited to. */
  readonly only: string | null;
  /** The days that a history is limited to. */
  readonly dayRange?: DayRange;
  readonly options: Options;
  /** A press on a table's row, beside its controls; stable. */
  readonly onPress?: (row: Row) => void;
}

interface NoRowsProps {
  readonly table: Pick<PanelTable<Identified>, 'none' | 'hint'>;
  readonly only: string | null;
  readonly dayRange: DayRange | undefined;
  readonly total: number;
}

function NoRows({ table: { none, hint }, only, dayRange, total }: NoRowsProps) {
  if (total === 0) return <EmptyState title={none}>{hint}</EmptyState>;
  const title = only === null ? none : `${none} in ${only}`;
  if (dayRange && !isAllDays(dayRange.days)) {
    const { from, to } = dayRange.days;
    return (
      <EmptyState
        title={`${title} in these days`}
        action={<Button onClick={() => dayRange.onChange(allDays)}>Show all days</Button>}
      >
        {from !== null && to !== null && from > to ? 'The first day is after the last one.' : null}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={title}
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
  dayRange,
  options,
  onPress,
}: RowListProps<Row, Options>) {
  const { caption, failed, createColumns, Card, fixedWidths = false, sortValues } = table;
  const sorting = useSortedRows(list.rows, sortValues);
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
      empty={<NoRows table={table} only={only} dayRange={dayRange} total={list.total} />}
      placeholders={3}
      // The tab's panel scrolls, beneath the table's header.
      className="!overflow-visible"
      tableClassName={fixedWidths ? `${tableStyles} @min-[1100px]:table-fixed` : tableStyles}
      {...(onPress && { onPress })}
      cellClassName=""
      listClassName="flex flex-col gap-2.5"
      cardClassName="panel px-3.5 py-3"
    />
  );
}
