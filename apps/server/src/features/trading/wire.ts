/**
 * The wire form of the engine's changes, as the table API returns and realtime announces them: every declared column,
 * numbers as JSON numbers, times as ISO 8601 UTC.
 */
import type { OrderRow, RowChange, WalletRow } from '@fulcrum/contract';
import type { Database } from '@fulcrum/contract/database';
import {
  balanceOf,
  type Command,
  type Decision,
  type Notification,
  type Order,
  type Price,
  toNumber,
  type Wallet,
} from '@fulcrum/domain';
import type { Answer } from './engine/store.ts';
import { iso, numberOrNull, positionRow } from './position-row.ts';
import { refusalError } from './refusals.ts';

export { positionRow };

type PositionRow = ReturnType<typeof positionRow>;
export type NotificationRow = Database['public']['Tables']['notifications']['Row'];

export function orderRow(order: Order): OrderRow {
  return {
    id: order.id,
    user_id: order.accountId,
    symbol: order.symbol,
    type: order.type,
    side: order.side,
    price: numberOrNull(order.price),
    size: toNumber(order.size),
    leverage: order.leverage,
    status: order.status,
    reason: order.rejection && refusalError(order.rejection).message,
    take_profit_price: numberOrNull(order.takeProfitPrice),
    stop_loss_price: numberOrNull(order.stopLossPrice),
    reserved: toNumber(order.reserved),
    position_id: order.positionId,
    client_id: order.clientId,
    rules: order.rules,
    created_at: iso(order.createdAt),
    updated_at: iso(order.updatedAt),
    version: order.version,
    account_version: order.accountVersion,
  };
}

/** `at`: when it last changed, milliseconds since the epoch. */
export function walletRow(wallet: Wallet, at: number): WalletRow {
  return {
    id: wallet.id,
    user_id: wallet.accountId,
    balance: toNumber(balanceOf(wallet)),
    available_balance: toNumber(wallet.available),
    currency: 'USDT',
    last_updated: iso(at),
    version: wallet.version,
  };
}

/** A new notification is unread. `message` is `messageOf` of it. */
export function notificationRow(
  accountId: string,
  { id, kind, position, order }: Notification,
  message: string,
  at: number,
): NotificationRow {
  return {
    id,
    user_id: accountId,
    kind,
    message,
    symbol: position?.symbol ?? order?.symbol ?? null,
    position_id: position?.id ?? order?.positionId ?? null,
    order_id: order?.id ?? null,
    created_at: iso(at),
    read_at: null,
  };
}

type ChangeType = 'INSERT' | 'UPDATE';

function toRowChange(
  table: RowChange['table'],
  row: { readonly id: string; readonly user_id: string } & Answer,
  type: ChangeType,
  committedAt: number,
): RowChange {
  return {
    table,
    type,
    userId: row.user_id,
    record: row,
    oldRecord: type === 'UPDATE' ? { id: row.id } : null,
    committedAt: iso(committedAt),
  };
}

/** One changed position as realtime announces it. */
export const positionChange = (row: PositionRow, type: ChangeType, committedAt: number): RowChange =>
  toRowChange('positions', row, type, committedAt);

export const orderChange = (row: OrderRow, type: ChangeType, committedAt: number): RowChange =>
  toRowChange('orders', row, type, committedAt);

/** The final state of a wallet in a batch, once per batch however often it changed. */
export const walletChange = (wallet: Wallet, committedAt: number): RowChange =>
  toRowChange('wallets', walletRow(wallet, committedAt), 'UPDATE', committedAt);

export const notificationChange = (row: NotificationRow, committedAt: number): RowChange =>
  toRowChange('notifications', row, 'INSERT', committedAt);

export interface AnswerContext {
  /** The last known price of the position's symbol, if the answer is a position and there is one. */
  readonly mark: Price | undefined;
  /** The state after the decision. */
  readonly wallet: Wallet;
  readonly accountId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The answer of a command in the form of its procedure; it is also stored for repeats. */
export function answerRow(
  command: Command,
  { subject, effects }: Extract<Decision, { outcome: 'accepted' }>,
  { mark, wallet, accountId, at }: AnswerContext,
): Answer {
  if (command.kind === 'delete') return { user_id: accountId };
  if (command.kind === 'restrict') {
    const canceled = effects.orders.filter(({ after }) => after.status === 'CANCELED');
    return { user_id: accountId, restricted: command.restricted, orders_canceled: canceled.length };
  }
  if (command.kind === 'adjust') {
    const [line] = effects.transactions;
    return { ...walletRow(wallet, at), transaction_id: line?.id ?? null };
  }
  if (subject.kind === 'position') return positionRow(subject.position, mark);
  if (subject.kind === 'order') return orderRow(subject.order);
  return walletRow(wallet, at);
}
