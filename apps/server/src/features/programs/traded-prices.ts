/**
 * What the entrants of a contest traded at, one price of a symbol and instant a line, and the market's commitment that they are checked by
 * (decision 32). Invariant: the same executions give the same text. It names no entrant.
 */
import { epochMsSql } from '../../platform/database/epoch-ms.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { pagesOf } from '../../platform/database/pages.ts';
import { type MarketCommitment, marketCommitment } from '../market/index.ts';
import type { StoredContest } from './stored-contest.ts';

/** Beyond so many prices a sample is listed, chosen by their hash. */
const listedPricesMax = 200_000;

export interface TradedPrices {
  readonly total: number;
  readonly listed: number;
  /** Lines of `parseTradedPrice`, in the order of their text. */
  readonly text: string;
  /** Fills that are no prices of the market: of closes that paid for the other side of their symbol (A111). */
  readonly payments: number;
}

/**
 * What the end closed is at the closing marks. An order may fill at its own limit where the better price cannot be paid: the market only has to
 * have reached that. A close at a price that was not live states that: it may be as old as the time without a server. A price of the simulation
 * names no source; fills of releases before 0087 have none. A liquidated position that has lost nothing has paid for the other side (A111).
 */
const linesQuery = `
  with fills as materialized (
    select a.rules <> 'perpetual' and p.close_reason = 'liquidation' and e.realized_pnl >= 0 as is_payment, e.symbol || ' ' || (${epochMsSql('e.created_at')})::bigint || ' ' || trim_scale(e.mid)
      || case when o.type = 'LIMIT' and o.price = e.mid and e.quote_id is null then ' limit ' || e.side else '' end
      || case when p.close_price_source <> 'live' and e.realized_pnl is not null and e.flipped_from is null then ' mark' else '' end
      || case when e.market_source = 'simulated' then '' else ' of ' || coalesce(e.market_source, '?') end as line
    from app.trading_accounts a join app.executions e on e.user_id = a.id
    left join app.positions p on p.user_id = e.user_id and p.id = e.position_id
    left join app.orders o on o.user_id = e.user_id and o.id = e.order_id
    where a.program_id = $1 and e.created_at < $2),
  lines as materialized (select distinct line from fills where is_payment is not true)
  select line, (select count(*)::int from lines) as total, (select count(*)::int from fills where is_payment) as payments
  from (select line from lines order by md5(line) limit ${listedPricesMax}) sample order by line collate "C"`;

export async function readTradedPrices(
  tx: Queryable,
  { id, ends_at }: Pick<StoredContest, 'id' | 'ends_at'>,
): Promise<TradedPrices> {
  const lines: string[] = [];
  let [total, payments] = [0, 0];
  for await (const page of pagesOf<{ line: string; total: number; payments: number }>(tx, linesQuery, [
    id,
    ends_at,
  ])) {
    for (const row of page) lines.push(row.line);
    [total, payments] = [page[0]?.total ?? total, page[0]?.payments ?? payments];
  }
  return { total, listed: lines.length, text: lines.join('\n'), payments };
}

/** What a line states where the source is not known. */
export const unknownSource = '?';

export interface TradedPrice {
  readonly symbol: string;
  /** Ms since the epoch. */
  readonly at: number;
  /** A decimal. */
  readonly price: string;
  /** Of an order that filled at its own limit, its side; results of earlier releases do not have it. */
  readonly limit: 'BUY' | 'SELL' | 'unknown' | null;
  /** Of a close at a price that was not live. */
  readonly isMark: boolean;
  /** Of a market that was not simulated at that instant, or `unknownSource`; null of one that was. */
  readonly source: string | null;
}

/** Null for a line that is none. */
export function parseTradedPrice(line: string): TradedPrice | null {
  const found =
    /^(\S+) (\d{1,15}) (\d{1,20}(?:\.\d{1,8})?)( limit( BUY| SELL)?)?( mark)?(?: of (\S{1,40}))?$/.exec(line);
  const [, symbol, at, price, limit, side, mark, source = null] = found ?? [];
  if (symbol === undefined || at === undefined || price === undefined) return null;
  const known = side?.trim() as 'BUY' | 'SELL' | undefined;
  return {
    ...{ symbol, at: Number(at), price, isMark: mark !== undefined, source },
    limit: limit === undefined ? null : (known ?? 'unknown'),
  };
}

export interface StoredCommitment {
  readonly commitment: MarketCommitment;
  /** As it was published. */
  readonly text: string;
  readonly sha256: string;
  readonly publishedAt: Date;
}

export async function readCommitment(tx: Queryable, contestId: string): Promise<StoredCommitment | null> {
  const { rows } = await tx.query<{ text: string; sha256: string; publishedAt: Date }>(
    `select commitment as text, sha256, created_at as "publishedAt" from app.program_markets where program_id = $1`,
    [contestId],
    'market_of_contest',
  );
  const [stored] = rows;
  return stored ? { ...stored, commitment: marketCommitment.parse(JSON.parse(stored.text)) } : null;
}
