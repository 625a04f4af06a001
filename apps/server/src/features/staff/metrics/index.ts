/**
 * Metrics of all users by UTC day (METR-01 to METR-03, A82): volume and payments from the daily counters, the rest from
 * positions and ledger (`finished-days.ts`). Invariants: the totals are those of the shown days; a response costs the days
 * of its range and today's rows, however many positions there are.
 *
 * Known limitations: the number of distinct users may be a minute old; a range means the whole UTC days that it touches;
 * distinct users in a range are counted among existing accounts.
 */
import { AppError, type ArgsOf, type ResultOf, type SignedIn } from '@fulcrum/contract';
import { dayMs } from '@fulcrum/domain';
import { createTtlCache } from '../../../platform/cache/ttl-cache.ts';
import type { StaffDependencies } from '../dependencies.ts';
import { countFinishedDays, dayOf, daysStatement, unsettledDay } from './finished-days.ts';

type Args = ArgsOf<'get_house_metrics'>;
type Totals = ResultOf<'get_house_metrics'>;

/** More than ten years; the latest count. */
const daysMax = 3700;
/** The age limit of a cached number of distinct users, and the number of cached ranges. */
const activeCachedForMs = 60_000;
const activeMax = 32;
const countEveryMs = 10 * 60_000;

/** $1, $2: of the days that still change; $3, $4: of the range, dates; $5: at most. */
const rangeStatement = `
  with happened as (
    select day, active_traders, liquidations, transactions, house_pnl from app.house_days
    where day < ($1::timestamptz at time zone 'utc')::date
    union all
    select day, active_traders, liquidations, transactions, house_pnl from (${daysStatement}) today
  ), counted as (
    select day, sum(volume) as volume, sum(deposits) as deposits, -sum(withdrawals) as withdrawals
    from app.daily_totals group by day
  ), days as (
    select coalesce(c.day, h.day) as day, coalesce(c.volume, 0) as volume, coalesce(h.active_traders, 0) as active_traders,
           coalesce(h.house_pnl, 0) as house_pnl, coalesce(h.liquidations, 0) as liquidations,
           coalesce(h.transactions, 0) as transactions,
           coalesce(c.deposits, 0) as deposits, coalesce(c.withdrawals, 0) as withdrawals
    from counted c full join happened h on h.day = c.day
    where coalesce(c.day, h.day) >= coalesce($3::date, '-infinity') and coalesce(c.day, h.day) < coalesce($4::date, 'infinity')
    order by 1 desc limit $5
  ), sums as (
    select coalesce(sum(volume), 0) as volume, coalesce(sum(house_pnl), 0) as house_pnl,
           coalesce(sum(liquidations), 0)::int as liquidations, coalesce(sum(transactions), 0)::int as transactions,
           coalesce(sum(deposits), 0) as deposits,
           coalesce(sum(withdrawals), 0) as withdrawals
    from days
  )
  select (select to_json(s) from sums s) as totals,
         (select coalesce(json_agg(d order by d.day), '[]') from days d
          where (d.volume, d.active_traders, d.house_pnl, d.liquidations, d.transactions, d.deposits, d.withdrawals)
            <> (0, 0, 0, 0, 0, 0, 0)) as days`;

/** $1, $2: timestamptz or null. Each user is looked up by index, whatever the planner estimates for whole tables. */
const activeStatement = `
  select count(*)::int as active from app.users u
  where u.role = 'trader' and (
    exists (select from app.positions p where p.user_id = u.id and p.created_at >= $1 and p.created_at < $2)
    or exists (select from app.positions p
               where p.user_id = u.id and p.status = 'closed' and p.closed_at >= $1 and p.closed_at < $2))`;

/** @throws AppError invalid_argument */
function daysOf({ p_from, p_to }: Args): { from: string | null; to: string | null } {
  if (typeof p_from === 'string' && typeof p_to === 'string' && Date.parse(p_from) >= Date.parse(p_to)) {
    throw new AppError('invalid_argument', 'Invalid argument p_to: after p_from');
  }
  return {
    from: typeof p_from === 'string' ? dayOf(Date.parse(p_from)) : null,
    // The end is not in the range: a midnight is the day before's.
    to: typeof p_to === 'string' ? dayOf(Date.parse(p_to) + dayMs - 1) : null,
  };
}

export function createTotals({ db, clock, timers, log }: StaffDependencies) {
  let counting: Promise<string> | undefined;
  /** The first day that is not counted. Many lookers, one counting: around midnight it may be that of who began it. */
  const firstUncounted = (now: number): Promise<string> => {
    counting ??= countFinishedDays(db, now)
      .then(() => unsettledDay(now))
      .finally(() => {
        counting = undefined;
      });
    return counting;
  };

  const active = createTtlCache<number>(clock, { ttlMs: activeCachedForMs, max: activeMax });
  /** Looks up every trader, so concurrent callers share one query. */
  const activeTraders = (from: string | null, to: string | null): Promise<number> =>
    active.get(`${from} ${to}`, async () => {
      const values = [from ?? '-infinity', to ?? 'infinity'];
      const { rows } = await db.query<{ active: number }>(activeStatement, values, 'house_active');
      return rows[0]?.active ?? 0;
    });

  const procedures = {
    async get_house_metrics(_caller: SignedIn, args: Args): Promise<Totals> {
      const { from, to } = daysOf(args);
      const now = clock.now();
      const uncounted = await firstUncounted(now);
      // In sequence: a slot of `platform/database/read-limiter.ts` is one connection.
      const activeCount = await activeTraders(from, to);
      const { rows } = await db.query<
        Pick<Totals, 'days'> & { totals: Omit<Totals['totals'], 'active_traders'> }
      >(rangeStatement, [`${uncounted}T00:00:00Z`, 'infinity', from, to, daysMax], 'house_days');
      const [row] = rows;
      if (!row) throw new Error('the metrics query returned no row');
      return {
        days: row.days,
        totals: {
          ...row.totals,
          // The days are of now: the count of the range is at least each one's.
          active_traders: row.days.reduce((most, day) => Math.max(most, day.active_traders), activeCount),
        },
        at: new Date(now).toISOString(),
      };
    },
  };

  return {
    procedures,
    /** Counts each day soon after its end, also without a reader. Returns the function that stops it. */
    startCounting(): () => Promise<void> {
      const cancel = timers.every(countEveryMs, () => {
        firstUncounted(clock.now()).catch((error: unknown) =>
          log.warn({ err: error }, 'the days that are over could not be counted'),
        );
      });
      return async () => {
        cancel();
        await counting?.catch(() => undefined);
      };
    },
  };
}
