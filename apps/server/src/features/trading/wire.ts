/**
 * Positions and wallets in their wire form, as the table API gives them: numbers as JSON numbers, times as ISO 8601 UTC,
 * every declared column. An open position is marked with the price that the server knows at that moment.
 */
import type { PositionRow, RowChange } from '@fulcrum/contract';
import { balanceOf, type Position, type Price, rulesOf, toNumber, type Wallet } from '@fulcrum/domain';

/** As PostgreSQL writes a `timestamptz` into JSON, so that an announced row equals the one read through the table API. */
const iso = (ms: number): string => new Date(ms).toISOString().replace(/\.?0*Z$/, '+00:00');
const numberOrNull = (units: bigint | null | undefined): number | null =>
  units == null ? null : toNumber(units);

/** `markPrice` is the last known one; undefined when the symbol never had a price. */
export function positionRow(position: Position, markPrice: Price | undefined): PositionRow {
  const { closing } = position;
  const mark = closing === null ? markPrice : undefined;
  return {
    id: position.id,
    user_id: position.userId,
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
  };
}

/** One changed position as realtime announces it. */
export function positionChange(row: PositionRow, type: 'INSERT' | 'UPDATE', committedAt: number): RowChange {
  return {
    table: 'positions',
    type,
    userId: row.user_id,
    record: row,
    oldRecord: type === 'UPDATE' ? { id: row.id } : null,
    committedAt: iso(committedAt),
  };
}

/** A wallet as a batch left it, once per batch however often it changed. */
export function walletChange(wallet: Wallet, committedAt: number): RowChange {
  return {
    table: 'wallets',
    type: 'UPDATE',
    userId: wallet.userId,
    record: {
      id: wallet.id,
      user_id: wallet.userId,
      balance: toNumber(balanceOf(wallet)),
      available_balance: toNumber(wallet.available),
      currency: 'USDT',
      last_updated: iso(committedAt),
      version: wallet.version,
    },
    oldRecord: { id: wallet.id },
    committedAt: iso(committedAt),
  };
}
