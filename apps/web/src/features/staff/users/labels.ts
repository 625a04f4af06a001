/** Labels of users and of their lists. */
import type { KycStatus } from '@fulcrum/domain';
import Clock from 'lucide-react/icons/clock';
import Shield from 'lucide-react/icons/shield';
import ShieldCheck from 'lucide-react/icons/shield-check';
import ShieldX from 'lucide-react/icons/shield-x';
import { formatFigure } from '../../../shared/numbers/index.ts';
import { roleLabels } from '../user-dialogs/roles.ts';
import { unknownUser } from '../user-dialogs/unknown-user.ts';
import type { ListedUsers, Sort, UsersFilter, UsersQuery } from './users-query.ts';

export const kycVariants = {
  unverified: { label: 'Unverified', Icon: Shield, colour: 'text-text-3' },
  pending: { label: 'Pending', Icon: Clock, colour: 'text-warn' },
  verified: { label: 'Verified', Icon: ShieldCheck, colour: 'text-up' },
  rejected: { label: 'Rejected', Icon: ShieldX, colour: 'text-down' },
} as const satisfies Record<KycStatus, { label: string; Icon: typeof Shield; colour: string }>;

export const noManager = 'No Manager';

/** In the order of the table's columns. */
export const columnLabels = {
  username: 'Username',
  email: 'Email',
  role: 'Role',
  manager: 'Manager',
  created_at: 'Created At',
  last_login: 'Last Login',
} as const satisfies Record<Sort, string>;

type SortedBy = Pick<UsersQuery, 'sort' | 'order'>;

/** A short label of what comes first, for narrow places. */
export function firstLabel({ sort, order }: SortedBy): string {
  const isAscending = order === 'ascending';
  if (sort === 'created_at') return isAscending ? 'oldest' : 'newest';
  if (sort === 'last_login') return isAscending ? 'longest ago' : 'latest';
  return isAscending ? 'A to Z' : 'Z to A';
}

export function orderLabel(by: SortedBy): string {
  const isTime = by.sort === 'created_at' || by.sort === 'last_login';
  return isTime ? `${firstLabel(by)} first` : firstLabel(by);
}

export const formatCount = (count: number): string => formatFigure(count, 0);
export const pluralize = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

export function resultLabel(total: number, query: UsersQuery): string {
  return `${pluralize(total, 'result', 'results')}. Sorted by ${columnLabels[query.sort]}, ${orderLabel(query)}`;
}

export interface FilterChip {
  readonly facet: Exclude<keyof UsersFilter, 'search'>;
  readonly name: string;
  readonly value: string;
}

const joinWithOr = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;

/** Managers named in a chip; beyond that the chip shows their number. */
const namedManagersMax = 3;

/** The active filters, one chip each. */
export function toFilterChips(
  filter: UsersFilter,
  facets: ListedUsers['facets'] | undefined,
): readonly FilterChip[] {
  const { roles, kyc, managers, restricted } = filter;
  const nameOf = (id: string) =>
    id === 'none' ? noManager : (facets?.managers.find((one) => one.id === id)?.username ?? unknownUser);
  const chips: FilterChip[] = [];
  if (roles.length > 0) {
    chips.push({ facet: 'roles', name: 'Role', value: joinWithOr(roles.map((role) => roleLabels[role])) });
  }
  if (kyc.length > 0) {
    chips.push({
      facet: 'kyc',
      name: 'KYC',
      value: joinWithOr(kyc.map((status) => kycVariants[status].label)),
    });
  }
  if (managers.length > 0) {
    const value =
      managers.length > namedManagersMax ? `${managers.length} of them` : joinWithOr(managers.map(nameOf));
    chips.push({ facet: 'managers', name: 'Manager', value });
  }
  if (restricted !== null) {
    chips.push({ facet: 'restricted', name: 'Restricted', value: restricted ? 'Yes' : 'No' });
  }
  return chips;
}
