/** Above the rows: the facets in use, each with a way out, and how many users that leaves in which order. */
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { Button } from '../../../shared/ui/index.ts';
import { passFocusOn } from '../../../shared/widget/index.ts';
import { isNarrowed, type ListedUsers, noFilter, type UsersFilter, type UsersQuery } from './users-query.ts';
import { chipsOf, resultWords } from './words.ts';

interface FilterRowProps {
  readonly query: UsersQuery;
  readonly facets: ListedUsers['facets'] | undefined;
  /** Undefined while they are being counted. */
  readonly total: number | undefined;
  readonly onChange: (change: Partial<UsersFilter>) => void;
  /** Waiting changes, and that the list is out of date. */
  readonly children: ReactNode;
}

export function FilterRow({ query, facets, total, onChange, children }: FilterRowProps) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-2 gap-y-1.5 border-b border-line px-4 py-2 max-md:px-3">
      {chipsOf(query, facets).map(({ facet, name, value }) => (
        <span
          key={facet}
          ref={passFocusOn}
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
        <span ref={passFocusOn}>
          <Button tone="quiet" size="compact" className="!text-accent" onClick={() => onChange(noFilter)}>
            Clear filters
          </Button>
        </span>
      ) : null}
      {children}
      <span role="status" className="figures ml-auto text-12 text-text-2">
        {total === undefined ? '' : resultWords(total, query)}
      </span>
    </div>
  );
}
