/**
 * The ledger's invariants as SQL. Each is a query over a scope that returns its violations as one text column
 * `offender`, and no row when it holds. The queries only read and never repair: a violation halts trading until an
 * operator has resolved it.
 *
 * Known limitation: invariants over an account's whole history run only in the full pass.
 */
import { ownPayments } from '@fulcrum/domain';
import { isWaitingSql } from '../../platform/database/row-scope.ts';
import {
  entrySumsSql,
  firstEntryIdSql,
  laterClosingsMax,
  lookUp,
  offsetLossSql,
  pnlByPrice,
} from './position-sql.ts';
import { type JudgedRelation, ledgerSums, type Scope } from './scope.ts';

export interface Invariant {
  /**
   * The subject: 1 ledger groups (`ledger-groups.ts`), 2 balances, 3 locked margin, 4 sources, 5 PnL and fees, 6
   * orders, 9 triggers, 10 versions, 13 staff, 14 history and totals, 15 both sides of a symbol, 16 executions. No table can show
   * the others (7 client ids, 8 one closing per trigger, 11 replay, 12 prices). A key, the engine and the simulator
   * check those.
   */
  readonly number: number;
  /** The invariant, as an operator reads it. */
  readonly title: string;
  /** The relation whose rows the query checks; their number is the evidence of a pass without violations. */
  readonly judges: JudgedRelation;
  /** Absent: the minute pass checks it too. */
  readonly fullPassOnly?: true;
  readonly query: (scope: Scope) => string;
}

const gone = (accountId: string): string =>
  `${lookUp('true', `trading_accounts a where a.id = ${accountId}`)} is null`;
/** The user of an account, also of one that is gone; a main account has its owner's id (A112). */
const ownerOf = (accountId: string): string =>
  `coalesce(${lookUp('o.owner_id', `other_accounts o where o.id = ${accountId}`)}, ${accountId})`;
/** An audit row of the same commit: its time is that of every row of the batch. */
const audited = (action: string, accountId: string, at: string): string =>
  `${lookUp('true', `audit_log a where a.subject_id = ${ownerOf(accountId)} and a.at = ${at} and a.action = '${action}'`)} is not null`;

/** Positions `p` and orders `o` with `l`, their booked amounts. */
const bookedPositions = (scope: Scope): string =>
  `select 'position ' || p.id as offender from ${scope.positions} p cross join ${entrySumsSql('p.id')}`;
const bookedOrders = (scope: Scope): string =>
  `select 'order ' || o.id as offender from ${scope.orders} o cross join ${entrySumsSql('o.id')}`;

/**
 * Lines without a staff action: the start balance, the trader's own reset, and the deletion (another rule checks it).
 */
const withoutStaff = `('${Object.values(ownPayments).join("', '")}')`;

export const invariants: readonly Invariant[] = [
  {
    number: 2,
    title: 'a wallet is the sum of its ledger entries',
    judges: 'wallets',
    query: (scope) => `
      select 'wallet of ' || coalesce(w.user_id, s.user_id) as offender
      from ${scope.wallets} w full join ${scope.sums} s on s.user_id = w.user_id
      where (coalesce(w.available_balance, 0), coalesce(w.margin, 0), coalesce(w.order_margin, 0))
          <> (coalesce(s.cash, 0), coalesce(s.margin, 0), coalesce(s.order_margin, 0))
        and (w.user_id is not null or not (${gone('s.user_id')}))`,
  },
  {
    number: 2,
    title: 'the ledger of a deleted account ends at zero',
    judges: 'wallets',
    query: (scope) => `
      select 'account ' || s.user_id as offender from ${scope.sums} s
      where (s.cash, s.margin, s.order_margin) <> (0, 0, 0) and ${gone('s.user_id')}`,
  },
  {
    number: 3,
    title: 'what is locked is the margins of the open positions and the reserves of the waiting orders',
    judges: 'wallets',
    query: (scope) => `
      select 'wallet of ' || w.user_id as offender
      from ${scope.wallets} w
      cross join lateral (
        select coalesce(sum(p.margin), 0) as margin from app.positions p
        where p.user_id = w.user_id and p.status = 'open'
      ) p
      cross join lateral (
        select coalesce(sum(o.reserved), 0) as reserved from app.orders o
        where o.user_id = w.user_id and ${isWaitingSql('o.status')}
      ) o
      where w.margin <> p.margin or w.order_margin <> o.reserved`,
  },
  {
    number: 4,
    title: 'a position is opened once, and closed once or not at all',
    judges: 'positions',
    query: (scope) => `
      ${bookedPositions(scope)}
      where l.opened <> case when p.split_from is null then 1 else 0 end
         or l.split_off <> case when p.split_from is null then 0 else 1 end
         or l.closed <> case p.status when 'closed' then 1 else 0 end
         or p.split_from is not null
            and ${lookUp('true', 'positions w where w.id = p.split_from and w.user_id = p.user_id')} is null`,
  },
  {
    number: 4,
    title: 'the ledger holds the margin of an open position, and nothing of a closed one',
    judges: 'positions',
    query: (scope) => `
      ${bookedPositions(scope)}
      where l.margin <> case p.status when 'open' then p.margin else 0 end`,
  },
  {
    number: 4,
    title: 'every ledger entry has its source',
    judges: 'entries',
    query: (scope) => `
      select 'entry ' || e.id as offender
      from ${scope.entries} e
      where case
        when case when e.kind in ('deposit', 'withdrawal') then e.source_id <> e.group_id
                  when e.kind in ('reserve', 'release')
                    then ${lookUp('true', 'orders o where o.id = e.source_id and o.user_id = e.user_id')} is null
                  else ${lookUp('true', 'positions p where p.id = e.source_id and p.user_id = e.user_id')} is null
             end
        then not (${gone('e.user_id')}) else false end`,
  },
  {
    number: 5,
    title: 'the realized PnL of a position is what was booked',
    judges: 'positions',
    query: (scope) => `
      ${bookedPositions(scope)}
      where l.result <> coalesce(p.realized_pnl, 0)`,
  },
  {
    number: 5,
    title: 'the fees of a position are what was booked',
    judges: 'positions',
    query: (scope) => `
      ${bookedPositions(scope)}
      where l.fees <> p.fees`,
  },
  {
    number: 5,
    title: 'the funding of a position is what was booked, up to an instant that has been',
    judges: 'positions',
    query: (scope) => `
      ${bookedPositions(scope)}
      where l.funding <> p.funding or p.funded_at > p.updated_at
         or (p.funding <> 0 or p.funded_at is not null) and (p.rules <> 'perpetual' or p.funded_at is null)`,
  },
  {
    number: 5,
    title: 'a loss ends at the margin',
    judges: 'positions',
    query: (scope) => `
      select 'position ' || p.id as offender from ${scope.positions} p where p.realized_pnl < -p.margin`,
  },
  {
    number: 6,
    title: 'an order holds its reserve while it waits, and gives it back once',
    judges: 'orders',
    // An amendment releases the reserve and reserves again. An order of an account with net positions reserves what it would open,
    // which may be nothing (A113). One of a position never reserves.
    query: (scope) => `
      ${bookedOrders(scope)}
      where l.reserved <> o.reserved
         or o.rules <> 'perpetual' and o.bound_position_id is null and (l.releases <> l.reserves - case o.status when 'NEW' then 1 else 0 end
           or case when o.type = 'MARKET' then l.reserves <> 0
                   else o.status <> 'REJECTED' and l.reserves = 0 end)`,
  },
  {
    number: 6,
    title: 'only a LIMIT or STOP order waits, and none changes after its end',
    judges: 'orders',
    // Each reserve is a version: the placing, and every amendment. The end is one more.
    query: (scope) => `
      ${bookedOrders(scope)}
      where o.rules <> 'perpetual' and o.bound_position_id is null
        and case when o.status = 'NEW' then o.type = 'MARKET' or o.version <> l.reserves
                 when o.type <> 'MARKET' then o.version <> l.reserves + 1
                 when o.status = 'REJECTED' then o.version not in (1, 2)
                 else o.version <> 2 end`,
  },
  {
    number: 6,
    title: 'a filled order opened one position of its own',
    judges: 'orders',
    query: (scope) => `
      select 'order ' || o.id as offender
      from ${scope.orders} o
      where o.filled_size > 0 and ${lookUp(
        'true',
        'positions p where p.id = o.position_id and p.user_id = o.user_id and p.symbol = o.symbol',
      )} is null
      union all
      select 'position ' || o.position_id from ${scope.orders} o
      where o.position_id is not null and o.rules <> 'perpetual' and o.bound_position_id is null group by o.position_id having count(*) > 1`,
  },
  {
    number: 9,
    title: 'a liquidation, stop loss or take profit closed at a price that had reached it',
    judges: 'positions',
    // Excludes positions that staff edited: their state at the close is then in the audit log only. A net position closes on
    // the book, which is worse than the price that reached it (A114). A liquidation may
    // also have cost a whole margin, or paid a loss of the other side beyond its margin (A111).
    query: (scope) => `
      select 'position ' || p.id as offender from ${scope.positions} p
      where p.status = 'closed' and p.edited_at is null and p.rules <> 'perpetual'
        and p.close_reason in ('liquidation', 'stop_loss', 'take_profit')
        and not coalesce(case
          when (p.close_reason = 'take_profit') = (p.side = 'BUY') then p.close_price >=
            case p.close_reason when 'liquidation' then p.liquidation_price
                                when 'stop_loss' then p.stop_loss_price else p.take_profit_price end
          else p.close_price <=
            case p.close_reason when 'liquidation' then p.liquidation_price
                                when 'stop_loss' then p.stop_loss_price else p.take_profit_price end
          end, false)
        and not (p.close_reason = 'liquidation' and (${pnlByPrice('p', 'p.close_price')} <= -p.margin
          or ${lookUp('true', `positions o where ${offsetLossSql}`)} is not null))`,
  },
  {
    number: 15,
    title: 'the insurance pays only what no gain of the other side of the symbol could',
    judges: 'positions',
    // Ledger ids give the order, also within one commit. The number of later closings is bounded.
    query: (scope) => `
      select 'position ' || p.id || ' beside ' || o.id as offender
      from ${scope.positions} p
      cross join lateral (
        select e.id from app.ledger_entries e
        where e.source_id = p.id and e.kind = 'close' and e.account = 'insurance'
          and e.id > (select offset_since from app.checkpoints) limit 1
      ) i
      cross join lateral (
        (select * from app.positions o where o.user_id = p.user_id and o.status = 'open')
        union all
        (select * from app.positions o where o.user_id = p.user_id and o.status = 'closed' and o.closed_at >= p.closed_at
         order by o.closed_at limit ${laterClosingsMax})
      ) o
      where p.status = 'closed' and p.realized_pnl = -p.margin and p.edited_at is null and o.edited_at is null
        and o.symbol = p.symbol and o.side <> p.side and ${pnlByPrice('o', 'p.close_price')} > 0
        and ${firstEntryIdSql('open', 'coalesce(o.split_from, o.id)')} < i.id
        and coalesce(${firstEntryIdSql('close', 'o.id')}, i.id + 1) > i.id`,
  },
  {
    number: 16,
    title: 'every opening and every close of a position is an execution',
    judges: 'positions',
    // By account and time, which the index of executions has. Staff may have changed the times of an edited position.
    query: (scope) => `
      select 'position ' || p.id as offender
      from ${scope.positions} p
      where p.edited_at is null and (
        p.split_from is null and p.created_at >= (select executions_since from app.checkpoints) and ${lookUp(
          'true',
          `executions e where e.user_id = p.user_id and e.created_at = p.created_at and e.position_id = p.id`,
        )} is null
        or p.closed_at >= (select executions_since from app.checkpoints) and ${lookUp(
          'true',
          `executions e where e.user_id = p.user_id and e.created_at = p.closed_at
            and p.id in (e.position_id, e.flipped_from) and e.realized_pnl = p.realized_pnl`,
        )} is null)`,
  },
  {
    number: 16,
    title: 'what an order filled is the sum of its executions',
    judges: 'orders',
    // Another than a net order fills whole, which is its last change. Each part has an index of its own.
    query: (scope) => `
      select 'order ' || o.id as offender
      from ${scope.orders} o
      cross join lateral (
        select coalesce(sum(e.size), 0) as size, coalesce(sum(e.value), 0) as value
        from (
          select e.* from app.executions e where o.rules = 'perpetual' and e.order_id = o.id
            and (e.quote_id is not null or e.liquidity = 'maker')
          union all
          select e.* from app.executions e where o.rules <> 'perpetual' and e.user_id = o.user_id
            and e.created_at = o.updated_at and e.order_id = o.id
        ) e
        where e.user_id = o.user_id
      ) x
      where o.created_at >= (select executions_since from app.checkpoints)
        and (o.filled_size, o.filled_value) <> (x.size, x.value)`,
  },
  {
    number: 17,
    title:
      'what waits for its trigger or for its position holds nothing, and an order of a position ends with it',
    judges: 'orders',
    query: (scope) => `
      select 'order ' || o.id as offender from ${scope.orders} o
      where o.status in ('NEW', 'PARTIALLY_FILLED') and (
        (o.due_at is not null or o.triggered_at is null and (o.trigger_price is not null or o.trail_rate is not null))
          and (o.reserved > 0 or o.filled_size > 0)
        or o.bound_position_id is not null and (o.reserved > 0 or ${lookUp(
          'true',
          "positions p where p.id = o.bound_position_id and p.user_id = o.user_id and p.status = 'open'",
        )} is null))`,
  },
  {
    number: 10,
    title: 'no position or order is newer than its account',
    judges: 'wallets',
    query: (scope) => `
      select 'wallet of ' || n.user_id as offender
      from (
        select user_id, max(account_version) as newest
        from (select user_id, account_version from ${scope.positions} p
              union all select user_id, account_version from ${scope.orders} o) changed
        group by user_id
      ) n
      where coalesce(${lookUp('w.version', 'wallets w where w.user_id = n.user_id')}, 0) < n.newest`,
  },
  {
    number: 10,
    title: 'the account version counts every movement of money',
    judges: 'wallets',
    fullPassOnly: true,
    // A commit may book several groups under one version, but all of them at one time.
    query: (scope) => `
      select 'wallet of ' || w.user_id as offender
      from ${scope.wallets} w
      join (select user_id, count(distinct created_at) as movements from ${scope.entries} e group by user_id) l
        on l.user_id = w.user_id
      where w.version < l.movements`,
  },
  {
    number: 13,
    title: 'what staff did to an account is in the audit log',
    judges: 'entries',
    query: (scope) => `
      select distinct 'adjustment of position ' || e.source_id as offender
      from ${scope.entries} e where e.kind = 'adjustment' and not (${audited('position.edit', 'e.user_id', 'e.created_at')})
      union all
      -- A closed part inherits the edits of the whole, under an id of its own (A23).
      select 'edit of position ' || p.id from ${scope.positions} p
      where p.edited_at is not null and ${lookUp(
        'true',
        `audit_log a where a.subject_id = ${ownerOf('p.user_id')} and a.action = 'position.edit'
          and a.detail ->> 'id' in (p.id::text, p.split_from::text)`,
      )} is null
      union all
      select 'transaction ' || t.id from ${scope.lines} t
      where t.type in ('deposit', 'withdrawal') and coalesce(t.description, '') not in ${withoutStaff}
        and not (${audited('funds.adjust', 't.user_id', 't.created_at')})
      union all
      select 'removal of account ' || s.user_id from ${scope.sums} s
      where ${gone('s.user_id')} and ${lookUp(
        'true',
        `audit_log a where a.subject_id = ${ownerOf('s.user_id')} and a.action = 'account.delete'`,
      )} is null
      union all
      select 'restriction of account ' || r.user_id
      from (select w.user_id, ${lookUp('u.restricted_at', 'users u where u.id = w.user_id')} as at
            from ${scope.wallets} w) r
      where r.at is not null and not (${audited('account.restrict', 'r.user_id', 'r.at')})`,
  },
  {
    number: 14,
    title: 'each movement of the balance has its line in the history',
    judges: 'entries',
    // Staff may correct the PnL of a closed position: its line then shows the position's PnL, not the closing group's
    // (A11).
    query: (scope) => `
      select 'group ' || g.group_id as offender
      from (
        select group_id, user_id, kind, source_id, sum(amount) as amount from ${scope.entries} e
        where kind in ('deposit', 'withdrawal', 'close', 'fee', 'funding', 'financing') group by group_id, user_id, kind, source_id
      ) g
      left join lateral (
        select t.type, t.amount from app.transactions t
        where t.id = g.group_id and t.user_id = g.user_id and t.status = 'completed' limit 1
      ) t on true
      where t.type is null or t.type <> case g.kind when 'close' then 'position_closed' else g.kind end
         or t.amount <> case when g.kind <> 'close' then g.amount
              else coalesce(${lookUp('p.realized_pnl', 'positions p where p.id = g.source_id')}, t.amount) end`,
  },
  {
    number: 14,
    title: 'each line of the history is a movement of the balance',
    judges: 'lines',
    query: (scope) => `
      select 'transaction ' || t.id as offender
      from (
        select t.id, t.user_id from ${scope.lines} t
        except select e.group_id, e.user_id from ${scope.entries} e
      ) t
      where ${lookUp('true', 'ledger_entries l where l.user_id = t.user_id and l.group_id = t.id')} is null`,
  },
  {
    number: 14,
    title: 'the lines of the history sum to the balance',
    judges: 'wallets',
    fullPassOnly: true,
    query: (scope) => `
      select 'history of ' || coalesce(w.user_id, t.user_id) as offender
      from ${scope.wallets} w
      full join (select user_id, sum(amount) as amount from ${scope.lines} t group by user_id) t
        on t.user_id = w.user_id
      where coalesce(w.balance, 0) <> coalesce(t.amount, 0)`,
  },
  {
    number: 4,
    title: 'every notification is about something that is there',
    judges: 'notifications',
    query: (scope) => `
      select 'notification ' || n.id as offender
      from ${scope.notifications} n
      where n.position_id is not null
            and ${lookUp('true', 'positions p where p.id = n.position_id and p.user_id = n.user_id')} is null
         or n.order_id is not null
            and ${lookUp('true', 'orders o where o.id = n.order_id and o.user_id = n.user_id')} is null`,
  },
  {
    number: 2,
    title: 'a checkpoint equals the ledger of its time',
    judges: 'wallets',
    fullPassOnly: true,
    query: (scope) => `
      select 'checkpoint of ' || c.user_id as offender
      from ${scope.wallets} w
      cross join lateral (select * from app.checkpoint_balances c where c.user_id = w.user_id limit 1) c
      cross join lateral (
        select ${ledgerSums} from app.ledger_entries l where l.user_id = c.user_id and l.id <= c.ledger_id
      ) l
      where (c.cash, c.margin, c.order_margin) <> (l.cash, l.margin, l.order_margin)`,
  },
];
