/**
 * A second model of the analytics in PostgreSQL's own arithmetic: per trade the sum of the ledger entries to or from the
 * trader, and per account payments, balances and snapshots. It uses no code of the analytics. Numerics are rounded to eight
 * decimals, half away from zero, as PostgreSQL rounds.
 */
import { dayMs } from '@fulcrum/domain';
import type { TestDatabase } from '../harness/index.ts';

export interface Period {
  readonly userId: string;
  /** ms since the epoch; null is no bound. */
  readonly from: number | null;
  readonly to: number | null;
  readonly zone: string;
}

// A close that made and cost nothing has no entries at all; a split hands margin from the whole to its part.
const trades = `
  with trade as (
    select p.*, coalesce((select sum(e.amount) from app.ledger_entries e
                          where e.source_id = p.id and e.user_id = p.user_id and e.kind <> 'split'), 0) as net,
           -(case p.side when 'BUY' then 1 else -1 end) * (p.initial_stop_loss_price - p.entry_price) * p.size
             * (case p.rules when 'as-specified' then p.leverage else 1 end) as at_stop,
           greatest(extract(epoch from p.closed_at - p.created_at), 0) as held
    from app.positions p
    where p.user_id = $1 and p.status = 'closed' and p.closed_at >= coalesce($2::timestamptz, '-infinity')
      and p.closed_at < coalesce($3::timestamptz, 'infinity')
  )`;

const figures = `${trades}
  select count(*)::int as trades,
         count(*) filter (where net > 0)::int as wins, count(*) filter (where net < 0)::int as losses,
         count(*) filter (where net = 0)::int as break_even,
         coalesce(sum(realized_pnl), 0)::float8 as gross_pnl, coalesce(sum(fees), 0)::float8 as fees,
         coalesce(sum(funding), 0)::float8 as funding,
         coalesce(sum(net), 0)::float8 as net_pnl,
         round(100.0 * count(*) filter (where net > 0) / nullif(count(*), 0), 8)::float8 as win_rate,
         coalesce(sum(net) filter (where net > 0), 0)::float8 as gross_profit,
         coalesce(-sum(net) filter (where net < 0), 0)::float8 as gross_loss,
         round(coalesce(sum(net) filter (where net > 0), 0) / -sum(net) filter (where net < 0), 8)::float8 as profit_factor,
         round(avg(net), 8)::float8 as expectancy,
         round(avg(net) filter (where net > 0), 8)::float8 as average_win,
         round(avg(net) filter (where net < 0), 8)::float8 as average_loss,
         round(avg(net / least(at_stop, margin)) filter (where at_stop > 0), 8)::float8 as average_r,
         count(*) filter (where at_stop > 0)::int as r_trades,
         round(avg(held), 9)::float8 as average_holding_s,
         round((percentile_cont(0.5) within group (order by held))::numeric, 6)::float8 as median_holding_s,
         max(net)::float8 as best, min(net)::float8 as worst
  from trade`;
const bySymbol = `${trades}
  select symbol, count(*)::int as trades, count(*) filter (where net > 0)::int as wins, sum(net)::float8 as net_pnl
  from trade group by symbol order by abs(sum(net)) desc, symbol collate "C"`;
const bySide = `${trades}
  select side, count(trade.id)::int as trades, count(*) filter (where net > 0)::int as wins,
         round(100.0 * count(*) filter (where net > 0) / nullif(count(trade.id), 0), 8)::float8 as win_rate,
         coalesce(sum(net), 0)::float8 as net_pnl
  from (values ('BUY'), ('SELL')) as sides (side) left join trade using (side) group by side order by side`;
const byDay = `${trades}
  select to_char(closed_at at time zone $4, 'YYYY-MM-DD') as day, count(*)::int as trades, sum(net)::float8 as net_pnl
  from trade group by 1 order by 1`;
const byHour = `${trades}
  select hour, count(trade.id)::int as trades, coalesce(sum(net), 0)::float8 as net_pnl
  from generate_series(0, 23) as hour left join trade on extract(hour from closed_at at time zone $4) = hour
  group by hour order by hour`;

/** And all the others by the names of `get_performance`. */
interface Sums {
  readonly best: number | null;
  readonly worst: number | null;
  readonly average_r: number | null;
  readonly average_holding_s: number | null;
}

export async function readLedger(db: TestDatabase, { userId, from, to, zone }: Period) {
  const range = [userId, from === null ? null : new Date(from), to === null ? null : new Date(to)];
  const [sums, symbols, sides, days, hours] = await Promise.all([
    db.query<Sums>(figures, range),
    db.query(bySymbol, range),
    db.query(bySide, range),
    db.query(byDay, [...range, zone]),
    db.query(byHour, [...range, zone]),
  ]);
  return {
    ...sums.rows[0]!,
    by_symbol: symbols.rows,
    by_side: sides.rows,
    by_day: days.rows,
    by_hour: hours.rows,
  };
}

/** `marks` are the prices that count now. What a trader has in the ledger and what closing everything would add, before fees. */
const equityNow = `
  with mark as (select * from json_to_recordset($2::json) as m (symbol text, price numeric)),
  held as (
    select greatest(-p.margin, round((case p.side when 'BUY' then 1 else -1 end) * (m.price - p.entry_price) * p.size
             * (case p.rules when 'as-specified' then p.leverage else 1 end), 8)) as pnl
    from app.positions p join mark m using (symbol) where p.user_id = $1 and p.status = 'open'
  )
  select (select coalesce(sum(amount), 0) from app.ledger_entries where user_id = $1)
       + (select coalesce(sum(pnl), 0) from held) as equity`;

const seen = `
  -- Equity less everything that was paid in until then: at each snapshot, and now.
  with look as (
    select at, equity from app.equity_snapshots where user_id = $1
    union all select $3::timestamptz, (${equityNow}) where not exists (
      select from app.equity_snapshots where user_id = $1 and at = $3::timestamptz and equity = (${equityNow}))
  ), paid as (
    select created_at as at, amount from app.ledger_entries
    where user_id = $1 and kind in ('deposit', 'withdrawal') and account = 'user:cash'
  ), result as (
    select l.at, l.equity, l.equity - coalesce((select sum(amount) from paid where paid.at <= l.at), 0) as result
    from look l
  ), below as (
    select *, greatest(max(result) over (order by at, result desc), 0) - result as fall from result
  )
  select (select equity from result where at = $3::timestamptz order by result limit 1)::float8 as equity,
         (select result from result where at = $3::timestamptz order by result limit 1)::float8 as result,
         max(fall)::float8 as deepest,
         (select count(*)::int from result) as points,
         coalesce((select r.result + (select coalesce(sum(amount), 0) from paid where paid.at < $4)
                   from result r where r.at < $4 order by r.at desc limit 1), 0)::float8 as day_equity,
         (select coalesce(sum(amount), 0) from paid where at >= $4)::float8 as day_paid
  from below`;

export interface Seen {
  readonly equity: number;
  readonly result: number;
  readonly deepest: number;
  readonly points: number;
  /** At 00:00 UTC of today, by the last look before it. */
  readonly day_equity: number;
  readonly day_paid: number;
}

export async function readEquityFromLedger(
  db: TestDatabase,
  userId: string,
  now: number,
  marks: Readonly<Record<string, string>>,
): Promise<Seen> {
  const list = JSON.stringify(Object.entries(marks).map(([symbol, price]) => ({ symbol, price })));
  const midnight = new Date(Math.floor(now / dayMs) * dayMs);
  const { rows } = await db.query<Seen>(seen, [userId, list, new Date(now), midnight]);
  return rows[0]!;
}
