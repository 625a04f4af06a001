/** CALL-80, CALL-81: what visitors wrote. */
import { Upcoming } from '../../../shared/ui/index.ts';

export function ContactFormsTab() {
  return <Upcoming title="Contact Forms">Messages of visitors will be here. It is not built yet.</Upcoming>;
}
