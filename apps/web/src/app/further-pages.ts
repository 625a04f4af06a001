/**
 * Imports of the pages that are opened now and then, in a module of its own, so that the lists of their chunks are not in
 * a visitor's first script.
 */
import type { LoadCode } from '../shared/code/lazy-code.tsx';

export const furtherPages = {
  resetPassword: () => import('../features/identity/ResetPasswordPage.tsx'),
  updatePassword: () => import('../features/identity/UpdatePasswordPage.tsx'),
  callback: () => import('../features/identity/CallbackPage.tsx'),
  journal: () => import('../features/journal/JournalPage.tsx'),
  analytics: () => import('../features/analytics/AnalyticsPage.tsx'),
  signals: () => import('../features/signals/SignalsPage.tsx'),
  contests: () => import('../features/programs/OwnContestsPage.tsx'),
  about: () => import('../features/static/AboutPage.tsx'),
  terms: () => import('../features/static/TermsPage.tsx'),
  privacy: () => import('../features/static/PrivacyPage.tsx'),
  reference: () => import('../features/api-reference/ReferencePage.tsx'),
} as const satisfies Record<string, LoadCode>;
export type FurtherPageName = keyof typeof furtherPages;
