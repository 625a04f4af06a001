/**
 * Reads of orders, of trades without an order, and of take profits and stop losses. Invariant: every statement has the key's account as
 * its first condition, so what another account has is unknown.
 *
 * Known limitation: what is older than `historyMs` is found by its number alone, and only an order is.
 */
import { dayMs } from '@fulcrum/domain';
import type { Database } from '../../../platform/database/index.ts';
import { createGather } from '../../../platform/gather.ts';
import {
  isActivated,
  isConditional,
  type LegName,
  legColumnsSql,
  numberOfName,
  orderColumnsSql,
  type StoredLegs,
  type StoredOrder,
  type StoredTrade,
  tradeColumnsSql,
  tradesFromSql,
} from './order-wire.ts';

/** How far lists and searches go back; the exchange's own answer as much. */
export const historyMs = 90 * dayMs;
/** Orders of one statement. */
const gatheredMax = 1_000;

/** A page of a list: from a number or an instant on, else the latest rows; ascending in either case. */
export interface Page {
  readonly symbol: string | null;
  readonly fromNumber?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly limit: number;
}

/** What a number or a name names. */
export type Named =
  | { readonly kind: 'order'; readonly row: StoredOrder; readonly as: 'order' | 'condition' }
  | { readonly kind: 'trade'; readonly row: StoredTrade }
  | { readonly kind: 'leg'; readonly position: StoredLegs; readonly leg: LegName };

/** The order's condition for lists of orders; the others are in lists of algo orders alone. */
const listedAsOrder = `(o.type in ('MARKET', 'LIMIT') or o.triggered_at is not null and o.status <> 'REJECTED')`;
const conditional = `o.type not in ('MARKET', 'LIMIT')`;
/** Of whole net positions; a closed part has the take profit and stop loss of the whole. */
const hasLegs = `p.split_from is null and (p.take_profit_price is not null or p.stop_loss_price is not null)`;
/** Whether the number is within the page; the number of a list's row is `number`. */
const isBeyond = (page: Page): boolean => page.fromNumber !== undefined || page.startTime !== undefined;

export function createOrderReads(db: Database, now: () => number) {
  const gathered = createGatheredReads(db);

  const orders = async (where: string, values: readonly unknown[], name: string): Promise<StoredOrder[]> => {
    const text = `select ${orderColumnsSql} from app.orders o where o.user_id = $1 and ${where}`;
    return (await db.query<StoredOrder>(text, values, `exchange_orders_${name}`)).rows;
  };
  const trades = async (where: string, values: readonly unknown[], name: string): Promise<StoredTrade[]> => {
    const text = `select ${tradeColumnsSql} ${tradesFromSql} where e.user_id = $1 and ${where}`;
    return (await db.query<StoredTrade>(text, values, `exchange_trades_${name}`)).rows;
  };
  const legs = async (where: string, values: readonly unknown[], name: string): Promise<StoredLegs[]> => {
    const text = `select ${legColumnsSql} from app.positions p where p.user_id = $1 and ${where}`;
    return (await db.query<StoredLegs>(text, values, `exchange_legs_${name}`)).rows;
  };

  /** From where on, and up to where, a list reads; the last instant is part of it. */
  const bounds = ({ startTime, endTime }: Page): [Date, Date] => [
    new Date(Math.max(startTime ?? 0, now() - historyMs)),
    new Date((endTime ?? now() + dayMs) + 1),
  ];
  const direction = (page: Page): 'asc' | 'desc' => (isBeyond(page) ? 'asc' : 'desc');

  /** The parameters of a list: account, symbol or null, first and last instant, first number, count. */
  const pageValues = (accountId: string, page: Page): unknown[] => [
    accountId,
    page.symbol,
    ...bounds(page),
    // The second number of a row counts as the row.
    (page.fromNumber ?? 0) - ((page.fromNumber ?? 0) % 4),
    page.limit,
  ];
  const pageOf = (row: 'o' | 'e' | 'p', page: Page): string =>
    `($2::text is null or ${row}.symbol = $2) and ${row}.created_at >= $3 and ${row}.created_at < $4 and ${row}.number >= $5
     order by ${row}.created_at ${direction(page)}, ${row}.number ${direction(page)} limit $6`;

  async function byNumber(accountId: string, number: number): Promise<Named | null> {
    const base = number - (number % 4);
    const offset = number - base;
    if (offset <= 1) {
      const [row] = await orders(`o.number = $2 and o.rules = 'perpetual'`, [accountId, base], 'by_number');
      if (row && offset === 0) return { kind: 'order', row, as: 'condition' };
      if (row && isActivated(row)) return { kind: 'order', row, as: 'order' };
    }
    const since = new Date(now() - historyMs);
    if (offset === 0) {
      const [row] = await trades(
        'e.number = $2 and e.order_id is null and e.created_at >= $3',
        [accountId, base, since],
        'by_number',
      );
      return row ? { kind: 'trade', row } : null;
    }
    if (offset > 2) return null;
    const leg = offset === 1 ? 'takeProfit' : 'stopLoss';
    const [position] = await legs(
      `p.number = $2 and p.rules = 'perpetual' and ${hasLegs} and p.created_at >= $3`,
      [accountId, base, since],
      'by_number',
    );
    return position ? { kind: 'leg', position, leg } : null;
  }

  return {
    /** Orders of the account by their ids, several callers' in one statement. */
    byId: (accountId: string, id: string) => gathered({ accountId, id }),

    byNumber,

    /** By the client's own name, the latest; else by the name that this door gave. */
    async byName(accountId: string, name: string): Promise<Named | null> {
      const [row] = await orders(
        `o.client_id = $2 and o.rules = 'perpetual' and o.created_at >= $3 order by o.created_at desc limit 1`,
        [accountId, name, new Date(now() - historyMs)],
        'by_name',
      );
      if (row) return { kind: 'order', row, as: isActivated(row) ? 'order' : 'condition' };
      const number = numberOfName(name);
      return number === null ? null : byNumber(accountId, number);
    },

    /** Waiting orders of every kind, the oldest first. */
    waiting: (accountId: string, symbol: string | null) =>
      orders(
        `o.status in ('NEW', 'PARTIALLY_FILLED') and ($2::text is null or o.symbol = $2) order by o.number`,
        [accountId, symbol],
        'waiting',
      ),

    /** Open positions with a take profit or a stop loss. */
    openLegs: (accountId: string, symbol: string | null) =>
      legs(
        `p.status = 'open' and ${hasLegs} and ($2::text is null or p.symbol = $2) order by p.number`,
        [accountId, symbol],
        'open',
      ),

    /** Those of lists of orders, and trades without an order beside them. */
    async history(accountId: string, page: Page): Promise<readonly (Named & { kind: 'order' | 'trade' })[]> {
      const values = pageValues(accountId, page);
      const way = direction(page);
      const found = await orders(`${listedAsOrder} and ${pageOf('o', page)}`, values, `history_${way}`);
      const alone = await trades(`e.order_id is null and ${pageOf('e', page)}`, values, `history_${way}`);
      return cut(
        page,
        [
          ...found.map(
            (row) => ({ kind: 'order', row, as: isConditional(row.type) ? 'order' : 'condition' }) as const,
          ),
          ...alone.map((row) => ({ kind: 'trade', row }) as const),
        ],
        ({ row }) => row,
      );
    },

    async algoHistory(
      accountId: string,
      page: Page,
    ): Promise<{ readonly rows: readonly (StoredOrder | StoredLegs)[] }> {
      const values = pageValues(accountId, page);
      const way = direction(page);
      const found = await orders(`${conditional} and ${pageOf('o', page)}`, values, `algo_${way}`);
      const positions = await legs(`${hasLegs} and ${pageOf('p', page)}`, values, `algo_${way}`);
      return { rows: cut(page, [...found, ...positions], (row) => row) };
    },

    /** Trades of the account; `ofOrder`: of the order with this number. */
    async trades(accountId: string, page: Page, ofOrder: number | undefined): Promise<StoredTrade[]> {
      const base = ofOrder === undefined ? null : ofOrder - (ofOrder % 4);
      const isSecond = ofOrder !== undefined && ofOrder % 4 === 1;
      const rows = await trades(
        `($7::bigint is null
           or o.number = $7 and (${conditional}) = $8
           or e.order_id is null and e.number = $7 and not $8)
         and ${pageOf('e', page)}`,
        [...pageValues(accountId, page), base, isSecond],
        `of_account_${direction(page)}`,
      );
      return cut(page, rows, (row) => row);
    },

    /** Forced closes. */
    liquidations: (accountId: string, page: Page) =>
      trades(
        `e.order_id is null and e.realized_pnl is not null and e.flipped_from is null and p.close_reason = 'liquidation'
         and ${pageOf('e', page)}`,
        pageValues(accountId, page),
        `liquidations_${direction(page)}`,
      ).then((rows) => cut(page, rows, (row) => row)),
  };
}
export type OrderReads = ReturnType<typeof createOrderReads>;

type Numbered = { readonly number: string; readonly created_at: Date };

/** One page of several lists: its first rows from a start, else its last ones; ascending. */
function cut<Row>(page: Page, rows: readonly Row[], of: (row: Row) => Numbered): Row[] {
  const ascending = [...rows].sort((one, other) => {
    const [a, b] = [of(one), of(other)];
    return a.created_at.getTime() - b.created_at.getTime() || Number(a.number) - Number(b.number);
  });
  return isBeyond(page) ? ascending.slice(0, page.limit) : ascending.slice(-page.limit);
}

interface Lookup {
  readonly accountId: string;
  readonly id: string;
}

/** Commands of one batch are answered together; their orders are read with one statement. */
const createGatheredReads = (db: Database) =>
  createGather(
    async (lookups: readonly Lookup[]): Promise<(StoredOrder | undefined)[]> => {
      const { rows } = await db.query<StoredOrder & { readonly user_id: string }>(
        `select ${orderColumnsSql}, o.user_id from app.orders o where o.id = any($1) and o.user_id = any($2)`,
        [lookups.map(({ id }) => id), [...new Set(lookups.map(({ accountId }) => accountId))]],
        'exchange_orders_by_id',
      );
      const found = new Map(rows.map((row) => [row.id, row]));
      return lookups.map(({ id, accountId }) => {
        const row = found.get(id);
        return row?.user_id === accountId ? row : undefined;
      });
    },
    { itemsMax: gatheredMax },
  );
