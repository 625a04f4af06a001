/** Figures of a position or an order for the invariants, as SQL over its row and its ledger entries. */

/** The booked amounts of one position or order: one row, even without entries. By index, as `lookUp`. */
export const entrySumsSql = (id: string): string => `lateral (
  select count(*) filter (where kind = 'open' and account = 'user:margin') as opened,
         count(*) filter (where kind = 'split' and amount > 0) as split_off,
         count(*) filter (where kind = 'close' and account = 'user:margin') as closed,
         count(*) filter (where kind = 'reserve' and account = 'user:order_margin') as reserves,
         count(*) filter (where kind = 'release' and account = 'user:order_margin') as releases,
         coalesce(sum(amount) filter (where account = 'user:margin'), 0) as margin,
         coalesce(sum(amount) filter (where account = 'user:order_margin'), 0) as reserved,
         coalesce(sum(amount) filter (where kind in ('close', 'adjustment')), 0) as result,
         coalesce(-sum(amount) filter (where kind = 'fee'), 0) as fees,
         coalesce(sum(amount) filter (where kind in ('funding', 'financing')), 0) as funding
  from app.ledger_entries e where e.source_id = ${id} and e.user_id is not null) l`;

/**
 * Looks one row up by an index, whatever plan the planner prefers for whole tables. The cost of a page must depend on
 * its rows, and neither EXISTS nor a join ensures that.
 */
export const lookUp = (column: string, from: string): string => `(select ${column} from app.${from} limit 1)`;

/** RULE-05 to RULE-08: the PnL of a position at a price, before the cap at the margin. */
export const pnlByPrice = (position: string, price: string): string => `round(
  case ${position}.side when 'BUY' then ${price} - ${position}.entry_price else ${position}.entry_price - ${price} end
  * ${position}.size * case ${position}.rules when 'as-specified' then ${position}.leverage else 1 end, 8)`;

/** The ledger id of the first entry of a position. */
export const firstEntryIdSql = (kind: string, id: string): string =>
  `(select min(e.id) from app.ledger_entries e where e.source_id = ${id} and e.kind = '${kind}')`;

/** The limit of later closings per insured loss, among positions that were open at its time (A111). */
export const laterClosingsMax = 2_000;

/**
 * Whether `p` closed between its entry and the price at which `o` of the other side lost its margin in the same
 * commit. If staff edited a position since, the details of its close are in the audit log only.
 */
export const offsetLossSql = `o.user_id = p.user_id and o.status = 'closed' and o.symbol = p.symbol and o.side <> p.side
  and (o.edited_at is not null or o.closed_at = p.closed_at and o.realized_pnl = -o.margin
    and case p.side when 'BUY' then p.close_price between p.entry_price and o.close_price
                    else p.close_price between o.close_price and p.entry_price end)`;
