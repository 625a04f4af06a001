import { AccountButton } from '../../features/staff/account/AccountButton.tsx';
import { StaffShell } from './StaffShell.tsx';

export default function ManagerLayout() {
  return <StaffShell heading="Manager Dashboard" account={<AccountButton />} />;
}
