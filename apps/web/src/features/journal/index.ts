import { lazy } from 'react';

export { JournalSection } from './JournalSection.tsx';

/** What ended a position, and where a stop would have; one click from an entry on it. */
export const LiquidationDialog = lazy(() => import('./LiquidationDialog.tsx'));
