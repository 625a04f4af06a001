/** The records of one trading account, the latest first. */
import { z } from 'zod';
import { type Columns, id, rowSchema } from '../../columns.ts';
import { managingRoles } from '../../roles.ts';
import { ledgerEntries } from '../../tables/append-only.ts';
import { orders, transactions } from '../../tables/trading.ts';
import { paged } from '../arguments.ts';
import { query } from '../procedure.ts';

/** The rows are those of the table API, where staff read main accounts only. */
const recordList = <Name extends string, C extends Columns>(name: Name, columns: C) =>
  query(name, {
    roles: managingRoles,
    args: z.strictObject({
      p_user_id: id,
      /** An account of that user; default, the main one. */
      p_account_id: id.nullish(),
      ...paged,
    }),
    result: z.object({ rows: z.array(rowSchema(columns)), total: z.number().int() }),
  });

export const listOrders = recordList('list_orders', orders.columns);
export const listTransactions = recordList('list_transactions', transactions.columns);
export const listLedgerEntries = recordList('list_ledger_entries', ledgerEntries.columns);
