/** Account Settings (PROF-01): the user's account and this browser's settings. The tab is part of the address. */
import { useSearchParams } from 'react-router';
import { TabPanel, Tabs } from '../../shared/ui/index.ts';
import { ApiKeysSection } from '../api-keys/index.ts';
import { VerificationSection } from '../kyc/index.ts';
import { SignalsLink } from '../signals/index.ts';
import { AppearanceSection } from './profile/Appearance.tsx';
import { ApplicationLog } from './profile/ApplicationLog.tsx';
import { ClassMailsSection } from './profile/ClassMails.tsx';
import { PasswordSection } from './profile/PasswordForm.tsx';
import { ProfileSection } from './profile/ProfileForm.tsx';
import { PushSection } from './profile/push/PushSection.tsx';
import { SessionsSection } from './profile/Sessions.tsx';
import { TradingPreferences } from './profile/TradingPreferences.tsx';

const tabs = [
  { value: 'profile', label: 'Profile' },
  { value: 'kyc', label: 'KYC Verification' },
] as const;
type Tab = (typeof tabs)[number]['value'];
const [first] = tabs;

const panel = 'flex flex-col gap-4 pt-4';

export default function ProfilePage() {
  const [search, setSearch] = useSearchParams();
  const { value: shown } = tabs.find(({ value }) => value === search.get('tab')) ?? first;
  const show = (tab: Tab) => setSearch(tab === first.value ? {} : { tab }, { replace: true });
  return (
    <div className="mx-auto w-full max-w-[1000px] px-4 pt-6 pb-10 max-md:px-3 max-md:pt-3">
      <title>Account Settings · Fulcrum</title>
      <h1 className="mb-2 text-20 font-semibold tracking-[-0.01em] max-md:px-1">Account Settings</h1>
      <Tabs label="Account Settings" tabs={tabs} value={shown} onChange={show}>
        {/* Stays mounted behind the other tab, with its input. */}
        <TabPanel value="profile" forceMount hidden={shown !== 'profile'}>
          <div className={panel}>
            <ProfileSection />
            <PasswordSection copy="trader" />
            <SessionsSection />
            <ApiKeysSection />
            <PushSection />
            <ClassMailsSection />
            <SignalsLink />
            <AppearanceSection />
            <TradingPreferences />
            <ApplicationLog />
          </div>
        </TabPanel>
        <TabPanel value="kyc">
          <div className={panel}>
            <VerificationSection />
          </div>
        </TabPanel>
      </Tabs>
    </div>
  );
}
