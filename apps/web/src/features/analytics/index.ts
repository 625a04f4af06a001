export { AnalyticsSection } from './AnalyticsSection.tsx';
