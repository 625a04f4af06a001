/** The four cards of the Overview: definition, figure, change and link of each (ADMIN-04 to ADMIN-09, A74, A75). */
import { formatCompact, formatFigure } from '../../../shared/numbers/index.ts';
import type { AdminOverview } from './useOverview.ts';

type Comparison = AdminOverview['total_users'];

export interface Card {
  readonly title: string;
  readonly figure: string;
  readonly unit: string;
  readonly comparison: Comparison;
  /** The text after the change: what the change compares with. */
  readonly caption: string;
  readonly meaning: string;
  /** Whether a larger figure is better; only then is the change green or red. */
  readonly isUpGood: boolean;
  readonly to: string;
  readonly rows: string;
}

const compactAbove = 1_000_000;
const formatCardAmount = (value: number): string =>
  Math.abs(value) < compactAbove ? formatFigure(value, 2) : formatCompact(value);

const newUsersCaption = ({ days }: Comparison): string => {
  const added = (days.at(-1) ?? 0) - (days[0] ?? 0);
  if (added <= 0) return 'in 30 days';
  return `${formatFigure(added, 0)} new in 30 days`;
};

export const cardTitles = ['Total Users', 'Trading Volume', 'Active Sessions', 'Total Balance'] as const;

export function toCards({
  total_users,
  trading_volume,
  active_sessions,
  total_balance,
}: AdminOverview): readonly Card[] {
  return [
    {
      title: 'Total Users',
      figure: formatFigure(total_users.value, 0),
      unit: '',
      comparison: total_users,
      caption: newUsersCaption(total_users),
      meaning:
        'Accounts of every role. The change compares with thirty days ago; the curve shows the number at the end of each UTC day.',
      isUpGood: true,
      to: '/admin?tab=users',
      rows: 'the users',
    },
    {
      title: 'Trading Volume',
      figure: formatCardAmount(trading_volume.value),
      unit: 'USDT',
      comparison: trading_volume,
      caption: 'on the month before',
      meaning:
        'Entry price times size of every position of the main accounts, open and closed. The change compares the last thirty days with the thirty before; the curve shows the volume of each UTC day.',
      isUpGood: true,
      to: '/admin/metrics',
      rows: 'the volume by day',
    },
    {
      title: 'Active Sessions',
      figure: formatFigure(active_sessions.value, 0),
      unit: '',
      comparison: active_sessions,
      caption: 'open support chats',
      meaning:
        'Support chats that are open now. The change compares the chats started in the last thirty days with the thirty before; the curve shows the chats started on each UTC day.',
      isUpGood: false,
      to: '/admin?tab=support',
      rows: 'support',
    },
    {
      title: 'Total Balance',
      figure: formatCardAmount(total_balance.value),
      unit: 'USDT',
      comparison: total_balance,
      caption: 'from the ledger',
      meaning:
        'The sum of the balances of all main accounts, which is the sum of their ledger entries. The change compares with thirty days ago; the curve shows the sum at the end of each UTC day.',
      isUpGood: true,
      to: '/admin?tab=wallets',
      rows: 'the wallets',
    },
  ];
}
