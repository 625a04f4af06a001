/** The admin console: seven tabs. The URL names the tab; its code loads when it is first shown (ADMIN-01, ADMIN-02). */
import { type ComponentType, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { TableChangesProvider } from '../../shared/realtime/table-changes.tsx';
import { useSignedIn } from '../../shared/session/index.ts';
import { columnsSetting } from '../../shared/table/index.ts';
import { Skeleton } from '../../shared/ui/index.ts';
import { useSyncedSettings } from '../../shared/user-settings/index.ts';
import { ConsolePanel, type ConsoleTab, ConsoleTabs } from './ConsoleTabs.tsx';
import { UserDialogs } from './user-dialogs/index.ts';
import { savedViewsSetting } from './users/saved-views.ts';
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
const liveTables = ['kyc_verifications', 'contact_forms'] as const;

/** The content of each tab; several come from other features. */
export type AdminTabComponents = Readonly<Record<Tab, ComponentType>>;

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

function AdminConsole({ components }: { readonly components: AdminTabComponents }) {
  const [search, setSearch] = useSearchParams();
  const counts = useTabCounts();
  const { value: shown } = tabs.find(({ value }) => value === search.get('tab')) ?? first;
  const show = (tab: Tab) => setSearch(tab === first.value ? {} : { tab });
  const Content = components[shown];
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

const settings = [columnsSetting, savedViewsSetting];

export function AdminPage({ components }: { readonly components: AdminTabComponents }) {
  const { user } = useSignedIn();
  useSyncedSettings(settings);
  return (
    <TableChangesProvider userId={user.id} tables={liveTables}>
      <UserDialogs>
        <AdminConsole components={components} />
      </UserDialogs>
    </TableChangesProvider>
  );
}
