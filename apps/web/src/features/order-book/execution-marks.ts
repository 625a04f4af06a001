/**
 * The fills of a pair as the chart of an account with net positions marks them: one mark each, at its own time and price (A114). Loaded
 * with the first net position. Limit: the latest 500.
 */
import type { AccountReader } from '../../shared/account/index.ts';
import { formatAmount, formatPrice, formatSize } from '../../shared/numbers/index.ts';
import { type Execution, fromWire, latestOf, unwrap } from '../../shared/supabase/index.ts';
import type { FillMark, Pair } from '../market/index.ts';
import type { Steps } from './explain-fill.ts';

const marksMax = 500;

type MarkedFill = Pick<Execution, 'id' | 'side' | 'size' | 'price' | 'realizedPnl' | 'createdAt'>;

/** The result of what the fill closed is before fees. */
export function toExecutionMark(
  { id, side, size, price, realizedPnl, createdAt }: MarkedFill,
  { tickSize, stepSize }: Pick<Steps, 'tickSize' | 'stepSize'>,
): FillMark {
  const did = `${side === 'BUY' ? 'Bought' : 'Sold'} ${formatSize(size, stepSize)} at ${formatPrice(price, tickSize)}`;
  const result = realizedPnl === null ? '' : `, ${formatAmount(realizedPnl, 'always')} USDT`;
  return { id, at: Date.parse(createdAt), side, text: `${did}${result}` };
}

/** Oldest first: the chart names the last one of a bar. */
export async function readExecutionMarks(
  { accountId, supabase }: AccountReader,
  { symbol, tickSize, stepSize }: Pick<Pair, 'symbol' | 'tickSize' | 'stepSize'>,
  signal: AbortSignal,
): Promise<readonly FillMark[]> {
  const all = supabase.rest.from('executions').select('id,side,size,price,realized_pnl,created_at');
  const own = all.eq('user_id', accountId).eq('symbol', symbol);
  const fills = (await unwrap(latestOf(own, 'created_at', marksMax, signal))).map(fromWire);
  return fills.map((fill) => toExecutionMark(fill, { tickSize, stepSize })).reverse();
}
