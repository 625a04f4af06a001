/**
 * Stored accounts, positions and orders as the domain's values. Rows come as JSON with every figure as text: JSON numbers
 * would pass through a float.
 */
import {
  asFeeRate,
  asMoney,
  asPrice,
  asSize,
  type ClosePriceSource,
  type CloseReason,
  type Order,
  type OrderStatus,
  type OrderType,
  type Position,
  parseDecimal,
  type RuleSetName,
  type Side,
} from '@fulcrum/domain';
import type { StoredAccount } from './store.ts';

const ms = (column: string): string => `round(extract(epoch from ${column}) * 1000)`;

export interface PositionJson {
  id: string;
  user_id: string;
  symbol: string;
  side: Side;
  entry_price: string;
  size: string;
  leverage: number;
  margin: string;
  liquidation_price: string;
  take_profit_price: string | null;
  stop_loss_price: string | null;
  initial_stop_loss_price: string | null;
  close_price: string | null;
  realized_pnl: string | null;
  close_reason: CloseReason | null;
  close_price_source: ClosePriceSource | null;
  rules: RuleSetName;
  fee_rate: string;
  fees: string;
  split_from: string | null;
  margin_warned: boolean;
  close_at_reopen: boolean;
  created_at: number;
  updated_at: number;
  closed_at: number | null;
  edited_at: number | null;
  version: number;
  account_version: number;
}

/** Of the row `p`. */
const positionJson = `json_build_object(
  'id', p.id, 'user_id', p.user_id, 'symbol', p.symbol, 'side', p.side, 'entry_price', p.entry_price::text,
  'size', p.size::text, 'leverage', p.leverage, 'margin', p.margin::text,
  'liquidation_price', p.liquidation_price::text, 'take_profit_price', p.take_profit_price::text,
  'stop_loss_price', p.stop_loss_price::text, 'initial_stop_loss_price', p.initial_stop_loss_price::text,
  'close_price', p.close_price::text, 'realized_pnl', p.realized_pnl::text, 'close_reason', p.close_reason,
  'close_price_source', p.close_price_source, 'rules', p.rules, 'fee_rate', p.fee_rate::text, 'fees', p.fees::text,
  'split_from', p.split_from, 'margin_warned', p.margin_warned, 'close_at_reopen', p.close_at_reopen,
  'created_at', ${ms('p.created_at')}, 'updated_at', ${ms('p.updated_at')}, 'closed_at', ${ms('p.closed_at')}, 'edited_at', ${ms('p.edited_at')},
  'version', p.version, 'account_version', p.account_version)`;

export interface OrderJson {
  id: string;
  user_id: string;
  symbol: string;
  type: OrderType;
  side: Side;
  price: string | null;
  size: string;
  leverage: number;
  take_profit_price: string | null;
  stop_loss_price: string | null;
  reserved: string;
  rules: RuleSetName;
  status: OrderStatus;
  position_id: string | null;
  client_id: string | null;
  created_at: number;
  updated_at: number;
  version: number;
  account_version: number;
}

/** Of the row `o`. */
const orderJson = `json_build_object(
  'id', o.id, 'user_id', o.user_id, 'symbol', o.symbol, 'type', o.type, 'side', o.side, 'price', o.price::text,
  'size', o.size::text, 'leverage', o.leverage, 'take_profit_price', o.take_profit_price::text,
  'stop_loss_price', o.stop_loss_price::text, 'reserved', o.reserved::text, 'rules', o.rules, 'status', o.status,
  'position_id', o.position_id, 'client_id', o.client_id, 'created_at', ${ms('o.created_at')},
  'updated_at', ${ms('o.updated_at')}, 'version', o.version, 'account_version', o.account_version)`;

export interface AccountRow {
  user_id: string;
  restricted: boolean;
  wallet_id: string | null;
  available_balance: string;
  margin: string;
  order_margin: string;
  version: string;
  positions: PositionJson[] | null;
  orders: OrderJson[] | null;
}

/** $1: user ids. Ordered by the time of opening, so that the same account always gives the same value. */
export const accountsQuery = `
  select u.id as user_id, u.restricted_at is not null as restricted, w.id as wallet_id, w.available_balance, w.margin,
         w.order_margin, w.version, p.positions, o.orders
  from app.users u
  left join app.wallets w on w.user_id = u.id
  left join lateral (
    select json_agg(${positionJson} order by p.created_at, p.id) as positions
    from app.positions p where p.user_id = u.id and p.status = 'open'
  ) p on true
  left join lateral (
    select json_agg(${orderJson} order by o.created_at, o.id) as orders
    from app.orders o where o.user_id = u.id and o.status = 'NEW'
  ) o on true
  where u.id = any ($1::uuid[])`;

/** $1 ids, $2 the owner of each. */
export const namedPositionsQuery = `
  select ${positionJson} as position
  from (select distinct id, user_id from unnest($1::uuid[], $2::uuid[]) as n (id, user_id)) n
  join app.positions p on p.id = n.id and p.user_id = n.user_id`;
export const namedOrdersQuery = `
  select ${orderJson} as order
  from (select distinct id, user_id from unnest($1::uuid[], $2::uuid[]) as n (id, user_id)) n
  join app.orders o on o.id = n.id and o.user_id = n.user_id`;

/**
 * $1 and $2 owner and id of the last row of the previous page, $3 how many. By owner, as the partial indexes of open
 * rows are.
 */
export const waitingPositionsQuery = `
  select ${positionJson} as position from app.positions p
  where p.status = 'open' and ($1::uuid is null or (p.user_id, p.id) > ($1::uuid, $2::uuid))
  order by p.user_id, p.id limit $3`;
export const waitingOrdersQuery = `
  select ${orderJson} as order from app.orders o
  where o.status = 'NEW' and ($1::uuid is null or (o.user_id, o.id) > ($1::uuid, $2::uuid))
  order by o.user_id, o.id limit $3`;

const priceOf = (text: string) => asPrice(parseDecimal(text));
const priceOrNull = (text: string | null) => (text === null ? null : priceOf(text));
const moneyOf = (text: string) => asMoney(parseDecimal(text));

export function positionOf(row: PositionJson): Position {
  return {
    id: row.id,
    accountId: row.user_id,
    symbol: row.symbol,
    side: row.side,
    entryPrice: priceOf(row.entry_price),
    size: asSize(parseDecimal(row.size)),
    leverage: row.leverage,
    margin: moneyOf(row.margin),
    liquidationPrice: priceOf(row.liquidation_price),
    takeProfitPrice: priceOrNull(row.take_profit_price),
    stopLossPrice: priceOrNull(row.stop_loss_price),
    initialStopLossPrice: priceOrNull(row.initial_stop_loss_price),
    rules: row.rules,
    feeRate: asFeeRate(parseDecimal(row.fee_rate)),
    fees: moneyOf(row.fees),
    splitFrom: row.split_from,
    marginWarned: row.margin_warned,
    closeAtReopen: row.close_at_reopen,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    editedAt: row.edited_at,
    closing: closingOf(row),
    version: row.version,
    accountVersion: row.account_version,
  };
}

function closingOf(row: PositionJson): Position['closing'] {
  const { close_price, realized_pnl, close_reason, close_price_source, closed_at } = row;
  if (closed_at === null) return null;
  if (close_price === null || realized_pnl === null || close_reason === null || close_price_source === null)
    throw new Error(`closed position ${row.id} lacks a figure`);
  return {
    price: priceOf(close_price),
    priceSource: close_price_source,
    reason: close_reason,
    realizedPnl: moneyOf(realized_pnl),
    at: closed_at,
  };
}

/** The reason of a rejection is stored only as a text, so the value of a stored rejected order has none. */
export function orderOf(row: OrderJson): Order {
  return {
    id: row.id,
    accountId: row.user_id,
    symbol: row.symbol,
    type: row.type,
    side: row.side,
    price: priceOrNull(row.price),
    size: asSize(parseDecimal(row.size)),
    leverage: row.leverage,
    takeProfitPrice: priceOrNull(row.take_profit_price),
    stopLossPrice: priceOrNull(row.stop_loss_price),
    reserved: moneyOf(row.reserved),
    rules: row.rules,
    status: row.status,
    rejection: null,
    positionId: row.position_id,
    clientId: row.client_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
    accountVersion: row.account_version,
  };
}

export function accountOf(row: AccountRow & { wallet_id: string }): StoredAccount {
  return {
    wallet: {
      id: row.wallet_id,
      accountId: row.user_id,
      available: moneyOf(row.available_balance),
      margin: moneyOf(row.margin),
      orderMargin: moneyOf(row.order_margin),
      version: Number(row.version),
    },
    restricted: row.restricted,
    positions: (row.positions ?? []).map(positionOf),
    orders: (row.orders ?? []).map(orderOf),
  };
}
