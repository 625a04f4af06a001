/** The pages that a role can open from the quick search, with their names and search terms. Pure. */
import type { UserRole } from '@fulcrum/contract';

export interface StaffPage {
  readonly title: string;
  /** The console, or the tab that the page belongs to. */
  readonly section: string;
  readonly to: string;
  /** Further search terms. */
  readonly keywords: string;
}

const contestKeywords = 'programs ranking entrants result challenges';

const adminPages: readonly StaffPage[] = [
  {
    title: 'Overview',
    section: 'Dashboard',
    to: '/admin',
    keywords: 'home operations platform halt feeds closed positions',
  },
  { title: 'Users', section: 'Dashboard', to: '/admin?tab=users', keywords: 'people accounts traders' },
  {
    title: 'Traders to check',
    section: 'Users',
    to: '/admin?tab=users&role=trader&kyc=pending',
    keywords: 'kyc pending identity',
  },
  {
    title: 'Unassigned traders',
    section: 'Users',
    to: '/admin?tab=users&role=trader&manager=none',
    keywords: 'no manager',
  },
  { title: 'Restricted users', section: 'Users', to: '/admin?tab=users&restricted=yes', keywords: 'blocked' },
  { title: 'Support', section: 'Dashboard', to: '/admin?tab=support', keywords: 'chats agents satisfaction' },
  { title: 'KYC', section: 'Dashboard', to: '/admin?tab=kyc', keywords: 'identity checks documents review' },
  {
    title: 'Wallets',
    section: 'Dashboard',
    to: '/admin?tab=wallets',
    keywords: 'balances drift reconcile ledger',
  },
  {
    title: 'Contact Forms',
    section: 'Dashboard',
    to: '/admin?tab=contact',
    keywords: 'messages letters inbox',
  },
  {
    title: 'Profile',
    section: 'Dashboard',
    to: '/admin?tab=profile',
    keywords: 'account password sessions theme',
  },
  {
    title: 'Metrics',
    section: 'Admin',
    to: '/admin/metrics',
    keywords: 'charts volume transactions counterparty house',
  },
  {
    title: 'Contests',
    section: 'Admin',
    to: '/admin/contests',
    keywords: contestKeywords,
  },
  { title: 'Classes', section: 'Admin', to: '/admin/classes', keywords: 'school members tutors limits' },
  {
    title: 'Enrolment',
    section: 'Admin',
    to: '/admin/enrolment',
    keywords: 'invitations codes qr import csv users registration',
  },
  { title: 'Audit log', section: 'Admin', to: '/admin/audit', keywords: 'actions history who did what' },
  // They open a dialog, which asks.
  {
    title: 'Halt or resume trading…',
    section: 'Action',
    to: '/admin?do=halt',
    keywords: 'stop engine pause market',
  },
  { title: 'Add a user…', section: 'Action', to: '/admin?tab=users&do=add', keywords: 'new create account' },
];

const pagesByRole: Readonly<Record<UserRole, readonly StaffPage[]>> = {
  admin: adminPages,
  manager: [
    { title: 'Managed users', section: 'Manager Dashboard', to: '/manager', keywords: 'traders home' },
    { title: 'Contests', section: 'Manager Dashboard', to: '/manager/contests', keywords: contestKeywords },
  ],
  support: [{ title: 'Active sessions', section: 'Support', to: '/support', keywords: 'chats home' }],
  trader: [],
};

/** Whether every word of `text` starts a word of the page's name, section or keywords. */
function matchesText({ title, section, keywords }: StaffPage, text: string): boolean {
  const called = `${title} ${section} ${keywords}`.toLowerCase().split(/\s+/);
  const terms = text.toLowerCase().split(/\s+/);
  return terms.every((term) => called.some((name) => name.startsWith(term)));
}

/** All pages when `text` is empty; pages whose own name starts with it come first. */
export function findPages(role: UserRole, text: string): readonly StaffPage[] {
  const query = text.trim().toLowerCase();
  if (query === '') return pagesByRole[role];
  const matches = pagesByRole[role].filter((page) => matchesText(page, query));
  const isFirst = ({ title }: StaffPage) => title.toLowerCase().startsWith(query);
  return [...matches.filter(isFirst), ...matches.filter((page) => !isFirst(page))];
}
