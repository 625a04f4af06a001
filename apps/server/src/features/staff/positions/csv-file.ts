/** The CSV file of positions: its name and its records, as specified (X-17 to X-19, A77, A78). */
import { AppError } from '@fulcrum/contract';
import { type Cell, type PositionStatus, parseDecimal } from '@fulcrum/domain';
import type { Market } from '../../market/index.ts';
import type { NamedAccount } from '../named-account.ts';
import { getResult, type PositionRow } from './rows.ts';

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

/** With the user and the id before the stated columns, and exact times after them. */
interface CsvRowWithIds extends CsvRow {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  /** ms since the epoch. */
  readonly opened_at: number;
}

export const csvColumnsWithIds = `${csvColumns}, p.id, u.username, u.email,
  extract(epoch from p.created_at)::float8 * 1000 as opened_at`;

/** Days in the viewer's zone. */
interface DayFormatter {
  /** `Nov 06, 2026`. */
  label(ms: number): string;
  /** `20261106`. */
  stamp(ms: number): string;
}

/** Zones change their clocks on quarters of an hour, so all of one quarter are of one day. */
const quarterMs = 900_000;

/** @throws AppError `invalid_argument` for a zone that this runtime does not know */
export function createDayFormatter(timeZone: string): DayFormatter {
  try {
    const day = new Intl.DateTimeFormat('en-US', {
      month: 'short',
      day: '2-digit',
      year: 'numeric',
      timeZone,
    });
    // The Canadian form is the sortable one.
    const stamp = new Intl.DateTimeFormat('en-CA', { timeZone });
    // The file is in order of time: one text serves many rows.
    const last = { quarter: Number.NaN, text: '' };
    return {
      label: (ms) => {
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

/** `closed_positions_zoe.martin_20261106.csv`, with the name of an account besides the main one; `all` without a user. */
export function buildFileName(status: PositionStatus, account: NamedAccount | null, stamp: string): string {
  const whose = account === null ? 'all' : [account.username, account.name ?? []].flat().join('_');
  return `${status}_positions_${whose}_${stamp}.csv`.replace(unsafe, '_');
}

/** Staff read the stored values of a side; figures are exact. */
export function toCells(row: CsvRow, market: Pick<Market, 'price'>, days: DayFormatter): readonly Cell[] {
  const { pnl, roe } = getResult(row, market);
  return [
    row.symbol,
    row.side,
    parseDecimal(row.entry_price),
    row.close_price === null ? null : parseDecimal(row.close_price),
    parseDecimal(row.size),
    row.leverage,
    pnl,
    roe,
    row.closed_at === null ? null : days.label(row.closed_at),
  ];
}

export const toCellsWithIds = (
  row: CsvRowWithIds,
  market: Pick<Market, 'price'>,
  days: DayFormatter,
): readonly Cell[] => [
  row.username,
  row.email,
  row.id,
  ...toCells(row, market, days),
  toUtc(row.opened_at),
  row.closed_at === null ? null : toUtc(row.closed_at),
];

const toUtc = (ms: number): string => new Date(ms).toISOString();
