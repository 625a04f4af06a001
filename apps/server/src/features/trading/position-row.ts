/**
 * A position in its wire form, as the table API returns it: numbers as JSON numbers, times as ISO 8601 UTC, every
 * declared column. The mark of an open position is the price that the server knows at that moment.
 */
import type { PositionRow } from '@fulcrum/contract';
import { type Position, type Price, rulesOf, toNumber } from '@fulcrum/domain';

/** As PostgreSQL writes a `timestamptz` into JSON, so that an announced row equals the one read through the table API. */
export function iso(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString().replace(/\.?0*Z$/, '+00:00') };
  return last.text;
}
/** All rows of a batch have its one time. */
let last = { ms: 0, text: '1970-01-01T00:00:00+00:00' };
export const numberOrNull = (units: bigint | null | undefined): number | null =>
  units == null ? null : toNumber(units);

/** `markPrice` is the last known one; undefined when the symbol never had a price. */
export function positionRow(position: Position, markPrice: Price | undefined): PositionRow {
  const { closing } = position;
  const mark = closing === null ? markPrice : undefined;
  return {
    id: position.id,
    user_id: position.accountId,
    symbol: position.symbol,
    side: position.side,
    entry_price: toNumber(position.entryPrice),
    size: toNumber(position.size),
    leverage: position.leverage,
    margin: toNumber(position.margin),
    liquidation_price: toNumber(position.liquidationPrice),
    mark_price: mark === undefined ? null : toNumber(mark),
    unrealized_pnl:
      mark === undefined ? null : toNumber(rulesOf(position.rules).unrealizedPnl(position, mark)),
    close_price: numberOrNull(closing?.price),
    realized_pnl: numberOrNull(closing?.realizedPnl),
    status: closing === null ? 'open' : 'closed',
    created_at: iso(position.createdAt),
    updated_at: iso(position.updatedAt),
    closed_at: closing && iso(closing.at),
    take_profit_price: numberOrNull(position.takeProfitPrice),
    stop_loss_price: numberOrNull(position.stopLossPrice),
    close_reason: closing?.reason ?? null,
    close_price_source: closing?.priceSource ?? null,
    rules: position.rules,
    version: position.version,
    account_version: position.accountVersion,
    initial_stop_loss_price: numberOrNull(position.initialStopLossPrice),
    fee_rate: toNumber(position.feeRate),
    fees: toNumber(position.fees),
    split_from: position.splitFrom,
    edited_at: position.editedAt === null ? null : iso(position.editedAt),
    close_at_reopen: position.closeAtReopen,
  };
}
