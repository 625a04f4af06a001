/** What each type of entry is called and how it looks. */
import type { BadgeTone } from '../../shared/ui/index.ts';
import type { EntryType } from './history.ts';

interface TypeLook {
  readonly label: string;
  readonly filter: string;
  readonly tone: BadgeTone;
}

export const typeLooks: Readonly<Record<EntryType, TypeLook>> = {
  deposit: { label: 'Deposit', filter: 'Deposits', tone: 'up' },
  withdrawal: { label: 'Withdrawal', filter: 'Withdrawals', tone: 'down' },
  position_closed: { label: 'Position closed', filter: 'Positions closed', tone: 'neutral' },
  fee: { label: 'Fee', filter: 'Fees', tone: 'warn' },
};
