/**
 * The admin console (ADMIN-01): seven tabs, the tab in the address.
 * Known limitation: what a tab that is not built yet will hold is said there.
 */
import { useSearchParams } from 'react-router';
import { TabPanel, Tabs, Upcoming } from '../../shared/ui/index.ts';
import { ContactFormsTab } from '../contact/admin/ContactFormsTab.tsx';
import { KycTab } from '../kyc/review/KycTab.tsx';
import { SupportTab } from '../support/metrics/index.ts';

const tabs = [
  { value: 'overview', label: 'Overview' },
  { value: 'users', label: 'Users' },
  { value: 'support', label: 'Support' },
  { value: 'kyc', label: 'KYC' },
  { value: 'wallets', label: 'Wallets' },
  { value: 'contact', label: 'Contact Forms' },
  { value: 'profile', label: 'Profile' },
] as const;
type Tab = (typeof tabs)[number]['value'];
const [first] = tabs;

function Panel({ tab }: { readonly tab: Tab }) {
  switch (tab) {
    case 'support':
      return <SupportTab />;
    case 'kyc':
      return <KycTab />;
    case 'contact':
      return <ContactFormsTab />;
    default:
      return (
        <Upcoming title="Users, wallets and positions">
          The administration of this server will be here: users, their wallets and positions, managers and
          funds. It is not built yet; the table API already answers an administrator&rsquo;s token.
        </Upcoming>
      );
  }
}

export default function AdminPage() {
  const [search, setSearch] = useSearchParams();
  const { value: shown } = tabs.find(({ value }) => value === search.get('tab')) ?? first;
  const show = (tab: Tab) => setSearch(tab === first.value ? {} : { tab });
  return (
    <div className="flex w-full grow flex-col px-6 max-md:px-3">
      <Tabs label="Admin" tabs={tabs} value={shown} onChange={show}>
        <TabPanel value={shown}>
          <Panel tab={shown} />
        </TabPanel>
      </Tabs>
    </div>
  );
}
