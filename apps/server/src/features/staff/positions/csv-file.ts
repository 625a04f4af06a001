/** A file of positions: its name and its records, as stated (X-17 to X-19, A77, A78). */
import { AppError } from '@fulcrum/contract';
import { type Cell, parseDecimal } from '@fulcrum/domain';
import type { Market } from '../../market/index.ts';
import { type PositionRow, resultOf } from './rows.ts';

/** What of a position a record is made of. */
export type CsvRow = Pick<
  PositionRow,
  | 'symbol'
  | 'side'
  | 'entry_price'
  | 'close_price'
  | 'size'
  | 'leverage'
  | 'margin'
  | 'realized_pnl'
  | 'status'
  | 'rules'
> & {
  /** ms since the epoch. */
  readonly closed_at: number | null;
};
export const csvColumns = `p.symbol, p.side, p.entry_price, p.close_price, p.size, p.leverage, p.margin, p.realized_pnl,
  p.status, p.rules, extract(epoch from p.closed_at)::float8 * 1000 as closed_at`;

/** Days in the viewer's zone. */
export interface Days {
  /** `Nov 06, 2026`. */
  told(ms: number): string;
  /** `20261106`. */
  stamp(ms: number): string;
}

/** Zones change their clocks on quarters of an hour, so all of one quarter are of one day. */
const quarterMs = 900_000;

/** @throws AppError `invalid_argument` for a zone that this runtime does not know */
export function daysIn(timeZone: string): Days {
  try {
    const day = new Intl.DateTimeFormat('en-US', {
      month: 'short',
      day: '2-digit',
      year: 'numeric',
      timeZone,
    });
    // The Canadian form is the sortable one.
    const stamp = new Intl.DateTimeFormat('en-CA', { timeZone });
    // A file is in the order of time: one text stands for many of its rows.
    const last = { quarter: Number.NaN, text: '' };
    return {
      told: (ms) => {
        const quarter = Math.floor(ms / quarterMs);
        if (quarter !== last.quarter) Object.assign(last, { quarter, text: day.format(ms) });
        return last.text;
      },
      stamp: (ms) => stamp.format(ms).replaceAll('-', ''),
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new AppError('invalid_argument', 'Invalid argument p_time_zone: not a time zone', {
      details: 'export_positions',
    });
  }
}

/** What no file system takes, and what would make a path of a name. */
const unsafe = /[^\p{L}\p{N}._-]+/gu;

/** `closed_positions_zoe.martin_20261106.csv`; `all` without a person. */
export const fileNameOf = (status: 'open' | 'closed', username: string | null, stamp: string): string =>
  `${status}_positions_${username ?? 'all'}_${stamp}.csv`.replace(unsafe, '_');

/** Staff read the stored words of a side; figures are exact. */
export function cellsOf(row: CsvRow, market: Pick<Market, 'price'>, days: Days): readonly Cell[] {
  const { pnl, roe } = resultOf(row, market);
  return [
    row.symbol,
    row.side,
    parseDecimal(row.entry_price),
    row.close_price === null ? null : parseDecimal(row.close_price),
    parseDecimal(row.size),
    row.leverage,
    pnl,
    roe,
    row.closed_at === null ? null : days.told(row.closed_at),
  ];
}
