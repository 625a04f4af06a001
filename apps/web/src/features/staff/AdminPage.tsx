/** The admin console (ADMIN-01, ADMIN-02): seven tabs, the tab in the address, its code when it is first shown. */
import { type ComponentType, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { AnnouncedRows } from '../../shared/realtime/announced.tsx';
import { useSignedIn } from '../../shared/session/index.ts';
import { Skeleton } from '../../shared/ui/index.ts';
import { ConsolePanel, type ConsoleTab, ConsoleTabs } from './ConsoleTabs.tsx';
import { PersonActs } from './people/index.ts';
import { type TabCounts, useTabCounts } from './useTabCounts.ts';

const tabs = [
  { value: 'overview', label: 'Overview' },
  { value: 'users', label: 'Users' },
  { value: 'support', label: 'Support' },
  { value: 'kyc', label: 'KYC' },
  { value: 'wallets', label: 'Wallets' },
  { value: 'contact', label: 'Contact Forms' },
  { value: 'profile', label: 'Profile' },
] as const satisfies readonly ConsoleTab<string>[];
type Tab = (typeof tabs)[number]['value'];
const [first] = tabs;
const announced = ['kyc_verifications', 'contact_forms'] as const;

/** What fills each tab; some of it is other features'. */
export type AdminTabCode = Readonly<Record<Tab, ComponentType>>;

const loading = (
  <div aria-busy="true" className="panel m-6 max-lg:m-4 max-md:m-3">
    <div className="flex h-11 items-center border-b border-line px-4">
      <Skeleton className="h-4 w-40" />
    </div>
    <div className="h-64" />
  </div>
);

function withCounts(counts: TabCounts | undefined): readonly ConsoleTab<Tab>[] {
  return tabs.map((tab) => {
    if (counts === undefined) return tab;
    if (tab.value === 'kyc') return { ...tab, waiting: { count: counts.kyc, what: 'pending' } };
    if (tab.value === 'contact') return { ...tab, waiting: { count: counts.contact, what: 'new' } };
    return tab;
  });
}

function Console({ code }: { readonly code: AdminTabCode }) {
  const [search, setSearch] = useSearchParams();
  const counts = useTabCounts();
  const { value: shown } = tabs.find(({ value }) => value === search.get('tab')) ?? first;
  const show = (tab: Tab) => setSearch(tab === first.value ? {} : { tab });
  const Content = code[shown];
  return (
    <ConsoleTabs label="Admin" tabs={withCounts(counts)} value={shown} onChange={show}>
      <ConsolePanel value={shown} className="flex grow flex-col">
        <Suspense fallback={loading}>
          <Content />
        </Suspense>
      </ConsolePanel>
    </ConsoleTabs>
  );
}

export function AdminPage({ code }: { readonly code: AdminTabCode }) {
  const { user } = useSignedIn();
  return (
    <AnnouncedRows userId={user.id} tables={announced}>
      <PersonActs>
        <Console code={code} />
      </PersonActs>
    </AnnouncedRows>
  );
}
