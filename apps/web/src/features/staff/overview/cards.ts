/** The four cards of the first screen (ADMIN-04 to ADMIN-09, A74, A75): what each counts, what it means, where its rows are. */
import { formatCompact, formatFigure } from '../../../shared/numbers/index.ts';
import type { AdminOverview } from './useOverview.ts';

type Compared = AdminOverview['total_users'];

export interface Card {
  readonly title: string;
  readonly figure: string;
  readonly unit: string;
  readonly compared: Compared;
  /** Behind the change: what it is of. */
  readonly beneath: string;
  readonly meaning: string;
  /** Whether more of it is better: only then the change is green or red. */
  readonly isUpGood: boolean;
  readonly to: string;
  readonly rows: string;
}

const compactFrom = 1_000_000;
const amountOf = (value: number): string =>
  Math.abs(value) < compactFrom ? formatFigure(value, 2) : formatCompact(value);

const newUsers = ({ days }: Compared): string => {
  const added = (days.at(-1) ?? 0) - (days[0] ?? 0);
  if (added <= 0) return 'in 30 days';
  return `${formatFigure(added, 0)} new in 30 days`;
};

export const cardTitles = ['Total Users', 'Trading Volume', 'Active Sessions', 'Total Balance'] as const;

export function cardsOf({
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
      compared: total_users,
      beneath: newUsers(total_users),
      meaning:
        'Accounts of every role. The change is against how many there were thirty days ago; the curve is their number at the end of each UTC day.',
      isUpGood: true,
      to: '/admin?tab=users',
      rows: 'the users',
    },
    {
      title: 'Trading Volume',
      figure: amountOf(trading_volume.value),
      unit: 'USDT',
      compared: trading_volume,
      beneath: 'on the month before',
      meaning:
        'Entry price times size of every position, open and closed. The change is what was opened in the last thirty days against the thirty before; the curve is the volume of each UTC day.',
      isUpGood: true,
      to: '/admin/metrics',
      rows: 'the volume by day',
    },
    {
      title: 'Active Sessions',
      figure: formatFigure(active_sessions.value, 0),
      unit: '',
      compared: active_sessions,
      beneath: 'open support chats',
      meaning:
        'Support chats that are open now. The change is how many began in the last thirty days against the thirty before; the curve is how many began on each UTC day.',
      isUpGood: false,
      to: '/admin?tab=support',
      rows: 'support',
    },
    {
      title: 'Total Balance',
      figure: amountOf(total_balance.value),
      unit: 'USDT',
      compared: total_balance,
      beneath: 'from the ledger',
      meaning:
        'The sum of all wallet balances, which is the sum of their ledger entries. The change is against the sum thirty days ago; the curve is the sum at the end of each UTC day.',
      isUpGood: true,
      to: '/admin?tab=wallets',
      rows: 'the wallets',
    },
  ];
}
