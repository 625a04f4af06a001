/**
 * A list of a user's records: a table, on a phone one block per row. It reads one page at a time, again every 30 s while
 * visible, and distinguishes loading, empty, out of date and failed.
 */
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import {
  type Column,
  DataTable,
  EmptyPage,
  type Identified,
  TableFooter,
  useFrozenRows,
  useRowFreeze,
  WaitingChanges,
} from '../../../shared/table/index.ts';
import { EmptyState } from '../../../shared/ui/index.ts';

const refetchMs = 30_000;
export const pageRows = 50;

export interface ReadPage<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

export interface RowsPanelProps<Row> {
  /** `Ledger`. */
  readonly title: string;
  /** For screen readers: what the rows are and their order. */
  readonly caption: string;
  /** `entries`. */
  readonly what: string;
  /** `entry`. */
  readonly one: string;
  readonly queryKey: QueryKey;
  readonly read: (from: number, signal: AbortSignal) => Promise<ReadPage<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly page: number;
  readonly onPage: (page: number) => void;
  readonly empty: { readonly title: string; readonly text: string };
  readonly failed: string;
  /** Controls at the right of the header. */
  readonly tools?: ReactNode;
}

export function RowsPanel<Row extends Identified>(props: RowsPanelProps<Row>) {
  const { title, caption, what, one, queryKey, read, columns, page, onPage, empty, failed, tools } = props;
  const { isFrozen, handlers } = useRowFreeze();
  const key = [...queryKey, page];
  const reading = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => ({
      scope: JSON.stringify(key),
      ...(await read((page - 1) * pageRows, signal)),
    }),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs,
  });
  const { data } = reading;
  const { rows, waiting, show } = useFrozenRows(data?.rows, data?.scope ?? '', isFrozen);
  return (
    <section aria-label={title} tabIndex={-1} className="panel overflow-hidden outline-none">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
        <h2 className="text-14 leading-8 font-semibold">{title}</h2>
        <WaitingChanges count={waiting} onShow={show} />
        {tools === undefined ? null : <div className="ml-auto flex items-center gap-2">{tools}</div>}
      </div>
      <DataTable
        caption={caption}
        columns={columns}
        rows={rows}
        reading={reading}
        failed={failed}
        empty={
          data?.total === 0 ? (
            <EmptyState title={empty.title}>{empty.text}</EmptyState>
          ) : (
            <EmptyPage what={what} onFirst={() => onPage(1)} />
          )
        }
        freeze={handlers}
        className="min-h-64"
      />
      {data === undefined ? null : (
        <TableFooter
          what={what}
          one={one}
          page={page}
          pageRows={pageRows}
          total={data.total}
          onPage={onPage}
          reading={reading}
        />
      )}
    </section>
  );
}
