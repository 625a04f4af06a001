/**
 * What the engine changes in its wire form, as the table API gives it and as realtime announces it: every declared column,
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
    user_id: order.userId,
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
    user_id: wallet.userId,
    balance: toNumber(balanceOf(wallet)),
    available_balance: toNumber(wallet.available),
    currency: 'USDT',
    last_updated: iso(at),
    version: wallet.version,
  };
}

/** As it is written, so unread. `message` is `messageOf` of it. */
export function notificationRow(
  userId: string,
  { id, kind, position, order }: Notification,
  message: string,
  at: number,
): NotificationRow {
  return {
    id,
    user_id: userId,
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

function change(
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
  change('positions', row, type, committedAt);

export const orderChange = (row: OrderRow, type: ChangeType, committedAt: number): RowChange =>
  change('orders', row, type, committedAt);

/** A wallet as a batch left it, once per batch however often it changed. */
export const walletChange = (wallet: Wallet, committedAt: number): RowChange =>
  change('wallets', walletRow(wallet, committedAt), 'UPDATE', committedAt);

export const notificationChange = (row: NotificationRow, committedAt: number): RowChange =>
  change('notifications', row, 'INSERT', committedAt);

export interface AnswerContext {
  /** The last known price of the position's symbol, if the answer is a position and there is one. */
  readonly mark: Price | undefined;
  /** As the decision left it. */
  readonly wallet: Wallet;
  readonly userId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What a command is answered with, in the form of the procedure behind it; also what is stored for its repeat. */
export function answerRow(
  command: Command,
  { subject, effects }: Extract<Decision, { outcome: 'accepted' }>,
  { mark, wallet, userId, at }: AnswerContext,
): Answer {
  if (command.kind === 'delete') return { user_id: userId };
  if (command.kind === 'restrict') {
    const canceled = effects.orders.filter(({ after }) => after.status === 'CANCELED');
    return { user_id: userId, restricted: command.restricted, orders_canceled: canceled.length };
  }
  if (command.kind === 'adjust') {
    const [line] = effects.transactions;
    return { ...walletRow(wallet, at), transaction_id: line?.id ?? null };
  }
  if (subject.kind === 'position') return positionRow(subject.position, mark);
  if (subject.kind === 'order') return orderRow(subject.order);
  return walletRow(wallet, at);
}
