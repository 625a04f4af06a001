/** Monitoring: figures for Prometheus, and the operator's webhook. It reads what the server reports of itself, and decides nothing. */
export { createStoredFigures } from './figures.ts';
export { registerMetrics } from './metrics.ts';
export { type Condition, createWebhook } from './webhook.ts';
