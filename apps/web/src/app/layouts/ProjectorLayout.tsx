/** Layout of a page for a room: it has no bars. */
import { Page } from '../Page.tsx';
import { AccountProviders } from './AccountProviders.tsx';

export default function ProjectorLayout() {
  return (
    <AccountProviders>
      <Page />
    </AccountProviders>
  );
}
