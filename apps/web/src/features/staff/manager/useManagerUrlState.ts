/** The state of the manager page in the URL: the selected user, and search, order and page of the list. */
import {
  choiceField,
  defineUrlState,
  optionalField,
  pageField,
  textField,
  useUrlState,
} from '../../../shared/url-state/index.ts';
import { type ManagedFilter, type ManagedSort, managedSorts, sortManagedUsers } from './managed-users.ts';

const managerUrlState = defineUrlState<ManagedFilter & { readonly user: string | null }>({
  /** Null without a selection. */
  user: optionalField((id) => id),
  search: textField(100, 'q'),
  sort: choiceField<ManagedSort>(managedSorts, 'created_at'),
  order: {
    parameter: 'dir',
    parse: (text) => (text === 'asc' ? 'ascending' : 'descending'),
    format: (order) => (order === 'ascending' ? 'asc' : null),
  },
  page: pageField(),
});

/** The URL parameters about the selected user, removed with the selection. */
const isAboutSelected = (parameter: string): boolean =>
  /^(?:open_|closed_|position$|account$)/.test(parameter);

export function useManagerUrlState() {
  const [{ user: userId, ...filter }, change] = useUrlState(managerUrlState);
  return {
    userId,
    filter: filter satisfies ManagedFilter,
    select: (user: string | null) => {
      if (user !== userId) change({ user }, { step: 'new', removes: isAboutSelected });
    },
    searchFor: (search: string) => change({ search, page: 1 }),
    sortBy: (column: ManagedSort) => change({ ...sortManagedUsers(filter, column), page: 1 }),
    showPage: (page: number) => change({ page }),
  } as const;
}
