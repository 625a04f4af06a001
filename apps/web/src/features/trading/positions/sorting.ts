/**
 * The order of a table in the panel: a header's first press sorts by it, the second reverses, the third returns to the table's own
 * order. Invariant: a figure that follows the market is read when the order is requested or the rows change, so that rows do
 * not move under the pointer while prices do.
 */
import { useMemo, useState } from 'react';
import { reverse, type Sorted } from '../../../shared/table/index.ts';
import { type PriceStream, usePriceStream } from '../../market/index.ts';

type SortValue = number | string | null;
/** By a column's header, what its rows are sorted by. */
export type SortValues<Row> = Readonly<Record<string, (row: Row, stream: PriceStream) => SortValue>>;

/** The order that a press on `head` leads to; null is the table's own. Names start from A, figures from the largest. */
export function toNextOrder(
  current: Sorted<string> | null,
  head: string,
  first: Sorted<string>['order'],
): Sorted<string> | null {
  if (current?.sort !== head) return { sort: head, order: first };
  return current.order === first ? { sort: head, order: reverse(first) } : null;
}

/** Missing values come last in both orders; equal ones keep the table's own order. */
export function compareValues(a: SortValue, b: SortValue, order: Sorted<string>['order']): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const sign = order === 'ascending' ? 1 : -1;
  if (typeof a === 'string' || typeof b === 'string') return sign * `${a}`.localeCompare(`${b}`);
  return sign * (a - b);
}

const noOrder: Sorted<string> = { sort: '', order: 'descending' };
const noValues = {};

export function useSortedRows<Row>(
  rows: readonly Row[] | undefined,
  values: SortValues<Row> = noValues,
): {
  readonly rows: readonly Row[] | undefined;
  readonly sorted: Sorted<string>;
  readonly onSort: (head: string) => void;
} {
  const stream = usePriceStream();
  const [order, setOrder] = useState<Sorted<string> | null>(null);
  const sortedRows = useMemo(() => {
    const toValue = order && values[order.sort];
    if (!rows || !order || !toValue) return rows;
    return rows
      .map((row) => ({ row, value: toValue(row, stream) }))
      .sort((a, b) => compareValues(a.value, b.value, order.order))
      .map(({ row }) => row);
  }, [rows, order, values, stream]);
  const onSort = (head: string) => {
    const sample = rows?.[0] && values[head]?.(rows[0], stream);
    setOrder(toNextOrder(order, head, typeof sample === 'string' ? 'ascending' : 'descending'));
  };
  return { rows: sortedRows, sorted: order ?? noOrder, onSort };
}
