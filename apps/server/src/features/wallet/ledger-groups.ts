/**
 * Invariant 1: each ledger group sums to zero, moves only the accounts of its kind, and touches a user. The rows of a
 * group are adjacent except for entries that other connections booked at the same time. So the full pass reads the
 * ledger in the order of its ids and suspects a group that seems violated within one page. Only suspects are looked
 * up in the whole table, which has no index for it.
 */
import { parseDecimal } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';

/** The violations, as text for an operator. */
interface GroupFaults {
  readonly unbalanced: readonly string[];
  readonly misbooked: readonly string[];
  /** Of all entries in the range, which may cut a group in two; USDT in 1e-8. */
  readonly sum: bigint;
  /** The number of entries in the range. */
  readonly entries: number;
}

/** Ledger ids above `from` and up to `to`. */
export interface Range {
  readonly from: bigint;
  readonly to: bigint;
}

/** Ids of the ledger per page. */
const pageSize = 50_000n;
/** Suspects of one lookup; a page with more of them is violated anyway. */
const suspectsMax = 1000;

const fits = `case kind
  when 'deposit' then account in ('user:cash', 'external')
  when 'withdrawal' then account in ('user:cash', 'external')
  when 'open' then account in ('user:cash', 'user:margin')
  when 'close' then account in ('user:cash', 'user:margin', 'house:pnl', 'insurance')
  when 'adjustment' then account in ('user:cash', 'user:margin', 'house:pnl')
  when 'fee' then account in ('user:cash', 'house:fees')
  when 'split' then account = 'user:margin'
  when 'increase' then account in ('user:cash', 'user:margin')
  when 'margin' then account in ('user:cash', 'user:margin')
  when 'funding' then account in ('user:cash', 'user:margin', 'house:funding')
  when 'financing' then account in ('user:cash', 'user:margin', 'house:funding')
  else account in ('user:cash', 'user:order_margin') end
  -- It bears losses beyond a margin and never earns.
  and not (account = 'insurance' and amount > 0)`;

/**
 * Checks a page: its sum, the groups that seem violated in it, and entries on an account that their kind never moves.
 */
const judgePage = `
  with page as materialized (
    select id, group_id, account, user_id, amount, kind from app.ledger_entries where id > $1 and id <= $2
  )
  select (select coalesce(sum(amount), 0) from page) as sum, (select count(*)::int from page) as entries,
         array(select group_id::text from page group by group_id
               having sum(amount) <> 0 or not bool_or(user_id is not null) limit ${suspectsMax}) as suspects,
         array(select 'entry ' || id from page where not (${fits}) limit $3) as misfits`;

const judgeSuspects = `
  select case when sum(amount) <> 0 then 'group ' || group_id || ': ' || sum(amount) end as unbalanced,
         case when not bool_or(user_id is not null) then 'group ' || group_id || ' touches no user' end as misbooked
  from app.ledger_entries where group_id = any ($1::uuid[]) group by group_id
  having sum(amount) <> 0 or not bool_or(user_id is not null) limit $2`;

/**
 * Checks entries with an id above `from` and up to `to`, as in the snapshot; names at most `namedMax` of each sort.
 */
export async function judgeGroups(
  tx: Queryable,
  { from, to, namedMax, signal }: Range & { readonly namedMax: number; readonly signal?: AbortSignal },
): Promise<GroupFaults> {
  const unbalanced: string[] = [];
  const misbooked: string[] = [];
  let suspects: string[] = [];
  let sum = 0n;
  let entries = 0;
  const findSuspects = async (): Promise<void> => {
    if (suspects.length === 0) return;
    const { rows } = await tx.query<{ unbalanced: string | null; misbooked: string | null }>(judgeSuspects, [
      suspects,
      namedMax,
    ]);
    suspects = [];
    unbalanced.push(...rows.flatMap((group) => group.unbalanced ?? []));
    misbooked.push(...rows.flatMap((group) => group.misbooked ?? []));
  };

  for (let after = from; after < to; after += pageSize) {
    signal?.throwIfAborted();
    const last = after + pageSize < to ? after + pageSize : to;
    const { rows } = await tx.query<{ sum: string; entries: number; suspects: string[]; misfits: string[] }>(
      judgePage,
      [String(after), String(last), namedMax],
    );
    const [page] = rows;
    if (!page) throw new Error('a page of the ledger gave no row');
    sum += parseDecimal(page.sum);
    entries += page.entries;
    misbooked.push(...page.misfits);
    suspects.push(...page.suspects);
    if (suspects.length >= suspectsMax) await findSuspects();
  }
  await findSuspects();
  return {
    sum,
    entries,
    unbalanced: unbalanced.slice(0, namedMax),
    misbooked: [...new Set(misbooked)].slice(0, namedMax),
  };
}
