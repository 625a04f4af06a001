/** Support's metrics: the whole tab, and the panel alone for another page. */
export type { Figure } from './definitions.ts';
export { Cell as MetricCell, SupportMetricsPanel } from './SupportMetricsPanel.tsx';
export { SupportTab } from './SupportTab.tsx';
export { supportMetricsKey } from './useSupportMetrics.ts';
