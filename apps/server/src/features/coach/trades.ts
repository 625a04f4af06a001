/** Reads closed trades of one account as the coach reviews them, latest first, from one statement. */
import {
  asMoney,
  asPrice,
  asSize,
  type CloseReason,
  initialRisk,
  isStopOrderType,
  type LossBefore,
  type Money,
  type OrderType,
  type OwnRules,
  type Price,
  type PriceRange,
  type PricesAround,
  parseDecimal,
  type ReviewableTrade,
  type RuleSetName,
  type Side,
  stopOrderTypes,
  toOwnRules,
} from '@fulcrum/domain';
import { epochMsSql } from '../../platform/database/epoch-ms.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { isWaitingSql } from '../../platform/database/row-scope.ts';

/** Trades of one review; the latest ones. */
export const tradesMax = 1_000;

export interface StoredTrade {
  readonly trade: ReviewableTrade;
  readonly lossBefore: LossBefore | null;
  /** Undefined while they are not stored. */
  readonly prices: PricesAround | undefined;
  /** The tags of the journal entries about the trade. */
  readonly tags: readonly string[];
}

/** A closed position `p` as its own row has it. */
export interface ClosedRow {
  readonly id: string;
  readonly symbol: string;
  readonly side: Side;
  readonly rules: RuleSetName;
  readonly entry_price: string;
  readonly size: string;
  readonly leverage: number;
  readonly margin: string;
  readonly entry_value: string | null;
  readonly realized_pnl: string;
  readonly fees: string;
  readonly funding: string;
  readonly initial_stop_loss_price: string | null;
  readonly opened_at: number;
  readonly closed_at: number;
}
export const closedColumns = `p.id, p.symbol, p.side, p.rules, p.entry_price, p.size, p.leverage, p.margin, p.entry_value,
         p.realized_pnl, p.fees, p.funding, p.initial_stop_loss_price,
         ${epochMsSql('p.created_at')} as opened_at, ${epochMsSql('p.closed_at')} as closed_at`;

interface Row extends ClosedRow {
  readonly close_price: string;
  readonly close_reason: CloseReason;
  readonly closed_by: OrderType | null;
  readonly had_stop_order: boolean;
  readonly stop_loss_price: string | null;
  readonly execution_costs: string | null;
  readonly equity_before: string | null;
  readonly loss_net: string | null;
  readonly loss_closed_at: number | null;
  readonly has_prices: boolean;
  readonly high_during: string | null;
  readonly low_during: string | null;
  readonly high_after: string | null;
  readonly low_after: string | null;
  readonly tags: readonly string[] | null;
}

/**
 * The times at which the account had stop orders are read once, and only for a net position without a stop loss of its own. A REJECTED order that was never
 * triggered never waited.
 */
const tradesQuery = (condition: string): string => `
  with stops as materialized (
    select o.symbol, o.side, range_agg(tstzrange(o.created_at,
             case when ${isWaitingSql('o.status')} then 'infinity' else greatest(o.created_at, o.updated_at) end, '[]')) as waited
    from app.orders o
    where o.user_id = $1 and o.reduce_only and o.type in (${stopOrderTypes.map((type) => `'${type}'`).join(', ')})
      and (o.status <> 'REJECTED' or o.triggered_at is not null)
    group by o.symbol, o.side)
  select ${closedColumns}, p.close_price, p.close_reason, p.stop_loss_price,
         case when p.close_reason = 'manual' then (
           select o.type from app.executions e join app.orders o on o.id = e.order_id
           where e.user_id = p.user_id and e.created_at = p.closed_at and e.realized_pnl is not null
             and coalesce(e.flipped_from, e.position_id) = p.id limit 1) end as closed_by,
         case when p.rules = 'perpetual' and p.initial_stop_loss_price is null and p.stop_loss_price is null then exists (
           select from stops s where s.symbol = p.symbol and s.side <> p.side
             and s.waited && tstzrange(p.created_at, greatest(p.created_at, p.closed_at), '[]')) else false end as had_stop_order,
         (select round(sum(e.size * (e.spread_cost + e.impact_cost + e.latency_cost)), 8) from app.executions e
          where e.user_id = p.user_id and e.created_at between p.created_at and p.closed_at
            and e.position_id = p.id) as execution_costs,
         (select s.equity from app.equity_snapshots s where s.user_id = p.user_id and s.at <= p.created_at
          order by s.at desc limit 1) as equity_before,
         l.net as loss_net, ${epochMsSql('l.closed_at')} as loss_closed_at,
         t.position_id is not null as has_prices, t.high_during, t.low_during, t.high_after, t.low_after,
         (select array_agg(distinct tag) from app.journal_entries j, unnest(j.tags) as tag
          where j.user_id = p.user_id and j.position_id = p.id) as tags
  from app.positions p
  left join app.trade_prices t
    on t.position_id = p.id and t.opened_at = p.created_at and t.closed_at = p.closed_at
  left join lateral (
    select o.realized_pnl - o.fees + o.funding as net, o.closed_at from app.positions o
    where o.user_id = p.user_id and o.status = 'closed' and o.closed_at <= p.created_at
      and o.realized_pnl - o.fees + o.funding < 0
    order by o.closed_at desc limit 1) l on true
  where p.user_id = $1 and p.status = 'closed' and ${condition}
  order by p.closed_at desc, p.id desc limit ${tradesMax + 1}`;

export async function readTradesBetween(
  tx: Queryable,
  accountId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<{ readonly trades: readonly StoredTrade[]; readonly truncated: boolean }> {
  const { rows } = await tx.query<Row>(
    tradesQuery('p.closed_at >= $2 and p.closed_at < $3'),
    [accountId, new Date(from), new Date(to)],
    'coach_trades',
  );
  return { trades: rows.slice(0, tradesMax).map(toTrade), truncated: rows.length > tradesMax };
}

/** Null for what is no closed position of the account. */
export async function readTrade(
  tx: Queryable,
  accountId: string,
  positionId: string,
): Promise<StoredTrade | null> {
  const { rows } = await tx.query<Row>(tradesQuery('p.id = $2'), [accountId, positionId], 'coach_trade');
  return rows[0] ? toTrade(rows[0]) : null;
}

/** Reads the coach's rules that the account's trader has set. */
export async function readOwnRules(tx: Queryable, accountId: string): Promise<OwnRules> {
  const { rows } = await tx.query<{ value: unknown }>(
    `select s.value from app.trading_accounts a join app.user_settings s on s.user_id = a.owner_id and s.key = 'coach'
     where a.id = $1`,
    [accountId],
    'coach_own_rules',
  );
  return toOwnRules(rows[0]?.value);
}

const moneyOf = (text: string): Money => asMoney(parseDecimal(text));
const moneyOrNull = (text: string | null): Money | null => (text === null ? null : moneyOf(text));
const priceOf = (text: string): Price => asPrice(parseDecimal(text));
const priceOrNull = (text: string | null): Price | null => (text === null ? null : priceOf(text));
const rangeOf = (high: string | null, low: string | null): PriceRange | null =>
  high === null || low === null ? null : { high: priceOf(high), low: priceOf(low) };

export function toClosedTrade(row: ClosedRow) {
  const terms = {
    side: row.side,
    rules: row.rules,
    entryPrice: priceOf(row.entry_price),
    size: asSize(parseDecimal(row.size)),
    leverage: row.leverage,
    margin: moneyOf(row.margin),
    entryValue: moneyOrNull(row.entry_value),
  };
  const firstStop = priceOrNull(row.initial_stop_loss_price);
  return {
    ...terms,
    id: row.id,
    symbol: row.symbol,
    firstStop,
    realizedPnl: moneyOf(row.realized_pnl),
    fees: moneyOf(row.fees),
    funding: moneyOf(row.funding),
    risk: initialRisk({ ...terms, initialStopLossPrice: firstStop }),
    openedAt: row.opened_at,
    closedAt: row.closed_at,
  };
}

function toTrade(row: Row): StoredTrade {
  return {
    trade: {
      ...toClosedTrade(row),
      closePrice: priceOf(row.close_price),
      closeReason: row.close_reason,
      closedBy: row.closed_by,
      // A plain stop order of the other side closes a net position too.
      hadStopOrder: row.had_stop_order || (row.closed_by !== null && isStopOrderType(row.closed_by)),
      lastStop: priceOrNull(row.stop_loss_price),
      executionCosts: moneyOrNull(row.execution_costs),
      equityBefore: moneyOrNull(row.equity_before),
    },
    lossBefore:
      row.loss_net === null || row.loss_closed_at === null
        ? null
        : { net: moneyOf(row.loss_net), closedAt: row.loss_closed_at },
    prices: row.has_prices
      ? { during: rangeOf(row.high_during, row.low_during), after: rangeOf(row.high_after, row.low_after) }
      : undefined,
    tags: row.tags ?? [],
  };
}
