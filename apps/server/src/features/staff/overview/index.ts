/**
 * The figures on the first screen of the admin console (A74, A75), from the daily counters and the conversations.
 * Invariants: no figure is a constant; a figure without a comparison has no change; all figures come from one snapshot.
 *
 * Known limitations: a day is a UTC day; later edits and deletions by staff change the day of the change
 * (`wallet/totals.ts`); the number of signed-in users starts at zero after a restart.
 */
import type { ResultOf } from '@fulcrum/contract';
import { inReadSnapshot } from '../../../platform/database/read-snapshot.ts';
import type { StaffDependencies } from '../dependencies.ts';
import { compareLevel, compareTotal, daysShown } from './month-comparison.ts';

type Overview = ResultOf<'get_admin_overview'>;

/** $1: now. A row per day of the last sixty, the oldest first, and in front of them what there was before, with day null. */
const dailyStatement = `
  with days as (
    select d::date as day
    from generate_series(($1::timestamptz at time zone 'UTC')::date - ${2 * daysShown - 1}, ($1::timestamptz at time zone 'UTC')::date,
                         interval '1 day') d
  ), counted as (
    select case when t.day >= (select min(day) from days) then t.day end as day, sum(t.users) as users, sum(t.volume) as volume,
           sum(t.balance) as balance
    from app.daily_totals t group by 1
  ), begun as (
    select (s.created_at at time zone 'UTC')::date as day, count(*) as chats
    from app.chat_sessions s
    where s.created_at >= (select min(day) from days)::timestamp at time zone 'UTC' and s.last_seq > 0 group by 1
  )
  select a.day::text, coalesce(c.users, 0)::int as users, coalesce(c.volume, 0)::float8 as volume,
         coalesce(c.balance, 0)::float8 as balance, coalesce(b.chats, 0)::int as chats
  from (select null::date as day union all select day from days) a
  left join counted c on c.day is not distinct from a.day
  left join begun b on b.day = a.day
  order by a.day nulls first`;

/** $1: now. */
const chatsStatement = `
  with closed as (
    select s.created_at, extract(epoch from s.closed_at - s.created_at)::float8 as seconds
    from app.chat_sessions s
    where s.closed_at > $1::timestamptz - interval '${daysShown} days' and s.closed_at <= $1 and s.last_seq > 0
  )
  select (select count(*)::int from app.chat_sessions s where s.status = 'open' and s.last_seq > 0) as open,
         (select count(*)::int from closed) as measured,
         (select avg(greatest(0, c.seconds)) from closed c) as average_s,
         (select extract(hour from c.created_at at time zone 'UTC')::int as hour from closed c
          group by 1 order by count(*) desc, 1 limit 1) as peak_hour`;

interface DayRow {
  /** Null: before the first one shown. */
  readonly day: string | null;
  readonly users: number;
  readonly volume: number;
  readonly balance: number;
  readonly chats: number;
}

interface ChatRow {
  readonly open: number;
  readonly measured: number;
  readonly average_s: number | null;
  readonly peak_hour: number | null;
}

export function createOverview({ reader, clock, identity }: StaffDependencies) {
  return {
    async get_admin_overview(): Promise<Overview> {
      const at = new Date(clock.now());
      const { rows, chats } = await inReadSnapshot(reader, async (tx) => {
        const daily = await tx.query<DayRow>(dailyStatement, [at], 'overview_days');
        return { rows: daily.rows, chats: await tx.query<ChatRow>(chatsStatement, [at], 'overview_chats') };
      });
      const [before, ...days] = rows;
      const [chat] = chats.rows;
      if (!before || !chat) throw new Error('the overview gave no row');
      const volume = rows.reduce((sum, day) => sum + day.volume, 0);
      return {
        total_users: compareLevel(
          before.users,
          days.map((day) => day.users),
        ),
        trading_volume: compareTotal(
          volume,
          days.map((day) => day.volume),
        ),
        active_sessions: compareTotal(
          chat.open,
          days.map((day) => day.chats),
        ),
        total_balance: compareLevel(
          before.balance,
          days.map((day) => day.balance),
        ),
        signed_in_now: identity.signedInNow(),
        average_session_s: chat.average_s,
        peak_hour: chat.peak_hour,
        sessions_measured: chat.measured,
        at: at.toISOString(),
      };
    },
  };
}
