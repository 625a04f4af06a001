/**
 * Closed positions as a CSV file (X-17, A77): all that the filter shows, also those older than the list on screen, which are
 * read page by page first. Limit: the latest 10,000.
 */
import { type Cell, divideRounded, parseDecimal, positionFileHead, toCsv, toNumber } from '@fulcrum/domain';
import { closedRoe } from '../../../shared/account/index.ts';
import { closedListLimit } from '../../../shared/realtime/changes.ts';
import { fromWire, type Position, rowsOf, type Supabase } from '../../../shared/supabase/index.ts';
import { formatDay } from '../../../shared/time/dates.ts';

const pageRows = 500;
const mostPages = 20;
const descending = { ascending: false } as const;

/** 1e-8 units of a hundredth. */
const hundredth = 1_000_000n;
const rounded = (percent: number | null): number | null =>
  percent === null
    ? null
    : toNumber(divideRounded(parseDecimal(percent), hundredth, 'half-away-from-zero') * hundredth);

const cellsOf = (position: Position): readonly Cell[] => [
  position.symbol,
  position.side === 'BUY' ? 'Long' : 'Short',
  position.entryPrice,
  position.closePrice,
  position.size,
  position.leverage,
  position.realizedPnl,
  rounded(closedRoe(position)),
  formatDay(position.closedAt),
];

export const closedCsv = (positions: readonly Position[]): string =>
  toCsv(positionFileHead, positions.map(cellsOf));

interface Wanted {
  readonly userId: string;
  /** One pair, or all. */
  readonly only: string | null;
}

/** Whether the list on screen may lack older ones. */
export const isCut = (listed: readonly Position[]): boolean => listed.length >= closedListLimit;

/** The latest closed positions, latest closing first. */
export async function readClosed(supabase: Supabase, { userId, only }: Wanted): Promise<readonly Position[]> {
  const positions: Position[] = [];
  for (let page = 0; page < mostPages; page += 1) {
    let request = supabase.rest.from('positions').select('*').eq('user_id', userId).eq('status', 'closed');
    if (only !== null) request = request.eq('symbol', only);
    const last = positions.at(-1);
    // What closes meanwhile shifts no page: each begins after the last row of the one before.
    if (last)
      request = request.or(
        `closed_at.lt."${last.closedAt}",and(closed_at.eq."${last.closedAt}",id.lt.${last.id})`,
      );
    const rows = await rowsOf(request.order('closed_at', descending).order('id', descending).limit(pageRows));
    positions.push(...rows.map(fromWire));
    if (rows.length < pageRows) break;
  }
  return positions;
}
