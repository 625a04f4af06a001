/** A position as staff see it: the columns of the list and the file, and the value of an open one at the last price. */
import type { staffPosition } from '@fulcrum/contract';
import {
  asMoney,
  asPrice,
  asSize,
  type Money,
  type Percent,
  type PositionStatus,
  type Price,
  parseDecimal,
  type RuleSetName,
  rulesOf,
  type Side,
  toNumber,
} from '@fulcrum/domain';
import type { z } from 'zod';
import type { Market } from '../../market/index.ts';

export type StaffPosition = z.output<typeof staffPosition>;

/** As PostgreSQL gives it; amounts are decimals as text. */
export interface PositionRow {
  readonly id: string;
  readonly user_id: string;
  readonly username: string;
  readonly symbol: string;
  readonly side: Side;
  readonly entry_price: string;
  readonly size: string;
  readonly leverage: number;
  readonly margin: string;
  readonly liquidation_price: string;
  readonly close_price: string | null;
  readonly realized_pnl: string | null;
  readonly status: PositionStatus;
  readonly close_reason: StaffPosition['close_reason'];
  readonly created_at: string;
  readonly closed_at: string | null;
  readonly edited_at: string | null;
  readonly fees: string;
  readonly take_profit_price: string | null;
  readonly stop_loss_price: string | null;
  readonly rules: RuleSetName;
  readonly version: number;
}

// As the table API writes times.
const time = (column: string): string => `to_json(p.${column}) #>> '{}' as ${column}`;
/** Columns of `p`, a position, and `u`, its user. */
export const positionColumns = `p.id, p.user_id, u.username, p.symbol, p.side, p.entry_price, p.size, p.leverage, p.margin,
  p.liquidation_price, p.close_price, p.realized_pnl, p.status, p.close_reason, ${time('created_at')}, ${time('closed_at')},
  ${time('edited_at')}, p.fees, p.take_profit_price, p.stop_loss_price, p.rules, p.version`;

/** What a position made, or would make now; null for an open one whose symbol has no price. */
export interface Result {
  readonly mark: Price | null;
  readonly pnl: Money | null;
  /** Return in percent, two decimals (RULE-10, RULE-11). */
  readonly roe: Percent | null;
}

type Judged = Pick<
  PositionRow,
  'symbol' | 'side' | 'entry_price' | 'size' | 'leverage' | 'margin' | 'realized_pnl' | 'status' | 'rules'
>;

export function getResult(row: Judged, market: Pick<Market, 'price'>): Result {
  const rules = rulesOf(row.rules);
  const terms = {
    side: row.side,
    entryPrice: asPrice(parseDecimal(row.entry_price)),
    size: asSize(parseDecimal(row.size)),
    leverage: row.leverage,
    margin: asMoney(parseDecimal(row.margin)),
  };
  if (row.realized_pnl !== null) {
    const pnl = asMoney(parseDecimal(row.realized_pnl));
    return { mark: null, pnl, roe: rules.closedRoe(terms, pnl) };
  }
  const last = market.price(row.symbol);
  if (!last) return { mark: null, pnl: null, roe: null };
  const mark = asPrice(last.price);
  return { mark, pnl: rules.unrealizedPnl(terms, mark), roe: rules.openRoe(terms, mark) };
}

const number = (text: string): number => toNumber(parseDecimal(text));
const numberOrNull = (text: string | null): number | null => (text === null ? null : number(text));

export function toWire(row: PositionRow, market: Pick<Market, 'price'>): StaffPosition {
  const { mark, pnl } = getResult(row, market);
  return {
    ...row,
    entry_price: number(row.entry_price),
    size: number(row.size),
    margin: number(row.margin),
    liquidation_price: number(row.liquidation_price),
    mark_price: mark === null ? null : toNumber(mark),
    unrealized_pnl: row.status === 'open' && pnl !== null ? toNumber(pnl) : null,
    close_price: numberOrNull(row.close_price),
    realized_pnl: numberOrNull(row.realized_pnl),
    fees: number(row.fees),
    take_profit_price: numberOrNull(row.take_profit_price),
    stop_loss_price: numberOrNull(row.stop_loss_price),
  };
}
