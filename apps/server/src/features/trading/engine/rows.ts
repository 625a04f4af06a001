/** Stored accounts, positions and orders as the domain's values. */
import {
  type AccountLimits,
  type AccountTerms,
  asFeeRate,
  asMoney,
  type FillProfile,
  firstEquityWithinMs,
  type Order,
  type OwnStanding,
  type Position,
  parseDecimal,
  parseOwnLimits,
  type RuleSetName,
  type Wallet,
} from '@fulcrum/domain';
import { isWaitingSql } from '../../../platform/database/row-scope.ts';
import { challengeOf, challengeSql, type StoredStep } from './challenge-rows.ts';
import type { StoredRow } from './columns/codec.ts';
import { orderColumns } from './columns/order.ts';
import { positionColumns } from './columns/position.ts';
import { executionColumns } from './columns/records.ts';
import { walletColumns } from './columns/wallet.ts';
import type { AccountTrade, StoredAccount } from './store.ts';

const selectPosition = positionColumns.select('p');
const selectOrder = orderColumns.select('o');

export interface AccountRow {
  readonly user_id: string;
  readonly owner_id: string;
  readonly restricted: boolean;
  readonly archived: boolean;
  /** Null: those of main accounts. */
  readonly terms: {
    readonly rules: RuleSetName;
    readonly fee_rate: string;
    readonly leverage_max: number;
    readonly fill_profile: FillProfile;
    /** Of an account of a class or a contest, else null; times in milliseconds since the epoch. */
    readonly limits: (Omit<AccountLimits, 'challenge'> & { readonly challenge?: StoredStep | null }) | null;
    /** Of an account with net positions, else null. */
    readonly leverages: Readonly<Record<string, number>> | null;
    readonly trades: readonly StoredRow[] | null;
  } | null;
  /** Null without limits of its owner. */
  readonly own: StoredOwn | null;
  readonly wallet: StoredRow | null;
  readonly positions: readonly StoredRow[] | null;
  readonly orders: readonly StoredRow[] | null;
}

/** Decimal texts, and times in milliseconds since the epoch. */
interface StoredOwn {
  readonly limits: unknown;
  readonly waiting: unknown;
  readonly waiting_from: number | null;
  readonly start: number;
  /** Null before the account's first snapshot. */
  readonly equity: string | null;
  readonly paid: string;
  readonly trades: number;
  readonly last_loss_at: number | null;
}

const toMs = (column: string): string => `floor(extract(epoch from ${column}) * 1000)::bigint`;

/**
 * The first equity of the day is the snapshot of its first two minutes (A108) if nothing was opened or closed before it, else the last one of
 * the days before; payments after that snapshot are counted apart. While it may still be written nobody counts it, so that all readers agree.
 * Of the trades only orders from before the day are looked up: those that had a fill by then, by the index of the orders that fill in parts.
 */
const ownDay = `
  left join app.own_limits l on l.account_id = a.id
  left join lateral (
    select moment.at, day.start, day.start + interval '${firstEquityWithinMs} ms' as settled
    from (select coalesce($2::timestamptz, now()) as at) moment, date_trunc('day', moment.at, 'UTC') as day (start)
  ) d on l.account_id is not null
  left join lateral (
    select s.at, s.equity from (
      (select 0 as rank, at, equity from app.equity_snapshots
       where user_id = a.id and at >= d.start and at < d.settled and d.at >= d.settled order by at limit 1)
      union all
      (select 1, at, equity from app.equity_snapshots where user_id = a.id and at < d.start order by at desc limit 1)
      union all
      (select 2, at, equity from app.equity_snapshots where user_id = a.id and at >= d.start order by at limit 1)
    ) s
    where s.rank > 0 or not exists (
      select from app.executions e where e.user_id = a.id and e.created_at >= d.start and e.created_at <= s.at)
    order by s.rank limit 1
  ) b on l.account_id is not null
  left join lateral (
    select json_build_object('limits', l.limits, 'waiting', l.waiting, 'waiting_from', ${toMs('l.waiting_from')},
      'start', ${toMs('d.start')}, 'equity', b.equity::text,
      'paid', (select coalesce(sum(y.amount), 0)::text from app.ledger_entries y where y.user_id = a.id
        and y.kind in ('deposit', 'withdrawal') and y.account = 'user:cash' and y.created_at > b.at),
      'trades', (select count(distinct coalesce(e.order_id, e.id))::int
        from app.executions e left join app.orders o on o.id = e.order_id
        where e.user_id = a.id and e.created_at >= d.start and (e.realized_pnl is null or e.flipped_from is not null)
          and (o.id is null or o.created_at >= d.start or not exists (
            select from app.executions f where f.order_id = e.order_id and f.created_at < d.start
              and (f.quote_id is not null or f.liquidity = 'maker')))),
      'last_loss_at', (select ${toMs('max(p.closed_at)')} from app.positions p where p.user_id = a.id and p.status = 'closed'
        and p.closed_at > d.at - interval '1 day' and p.realized_pnl - p.fees + p.funding < 0)) as own
  ) own on l.account_id is not null`;

/** $1: ids of accounts, $2: the moment whose day counts for limits of the owner, null for now. Ordered by the time of opening, so that the same account always gives the same value. */
export const accountsQuery = `
  select a.id as user_id, a.owner_id, u.restricted_at is not null as restricted, a.status = 'archived' as archived,
         case when a.rules is not null then
           json_build_object('rules', a.rules, 'fee_rate', a.fee_rate::text, 'leverage_max', a.leverage_max,
             'fill_profile', a.fill_profile,
             'limits', case
               when c.id is not null then json_build_object('setBy', 'class', 'symbols', c.symbols, 'positionsMax', c.positions_max,
                 'opensFrom', ${toMs('c.begins_at')}, 'opensUntil', ${toMs('c.ends_at')})
               when g.id is not null then json_build_object('setBy', g.face, 'symbols', g.rules -> 'symbols',
                 'positionsMax', g.rules -> 'positionsMax',
                 'opensFrom', ${toMs('g.begins_at')}, 'opensUntil', ${toMs('g.ends_at')},
                 'challenge', case when g.face = 'challenge' then ${challengeSql({ account: 'a', program: 'g' })} end) end,
             'leverages', case when a.rules = 'perpetual' then (
               select json_object_agg(l.symbol, l.leverage) from app.symbol_leverages l where l.user_id = a.id) end,
             'trades', case when a.rules = 'perpetual' then (
               select json_agg(${executionColumns.select('e')} order by e.created_at) from app.executions e
               where e.user_id = a.id and e.created_at > now() - interval '2 minutes') end)
         end as terms, own.own,
         case when w.id is not null then ${walletColumns.select('w')} end as wallet, p.positions, o.orders
  from app.trading_accounts a
  join app.users u on u.id = a.owner_id
  left join app.wallets w on w.user_id = a.id
  left join app.classes c on c.id = a.class_id
  left join app.programs g on g.id = a.program_id
  ${ownDay}
  left join lateral (
    select json_agg(${selectPosition} order by p.created_at, p.id) as positions
    from app.positions p where p.user_id = a.id and p.status = 'open'
  ) p on true
  left join lateral (
    select json_agg(${selectOrder} order by o.created_at, o.id) as orders
    from app.orders o where o.user_id = a.id and ${isWaitingSql('o.status')}
  ) o on true
  where a.id = any ($1::uuid[])`;

/** $1 ids, $2 the owner of each. */
export const namedPositionsQuery = `
  select ${selectPosition} as position
  from (select distinct id, user_id from unnest($1::uuid[], $2::uuid[]) as n (id, user_id)) n
  join app.positions p on p.id = n.id and p.user_id = n.user_id`;
export const namedOrdersQuery = `
  select ${selectOrder} as order
  from (select distinct id, user_id from unnest($1::uuid[], $2::uuid[]) as n (id, user_id)) n
  join app.orders o on o.id = n.id and o.user_id = n.user_id`;

/**
 * $1 and $2 owner and id of the last row of the previous page, $3 how many, $4 slots. By owner, as the partial indexes of
 * open rows are.
 */
export const waitingPositionsQuery = `
  select ${selectPosition} as position, u.id is null as apart
  from app.positions p left join app.users u on u.id = p.user_id
  where p.status = 'open' and app.slot_of(p.user_id) = any ($4::smallint[])
    and ($1::uuid is null or (p.user_id, p.id) > ($1::uuid, $2::uuid))
  order by p.user_id, p.id limit $3`;
export const waitingOrdersQuery = `
  select ${selectOrder} as order, u.id is null as apart
  from app.orders o left join app.users u on u.id = o.user_id
  where ${isWaitingSql('o.status')} and app.slot_of(o.user_id) = any ($4::smallint[])
    and ($1::uuid is null or (o.user_id, o.id) > ($1::uuid, $2::uuid))
  order by o.user_id, o.id limit $3`;

export const positionOf = (row: StoredRow): Position => positionColumns.fromJson(row);

/** The reason of a rejection is stored only as a text, so the value of a stored rejected order has none. */
export const orderOf = (row: StoredRow): Order => ({ ...orderColumns.fromJson(row), rejection: null });

/** What an account holds. It gets the wallet with the first command (RULE-26). */
export interface Holdings {
  readonly wallet: Wallet | null;
  readonly positions: readonly Position[];
  readonly orders: readonly Order[];
}
export const holdingsOf = ({
  wallet,
  positions,
  orders,
}: Pick<AccountRow, 'wallet' | 'positions' | 'orders'>): Holdings => ({
  wallet: wallet && walletColumns.fromJson(wallet),
  positions: (positions ?? []).map(positionOf),
  orders: (orders ?? []).map(orderOf),
});
export const hasWallet = <Read extends Pick<Holdings, 'wallet'>>(
  read: Read,
): read is Read & { readonly wallet: Wallet } => read.wallet !== null;

/** Its time is that of its batch. */
export function tradeOf(row: StoredRow): AccountTrade {
  const { symbol, side, size, liquidity, at } = executionColumns.fromJson(row);
  return { symbol, side, size, isMaker: liquidity === 'maker', at };
}

/** Before the first snapshot the day begins with nothing, and nothing is lost. */
export function ownOf(own: StoredOwn | null): OwnStanding | null {
  if (own === null) return null;
  const { limits, waiting, waiting_from, start, equity, paid, trades, last_loss_at } = own;
  return {
    limits: parseOwnLimits(limits),
    waiting: waiting_from === null ? null : { limits: parseOwnLimits(waiting), from: waiting_from },
    day: {
      start,
      equity: asMoney(parseDecimal(equity ?? '0')),
      paid: asMoney(parseDecimal(paid)),
      trades,
      lastLossAt: last_loss_at,
    },
  };
}

/** `mainTerms`: those of an account without terms of its own. */
export const accountOf = (
  { owner_id, restricted, archived, terms, own, ...row }: AccountRow,
  mainTerms: AccountTerms,
): Omit<StoredAccount, 'wallet'> & Holdings => ({
  ...holdingsOf(row),
  ownerId: owner_id,
  isArchived: archived,
  terms: terms
    ? {
        rules: terms.rules,
        feeRate: asFeeRate(parseDecimal(terms.fee_rate)),
        leverageMax: terms.leverage_max,
        fillProfile: terms.fill_profile,
        limits: terms.limits && {
          ...terms.limits,
          challenge: terms.limits.challenge ? challengeOf(terms.limits.challenge) : null,
        },
      }
    : mainTerms,
  own: ownOf(own),
  leverages: new Map(Object.entries(terms?.leverages ?? {})),
  trades: (terms?.trades ?? []).map(tradeOf),
  restricted,
});
