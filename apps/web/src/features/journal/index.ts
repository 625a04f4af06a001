/** The journal for other features: its section, and the dialog that explains a liquidation and leads to an entry about it. */
import { lazy } from 'react';

export { JournalSection } from './JournalSection.tsx';
export const LiquidationDialog = lazy(() => import('./liquidation/LiquidationDialog.tsx'));
