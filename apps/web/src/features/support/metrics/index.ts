/** Figures of support: the whole tab, and the panel alone for another page. */
export { SupportMetricsPanel } from './SupportMetricsPanel.tsx';
export { SupportTab } from './SupportTab.tsx';
