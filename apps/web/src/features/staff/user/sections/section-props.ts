import type { ShownAccount } from '../../shown-account.ts';

/** Props of each section of the user page. */
export interface SectionProps {
  readonly userId: string;
  readonly username: string;
  /** Of positions, ledger, transactions and orders. */
  readonly account: ShownAccount;
  /** From 1. */
  readonly page: number;
  readonly onPage: (page: number) => void;
}
