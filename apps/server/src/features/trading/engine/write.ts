/**
 * Converts a decided batch to the one call of `app.engine_write_v<n>` that writes it: one array of composite values for each
 * kind of row, as `columns/` declares them.
 */
import { type Level, toDecimalString } from '@fulcrum/domain';
import { amountsAsDecimals } from './challenge-rows.ts';
import { orderColumns } from './columns/order.ts';
import { positionColumns } from './columns/position.ts';
import {
  answerColumns,
  equityColumns,
  executionColumns,
  ledgerEntryColumns,
  leverageColumns,
  notificationColumns,
  totalsColumns,
  transactionColumns,
} from './columns/records.ts';
import { walletColumns } from './columns/wallet.ts';
import { ledgerRowsOf } from './ledger-rows.ts';
import type { Batch, Totals } from './store.ts';

const isEmpty = (totals: Totals): boolean => Object.values(totals).every((total) => Number(total) === 0);

/** The rare parts of a batch as JSON; null without any. */
function rareParameter({ audits, restrictions, amended, deletions, quotedBooks }: Batch): string | null {
  if ([audits, restrictions, amended, deletions, quotedBooks].every(({ length }) => length === 0))
    return null;
  return JSON.stringify({
    audits: audits.map(
      ({ actorId, onBehalfOf, subjectId, action, objectId, requestId, reason, detail, authority }) => ({
        actor_id: actorId,
        on_behalf_of: onBehalfOf,
        subject_id: subjectId,
        action,
        object_id: objectId,
        request_id: requestId,
        reason,
        detail,
        authority,
      }),
    ),
    restrictions: restrictions.map(({ accountId, restricted }) => ({ user_id: accountId, restricted })),
    amended: amended.map(({ accountId, positionId, amount }) => ({
      user_id: accountId,
      position_id: positionId,
      amount: toDecimalString(amount),
    })),
    deletions,
    quoted_books: quotedBooks.map(({ symbol, quoteId, source, mid, at, bids, asks }) => ({
      ...{ symbol, quote_id: quoteId, source, mid: toDecimalString(mid), priced_at: new Date(at) },
      ...{ bids: levelsToJson(bids), asks: levelsToJson(asks) },
    })),
  });
}

const verdictsParameter = (verdicts: Batch['verdicts']): string =>
  JSON.stringify(
    verdicts.map(({ accountId, verdict: { outcome, rule, figures }, marks }) => ({
      ...{ account_id: accountId, outcome, rule, decided_at: new Date(figures.at) },
      ...{ marks: amountsAsDecimals(marks), arithmetic: amountsAsDecimals(figures) },
    })),
  );

const levelsToJson = (levels: readonly Level[]): [string, string][] =>
  levels.map(({ price, size }) => [toDecimalString(price), toDecimalString(size)]);

/** The functions in `platform/database/functions` that this release calls. */
export const engineWrite = 'engine_write_v6';
const engineVerdicts = 'engine_verdicts_v1';

/** The one statement that writes the batch, all or nothing. PostgreSQL prepares it once per session. */
export function writeStatement(batch: Batch, epoch: number) {
  // By user id, so that every writer locks the rows in the same order.
  const wallets = batch.wallets.toSorted((a, b) => (a.after.accountId < b.after.accountId ? -1 : 1));
  const ledger = batch.ledger.flatMap(({ accountId, group }) => ledgerRowsOf(accountId, group));
  const values = [
    epoch,
    batch.id,
    batch.commands,
    new Date(batch.at),
    batch.priceNumber?.term ?? null,
    batch.priceNumber?.seq ?? null,
    totalsColumns.toSql(isEmpty(batch.totals) ? [] : [batch.totals]),
    rareParameter(batch),
    wallets.map(({ before }) => before.version),
    walletColumns.toSql(wallets.map(({ after }) => after)),
    positionColumns.toSql(batch.positions.map(({ after }) => after)),
    orderColumns.toSql(batch.orders.map(({ after }) => after)),
    executionColumns.toSql(batch.executions),
    ledgerEntryColumns.toSql(ledger),
    transactionColumns.toSql(batch.transactions),
    notificationColumns.toSql(batch.notifications),
    leverageColumns.toSql(batch.leverages),
    equityColumns.toSql(batch.equity),
    answerColumns.toSql(batch.answers),
  ];
  const parameters = values.map((_, i) => `$${i + 1}`).join(', ');
  const write = `app.${engineWrite}(${parameters})`;
  if (batch.verdicts.length === 0) return { name: engineWrite, text: `select ${write}`, values };
  // The time of the batch is the fourth parameter.
  return {
    name: engineVerdicts,
    text: `select app.${engineVerdicts}($${values.length + 1}, $4), ${write}`,
    values: [...values, verdictsParameter(batch.verdicts)],
  };
}
