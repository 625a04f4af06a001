/**
 * Daily totals of all users from positions and ledger: active traders, liquidations, and the house's profit. A finished day
 * is counted once (`app.house_days`), some minutes after its end or at the next start: a later deletion of an account does
 * not change its days. A later edit of a position's times moves the counted days by the difference (a trigger of
 * `app.positions`, in the edit's transaction). Invariants: days are UTC; counted days have no gap; concurrent counters
 * count a day once; an edit is in the count or moves it, never both.
 *
 * Known limitations: the bookings of an edit count on the day of the booking. An edit of times, and the engine's writes
 * after it, wait while days are counted: seconds, where a hundred days are counted after a long stop.
 */
import { dayMs } from '@fulcrum/domain';
import type { Database } from '../../../platform/database/index.ts';
import { isMainSql } from '../../../platform/database/row-scope.ts';

/** A batch is written some moments after the time that it bears. */
const settledAfterMs = 10 * 60_000;
/** Days of one statement: what there was before anybody looked may be years. */
const pageDays = 100;

/** `YYYY-MM-DD`, UTC. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const beginOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The first day that may still change. */
export const unsettledDay = (now: number): string => dayOf(now - settledAfterMs);

/**
 * From $1 (inclusive) to $2 (exclusive), timestamptz: a row for each day with an event. A position closes after it opens, so
 * the positions opened or closed in a range are found by the index of their state.
 */
export const daysStatement = `
  select day, coalesce(sum(active_traders), 0)::int as active_traders, coalesce(sum(liquidations), 0)::int as liquidations,
         coalesce(sum(transactions), 0)::int as transactions, coalesce(sum(house_pnl), 0)::numeric(38, 8) as house_pnl
  from (
    select day, count(distinct user_id) as active_traders, count(*) filter (where is_liquidation) as liquidations,
           null::bigint as transactions, null::numeric as house_pnl
    from (
      select (p.created_at at time zone 'utc')::date as day, p.user_id, false as is_liquidation
      from app.positions p where p.closed_at is null and p.created_at >= $1 and p.created_at < $2 and ${isMainSql('p.user_id')}
      union all
      select (p.created_at at time zone 'utc')::date, p.user_id, false
      from app.positions p where p.status = 'closed' and p.closed_at >= $1 and p.created_at >= $1 and p.created_at < $2 and ${isMainSql('p.user_id')}
      union all
      select (p.closed_at at time zone 'utc')::date, p.user_id, p.close_reason = 'liquidation'
      from app.positions p where p.status = 'closed' and p.closed_at >= $1 and p.closed_at < $2 and ${isMainSql('p.user_id')}
    ) active
    group by 1
    union all
    select (t.created_at at time zone 'utc')::date, null, null, count(*), null
    from app.transactions t where t.created_at >= $1 and t.created_at < $2 and ${isMainSql('t.user_id')}
    group by 1
    union all
    select (e.created_at at time zone 'utc')::date, null, null, null, sum(e.amount)
    from app.ledger_entries e
    where e.account in ('house:pnl', 'house:fees', 'insurance') and e.created_at >= $1 and e.created_at < $2
      and not exists (select from app.ledger_entries x join app.other_accounts o on o.id = x.user_id
                      where x.source_id = e.source_id)
    group by 1
  ) part
  group by day`;

/** Held alone while days are counted, and shared by an edit of times (migration 0018). */
const countingLock = 4_617_316;

/** Counts the finished days that are not counted yet, page by page; each page is its own transaction. */
export async function countFinishedDays(db: Database, now: number): Promise<void> {
  const end = beginOf(unsettledDay(now));
  const { rows } = await db.query<{ next: string | null }>(
    `select coalesce((select max(day) + 1 from app.house_days), (select min(day) from app.daily_totals)) as next`,
    [],
    'house_days_next',
  );
  const [first] = rows;
  if (!first || first.next === null) return;
  for (let from = beginOf(first.next); from < end; from += pageDays * dayMs) {
    const to = Math.min(end, from + pageDays * dayMs);
    await db.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [countingLock]);
      await tx.query(
        `insert into app.house_days (day, active_traders, liquidations, transactions, house_pnl)
       select s::date, coalesce(d.active_traders, 0), coalesce(d.liquidations, 0), coalesce(d.transactions, 0),
              coalesce(d.house_pnl, 0)
       from generate_series($1::timestamptz at time zone 'utc', ($2::timestamptz at time zone 'utc') - interval '1 day', '1 day') s
       left join (${daysStatement}) d on d.day = s::date
       on conflict (day) do nothing`,
        [new Date(from), new Date(to)],
      );
    });
  }
}
