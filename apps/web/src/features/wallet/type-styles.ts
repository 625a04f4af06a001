/** The label and style of each type of entry. */
import type { TransactionType } from '@fulcrum/domain';
import type { BadgeTone } from '../../shared/ui/index.ts';

interface TypeStyle {
  readonly label: string;
  readonly filter: string;
  readonly tone: BadgeTone;
}

export const typeStyles: Readonly<Record<TransactionType, TypeStyle>> = {
  deposit: { label: 'Deposit', filter: 'Deposits', tone: 'up' },
  withdrawal: { label: 'Withdrawal', filter: 'Withdrawals', tone: 'down' },
  position_closed: { label: 'Position closed', filter: 'Positions closed', tone: 'neutral' },
  fee: { label: 'Fee', filter: 'Fees', tone: 'warn' },
  funding: { label: 'Funding', filter: 'Funding', tone: 'neutral' },
  financing: { label: 'Financing', filter: 'Financing', tone: 'neutral' },
};
