/** Label, icon and colour of each transaction type and status (METR-07 to METR-14). */

import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line';
import ArrowUpFromLine from 'lucide-react/icons/arrow-up-from-line';
import Check from 'lucide-react/icons/check';
import CircleDot from 'lucide-react/icons/circle-dot';
import Clock from 'lucide-react/icons/clock';
import X from 'lucide-react/icons/x';

const typeVariants = {
  deposit: { label: 'Deposit', colour: 'text-up', Icon: ArrowDownToLine },
  withdrawal: { label: 'Withdrawal', colour: 'text-down', Icon: ArrowUpFromLine },
} as const;
const statusVariants = {
  completed: { label: 'Completed', tone: 'up', Icon: Check },
  pending: { label: 'Pending', tone: 'warn', Icon: Clock },
} as const;

/** `position_closed` is `Position closed`. */
const toLabel = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

export const getTypeVariant = (type: string) =>
  type === 'deposit' || type === 'withdrawal'
    ? typeVariants[type]
    : { label: toLabel(type), colour: 'text-[var(--blue)]', Icon: CircleDot };

export const getStatusVariant = (status: string) =>
  status === 'completed' || status === 'pending'
    ? statusVariants[status]
    : { label: toLabel(status), tone: 'down' as const, Icon: X };
