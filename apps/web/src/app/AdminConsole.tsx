/** Provides the tabs of other features to the admin console; the code of each loads when it is first shown. */
import { AdminPage, type AdminTabComponents } from '../features/staff/index.ts';
import { type LoadCode, lazyCode } from '../shared/code/lazy-code.tsx';
import { PageUnreachable } from './Unreachable.tsx';

const lazyTab = (load: LoadCode) => lazyCode(load, 'part', PageUnreachable);

const tabComponents = {
  overview: lazyTab(async () => ({
    default: (await import('../features/staff/overview/OverviewTab.tsx')).OverviewTab,
  })),
  users: lazyTab(async () => ({ default: (await import('../features/staff/users/UsersTab.tsx')).UsersTab })),
  wallets: lazyTab(async () => ({
    default: (await import('../features/staff/wallets/WalletsTab.tsx')).WalletsTab,
  })),
  profile: lazyTab(async () => ({
    default: (await import('../features/staff/profile/ProfileTab.tsx')).ProfileTab,
  })),
  support: lazyTab(async () => ({
    default: (await import('../features/support/metrics/SupportTab.tsx')).SupportTab,
  })),
  kyc: lazyTab(async () => ({ default: (await import('../features/kyc/review/KycTab.tsx')).KycTab })),
  contact: lazyTab(async () => ({
    default: (await import('../features/contact/admin/ContactFormsTab.tsx')).ContactFormsTab,
  })),
} satisfies AdminTabComponents;

export default function AdminConsole() {
  return <AdminPage components={tabComponents} />;
}
