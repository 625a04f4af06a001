/**
 * A list of a user's records: a table, on a phone one block per row. It reads one page at a time, again every 30 s while
 * visible, and distinguishes loading, empty, out of date and failed.
 */
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { log } from '../../../shared/log/log.ts';
import {
  Button,
  EmptyState,
  ErrorState,
  Skeleton,
  SkeletonRows,
  Table,
  Td,
  Th,
  Tr,
  usePhone,
} from '../../../shared/ui/index.ts';
import { StaleNotice } from '../../../shared/ui/StaleNotice.tsx';
import { restoreFocusOnUnmount } from '../../../shared/widget/index.ts';
import { Pager } from './Pager.tsx';
import { type Identified, useFrozenRows, useRowFreeze } from './useFrozenRows.ts';
import { WaitingChanges } from './WaitingChanges.tsx';

const refetchMs = 30_000;
export const pageRows = 50;

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  readonly numeric?: boolean;
  /** CSS width of the placeholder. */
  readonly width: string;
  /** The column's place in a phone's block: title, figure, or a line with its name. Left out: not shown. */
  readonly block?: 'title' | 'figure' | 'line';
  /** Classes of the cell and its header. */
  readonly className?: string;
}

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

function Blocks<Row extends Identified>({
  rows,
  columns,
  caption,
}: {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly caption: string;
}) {
  const columnsIn = (slot: Column<Row>['block']) => columns.filter(({ block }) => block === slot);
  return (
    <ul aria-label={caption}>
      {rows.map((row) => (
        <li key={row.id} className="flex flex-col gap-1 border-b border-line/65 px-4 py-2.5 last:border-b-0">
          <div className="flex items-center justify-between gap-3 text-14">
            {[...columnsIn('title'), ...columnsIn('figure')].map(({ head, cell }) => (
              <span key={head} className="min-w-0">
                {cell(row)}
              </span>
            ))}
          </div>
          <dl className="flex flex-wrap gap-x-4 gap-y-0.5 text-12 text-text-2">
            {columnsIn('line').map(({ head, cell }) => (
              <div key={head} className="flex min-w-0 gap-1.5">
                <dt className="shrink-0 text-text-3">{head}</dt>
                <dd className="min-w-0 wrap-anywhere">{cell(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

function Rows<Row extends Identified>({
  rows,
  columns,
  caption,
}: {
  /** Undefined while loading. */
  readonly rows: readonly Row[] | undefined;
  readonly columns: readonly Column<Row>[];
  readonly caption: string;
}) {
  const phone = usePhone();
  if (phone && rows) return <Blocks rows={rows} columns={columns} caption={caption} />;
  if (phone) {
    return ['a', 'b', 'c', 'd'].map((block) => (
      <div key={block} className="flex h-[72px] flex-col justify-center gap-2 border-b border-line/65 px-4">
        <Skeleton className="h-3.5 w-2/3" />
        <Skeleton className="h-3.5 w-2/5" />
      </div>
    ));
  }
  const numeric = columns.flatMap((column, index) => (column.numeric ? [index] : []));
  return (
    <div className="overflow-x-auto">
      <Table
        caption={caption}
        head={columns.map(({ head, numeric: isNumeric = false, className = '' }) => (
          <Th key={head} numeric={isNumeric} className={className}>
            {head}
          </Th>
        ))}
      >
        {rows === undefined ? (
          <SkeletonRows rows={10} widths={columns.map(({ width }) => width)} numeric={numeric} height={36} />
        ) : (
          rows.map((row) => (
            <Tr key={row.id}>
              {columns.map(({ head, cell, numeric: isNumeric = false, className = '' }) => (
                <Td key={head} numeric={isNumeric} className={`!text-12 text-text-2 ${className}`}>
                  {cell(row)}
                </Td>
              ))}
            </Tr>
          ))
        )}
      </Table>
    </div>
  );
}

export function RowsPanel<Row extends Identified>(props: RowsPanelProps<Row>) {
  const { title, caption, what, one, queryKey, read, columns, page, onPage, empty, failed, tools } = props;
  const { isHeld: isFrozen, handlers } = useRowFreeze();
  const key = [...queryKey, page];
  const { data, isError, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => ({
      scope: JSON.stringify(key),
      ...(await read((page - 1) * pageRows, signal)),
    }),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs,
  });
  const { rows, waiting, show } = useFrozenRows(data?.rows, data?.scope ?? '', isFrozen);
  const retry = () => {
    refetch().catch((cause: unknown) => log.error(`Refreshing ${what} failed`, cause));
  };
  const content = () => {
    if (rows === undefined && isError)
      return <ErrorState title={failed} onRetry={retry} retrying={isFetching} />;
    if (rows?.length === 0 && data?.total === 0)
      return <EmptyState title={empty.title}>{empty.text}</EmptyState>;
    if (rows?.length === 0) {
      return (
        <EmptyState
          title={`No ${what} on this page`}
          action={
            <span ref={restoreFocusOnUnmount}>
              <Button onClick={() => onPage(1)}>First page</Button>
            </span>
          }
        />
      );
    }
    return <Rows rows={rows} columns={columns} caption={caption} />;
  };
  return (
    <section aria-label={title} tabIndex={-1} className="panel overflow-hidden outline-none">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
        <h2 className="text-14 leading-8 font-semibold">{title}</h2>
        <WaitingChanges count={waiting} onShow={show} />
        {tools === undefined ? null : <div className="ml-auto flex items-center gap-2">{tools}</div>}
      </div>
      <div
        {...handlers}
        aria-busy={rows === undefined || isPlaceholderData || undefined}
        className={`min-h-64 transition-opacity ${isPlaceholderData ? 'opacity-60' : ''}`}
      >
        {content()}
      </div>
      {data === undefined ? null : (
        <div className="flex min-h-11 items-center justify-between gap-3 border-t border-line px-4 py-1">
          <Pager
            what={data.total === 1 ? one : what}
            page={page}
            pageRows={pageRows}
            total={data.total}
            onPage={onPage}
          />
          {isError ? <StaleNotice onRetry={retry} retrying={isFetching} /> : null}
        </div>
      )}
    </section>
  );
}
