/** What a message's status looks like. */
import type { ContactStatus } from '@fulcrum/domain';
import Archive from 'lucide-react/icons/archive';
import Mail from 'lucide-react/icons/mail';
import MailOpen from 'lucide-react/icons/mail-open';
import Reply from 'lucide-react/icons/reply';
import type { BadgeVariant } from '../../../shared/ui/index.ts';

export const statusStyles = {
  new: { label: 'New', tone: 'warn', Icon: Mail },
  read: { label: 'Read', tone: 'neutral', Icon: MailOpen },
  replied: { label: 'Replied', tone: 'up', Icon: Reply },
  archived: { label: 'Archived', tone: 'neutral', Icon: Archive },
} as const satisfies Record<ContactStatus, BadgeVariant>;
