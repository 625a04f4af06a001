import { StaffShell } from './StaffShell.tsx';

export default function ManagerLayout() {
  return <StaffShell heading="Manager Dashboard" />;
}
