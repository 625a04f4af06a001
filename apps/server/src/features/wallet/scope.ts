/**
 * The rows that a pass over the ledger checks, as relations for the invariants. There are two scopes: the accounts of
 * one page (the full pass, page after page), and the rows that ledger entries above a checkpoint touched (the minute
 * pass). Invariant of both: a relation determines only which rows are checked; an invariant may compare them with
 * whole tables. A narrow scope can miss a violation but never reports a false one.
 */
export interface Scope {
  /** Common table expressions that the relations name; empty without any. */
  readonly expressions: string;
  /** Rows of app.wallets. */
  readonly wallets: string;
  /** One row per account in the ledger, including deleted users: user_id, cash, margin, order_margin. */
  readonly sums: string;
  /** Rows of app.positions. */
  readonly positions: string;
  /** Rows of app.orders. */
  readonly orders: string;
  /** Users' rows of app.ledger_entries; of a source in the scope all of them, old and new. */
  readonly entries: string;
  /** Completed rows of app.transactions. */
  readonly lines: string;
  /** Rows of app.notifications. */
  readonly notifications: string;
}

/** The relations whose rows a pass counts. */
export const judgedRelations = [
  'wallets',
  'positions',
  'orders',
  'entries',
  'lines',
  'notifications',
] as const;
export type JudgedRelation = (typeof judgedRelations)[number];

const sumOf = (account: string): string =>
  `coalesce(sum(l.amount) filter (where l.account = 'user:${account}'), 0)`;
/** The sums by ledger account over the entries `l` of one account. */
export const ledgerSums = `${sumOf('cash')} as cash, ${sumOf('margin')} as margin,
  ${sumOf('order_margin')} as order_margin`;

/** From $1 (uuid) to before $2; null has no end. */
const inPage = (column: string): string => `${column} >= $1 and ($2::uuid is null or ${column} < $2)`;
const rowsInPage = (table: string): string => `(select * from app.${table} where ${inPage('user_id')})`;

/** Parameters: the first user id of the page, and the first of the next one or null. */
export const accountsPage = {
  expressions: '',
  wallets: rowsInPage('wallets'),
  sums: `(select l.user_id, ${ledgerSums} from app.ledger_entries l where ${inPage('l.user_id')} group by l.user_id)`,
  positions: rowsInPage('positions'),
  orders: rowsInPage('orders'),
  entries: rowsInPage('ledger_entries'),
  lines: `(select * from app.transactions where status = 'completed' and ${inPage('user_id')})`,
  notifications: rowsInPage('notifications'),
} as const satisfies Scope;

/** The rows of an account since the first touching entry, to find rows without an entry of their own. */
const recentOf = (table: string): string =>
  `select r.id from accounts a join app.${table} r on r.user_id = a.id and r.created_at >= (select at from since)`;

/** Parameter: the ledger id of the checkpoint. */
export const aboveCheckpoint = {
  expressions: `
    with touching as materialized (
      select group_id, user_id, source_id, created_at from app.ledger_entries where id > $1::bigint
    ), accounts as materialized (select distinct user_id as id from touching where user_id is not null),
    since as materialized (select min(created_at) as at from touching),
    sources as materialized (select source_id as id from touching union ${recentOf('orders')})`,
  wallets: `(select w.* from accounts a join app.wallets w on w.user_id = a.id)`,
  sums: `(
    select a.id as user_id, coalesce(c.cash, 0) + n.cash as cash, coalesce(c.margin, 0) + n.margin as margin,
           coalesce(c.order_margin, 0) + n.order_margin as order_margin
    from accounts a
    left join app.checkpoint_balances c on c.user_id = a.id
    cross join lateral (
      select ${ledgerSums} from app.ledger_entries l where l.user_id = a.id and l.id > coalesce(c.ledger_id, 0)
    ) n)`,
  positions: `(select p.* from sources s join app.positions p on p.id = s.id)`,
  orders: `(select o.* from sources s join app.orders o on o.id = s.id)`,
  entries: `(select l.* from sources s join app.ledger_entries l on l.source_id = s.id where l.user_id is not null)`,
  lines: `(select t.* from app.transactions t
           where t.status = 'completed'
             and t.id in (select group_id from touching union ${recentOf('transactions')}))`,
  notifications: `(select n.* from app.notifications n where n.id in (${recentOf('notifications')}))`,
} as const satisfies Scope;
