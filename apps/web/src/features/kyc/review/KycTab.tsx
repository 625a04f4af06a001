/** KYC-21 … KYC-24: the identity checks that people submitted. */
import { Upcoming } from '../../../shared/ui/index.ts';

export function KycTab() {
  return <Upcoming title="KYC">The review of identity checks will be here. It is not built yet.</Upcoming>;
}
