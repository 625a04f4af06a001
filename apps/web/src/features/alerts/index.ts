/** Alerts for other features: the tab of the positions panel, and what the chart shows of them. */
import { lazy } from 'react';

export const AlertsTab = lazy(() => import('./AlertsTab.tsx'));
export { useAlerts } from './queries.ts';
export { useAlertEntry, useAlertLines } from './useAlertsOnChart.ts';
