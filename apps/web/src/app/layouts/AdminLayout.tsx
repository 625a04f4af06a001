import { StaffShell } from './StaffShell.tsx';

const links = [
  { to: '/admin', label: 'Dashboard' },
  { to: '/admin/metrics', label: 'Metrics' },
] as const;

export default function AdminLayout() {
  return <StaffShell heading="Admin" links={links} />;
}
