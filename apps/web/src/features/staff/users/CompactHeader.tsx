/** Header of the compact users list: the number of users, a search field, and a link to the whole list. */
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatCount, resultLabel } from './labels.ts';
import type { UsersQuery } from './users-query.ts';

interface CompactHeaderProps {
  readonly total: number | undefined;
  readonly query: UsersQuery;
  readonly search: ReactNode;
  /** The buttons for waiting changes and the out-of-date notice. */
  readonly state: ReactNode;
}

export function CompactHeader({ total, query, search, state }: CompactHeaderProps) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-4 py-1">
      <h2 className="text-14 leading-8 font-semibold">Users</h2>
      {total === undefined ? null : (
        <span
          aria-hidden="true"
          className="figures inline-flex h-[18px] items-center rounded-full bg-line px-2 text-11 font-medium"
        >
          {formatCount(total)}
        </span>
      )}
      <span role="status" className="sr-only">
        {total === undefined ? '' : resultLabel(total, query)}
      </span>
      {state}
      <div className="ml-auto flex flex-wrap items-center gap-3 max-md:ml-0 max-md:w-full">
        {search}
        <Link
          to="/admin?tab=users"
          className="inline-flex min-h-7 items-center gap-1 rounded-badge text-12 font-medium text-accent hover:underline max-md:min-h-11"
        >
          All users
          <ChevronRight size={14} aria-hidden="true" />
        </Link>
      </div>
    </div>
  );
}
