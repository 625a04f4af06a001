/**
 * Imports of the staff pages, in a module of its own, so that the lists of their chunks are not in a visitor's first script.
 */
import type { LoadCode } from '../shared/code/lazy-code.tsx';

export const staffPages = {
  adminLayout: () => import('./layouts/AdminLayout.tsx'),
  admin: () => import('./AdminConsole.tsx'),
  metrics: () => import('../features/staff/metrics/MetricsPage.tsx'),
  audit: () => import('../features/staff/audit/AuditPage.tsx'),
  classes: () => import('../features/classes/ClassesPage.tsx'),
  contests: () => import('../features/programs/ContestsPage.tsx'),
  projectorLayout: () => import('./layouts/ProjectorLayout.tsx'),
  projector: () => import('../features/projector/ProjectorPage.tsx'),
  enrolment: () => import('../features/enrolment/EnrolmentPage.tsx'),
  user: () => import('../features/staff/user/UserPage.tsx'),
  managerLayout: () => import('./layouts/ManagerLayout.tsx'),
  manager: () => import('./ManagerConsole.tsx'),
  supportLayout: () => import('./layouts/SupportLayout.tsx'),
  support: () => import('../features/support/console/SupportPage.tsx'),
} as const satisfies Record<string, LoadCode>;
export type StaffPageName = keyof typeof staffPages;
