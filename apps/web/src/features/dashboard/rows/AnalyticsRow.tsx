/** Portfolio analytics, which the landing page names. */
export { AnalyticsSection as default } from '../../analytics/index.ts';
