/**
 * What the entrants of a contest traded at, one price of a symbol and instant a line, and the market's commitment that they are checked by
 * (decision 32). Invariant: the same executions give the same text. It names no entrant.
 */
import { epochMsSql } from '../../platform/database/epoch-ms.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { pagesOf } from '../../platform/database/pages.ts';
import { type MarketCommitment, marketCommitment } from '../market/index.ts';
import type { StoredContest } from './stored-contest.ts';

/** Of more prices a sample by their hash is listed. */
export const listedPricesMax = 200_000;

export interface TradedPrices {
  readonly total: number;
  readonly listed: number;
  /** Lines of `parseTradedPrice`, in the order of their text. */
  readonly text: string;
  /** Whether the source of each price is known: fills of releases before 0087 do not have it. */
  readonly sourced: boolean;
}

/**
 * What the end closed is at the closing marks. An order may fill at its own limit where the better price cannot be paid: the market only has to
 * have reached that. A price of the simulation names no source.
 */
const linesQuery = `
  with lines as materialized (
    select line, bool_and(is_known) as is_known from (
    select e.symbol || ' ' || (${epochMsSql('e.created_at')})::bigint || ' ' || trim_scale(e.mid)
      || case when o.type = 'LIMIT' and o.price = e.mid and e.quote_id is null then ' limit ' || e.side else '' end
      || case when e.market_source <> 'simulated' then ' of ' || e.market_source else '' end as line,
      e.market_source is not null as is_known
    from app.trading_accounts a join app.executions e on e.user_id = a.id
    left join app.orders o on o.user_id = e.user_id and o.id = e.order_id
    where a.program_id = $1 and e.created_at < $2) fills group by line)
  select line, (select count(*)::int from lines) as total, (select bool_and(is_known) from lines) as sourced
  from (select line from lines order by md5(line) limit ${listedPricesMax}) sample order by line collate "C"`;

export async function readTradedPrices(
  tx: Queryable,
  { id, ends_at }: Pick<StoredContest, 'id' | 'ends_at'>,
): Promise<TradedPrices> {
  const lines: string[] = [];
  let [total, sourced] = [0, true];
  for await (const page of pagesOf<{ line: string; total: number; sourced: boolean }>(tx, linesQuery, [
    id,
    ends_at,
  ])) {
    for (const row of page) lines.push(row.line);
    total = page[0]?.total ?? total;
    sourced = page[0]?.sourced ?? sourced;
  }
  return { total, listed: lines.length, text: lines.join('\n'), sourced };
}

export interface TradedPrice {
  readonly symbol: string;
  /** Ms since the epoch. */
  readonly at: number;
  /** A decimal. */
  readonly price: string;
  /** Of an order that filled at its own limit, its side; results of earlier releases do not have it. */
  readonly limit: 'BUY' | 'SELL' | 'unknown' | null;
  /** Of a market that was not simulated at that instant; null of one that was, or where it is not known. */
  readonly source: string | null;
}

/** Null for a line that is none. */
export function parseTradedPrice(line: string): TradedPrice | null {
  const found = /^(\S+) (\d{1,15}) (\d{1,20}(?:\.\d{1,8})?)( limit( BUY| SELL)?)?(?: of (\S{1,40}))?$/.exec(
    line,
  );
  const [, symbol, at, price, limit, side, source = null] = found ?? [];
  if (symbol === undefined || at === undefined || price === undefined) return null;
  const known = side?.trim() as 'BUY' | 'SELL' | undefined;
  return { symbol, at: Number(at), price, limit: limit === undefined ? null : (known ?? 'unknown'), source };
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
