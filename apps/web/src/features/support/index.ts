/** What of support stands on other pages: its figures. */
export { type Figure, MetricCell, SupportMetricsPanel, supportMetricsKey } from './metrics/index.ts';
