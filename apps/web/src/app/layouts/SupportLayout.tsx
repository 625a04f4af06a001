import { AccountButton } from '../../features/staff/account/AccountButton.tsx';
import { goOffline } from '../../features/support/console/agent-status.ts';
import { StatusGroup } from '../../features/support/console/StatusGroup.tsx';
import { StaffShell } from './StaffShell.tsx';

export default function SupportLayout() {
  return (
    <StaffShell
      heading="Support"
      actions={<StatusGroup />}
      account={<AccountButton />}
      beforeLogout={goOffline}
    />
  );
}
