/** `/analytics`: the analytics of the dashboard, alone on a page, and the coach's review of the week. The tab is part of the address. */
import { useSiteName } from '../../shared/account/index.ts';
import { Skeleton, TabPanel, Tabs } from '../../shared/ui/index.ts';
import { choiceField, defineUrlState, useUrlState } from '../../shared/url-state/index.ts';
import { Week } from '../coach/index.ts';
import { AnalyticsSection } from './AnalyticsSection.tsx';

const tabs = [
  { value: 'results', label: 'Results' },
  { value: 'week', label: 'Review of the week' },
] as const;
type Tab = (typeof tabs)[number]['value'];

const pageUrlState = defineUrlState({ view: choiceField<Tab>(['results', 'week'], 'results') });

export default function AnalyticsPage() {
  const [{ view }, change] = useUrlState(pageUrlState);
  return (
    <div className="w-full px-6 py-2 max-md:p-3">
      <title>{`Analytics · ${useSiteName()}`}</title>
      <h1 className="sr-only">Analytics</h1>
      <Tabs<Tab> label="Analytics" tabs={tabs} value={view} onChange={(chosen) => change({ view: chosen })}>
        <TabPanel value="results" className="pt-3">
          <AnalyticsSection isPage />
        </TabPanel>
        <TabPanel value="week" className="pt-3">
          <Week waiting={<Skeleton className="h-[420px] w-full" />} />
        </TabPanel>
      </Tabs>
    </div>
  );
}
