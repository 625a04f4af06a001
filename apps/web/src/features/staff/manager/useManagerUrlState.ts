/** The state of the manager page in the URL: the selected user, and search, order and page of the list. */
import { inPlace, useUrlParams } from '../../../shared/url-state/index.ts';
import { type ManagedFilter, type ManagedSort, managedSorts, sortManagedUsers } from './managed-users.ts';

const defaultSort = 'created_at';
/** The URL parameters about the selected user, removed with the selection. */
const selectedUserParameters = /^(?:open_|closed_|position$)/;

export function useManagerUrlState() {
  const [search, setSearch] = useUrlParams();
  const page = Number(search.get('page') ?? '1');
  const sort = managedSorts.find((known) => known === search.get('sort')) ?? defaultSort;
  const filter: ManagedFilter = {
    search: (search.get('q') ?? '').slice(0, 100),
    sort,
    order: search.get('dir') === 'asc' ? 'ascending' : 'descending',
    page: Number.isSafeInteger(page) && page >= 1 && page <= 10_000 ? page : 1,
  };
  const change = (values: Readonly<Record<string, string | null>>, step: 'new' | 'same') =>
    setSearch(
      (held) => {
        for (const [name, value] of Object.entries(values)) {
          if (value === null) held.delete(name);
          else held.set(name, value);
        }
        return held;
      },
      { replace: step === 'same', preventScrollReset: true, state: inPlace },
    );
  return {
    /** Null without a selection. */
    userId: search.get('user'),
    filter,
    select: (userId: string | null) => {
      if (userId === search.get('user')) return;
      const others = [...search.keys()].filter((name) => selectedUserParameters.test(name));
      change({ ...Object.fromEntries(others.map((name) => [name, null])), user: userId }, 'new');
    },
    searchFor: (text: string) => change({ q: text === '' ? null : text, page: null }, 'same'),
    sortBy: (column: ManagedSort) => {
      const { sort: next, order } = sortManagedUsers(filter, column);
      change(
        {
          sort: next === defaultSort ? null : next,
          dir: order === 'ascending' ? 'asc' : null,
          page: null,
        },
        'same',
      );
    },
    showPage: (next: number) => change({ page: next === 1 ? null : `${next}` }, 'same'),
  } as const;
}
