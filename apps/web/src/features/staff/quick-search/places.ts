/** The pages that a role can go to from the quick search, by their names there; and which of them a text means. Pure. */
import type { UserRole } from '@fulcrum/contract';

export interface Place {
  readonly title: string;
  /** Where it is found: its console, or the tab it is a part of. */
  readonly within: string;
  readonly to: string;
  /** Other words somebody may look for it by. */
  readonly also: string;
}

const ofAdmins: readonly Place[] = [
  { title: 'Overview', within: 'Dashboard', to: '/admin', also: 'home platform halt feeds closed positions' },
  { title: 'Users', within: 'Dashboard', to: '/admin?tab=users', also: 'people accounts traders' },
  {
    title: 'Traders to check',
    within: 'Users',
    to: '/admin?tab=users&role=trader&kyc=pending',
    also: 'kyc pending identity',
  },
  {
    title: 'Unassigned traders',
    within: 'Users',
    to: '/admin?tab=users&role=trader&manager=none',
    also: 'no manager',
  },
  { title: 'Restricted users', within: 'Users', to: '/admin?tab=users&restricted=yes', also: 'blocked' },
  { title: 'Support', within: 'Dashboard', to: '/admin?tab=support', also: 'chats agents satisfaction' },
  { title: 'KYC', within: 'Dashboard', to: '/admin?tab=kyc', also: 'identity checks documents review' },
  {
    title: 'Wallets',
    within: 'Dashboard',
    to: '/admin?tab=wallets',
    also: 'balances drift reconcile ledger',
  },
  { title: 'Contact Forms', within: 'Dashboard', to: '/admin?tab=contact', also: 'messages letters inbox' },
  {
    title: 'Profile',
    within: 'Dashboard',
    to: '/admin?tab=profile',
    also: 'account password sessions theme',
  },
  { title: 'Metrics', within: 'Admin', to: '/admin/metrics', also: 'charts volume transactions house' },
  { title: 'Audit log', within: 'Admin', to: '/admin/audit', also: 'acts history who did what' },
];

const places: Readonly<Record<UserRole, readonly Place[]>> = {
  admin: ofAdmins,
  manager: [{ title: 'Managed users', within: 'Manager Dashboard', to: '/manager', also: 'traders home' }],
  support: [{ title: 'Active sessions', within: 'Support', to: '/support', also: 'chats home' }],
  trader: [],
};

/** Whether every word of `text` begins a word of what the place is called. */
function isMeant({ title, within, also }: Place, text: string): boolean {
  const called = `${title} ${within} ${also}`.toLowerCase().split(/\s+/);
  const words = text.toLowerCase().split(/\s+/);
  return words.every((word) => called.some((name) => name.startsWith(word)));
}

/** All of them where nothing is typed; those whose own name begins so stand first. */
export function placesOf(role: UserRole, text: string): readonly Place[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return places[role];
  const meant = places[role].filter((place) => isMeant(place, wanted));
  const isFirst = ({ title }: Place) => title.toLowerCase().startsWith(wanted);
  return [...meant.filter(isFirst), ...meant.filter((place) => !isFirst(place))];
}
