/** What of the manager's page the address says: who is selected, and how the list is searched, ordered and paged. */
import { inPlace, useAddressParams } from '../../../shared/in-place/index.ts';
import { type ManagedFilter, type ManagedSort, managedSorts, sortedBy } from './managed-users.ts';

const firstSort = 'created_at';
/** What of the address is about the selected person, and goes with them. */
const ofPerson = /^(?:open_|closed_|position$)/;

export function useManagerAddress() {
  const [search, setSearch] = useAddressParams();
  const page = Number(search.get('page') ?? '1');
  const sort = managedSorts.find((known) => known === search.get('sort')) ?? firstSort;
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
    /** Null: nobody. */
    userId: search.get('user'),
    filter,
    select: (userId: string | null) => {
      if (userId === search.get('user')) return;
      const others = [...search.keys()].filter((name) => ofPerson.test(name));
      change({ ...Object.fromEntries(others.map((name) => [name, null])), user: userId }, 'new');
    },
    searchFor: (text: string) => change({ q: text === '' ? null : text, page: null }, 'same'),
    sortBy: (column: ManagedSort) => {
      const { sort: next, order } = sortedBy(filter, column);
      change(
        {
          sort: next === firstSort ? null : next,
          dir: order === 'ascending' ? 'asc' : null,
          page: null,
        },
        'same',
      );
    },
    showPage: (next: number) => change({ page: next === 1 ? null : `${next}` }, 'same'),
  } as const;
}
