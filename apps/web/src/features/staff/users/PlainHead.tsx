/** The head of the list in an overview: how many there are, a search, and the way to the whole list. */
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { UsersQuery } from './users-query.ts';
import { resultWords, whole } from './words.ts';

interface PlainHeadProps {
  readonly total: number | undefined;
  readonly query: UsersQuery;
  readonly search: ReactNode;
  /** Waiting changes, and that the list is out of date. */
  readonly state: ReactNode;
}

export function PlainHead({ total, query, search, state }: PlainHeadProps) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-4 py-1">
      <h2 className="text-14 leading-8 font-semibold">Users</h2>
      {total === undefined ? null : (
        <span
          aria-hidden="true"
          className="figures inline-flex h-[18px] items-center rounded-full bg-line px-2 text-11 font-medium"
        >
          {whole(total)}
        </span>
      )}
      <span role="status" className="sr-only">
        {total === undefined ? '' : resultWords(total, query)}
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
