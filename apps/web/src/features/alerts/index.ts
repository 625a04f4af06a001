/** Alerts for other features: the tab of the positions panel, and what the chart shows of them. */
export { openAlertEditor } from './editor-store.ts';
export { useAlerts } from './queries.ts';
export { useAlertEntry, useAlertLines } from './useAlertsOnChart.ts';
