import { ProfileButton } from '../../features/staff/profile/ProfileButton.tsx';
import { goOffline } from '../../features/support/console/agent-status.ts';
import { StatusGroup } from '../../features/support/console/StatusGroup.tsx';
import { StaffShell } from './StaffShell.tsx';

export default function SupportLayout() {
  return (
    <StaffShell
      heading="Support"
      actions={<StatusGroup />}
      account={<ProfileButton />}
      beforeLogout={goOffline}
    />
  );
}
