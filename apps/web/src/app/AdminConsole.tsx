/** Provides the tabs of other features to the admin console; the code of each loads when it is first shown. */
import type { ComponentType } from 'react';
import { AdminPage, type AdminTabComponents } from '../features/staff/index.ts';
import { lazyCode } from '../shared/code/lazy-code.tsx';
import { PageUnreachable } from './Unreachable.tsx';

/** `name` is the export of the module. */
const lazyTab = <Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
) => lazyCode(async () => ({ default: (await load())[name] }), 'part', PageUnreachable);

const tabComponents = {
  overview: lazyTab(() => import('../features/staff/overview/OverviewTab.tsx'), 'OverviewTab'),
  users: lazyTab(() => import('../features/staff/users/UsersTab.tsx'), 'UsersTab'),
  wallets: lazyTab(() => import('../features/staff/wallets/WalletsTab.tsx'), 'WalletsTab'),
  profile: lazyTab(() => import('../features/staff/profile/ProfileTab.tsx'), 'ProfileTab'),
  support: lazyTab(() => import('../features/support/metrics/SupportTab.tsx'), 'SupportTab'),
  kyc: lazyTab(() => import('../features/kyc/review/KycTab.tsx'), 'KycTab'),
  contact: lazyTab(() => import('../features/contact/admin/ContactFormsTab.tsx'), 'ContactFormsTab'),
} satisfies AdminTabComponents;

export default function AdminConsole() {
  return <AdminPage components={tabComponents} />;
}
