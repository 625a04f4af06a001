/** Ledger groups as stored rows. */
import type { LedgerAccount, LedgerGroup, LedgerKind, Money } from '@fulcrum/domain';

/** One entry as `app.ledger_entries` holds it. */
export interface LedgerRow {
  readonly groupId: string;
  readonly account: LedgerAccount;
  /** The owner of a `user:*` account; null for the house's accounts. */
  readonly accountId: string | null;
  readonly amount: Money;
  readonly kind: LedgerKind;
  readonly sourceId: string;
}

export const ledgerRowsOf = (accountId: string, { id, kind, sourceId, entries }: LedgerGroup): LedgerRow[] =>
  entries.map((entry) => ({
    groupId: id,
    account: entry.account,
    accountId: entry.account.startsWith('user:') ? accountId : null,
    amount: entry.amount,
    kind,
    sourceId: entry.sourceId ?? sourceId,
  }));
