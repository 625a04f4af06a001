import { HaltBadge } from '../../features/staff/overview/HaltBadge.tsx';
import { StaffShell } from './StaffShell.tsx';

const links = [
  { to: '/admin', label: 'Dashboard' },
  { to: '/admin/metrics', label: 'Metrics' },
  { to: '/admin/audit', label: 'Audit log' },
] as const;

export default function AdminLayout() {
  return <StaffShell heading="Admin" links={links} actions={<HaltBadge />} />;
}
