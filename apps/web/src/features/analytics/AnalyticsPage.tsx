/** `/analytics`: the analytics of the dashboard, alone on a page. */
import { useSiteName } from '../../shared/account/index.ts';
import { AnalyticsSection } from './AnalyticsSection.tsx';

export default function AnalyticsPage() {
  return (
    <div className="w-full px-6 py-4 max-md:p-3">
      <title>{`Analytics · ${useSiteName()}`}</title>
      <h1 className="sr-only">Analytics</h1>
      <AnalyticsSection isPage />
    </div>
  );
}
