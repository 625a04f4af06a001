/**
 * Return and deepest fall of many accounts apart from what was paid into them, as `EquityCurve` measures them for one. Of the snapshots
 * the return needs the last one before each payment, and no other.
 */
import {
  asMoney,
  asPercent,
  EquityCurve,
  type Money,
  NO_MONEY,
  type Percent,
  parseDecimal,
  timeWeightedReturn,
  toDecimalString,
  type UnitBase,
} from '@fulcrum/domain';
import { epochMsSql } from '../../platform/database/epoch-ms.ts';
import type { Queryable } from '../../platform/database/index.ts';

/** From a payment until the next one. */
interface Stretch {
  readonly accountId: string;
  /** As PostgreSQL writes it: with microseconds. */
  readonly from: string;
  readonly base: UnitBase;
}

export interface Returns {
  /** The time-weighted return with this equity; 0 for an account that nothing was paid into. */
  readonly of: (accountId: string, equity: Money) => Percent;
  readonly stretches: readonly Stretch[];
}

interface EventRow {
  readonly account_id: string;
  readonly instant: string;
  readonly at: number;
  readonly equity: string | null;
  readonly paid: string | null;
}

// A payment of an instant comes before the snapshot that has it in it. $1: accounts.
const eventsQuery = `
  with payment as (
    select user_id as account_id, created_at as at, sum(amount) as paid from app.ledger_entries
    where user_id = any ($1::uuid[]) and kind in ('deposit', 'withdrawal') and account = 'user:cash'
    group by user_id, created_at
  ), seen as (
    select distinct p.account_id, s.at, s.equity from payment p
    cross join lateral (
      select at, equity from app.equity_snapshots where user_id = p.account_id and at <= p.at order by at desc limit 1
    ) s
  )
  select account_id, at::text as instant, ${epochMsSql('at')} as at, equity, paid
  from (
    select account_id, at, null::numeric as equity, paid from payment
    union all
    select account_id, at, equity, null from seen
  ) e
  order by e.account_id, e.at, e.paid nulls last`;

/** Reads within `tx`. */
export async function readReturns(tx: Queryable, accountIds: readonly string[]): Promise<Returns> {
  const { rows } = await tx.query<EventRow>(eventsQuery, [accountIds], 'account_returns');
  const bases = new Map<string, UnitBase>();
  const stretches: Stretch[] = [];
  let curve = new EquityCurve({ equity: NO_MONEY, from: 0, to: 0, limit: 0 });
  for (const [index, { account_id: accountId, instant, at, equity, paid }] of rows.entries()) {
    const [previous, next] = [rows[index - 1], rows[index + 1]];
    if (previous?.account_id !== accountId)
      curve = new EquityCurve({ equity: NO_MONEY, from: at, to: at, limit: 0 });
    if (paid !== null) curve.flow({ at, amount: asMoney(parseDecimal(paid)) });
    if (equity !== null) curve.observe({ at, equity: asMoney(parseDecimal(equity)) });
    const isLastOfInstant = next?.account_id !== accountId || next.instant !== instant;
    const isPaid = paid !== null || (previous?.account_id === accountId && previous.instant === instant);
    if (!isLastOfInstant || !isPaid) continue;
    const base = curve.base();
    bases.set(accountId, base);
    stretches.push({ accountId, from: instant, base });
  }
  return {
    of: (accountId, equity) => {
      const base = bases.get(accountId);
      return base ? timeWeightedReturn(base, equity) : asPercent(0n);
    },
    stretches,
  };
}

// $1 to $4: the stretches. The value of a unit at each snapshot, and at each payment that of just before it. Stretch by stretch, in the order of the
// index, so that the snapshots of all accounts are never sorted together: a fall is one within a stretch, or from a height before it.
const fallsQuery = `
  with stretch as (
    select *, lead(since) over (partition by account_id order by since) as until
    from unnest($1::uuid[], $2::timestamptz[], $3::float8[], $4::float8[]) as s (account_id, since, value, equity)
  ), part as (
    select s.account_id, s.since, f.* from stretch s cross join lateral (
      select max(value) as top, min(value) as low, max(1 - value / nullif(highest, 0)) as fall from (
        select value, max(value) over (order by at) as highest from (
          select e.at, case when s.equity <= 0 then s.value else s.value * greatest(e.equity, 0)::float8 / s.equity end as value
          from app.equity_snapshots e
          where e.user_id = s.account_id and e.at >= s.since and e.at < coalesce(s.until, 'infinity')
          union all select s.since, s.value
        ) unit
      ) followed
    ) f
  ), fall as (
    select account_id, fall, low, max(top) over (
      partition by account_id order by since rows between unbounded preceding and 1 preceding) as before
    from part
  )
  select account_id,
         coalesce(round((100 * max(greatest(fall, 1 - low / nullif(before, 0))))::numeric, 8), 0)::float8 as percent
  from fall group by account_id`;

/** The deepest fall of each account's unit value in its snapshots, in per cent; none for an account that nothing was paid into. */
export async function readDeepestFalls(
  tx: Queryable,
  { stretches }: Returns,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await tx.query<{ account_id: string; percent: number }>(
    fallsQuery,
    [
      stretches.map(({ accountId }) => accountId),
      stretches.map(({ from }) => from),
      stretches.map(({ base }) => Number(base.value)),
      stretches.map(({ base }) => toDecimalString(base.equity)),
    ],
    'account_falls',
  );
  return new Map(rows.map((row) => [row.account_id, row.percent]));
}
