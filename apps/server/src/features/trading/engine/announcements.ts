/** The changes of a committed batch for realtime, in the order of the decisions (CALL-55). */
import type { RowChange } from '@fulcrum/contract';
import type { MarketView, OrderChange, PositionChange } from '@fulcrum/domain';
import { formatNotification } from '../notification-text.ts';
import {
  notificationChange,
  notificationRow,
  orderChange,
  orderRow,
  positionChange,
  positionRow,
  walletChange,
} from '../wire.ts';
import type { DecidedBatch } from './decider.ts';

const typeOf = ({ before }: PositionChange | OrderChange) => (before === null ? 'INSERT' : 'UPDATE');

/** Each change of a position or an order by itself; a wallet once, in its final state. */
export function announcementsOf({ at, market, applied, drafts }: DecidedBatch): RowChange[] {
  const changes: RowChange[] = [];
  for (const { accountId, steps } of applied) {
    for (const { decision } of steps) {
      const { positions, orders, notifications } = decision.effects;
      for (const change of orders) changes.push(orderChange(orderRow(change.after), typeOf(change), at));
      for (const change of positions) {
        const row = positionRow(change.after, markOf(market, change));
        changes.push(positionChange(row, typeOf(change), at));
      }
      for (const notification of notifications) {
        const row = notificationRow(accountId, notification, formatNotification(notification), at);
        changes.push(notificationChange(row, at));
      }
    }
  }
  for (const { wallet, isDeleted } of drafts) if (!isDeleted) changes.push(walletChange(wallet, at));
  return changes;
}

const markOf = (market: MarketView, { after }: PositionChange) =>
  after.closing === null ? market.quote(after.symbol)?.price : undefined;
