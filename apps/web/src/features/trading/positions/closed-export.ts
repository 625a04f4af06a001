/**
 * Exports closed positions as a CSV file (X-17, A77): all that match the filter. Older ones than the list on screen
 * are read page by page first. The side is BUY or SELL, as in the staff's file of the same name (ENT-16). A second file has
 * exact times, fees and ids behind the stated columns, and the funding of net positions. Limit: the latest 10,000.
 */
import { type Cell, divideRounded, parseDecimal, positionFileHead, toCsv, toNumber } from '@fulcrum/domain';
import { toClosedRoe } from '../../../shared/account/index.ts';
import { fromWire, type Position, type Supabase, unwrap } from '../../../shared/supabase/index.ts';
import { seekRows } from '../../../shared/supabase/keyset-pages.ts';
import { formatDay } from '../../../shared/time/dates.ts';
import { type HistoryFilter, narrowRequest } from './history-filter.ts';

const pageRows = 500;
const exportedMost = 10_000;
const descending = { ascending: false } as const;

/** 1e-8 units of a hundredth. */
const hundredth = 1_000_000n;
const rounded = (percent: number | null): number | null =>
  percent === null
    ? null
    : toNumber(divideRounded(parseDecimal(percent), hundredth, 'half-away-from-zero') * hundredth);

const toCells = (position: Position): readonly Cell[] => [
  position.symbol,
  position.side,
  position.entryPrice,
  position.closePrice,
  position.size,
  position.leverage,
  position.realizedPnl,
  rounded(toClosedRoe(position)),
  formatDay(position.closedAt),
];

export const closedCsv = (positions: readonly Position[]): string =>
  toCsv(positionFileHead, positions.map(toCells));

const exactHead = ['Opened At (UTC)', 'Closed At (UTC)', 'Fees', 'Id'] as const;
const isNet = ({ entryValue }: Position): boolean => entryValue !== null;
const toUtc = (time: string | null): string | null => time && new Date(time).toISOString();

export function exactClosedCsv(positions: readonly Position[]): string {
  // Other accounts have none.
  const hasFunding = positions.some(isNet);
  return toCsv(
    [...positionFileHead, ...exactHead, ...(hasFunding ? ['Funding'] : [])],
    positions.map((position) => [
      ...toCells(position),
      toUtc(position.createdAt),
      toUtc(position.closedAt),
      position.fees,
      position.id,
      ...(hasFunding ? [position.funding] : []),
    ]),
  );
}

interface ClosedQuery extends HistoryFilter {
  readonly accountId: string;
}

/** The latest closed positions of the filter, `most` of them, latest closing first. */
export async function readClosed(
  supabase: Supabase,
  { accountId, ...filter }: ClosedQuery,
  most = exportedMost,
  signal?: AbortSignal,
): Promise<readonly Position[]> {
  const positions: Position[] = [];
  while (positions.length < most) {
    const closed = supabase.rest
      .from('positions')
      .select('*')
      .eq('user_id', accountId)
      .eq('status', 'closed');
    let request = narrowRequest(closed, 'closed_at', filter);
    if (signal) request = request.abortSignal(signal);
    const last = positions.at(-1);
    // Each page begins after the last row of the one before, so positions closed meanwhile shift no page.
    if (last?.closedAt) request = seekRows(request, 'closed_at', 'older', { at: last.closedAt, id: last.id });
    const rows = await unwrap(request.order('closed_at', descending).order('id', descending).limit(pageRows));
    positions.push(...rows.map(fromWire));
    if (rows.length < pageRows) break;
  }
  return positions;
}
