/** The day of an account for its owner's own limits, from the tables in memory, as the engine's query has it. */
import { asMoney, dayMs, firstEquityWithinMs, type Money, type OwnDay, utcDayStart } from '@fulcrum/domain';
import type { MemoryDatabase } from './memory-database.ts';

export function ownDayOf(database: MemoryDatabase, accountId: string, now: number): OwnDay {
  const start = utcDayStart(now);
  const own = <Row extends { readonly accountId: string | null }>(rows: Iterable<Row>): Row[] =>
    [...rows].filter((row) => row.accountId === accountId);
  const executions = own(database.executions);
  const first = firstEquityOf(own(database.snapshots), executions, start, now);
  const paid = own(database.ledger).filter(
    ({ kind, account, at }) =>
      (kind === 'deposit' || kind === 'withdrawal') && account === 'user:cash' && first && at > first.at,
  );
  const opening = executions.filter(
    ({ at, realizedPnl, flippedFrom }) => at >= start && (realizedPnl === null || flippedFrom !== null),
  );
  const isOfBefore = (orderId: string | null): boolean =>
    orderId !== null && executions.some((row) => row.orderId === orderId && row.at < start);
  const trades = opening
    .filter(({ orderId }) => !isOfBefore(orderId))
    .map(({ id, orderId }) => orderId ?? id);
  const losses = own(database.positions.values()).flatMap(({ closing, fees, funding }) =>
    closing && closing.at > now - dayMs && closing.realizedPnl - fees + funding < 0n ? [closing.at] : [],
  );
  return {
    start,
    equity: asMoney(first?.equity ?? 0n),
    paid: paid.reduce((sum, { amount }) => asMoney(sum + amount), asMoney(0n) as Money),
    trades: new Set(trades).size,
    lastLossAt: losses.length === 0 ? null : Math.max(...losses),
  };
}

interface Seen {
  readonly at: number;
  readonly equity: bigint;
}

function firstEquityOf(
  snapshots: readonly Seen[],
  executions: readonly { readonly at: number }[],
  start: number,
  now: number,
): Seen | null {
  const settled = start + firstEquityWithinMs;
  const early = snapshots.find(({ at }) => at >= start && at < settled);
  const isTraded = executions.some(({ at }) => at >= start && early !== undefined && at <= early.at);
  if (early && now >= settled && !isTraded) return early;
  const before = snapshots.findLast(({ at }) => at < start);
  return before ?? snapshots.find(({ at }) => at >= start) ?? null;
}
