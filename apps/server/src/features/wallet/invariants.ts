/**
 * The books' invariants as SQL, each one pass that returns what breaks it. They are read-only and never repair: a
 * violation is for people, and trading stops until they have looked.
 *
 * Known limitation: each pass reads whole tables, so its cost grows with the books; a checkpoint is the way out.
 */
import type { Queryable } from '../../platform/database/index.ts';

export interface Violation {
  readonly invariant: string;
  /** The first few offenders, as text for an operator. */
  readonly detail: string;
}

export interface InvariantReport {
  readonly ok: boolean;
  /** ISO 8601 UTC; null before the first pass. */
  readonly checkedAt: string | null;
  readonly violations: readonly Violation[];
}

/** Offenders named per violation. */
const namedMax = 5;

/** Each query returns rows of one text column `offender`, and none when the invariant holds. */
const invariants: Readonly<Record<string, string>> = {
  'the ledger sums to zero': `
    select 'ledger: ' || sum(amount) as offender from app.ledger_entries having sum(amount) <> 0`,

  'each ledger group sums to zero': `
    select 'group ' || group_id || ': ' || sum(amount) as offender
    from app.ledger_entries group by group_id having sum(amount) <> 0`,

  'a wallet is the sum of its ledger entries': `
    select 'wallet of ' || coalesce(w.user_id, l.user_id) as offender
    from app.wallets w
    full join (
      select user_id, sum(amount) filter (where account = 'user:cash') as cash,
             sum(amount) filter (where account = 'user:margin') as margin,
             sum(amount) filter (where account = 'user:order_margin') as order_margin
      from app.ledger_entries where user_id is not null group by user_id
    ) l using (user_id)
    -- The books outlive an account: entries whose user is gone have no wallet to agree with.
    where (w.user_id is not null or exists (select from app.users u where u.id = l.user_id))
      and (w.available_balance, w.margin, w.order_margin)
        is distinct from (coalesce(l.cash, 0), coalesce(l.margin, 0), coalesce(l.order_margin, 0))`,

  'available is the balance less the margins of the open positions': `
    select 'wallet of ' || w.user_id as offender
    from app.wallets w
    left join (
      select user_id, sum(margin) as margin from app.positions where status = 'open' group by user_id
    ) p using (user_id)
    where w.margin <> coalesce(p.margin, 0)
       or w.available_balance <> w.balance - coalesce(p.margin, 0) - w.order_margin`,

  'a position is opened once, and closed once or not at all': `
    select 'position ' || p.id as offender
    from app.positions p
    left join (
      select source_id, count(distinct group_id) filter (where kind = 'open') as opened,
             count(distinct group_id) filter (where kind = 'close') as closed
      from app.ledger_entries where kind in ('open', 'close') group by source_id
    ) l on l.source_id = p.id
    where coalesce(l.opened, 0) <> 1 or coalesce(l.closed, 0) <> case p.status when 'closed' then 1 else 0 end`,

  'an opening locks the margin and a closing books the realized PnL': `
    select 'position ' || p.id as offender
    from app.positions p
    left join (
      select source_id, sum(amount) filter (where kind = 'open' and account = 'user:margin') as locked,
             sum(amount) filter (where kind = 'close' and user_id is not null) as booked,
             sum(amount) filter (where kind = 'close' and account = 'user:margin') as released
      from app.ledger_entries where kind in ('open', 'close') group by source_id
    ) l on l.source_id = p.id
    where l.locked is distinct from p.margin
       or (p.status = 'closed'
           and (coalesce(l.booked, 0) <> p.realized_pnl or l.released is distinct from -p.margin))`,

  'a closed position has one position_closed transaction with its realized PnL': `
    select 'position ' || p.id as offender
    from app.positions p
    left join lateral (
      select count(*) as lines, min(t.amount) as amount
      from (select distinct group_id from app.ledger_entries where source_id = p.id and kind = 'close') g
      join app.transactions t on t.id = g.group_id and t.type = 'position_closed' and t.user_id = p.user_id
    ) t on true
    where p.status = 'closed' and (t.lines <> 1 or t.amount is distinct from p.realized_pnl)`,

  'no transaction without its position or deposit': `
    select 'transaction ' || t.id as offender
    from app.transactions t
    where t.status = 'completed' and not exists (select from app.ledger_entries l where l.group_id = t.id)`,

  'a loss ends at the margin': `
    select 'position ' || id as offender from app.positions where realized_pnl < -margin`,

  'the account version counts every movement of money': `
    select 'wallet of ' || w.user_id as offender
    from app.wallets w
    left join (
      select user_id, count(distinct group_id) as changes
      from app.ledger_entries where user_id is not null group by user_id
    ) l using (user_id)
    left join (select user_id, max(account_version) as newest from app.positions group by user_id) p using (user_id)
    where w.version < coalesce(l.changes, 0) or w.version < coalesce(p.newest, 0)`,
};

/** Runs every pass. A pass that cannot run is an error, not a violation: it rejects. */
export async function checkInvariants(db: Queryable): Promise<InvariantReport> {
  const violations: Violation[] = [];
  let checkedAt: string | null = null;
  for (const [invariant, query] of Object.entries(invariants)) {
    const { rows } = await db.query<{ offender: string | null; checked_at: Date }>(
      `select now() as checked_at, found.offender
       from (values (1)) as one left join (select * from (${query}) q limit ${namedMax}) found on true`,
    );
    checkedAt = rows[0]?.checked_at.toISOString() ?? checkedAt;
    const offenders = rows.flatMap(({ offender }) => offender ?? []);
    if (offenders.length > 0) violations.push({ invariant, detail: offenders.join(', ') });
  }
  return { ok: violations.length === 0, checkedAt, violations };
}
