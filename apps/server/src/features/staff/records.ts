/**
 * The records of one trading account, the latest first: orders, transactions, ledger entries (A112). The rows are those of the
 * table API, where staff read main accounts only.
 */
import { type ArgsOf, ledgerEntries, orders, type SignedIn, transactions } from '@fulcrum/contract';
import { readScope } from '../../platform/database/row-scope.ts';
import type { StaffDependencies } from './dependencies.ts';
import { requireNamedAccount } from './named-account.ts';
import { inListSnapshot } from './read-snapshot.ts';

/** All of these lists take the same ones. */
type Args = ArgsOf<'list_orders'>;
type RecordTable = typeof orders | typeof transactions | typeof ledgerEntries;

const defaultPageSize = 50;

export function createRecordLists({ reader }: Pick<StaffDependencies, 'reader'>) {
  const listOf =
    ({ name, access }: RecordTable, order: string) =>
    async (caller: SignedIn, args: Args) => {
      const taken = args.p_page_size ?? defaultPageSize;
      const skipped = ((args.p_page ?? 1) - 1) * taken;
      return inListSnapshot(reader, async (tx) => {
        const { id } = await requireNamedAccount(tx, caller, readScope(access, caller) ?? 'own', args);
        const { rows } = await tx.query(
          `select (select count(*)::int from api.${name} t where t.user_id = $1) as total,
                coalesce((select json_agg(page) from (
                  select * from api.${name} t where t.user_id = $1 order by ${order} limit $2 offset $3
                ) page), '[]') as rows`,
          [id, taken, skipped],
        );
        return rows[0];
      });
    };
  return {
    list_orders: listOf(orders, 'created_at desc, id desc'),
    list_transactions: listOf(transactions, 'created_at desc, id desc'),
    list_ledger_entries: listOf(ledgerEntries, 'id desc'),
  };
}
