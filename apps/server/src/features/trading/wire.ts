/**
 * The wire form of the engine's changes, as the table API returns and realtime announces them: every declared column,
 * numbers as JSON numbers, times as ISO 8601 UTC.
 */
import type { OrderRow, PositionRow, RowChange, WalletRow } from '@fulcrum/contract';
import type { Command, Decision, MarketView, Notification, Order, Position, Wallet } from '@fulcrum/domain';
import { toWireTime } from './engine/columns/codec.ts';
import { orderColumns } from './engine/columns/order.ts';
import { positionColumns } from './engine/columns/position.ts';
import { notificationColumns } from './engine/columns/records.ts';
import { walletColumns } from './engine/columns/wallet.ts';
import type { Answer } from './engine/store.ts';
import { formatNotification } from './notification-text.ts';

type NotificationRow = ReturnType<typeof notificationColumns.toWire>;

/** The rows of one batch, each built once: what is answered is also announced. A position has the mark of the moment of its row. */
export class WireRows {
  readonly #at: number;
  readonly #market: Pick<MarketView, 'quote'>;
  readonly #rows = new Map<object, unknown>();

  /** `at`: milliseconds since the epoch. */
  constructor(at: number, market: Pick<MarketView, 'quote'>) {
    this.#at = at;
    this.#market = market;
  }

  position(position: Position): PositionRow {
    return this.#once(position, () =>
      positionColumns.toWire(position, this.#market.quote(position.symbol)?.price),
    );
  }

  order(order: Order): OrderRow {
    return this.#once(order, () => orderColumns.toWire(order));
  }

  wallet(wallet: Wallet): WalletRow {
    return this.#once(wallet, () => walletColumns.toWire(wallet, this.#at));
  }

  notification(accountId: string, notification: Notification): NotificationRow {
    return this.#once(notification, () => {
      const message = formatNotification(notification);
      return notificationColumns.toWire({ accountId, notification, message }, this.#at);
    });
  }

  /** Values are immutable, so a value stands for its row. */
  #once<Row>(value: object, make: () => Row): Row {
    const known = this.#rows.get(value);
    if (known !== undefined) return known as Row;
    const row = make();
    this.#rows.set(value, row);
    return row;
  }
}

/** One changed row as realtime announces it. `committedAt`: milliseconds since the epoch. */
export const toRowChange = (
  table: RowChange['table'],
  row: { readonly id: string; readonly user_id: string } & Answer,
  type: 'INSERT' | 'UPDATE',
  committedAt: number,
): RowChange => ({
  table,
  type,
  userId: row.user_id,
  record: row,
  oldRecord: type === 'UPDATE' ? { id: row.id } : null,
  committedAt: toWireTime(committedAt),
});

/** The answer of a command in the form of its procedure; it is also stored for repeats. */
export function answerRow(
  command: Command,
  { subject, effects }: Extract<Decision, { outcome: 'accepted' }>,
  accountId: string,
  rows: WireRows,
): Answer {
  if (command.kind === 'delete') return { user_id: accountId };
  if (command.kind === 'restrict') {
    const canceled = effects.orders.filter(({ after }) => after.status === 'CANCELED');
    return { user_id: accountId, restricted: command.restricted, orders_canceled: canceled.length };
  }
  if (command.kind === 'adjust') {
    const [line] = effects.transactions;
    return { ...rows.wallet(effects.wallet), transaction_id: line?.id ?? null };
  }
  if (subject.kind === 'leverage') return { symbol: subject.symbol, leverage: subject.leverage };
  if (subject.kind === 'position') return rows.position(subject.position);
  if (subject.kind === 'order') return rows.order(subject.order);
  return rows.wallet(effects.wallet);
}
