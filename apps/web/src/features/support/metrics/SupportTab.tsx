/** What support did, and who is of support. */
import { Upcoming } from '../../../shared/ui/index.ts';

export function SupportTab() {
  return (
    <Upcoming title="Support">Figures of support and its agents will be here. It is not built yet.</Upcoming>
  );
}
