/** Monitoring: figures for Prometheus. It reads what the server reports of itself, and decides nothing. */
export { createStoredFigures } from './figures.ts';
export { registerMetrics } from './metrics.ts';
