/**
 * Reads the history of one account in pages: closed positions, equity snapshots, payments. One transaction with one
 * snapshot reads everything, so trades, payments and equity of a response match. Instants of rows become whole
 * milliseconds; comparisons between rows use PostgreSQL's own text, which has microseconds.
 *
 * Known limitation: during a response PostgreSQL keeps every younger row version, for some hundred milliseconds.
 */
import {
  asMoney,
  asPrice,
  asSize,
  type ClosedTrade,
  type EquityObservation,
  type Flow,
  initialRisk,
  type Money,
  parseDecimal,
  type RuleSetName,
  type Side,
} from '@fulcrum/domain';
import { epochMsSql } from '../../platform/database/epoch-ms.ts';
import type { Queryable, Reader } from '../../platform/database/index.ts';
import { pagesOf } from '../../platform/database/pages.ts';
import { inReadSnapshot } from '../../platform/database/read-snapshot.ts';

/** Trades that are looked at; the latest ones. */
const tradesMax = 50_000;
/** Equity snapshots that a curve is made of; the latest ones. Each close makes one, and each hour with something open. */
const snapshotsMax = 100_000;

/** Half open; null is no bound. ms since the epoch. */
export interface Range {
  readonly from: number | null;
  readonly to: number | null;
}

/** Runs `work` on one snapshot of the database. */
export const inHistorySnapshot = <T>(reader: Reader, work: (tx: Queryable) => Promise<T>): Promise<T> =>
  inReadSnapshot(reader, work, `set local statement_timeout = '15s'; set local jit = off`);

const dateOrNull = (at: number | null): Date | null => (at === null ? null : new Date(at));
/** Of a column between two parameters of which each may be null. */
const within = (column: string, from: string, to: string): string =>
  `${column} >= coalesce(${from}::timestamptz, '-infinity') and ${column} < coalesce(${to}::timestamptz, 'infinity')`;

interface TradeRow {
  readonly id: string;
  readonly symbol: string;
  readonly side: Side;
  readonly realized_pnl: string;
  readonly fees: string;
  readonly funding: string;
  readonly opened_at: number;
  readonly closed_at: number;
  /** Null without a first stop loss, as most are: the risk is then not queried. */
  readonly stopped: {
    readonly price: string;
    readonly side: Side;
    readonly entry_price: string;
    readonly size: string;
    readonly leverage: number;
    readonly margin: string;
    readonly rules: RuleSetName;
  } | null;
}

// Figures as text: a JSON number would pass through a float. By the index of closed positions, whose order it is.
const tradesQuery = `
  select p.id, p.symbol, p.side, p.realized_pnl, p.fees, p.funding, ${epochMsSql('p.created_at')} as opened_at, ${epochMsSql('p.closed_at')} as closed_at,
         case when p.initial_stop_loss_price is not null then json_build_object(
           'price', p.initial_stop_loss_price::text, 'side', p.side, 'entry_price', p.entry_price::text,
           'size', p.size::text, 'leverage', p.leverage, 'margin', p.margin::text, 'rules', p.rules) end as stopped
  from app.positions p
  where p.user_id = $1 and p.status = 'closed' and ${within('p.closed_at', '$2', '$3')}
  order by p.closed_at desc limit ${tradesMax + 1}`;

function riskOf(stopped: TradeRow['stopped']): Money | null {
  if (!stopped) return null;
  return initialRisk({
    side: stopped.side,
    entryPrice: asPrice(parseDecimal(stopped.entry_price)),
    size: asSize(parseDecimal(stopped.size)),
    leverage: stopped.leverage,
    margin: asMoney(parseDecimal(stopped.margin)),
    rules: stopped.rules,
    initialStopLossPrice: asPrice(parseDecimal(stopped.price)),
  });
}

/** Calls `take` for each trade that was closed in the range, latest first; resolves with whether there were too many. */
export async function readTrades(
  tx: Queryable,
  accountId: string,
  { from, to }: Range,
  take: (trade: ClosedTrade) => void,
): Promise<{ readonly truncated: boolean }> {
  let left = tradesMax;
  for await (const rows of pagesOf<TradeRow>(tx, tradesQuery, [
    accountId,
    dateOrNull(from),
    dateOrNull(to),
  ])) {
    for (const row of rows.slice(0, left)) {
      take({
        id: row.id,
        symbol: row.symbol,
        side: row.side,
        realizedPnl: asMoney(parseDecimal(row.realized_pnl)),
        fees: asMoney(parseDecimal(row.fees)),
        funding: asMoney(parseDecimal(row.funding)),
        risk: riskOf(row.stopped),
        openedAt: row.opened_at,
        closedAt: row.closed_at,
      });
    }
    left -= rows.length;
  }
  return { truncated: left < 0 };
}

interface EventRow {
  readonly at: number;
  readonly equity: string | null;
  readonly paid: string | null;
}

// A payment of an instant comes before the snapshot that has it in it.
const eventsQuery = `
  select ${epochMsSql('at')} as at, equity, null::numeric as paid from app.equity_snapshots
  where user_id = $1 and ${within('at', '$2', '$3')}
  union all
  select ${epochMsSql('created_at')}, null, amount from app.ledger_entries
  where user_id = $1 and kind in ('deposit', 'withdrawal') and account = 'user:cash'
    and ${within('created_at', '$2', '$3')}
  order by at, paid nulls last`;

interface HistoryObserver {
  flow(flow: Flow): void;
  observe(observation: EquityObservation): void;
}

/**
 * Passes the payments and snapshots in the range to `observer`, in order of time. Resolves with the time of the last one.
 */
export async function readEvents(
  tx: Queryable,
  accountId: string,
  { from, to }: Range,
  observer: HistoryObserver,
): Promise<number | null> {
  let last: number | null = null;
  for await (const rows of pagesOf<EventRow>(tx, eventsQuery, [
    accountId,
    dateOrNull(from),
    dateOrNull(to),
  ])) {
    for (const { at, equity, paid } of rows) {
      if (paid !== null) observer.flow({ at, amount: asMoney(parseDecimal(paid)) });
      if (equity !== null) observer.observe({ at, equity: asMoney(parseDecimal(equity)) });
      last = at;
    }
  }
  return last;
}

// By the primary key, backwards, without reading the rows.
const snapshotCutoffQuery = `
  select ${epochMsSql('at')} + 1 as at from app.equity_snapshots
  where user_id = $1 and ${within('at', '$2', '$3')} order by at desc offset ${snapshotsMax} limit 1`;

/**
 * Returns the start of a range that has more snapshots than `snapshotsMax`: just after the newest omitted one, which then
 * gives the equity at the beginning. Null for fewer snapshots.
 */
export async function readSnapshotCutoff(
  tx: Queryable,
  accountId: string,
  { from, to }: Range,
): Promise<number | null> {
  const { rows } = await tx.query<{ at: number }>(snapshotCutoffQuery, [
    accountId,
    dateOrNull(from),
    dateOrNull(to),
  ]);
  return rows[0]?.at ?? null;
}

const firstEvent = `
  select ${epochMsSql('least(s.at, l.at)')} as at
  from (select min(at) as at from app.equity_snapshots where user_id = $1) s,
       (select min(created_at) as at from app.ledger_entries
        where user_id = $1 and kind in ('deposit', 'withdrawal')) l`;

/** When the account was first paid into or valued; null for neither. */
export async function readFirstEvent(tx: Queryable, accountId: string): Promise<number | null> {
  const { rows } = await tx.query<{ at: number | null }>(firstEvent, [accountId]);
  return rows[0]?.at ?? null;
}

// The last snapshot before $2, and what was paid in between that and $2; null when neither is there.
const equityBefore = `
  select coalesce(s.equity, 0) + coalesce(l.paid, 0) as equity, s.at is not null or l.paid is not null as known
  from (values (1)) as one
  left join lateral (
    select at, equity from app.equity_snapshots where user_id = $1 and at < $2 order by at desc limit 1
  ) s on true
  left join lateral (
    select sum(amount) as paid from app.ledger_entries
    where user_id = $1 and kind in ('deposit', 'withdrawal') and account = 'user:cash'
      and created_at > coalesce(s.at, '-infinity') and created_at < $2
  ) l on true`;

/** The equity just before an instant, as last observed and with what was paid in since; null before the account's first cent. */
export async function readEquityBefore(tx: Queryable, accountId: string, at: number): Promise<Money | null> {
  const { rows } = await tx.query<{ equity: string; known: boolean }>(equityBefore, [
    accountId,
    new Date(at),
  ]);
  const [row] = rows;
  return row?.known ? asMoney(parseDecimal(row.equity)) : null;
}

// The hourly snapshot after $2 arrives within the next minute or two. It gives the equity at $2 if no position was opened
// or closed in between and staff corrected nothing, which the audit log shows by an index (wallet/invariants.ts); payments
// and funding, which is due at full hours, are subtracted.
const equityJustAfter = `
  select s.equity - coalesce((
    select sum(amount) from app.ledger_entries
    where user_id = $1 and kind in ('deposit', 'withdrawal') and account = 'user:cash'
      and created_at >= $2 and created_at <= s.at
  ), 0) - coalesce((
    select sum(amount) from app.transactions
    where user_id = $1 and type in ('funding', 'financing') and created_at >= $2 and created_at <= s.at
  ), 0) as equity
  from (
    select at, equity from app.equity_snapshots
    where user_id = $1 and at >= $2 and at < $2::timestamptz + interval '2 minutes' order by at limit 1
  ) s
  where not exists (
    select from app.positions where user_id = $1 and created_at >= $2 and created_at <= s.at
  ) and not exists (
    select from app.positions where user_id = $1 and status = 'closed' and closed_at >= $2 and closed_at <= s.at
  ) and not exists (
    select from app.audit_log where subject_id = $1 and action = 'position.edit' and at >= $2 and at <= s.at
  ) and exists (
    select from app.equity_snapshots where user_id = $1 and at < $2
  )`;

/** The equity at a full hour: from the snapshot due then, else as `readEquityBefore`. */
export async function readEquityAtHour(tx: Queryable, accountId: string, at: number): Promise<Money | null> {
  const { rows } = await tx.query<{ equity: string }>(equityJustAfter, [accountId, new Date(at)]);
  return rows[0] ? asMoney(parseDecimal(rows[0].equity)) : readEquityBefore(tx, accountId, at);
}

const paidSince = `
  select coalesce(sum(amount), 0)::numeric(28, 8) as paid from app.ledger_entries
  where user_id = $1 and kind in ('deposit', 'withdrawal') and account = 'user:cash' and created_at >= $2`;

/** What was paid in (out: negative) from an instant on. */
export async function readPaidSince(tx: Queryable, accountId: string, at: number): Promise<Money> {
  const { rows } = await tx.query<{ paid: string }>(paidSince, [accountId, new Date(at)]);
  return asMoney(parseDecimal(rows[0]?.paid ?? '0'));
}

interface CostsRow {
  readonly fills: number;
  readonly realized: string;
  readonly spread: string;
  readonly impact: string;
  readonly latency: string;
  readonly fees: string;
  readonly funding: string;
}

/** USDT: what the fills of a range realized, and what they and the holding have cost. */
export interface TradingCosts extends Record<Exclude<keyof CostsRow, 'fills'>, Money> {
  readonly fills: number;
}

// Of an account with net positions; each product is exact, each sum is rounded once.
const costsQuery = `
  select e.*, t.funding
  from app.trading_accounts a
  cross join lateral (
    select count(*)::int as fills, coalesce(sum(realized_pnl), 0) as realized, coalesce(sum(fee), 0) as fees,
           round(coalesce(sum(size * spread_cost), 0), 8) as spread, round(coalesce(sum(size * impact_cost), 0), 8) as impact,
           round(coalesce(sum(size * latency_cost), 0), 8) as latency
    from app.executions where user_id = a.id and ${within('created_at', '$2', '$3')}
  ) e
  cross join lateral (
    select coalesce(sum(amount), 0) as funding from app.transactions
    where user_id = a.id and type in ('funding', 'financing') and ${within('created_at', '$2', '$3')}
  ) t
  where a.id = $1 and a.rules = 'perpetual'`;

/** Null for an account of other rules, whose fills have no costs but fees. */
export async function readCosts(
  tx: Queryable,
  accountId: string,
  { from, to }: Range,
): Promise<TradingCosts | null> {
  const { rows } = await tx.query<CostsRow>(costsQuery, [accountId, dateOrNull(from), dateOrNull(to)]);
  const [row] = rows;
  if (!row) return null;
  const { fills, ...sums } = row;
  const money = (text: string): Money => asMoney(parseDecimal(text));
  return {
    fills,
    realized: money(sums.realized),
    spread: money(sums.spread),
    impact: money(sums.impact),
    latency: money(sums.latency),
    fees: money(sums.fees),
    funding: money(sums.funding),
  };
}
