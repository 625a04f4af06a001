/**
 * A list of the panel in each state: loading, failed, empty, or without a row of the one shown pair, which differs
 * from empty.
 */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { setPreference } from '../../../shared/preferences/index.ts';
import { Button, EmptyState, ErrorState, SkeletonRows, Table } from '../../../shared/ui/index.ts';

const placeholderRows = 3;

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

interface RowListProps<Row> {
  readonly list: UseQueryResult<readonly Row[]>;
  /** The pair that the panel is limited to. */
  readonly only: string | null;
  readonly head: ReactNode;
  readonly widths: readonly string[];
  readonly caption: string;
  readonly failed: string;
  readonly empty: ReactNode;
  /** The text for no rows of the one pair, such as `No open positions`. */
  readonly none: string;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

export function RowList<Row extends { readonly symbol: string }>({
  list,
  only,
  head,
  widths,
  caption,
  failed,
  empty,
  none,
  children,
}: RowListProps<Row>) {
  const { data: rows, isError, isFetching, refetch } = list;
  if (!rows) {
    if (isError) return <ErrorState title={failed} onRetry={() => refetch()} retrying={isFetching} />;
    return (
      <Table caption={`${caption}, loading`} head={head}>
        <SkeletonRows rows={placeholderRows} widths={widths} />
      </Table>
    );
  }
  if (rows.length === 0) return empty;
  const shown = filterByPair(rows, only);
  if (shown.length > 0) return children(shown);
  return (
    <EmptyState
      title={`${none} in ${only}`}
      action={<Button onClick={() => setPreference('showsPairOnly', false)}>Show all pairs</Button>}
    >
      {rows.length === 1 ? '1 in another pair.' : `${rows.length} in other pairs.`}
    </EmptyState>
  );
}
