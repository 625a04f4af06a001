/** What of users and their lists is told in words. */
import Clock from 'lucide-react/icons/clock';
import Shield from 'lucide-react/icons/shield';
import ShieldCheck from 'lucide-react/icons/shield-check';
import ShieldX from 'lucide-react/icons/shield-x';
import { formatFigure } from '../../../shared/numbers/index.ts';
import { roleWords } from '../people/roles.ts';
import { unknownUser } from '../people/unknown-user.ts';
import type { KycStatus, ListedUsers, Sort, UsersFilter, UsersQuery } from './users-query.ts';

export const kycLooks = {
  unverified: { word: 'Unverified', Icon: Shield, colour: 'text-text-3' },
  pending: { word: 'Pending', Icon: Clock, colour: 'text-warn' },
  verified: { word: 'Verified', Icon: ShieldCheck, colour: 'text-up' },
  rejected: { word: 'Rejected', Icon: ShieldX, colour: 'text-down' },
} as const satisfies Record<KycStatus, { word: string; Icon: typeof Shield; colour: string }>;

export const noManager = 'No Manager';

/** In the table's order. */
export const columnWords = {
  username: 'Username',
  email: 'Email',
  role: 'Role',
  manager: 'Manager',
  created_at: 'Created At',
  last_login: 'Last Login',
} as const satisfies Record<Sort, string>;

type SortedBy = Pick<UsersQuery, 'sort' | 'order'>;

/** What stands first, for where a sentence has no room. */
export function firstWords({ sort, order }: SortedBy): string {
  const isAscending = order === 'ascending';
  if (sort === 'created_at') return isAscending ? 'oldest' : 'newest';
  if (sort === 'last_login') return isAscending ? 'longest ago' : 'latest';
  return isAscending ? 'A to Z' : 'Z to A';
}

export function orderWords(by: SortedBy): string {
  const isTime = by.sort === 'created_at' || by.sort === 'last_login';
  return isTime ? `${firstWords(by)} first` : firstWords(by);
}

export const whole = (count: number): string => formatFigure(count, 0);
export const counted = (count: number, one: string, many: string): string =>
  `${whole(count)} ${count === 1 ? one : many}`;

export function resultWords(total: number, query: UsersQuery): string {
  return `${counted(total, 'result', 'results')}. Sorted by ${columnWords[query.sort]}, ${orderWords(query)}`;
}

export interface Chip {
  readonly facet: Exclude<keyof UsersFilter, 'search'>;
  readonly name: string;
  readonly value: string;
}

const orList = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** Managers in a chip before the others are only counted. */
const namedManagers = 3;

/** The facets in use, one chip each. */
export function chipsOf(filter: UsersFilter, facets: ListedUsers['facets'] | undefined): readonly Chip[] {
  const { roles, kyc, managers, restricted } = filter;
  const nameOf = (id: string) =>
    id === 'none' ? noManager : (facets?.managers.find((one) => one.id === id)?.username ?? unknownUser);
  const chips: Chip[] = [];
  if (roles.length > 0) {
    chips.push({ facet: 'roles', name: 'Role', value: orList(roles.map((role) => roleWords[role])) });
  }
  if (kyc.length > 0) {
    chips.push({ facet: 'kyc', name: 'KYC', value: orList(kyc.map((status) => kycLooks[status].word)) });
  }
  if (managers.length > 0) {
    const value =
      managers.length > namedManagers ? `${managers.length} of them` : orList(managers.map(nameOf));
    chips.push({ facet: 'managers', name: 'Manager', value });
  }
  if (restricted !== null) {
    chips.push({ facet: 'restricted', name: 'Restricted', value: restricted ? 'Yes' : 'No' });
  }
  return chips;
}
