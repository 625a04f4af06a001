/** Puts the features' tabs into the admin console; each one's code arrives when it is first shown. */
import { AdminPage, type AdminTabCode } from '../features/staff/index.ts';
import { type LoadCode, lazyCode } from '../shared/code/lazy-code.tsx';
import { PageUnreachable } from './Unreachable.tsx';

const lazyTab = (load: LoadCode) => lazyCode(load, 'part', PageUnreachable);

const code = {
  support: lazyTab(async () => ({
    default: (await import('../features/support/metrics/SupportTab.tsx')).SupportTab,
  })),
  kyc: lazyTab(async () => ({ default: (await import('../features/kyc/review/KycTab.tsx')).KycTab })),
  contact: lazyTab(async () => ({
    default: (await import('../features/contact/admin/ContactFormsTab.tsx')).ContactFormsTab,
  })),
} satisfies AdminTabCode;

export default function AdminConsole() {
  return <AdminPage code={code} />;
}
