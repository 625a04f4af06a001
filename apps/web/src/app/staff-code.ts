/**
 * Where the code of the back offices is. A module of its own, so that the lists of what each of their pages needs stand in
 * no visitor's first script.
 */
import type { LoadCode } from '../shared/code/lazy-code.tsx';

export const staffCode = {
  adminLayout: () => import('./layouts/AdminLayout.tsx'),
  admin: () => import('./AdminConsole.tsx'),
  metrics: () => import('../features/staff/metrics/MetricsPage.tsx'),
  audit: () => import('../features/staff/audit/AuditPage.tsx'),
  user: () => import('../features/staff/user/UserPage.tsx'),
  managerLayout: () => import('./layouts/ManagerLayout.tsx'),
  manager: () => import('../features/staff/manager/ManagerPage.tsx'),
  supportLayout: () => import('./layouts/SupportLayout.tsx'),
  support: () => import('../features/support/console/SupportPage.tsx'),
} as const satisfies Record<string, LoadCode>;
export type StaffCode = keyof typeof staffCode;
