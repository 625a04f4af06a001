/** Imports of the pages that are only read, in a module of its own, so that their chunks are not listed in a visitor's first script. */
import type { LoadCode } from '../shared/code/lazy-code.tsx';

export const readingPages = {
  about: () => import('../features/static/AboutPage.tsx'),
  terms: () => import('../features/static/TermsPage.tsx'),
  privacy: () => import('../features/static/PrivacyPage.tsx'),
  reference: () => import('../features/api-reference/ReferencePage.tsx'),
} as const satisfies Record<string, LoadCode>;
export type ReadingPageName = keyof typeof readingPages;
