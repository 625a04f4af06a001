export function AnalyticsSection() {
  return null;
}
