/** `/journal`: the whole journal and the playbooks, alone on a page. */
import { useSiteName } from '../../shared/account/index.ts';
import { Skeleton } from '../../shared/ui/index.ts';
import { Playbooks } from '../playbooks/index.ts';
import { JournalSection } from './JournalSection.tsx';

export default function JournalPage() {
  return (
    <div className="w-full px-6 py-4 max-md:p-3">
      <title>{`Journal · ${useSiteName()}`}</title>
      <h1 className="sr-only">Journal</h1>
      <JournalSection isPage />
      <div className="mt-4">
        <Playbooks waiting={<Skeleton className="h-40 w-full" />} />
      </div>
    </div>
  );
}
