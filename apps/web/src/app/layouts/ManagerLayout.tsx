import { ProfileButton } from '../../features/staff/profile/ProfileButton.tsx';
import { StaffShell } from './StaffShell.tsx';

export default function ManagerLayout() {
  return <StaffShell heading="Manager Dashboard" account={<ProfileButton />} />;
}
