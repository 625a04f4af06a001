/** Support's public interface for other pages: its metrics. */
export { type Figure, MetricCell, SupportMetricsPanel, supportMetricsKey } from './metrics/index.ts';
