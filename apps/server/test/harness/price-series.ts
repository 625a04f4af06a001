/**
 * The prices of a cluster: every frame that a leader published, as a process gets it, and a judgement of what the engines have
 * stored by it. An execution and its batch were written by one transaction, and neither ever changes, so both have the same `xmin`: an
 * exact relation.
 *
 * Judged are the fills of accounts that trade at the market's one price (`standard`): the price is in the series of its symbol at a number
 * that is not above the batch's. A command's is the last one there. That of a crossing was the last one at most `supersededMsMax` before.
 *
 * Left out, because the price is not the market's: a LIMIT order that is filled at its own price for want of margin, a payment of the
 * other side at a liquidation (A111), and a close without any price.
 */
import type { Frame } from '../../src/features/market/cluster/wire.ts';
import { crossingMaxAgeMs } from '../../src/features/trading/engine/batch-decision.ts';
import type { ClusterLink } from '../../src/platform/cluster/link.ts';

/** A link drops messages that are older. */
const messageAgeMaxMs = 10_000;
const supersededMsMax = crossingMaxAgeMs + messageAgeMaxMs;

export interface NumberedPrice {
  readonly term: number;
  readonly seq: number;
  /** The leader's time, ms since the epoch. */
  readonly at: number;
  /** In units of 1e-8. */
  readonly price: number;
}

export interface JudgedFill {
  readonly symbol: string;
  /** In units of 1e-8. */
  readonly price: number;
  /** What made it: a command at the present price, or a price that something waited for. */
  readonly by: 'command' | 'crossing';
  /** Type of the order, `open`, or the reason of the close. */
  readonly what: string;
  readonly positionId: string;
  readonly epoch: string;
  readonly term: number | null;
  readonly seq: number | null;
  readonly committedAt: number;
  /**
   * Null: the price is there. `unproven`: it or its number is not, and may be in a frame that was lost within the time in which it was
   * acted on.
   */
  readonly fault: 'no number' | 'not in the series' | 'not the last price' | 'unproven' | null;
}

export interface PriceSeries {
  /** `work` may cost frames of a leader that ends: no process says so. */
  losing(work: () => Promise<unknown>): Promise<void>;
  /** Of a symbol, in order; one frame may have several. */
  prices(symbol: string): readonly NumberedPrice[];
  /** What is judged of the fills that were stored since then (ms since the epoch), the oldest first. */
  judge(
    query: (text: string, values: readonly unknown[]) => Promise<readonly Record<string, unknown>[]>,
    since?: number,
  ): Promise<readonly JudgedFill[]>;
}

interface RecordedFrame {
  readonly seq: number;
  /** The first one from which on none is missing up to this one. */
  readonly since: { readonly seq: number; readonly at: number };
}

const fills = `
  select x.symbol, (x.price * 100000000)::bigint::text as price, x.position_id, b.epoch::text,
         b.price_term as term, b.price_seq as seq, extract(epoch from x.created_at) * 1000 as committed_at,
         coalesce(o.type, case when x.realized_pnl is null then 'open' else p.close_reason end) as what
  from app.executions x
  join app.positions p on p.id = x.position_id
  left join app.engine_batches b on b.xmin = x.xmin
  left join app.orders o on o.id = x.order_id
  where p.rules = 'standard' and x.created_at >= $1
    and (o.type is distinct from 'LIMIT' or x.price <> o.price)
    and (x.realized_pnl is null or p.close_price_source <> 'entry')
    and (x.realized_pnl is null or p.close_reason <> 'liquidation' or x.realized_pnl < 0)
  order by x.created_at, x.id`;
const byCommand = new Set(['open', 'manual', 'MARKET']);

/** Records from now on, which is before the first term. */
export function recordPrices(link: Pick<ClusterLink, 'subscribe' | 'onConnection'>): PriceSeries {
  const recorded = new Map<number, RecordedFrame[]>();
  const series = new Map<string, NumberedPrice[]>();
  /** When frames may have been lost, ms since the epoch. */
  const losses: { readonly from: number; until: number }[] = [];
  let recordedAt = -Infinity;
  const beginLoss = () => {
    const loss = { from: recordedAt, until: Infinity };
    losses.push(loss);
    return loss;
  };
  /** It lasts until the next frame: the leader may be away longer than the link here. */
  let ofLinks: ReturnType<typeof beginLoss> | null = null;
  link.onConnection((isConnected) => {
    if (!isConnected) ofLinks ??= beginLoss();
  });
  // Sent by a process that has its connection back. If it is the leader's, no frame has come since the loss.
  link.subscribe('tell.link.restored', () => {
    ofLinks ??= beginLoss();
  });
  link.subscribe('price', (payload) => {
    const { term, seq, at, ticks } = payload as Frame;
    if (ofLinks) ofLinks.until = at;
    ofLinks = null;
    recordedAt = at;
    const ofTerm = recorded.get(term) ?? [];
    recorded.set(term, ofTerm);
    const before = ofTerm.at(-1);
    const since = before?.seq === seq - 1 ? before.since : { seq, at };
    ofTerm.push({ seq, since });
    for (const { symbol, price } of ticks) {
      const ofSymbol = series.get(symbol) ?? [];
      series.set(symbol, ofSymbol);
      // A former leader may have gone on for a while beside its successor.
      ofSymbol.splice(ofSymbol.findLastIndex((one) => one.term <= term) + 1, 0, { term, seq, at, price });
    }
  });

  function faultOf(fill: Omit<JudgedFill, 'fault'>): JudgedFill['fault'] {
    const { symbol, price, by, term, seq, committedAt } = fill;
    if (term === null || seq === null) return 'no number';
    const since = recorded.get(term)?.findLast((frame) => frame.seq === seq)?.since;
    const from = committedAt - supersededMsMax;
    const mayBeLost = losses.some((loss) => loss.from <= committedAt && loss.until >= from);
    const missing = mayBeLost ? 'unproven' : 'not in the series';
    if (!since) return missing;
    const numbered = series.get(symbol) ?? [];
    let at = numbered.findLastIndex((one) => one.term < term || (one.term === term && one.seq <= seq));
    const last = numbered[at];
    if (last?.price === price) return null;
    // No frame is missing from the last price on.
    if (by === 'command' && last?.term === term && last.seq >= since.seq) return 'not the last price';
    // Each of these was superseded by the one that was compared before it.
    while (by === 'crossing' && at > 0 && (numbered[at]?.at ?? 0) >= from) {
      at -= 1;
      if (numbered[at]?.price === price) return null;
    }
    // The first frame of a term has all prices.
    if (since.at >= from && since.seq > 1) return missing;
    if (by === 'command') return 'not the last price';
    const isFirstTerm = [...recorded.keys()].every((one) => one >= term);
    return since.at < from || isFirstTerm ? 'not in the series' : missing;
  }

  return {
    prices: (symbol) => series.get(symbol) ?? [],
    async losing(work) {
      const loss = beginLoss();
      await work();
      loss.until = Date.now();
    },
    async judge(query, since = 0) {
      return (await query(fills, [new Date(since)])).map((row) => {
        const what = String(row.what);
        const fill = {
          ...{ symbol: String(row.symbol), price: Number(row.price), what },
          by: byCommand.has(what) ? ('command' as const) : ('crossing' as const),
          ...{ positionId: String(row.position_id), epoch: String(row.epoch) },
          term: row.term === null ? null : Number(row.term),
          seq: row.seq === null ? null : Number(row.seq),
          committedAt: Number(row.committed_at),
        };
        return { ...fill, fault: faultOf(fill) };
      });
    },
  };
}
