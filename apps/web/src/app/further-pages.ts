/**
 * Imports of the trader's pages that are opened now and then, in a module of its own, so that the lists of their chunks are not in
 * a visitor's first script.
 */
import type { LoadCode } from '../shared/code/lazy-code.tsx';

export const furtherPages = {
  journal: () => import('../features/journal/JournalPage.tsx'),
  analytics: () => import('../features/analytics/AnalyticsPage.tsx'),
  signals: () => import('../features/signals/SignalsPage.tsx'),
} as const satisfies Record<string, LoadCode>;
export type FurtherPageName = keyof typeof furtherPages;
