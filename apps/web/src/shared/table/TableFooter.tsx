/** The line beneath a table: its pages at the left; at the right `children`, or a notice while the rows are out of date. */
import type { ReactNode } from 'react';
import { StaleNotice } from '../ui/StaleNotice.tsx';
import type { Reading } from './columns.ts';
import { Pager, type PagerProps } from './Pager.tsx';

interface TableFooterProps extends PagerProps {
  readonly reading: Reading;
  readonly children?: ReactNode;
}

export function TableFooter({ reading, children, ...pages }: TableFooterProps) {
  const { isError, isFetching, refetch } = reading;
  return (
    <div className="flex min-h-11 shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line px-4 py-1 text-12 text-text-2">
      <Pager {...pages} />
      {isError ? <StaleNotice onRetry={() => void refetch()} retrying={isFetching} /> : children}
    </div>
  );
}
