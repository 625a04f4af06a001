/** The row above the table: the active filters, each removable, and the number and order of the results. */
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { Button } from '../../../shared/ui/index.ts';
import { restoreFocusOnUnmount } from '../../../shared/widget/index.ts';
import { resultLabel, toFilterChips } from './labels.ts';
import type { ListedUsers } from './listed-user.ts';
import { isNarrowed, noFilter, type UsersFilter, type UsersQuery } from './users-query.ts';

interface FilterRowProps {
  readonly query: UsersQuery;
  readonly facets: ListedUsers['facets'] | undefined;
  /** Undefined while they are being counted. */
  readonly total: number | undefined;
  readonly onChange: (change: Partial<UsersFilter>) => void;
  /** The buttons for waiting changes and the out-of-date notice. */
  readonly children: ReactNode;
}

export function FilterRow({ query, facets, total, onChange, children }: FilterRowProps) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1.5 border-b border-line px-4 py-2 max-md:px-3">
      {toFilterChips(query, facets).map(({ facet, name, value }) => (
        <span
          key={facet}
          ref={restoreFocusOnUnmount}
          className="inline-flex min-h-7 items-center gap-1.5 rounded-control border border-line-strong pl-2.5 text-12 max-md:min-h-11"
        >
          <span className="text-text-2">{name} is</span>
          <b className="font-medium">{value}</b>
          <button
            type="button"
            aria-label={`Remove the filter ${name} is ${value}`}
            onClick={() => onChange({ [facet]: noFilter[facet] })}
            className="grid size-7 place-items-center rounded-control text-text-2 hover:text-text max-md:size-11"
          >
            <X size={13} aria-hidden="true" />
          </button>
        </span>
      ))}
      {isNarrowed(query) ? (
        <span ref={restoreFocusOnUnmount}>
          <Button tone="quiet" size="compact" className="!text-accent" onClick={() => onChange(noFilter)}>
            Clear filters
          </Button>
        </span>
      ) : null}
      {children}
      <span role="status" className="figures ml-auto text-12 text-text-2">
        {total === undefined ? '' : resultLabel(total, query)}
      </span>
    </div>
  );
}
