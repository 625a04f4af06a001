import type { ContactStatus } from '@fulcrum/domain';
import Archive from 'lucide-react/icons/archive';
import Mail from 'lucide-react/icons/mail';
import MailOpen from 'lucide-react/icons/mail-open';
import Reply from 'lucide-react/icons/reply';
import { Badge, type BadgeTone } from '../../../shared/ui/index.ts';

export const statusStyles: Readonly<
  Record<ContactStatus, { readonly label: string; readonly tone: BadgeTone; readonly Icon: typeof Mail }>
> = {
  new: { label: 'New', tone: 'warn', Icon: Mail },
  read: { label: 'Read', tone: 'neutral', Icon: MailOpen },
  replied: { label: 'Replied', tone: 'up', Icon: Reply },
  archived: { label: 'Archived', tone: 'neutral', Icon: Archive },
};

export function StatusBadge({ status }: { readonly status: ContactStatus }) {
  const { label, tone, Icon } = statusStyles[status];
  return (
    <Badge tone={tone}>
      <Icon size={12} aria-hidden="true" className="mr-1" />
      {label}
    </Badge>
  );
}
