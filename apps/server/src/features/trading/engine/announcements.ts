/** The changes of a committed batch for realtime, in the order of the decisions (CALL-55). */
import type { RowChange } from '@fulcrum/contract';
import type { OrderChange, PositionChange } from '@fulcrum/domain';
import { toRowChange } from '../wire.ts';
import type { DecidedBatch } from './batch-decision.ts';

const typeOf = ({ before }: PositionChange | OrderChange) => (before === null ? 'INSERT' : 'UPDATE');

/** Each change of a position or an order by itself; a wallet once, in its final state. */
export function announcementsOf({ at, applied, drafts, rows }: DecidedBatch): RowChange[] {
  const changes: RowChange[] = [];
  for (const { accountId, steps } of applied) {
    for (const { decision } of steps) {
      const { positions, orders, notifications } = decision.effects;
      for (const change of orders)
        changes.push(toRowChange('orders', rows.order(change.after), typeOf(change), at));
      for (const change of positions)
        changes.push(toRowChange('positions', rows.position(change.after), typeOf(change), at));
      for (const notification of notifications)
        changes.push(toRowChange('notifications', rows.notification(accountId, notification), 'INSERT', at));
    }
  }
  for (const { wallet, isDeleted } of drafts)
    if (!isDeleted) changes.push(toRowChange('wallets', rows.wallet(wallet), 'UPDATE', at));
  const others = new Set(drafts.filter((draft) => !draft.isMain).map(({ wallet }) => wallet.accountId));
  if (others.size === 0) return changes;
  return changes.map((change) => ({ ...change, isOfOtherAccount: others.has(change.userId ?? '') }));
}
