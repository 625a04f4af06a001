/** Labels of users and of their lists. */
import { formatFigure } from '../../../shared/numbers/index.ts';
import { pluralize } from '../../../shared/numbers/pluralize.ts';
import { roleLabels } from '../user-dialogs/roles.ts';
import { unknownUser } from '../user-dialogs/unknown-user.ts';
import { kycVariants, type ListedUsers, noManager } from './listed-user.ts';
import { orderLabel } from './user-order.ts';
import type { UsersFilter, UsersQuery } from './users-query.ts';

export const formatCount = (count: number): string => formatFigure(count, 0);

export function resultLabel(total: number, query: UsersQuery): string {
  return `${pluralize(total, 'result')}. Sorted by ${orderLabel(query)}`;
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
