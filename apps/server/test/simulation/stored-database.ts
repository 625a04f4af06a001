/** The tables of PostgreSQL as the simulator's tables in memory, so that the auditor's accounts can be compared with them. */
import { parseDecimal } from '@fulcrum/domain';
import type { StoredRow } from '../../src/features/trading/engine/columns/codec.ts';
import { orderColumns } from '../../src/features/trading/engine/columns/order.ts';
import { positionColumns } from '../../src/features/trading/engine/columns/position.ts';
import { executionColumns } from '../../src/features/trading/engine/columns/records.ts';
import { walletColumns } from '../../src/features/trading/engine/columns/wallet.ts';
import { orderOf, positionOf } from '../../src/features/trading/engine/rows.ts';
import type { Queryable } from '../../src/platform/database/index.ts';
import { MemoryDatabase } from './memory-database.ts';

export interface StoredDatabase {
  readonly database: MemoryDatabase;
  /** Of every position that was ever opened or split off, also of accounts that are gone. */
  readonly positionIds: ReadonlySet<string>;
  /** By ledger account, over all accounts. */
  readonly sums: ReadonlyMap<string, bigint>;
}

export async function readStoredDatabase(db: Queryable): Promise<StoredDatabase> {
  const database = new MemoryDatabase();
  const read = async <Row>(text: string): Promise<readonly Row[]> => (await db.query<Row>(text)).rows;
  for (const { id, restricted } of await read<{ id: string; restricted: boolean }>(
    'select id, restricted_at is not null as restricted from app.users',
  )) {
    database.users.set(id, { id, role: 'trader', managerId: null, restricted });
  }
  for (const { id, ownerId, isArchived } of await read<{ id: string; ownerId: string; isArchived: boolean }>(
    `select id, owner_id as "ownerId", status = 'archived' as "isArchived" from app.trading_accounts`,
  )) {
    database.addAccount(id, { ownerId, terms: null, isArchived });
  }
  const rows = async (table: string, select: string): Promise<readonly StoredRow[]> =>
    (await read<{ row: StoredRow }>(`select ${select} as row from app.${table} t order by t.id`)).map(
      ({ row }) => row,
    );
  for (const row of await rows('wallets', walletColumns.select('t'))) {
    const wallet = walletColumns.fromJson(row);
    database.wallets.set(wallet.accountId, wallet);
  }
  for (const row of await rows('positions', positionColumns.select('t'))) {
    const position = positionOf(row);
    database.positions.set(position.id, position);
  }
  for (const row of await rows('orders', orderColumns.select('t'))) {
    const order = orderOf(row);
    database.orders.set(order.id, order);
  }
  // A line has the id of its ledger group, whose entries are in the order of the decisions.
  for (const { amount, ...line } of await read<{
    id: string;
    accountId: string;
    type: 'deposit';
    amount: string;
    description: string;
  }>(
    `select t.id, t.user_id as "accountId", t.type, t.amount, t.description from app.transactions t
     order by (select min(e.id) from app.ledger_entries e where e.group_id = t.id)`,
  )) {
    database.transactions.set(line.id, { ...line, amount: parseDecimal(amount) });
  }
  for (const { id, ...notice } of await read<{
    id: string;
    accountId: string;
    kind: string;
    positionId: string | null;
    orderId: string | null;
  }>(
    `select id, user_id as "accountId", kind, position_id as "positionId", order_id as "orderId"
     from app.notifications where kind <> 'alert' order by kind collate "C"`,
  )) {
    database.notifications.set(id, { id, ...notice });
  }
  for (const row of await rows('executions', executionColumns.select('t'))) {
    database.executions.push(executionColumns.fromJson(row));
  }
  for (const { accountId, leverages } of await read<{
    accountId: string;
    leverages: Readonly<Record<string, number>>;
  }>(
    `select user_id as "accountId", json_object_agg(symbol, leverage) as leverages
     from app.symbol_leverages group by user_id`,
  )) {
    database.leverages.set(accountId, new Map(Object.entries(leverages)));
  }
  const positionIds = await read<{ id: string }>(
    `select distinct source_id as id from app.ledger_entries where kind in ('open', 'split')`,
  );
  const sums = await read<{ account: string; amount: string }>(
    'select account, sum(amount) as amount from app.ledger_entries group by account',
  );
  return {
    database,
    positionIds: new Set(positionIds.map(({ id }) => id)),
    sums: new Map(sums.map(({ account, amount }) => [account, parseDecimal(amount)])),
  };
}
