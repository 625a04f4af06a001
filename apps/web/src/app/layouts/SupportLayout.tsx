import { StaffShell } from './StaffShell.tsx';

export default function SupportLayout() {
  return <StaffShell heading="Support" />;
}
