/**
 * What the market keeps in PostgreSQL: the catalogue, rewritten at each start, and the last price of each symbol, from
 * which positions are marked on read. Invariant: a pair is never deleted, because positions refer to it; one that is no
 * longer in the catalogue is unlisted. Last prices are a cache, so their write does not wait for the disk.
 */

import type { PriceState } from '@fulcrum/contract';
import { asPrice, parseDecimal, type TradingPair, toDecimalString } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import type { Source } from './feed.ts';
import type { MarketPrice } from './price.ts';

/** One statement: listed pairs as given, every other one unlisted. */
export async function writePairs(db: Queryable, pairs: readonly TradingPair[]): Promise<void> {
  const column = <T>(of: (pair: TradingPair) => T): T[] => pairs.map(of);
  await db.query(
    `with listed as (
       insert into app.trading_pairs as p (symbol, name, nickname, type, base_asset, quote_asset, min_price, max_price,
         tick_size, min_qty, max_qty, step_size, trading_hours, sort_order)
       select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::numeric[], $8::numeric[],
         $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[], $13::text[], $14::int[])
       on conflict (symbol) do update set
         name = excluded.name, nickname = excluded.nickname, type = excluded.type, base_asset = excluded.base_asset,
         quote_asset = excluded.quote_asset, min_price = excluded.min_price, max_price = excluded.max_price,
         tick_size = excluded.tick_size, min_qty = excluded.min_qty, max_qty = excluded.max_qty,
         step_size = excluded.step_size, trading_hours = excluded.trading_hours, sort_order = excluded.sort_order,
         listed = true
     )
     update app.trading_pairs set listed = false where listed and symbol <> all ($1::text[])`,
    [
      column((pair) => pair.symbol),
      column((pair) => pair.name),
      column((pair) => pair.nickname),
      column((pair) => pair.type),
      column((pair) => pair.baseAsset),
      column((pair) => pair.quoteAsset),
      column((pair) => toDecimalString(pair.minPrice)),
      column((pair) => toDecimalString(pair.maxPrice)),
      column((pair) => toDecimalString(pair.tickSize)),
      column((pair) => toDecimalString(pair.minQty)),
      column((pair) => toDecimalString(pair.maxQty)),
      column((pair) => toDecimalString(pair.stepSize)),
      column((pair) => pair.tradingHours),
      column((pair) => pair.sortOrder),
    ],
  );
}

/** Numerics come from the driver as text. */
interface LastPriceRow {
  readonly symbol: string;
  readonly price: string;
  readonly price_change_percent: string | null;
  readonly volume: string;
  readonly quote_volume: string;
  readonly high_24h: string | null;
  readonly low_24h: string | null;
  readonly priced_at: Date;
  readonly market_open: boolean;
  readonly state: PriceState;
  readonly market_time: Date | null;
}

/**
 * The last prices of `source`. Those of another source are dropped: a simulated price must not mark a position while a
 * recorded day runs, nor the other way round.
 */
export async function readLastPrices(db: Queryable, source: Source): Promise<MarketPrice[]> {
  await db.query('delete from app.last_prices where source <> $1', [source]);
  const { rows } = await db.query<LastPriceRow>(
    `select symbol, price, price_change_percent, volume, quote_volume, high_24h, low_24h, priced_at, market_open, state,
       market_time
     from app.last_prices`,
  );
  return rows.map((row) => ({
    symbol: row.symbol,
    price: asPrice(parseDecimal(row.price)),
    source,
    pricedAt: row.priced_at.getTime(),
    marketTime: (row.market_time ?? row.priced_at).getTime(),
    state: row.state,
    marketOpen: row.market_open,
    priceChangePercent: nullableNumber(row.price_change_percent),
    volume: Number(row.volume),
    quoteVolume: Number(row.quote_volume),
    high24h: nullableNumber(row.high_24h),
    low24h: nullableNumber(row.low_24h),
  }));
}

const nullableNumber = (text: string | null): number | null => (text === null ? null : Number(text));

/** One statement, whatever the number of prices; a crash may lose the last second of it. */
export async function writeLastPrices(db: Queryable, prices: readonly MarketPrice[]): Promise<void> {
  if (prices.length === 0) return;
  const column = <T>(of: (price: MarketPrice) => T): T[] => prices.map(of);
  await db.query(
    `with relaxed as (select set_config('synchronous_commit', 'off', true))
     insert into app.last_prices (symbol, price, price_change_percent, volume, quote_volume, high_24h, low_24h, source,
       priced_at, market_open, state, market_time)
     select t.* from relaxed, unnest($1::text[], $2::numeric[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[],
       $7::numeric[], $8::text[], $9::timestamptz[], $10::bool[], $11::text[], $12::timestamptz[]) as t
     on conflict (symbol) do update set
       price = excluded.price, price_change_percent = excluded.price_change_percent, volume = excluded.volume,
       quote_volume = excluded.quote_volume, high_24h = excluded.high_24h, low_24h = excluded.low_24h,
       source = excluded.source, priced_at = excluded.priced_at, market_open = excluded.market_open,
       state = excluded.state, market_time = excluded.market_time`,
    [
      column((price) => price.symbol),
      column((price) => toDecimalString(price.price)),
      column((price) => price.priceChangePercent),
      column((price) => price.volume),
      column((price) => price.quoteVolume),
      column((price) => price.high24h),
      column((price) => price.low24h),
      column((price) => price.source),
      column((price) => new Date(price.pricedAt).toISOString()),
      column((price) => price.marketOpen),
      column((price) => price.state),
      column((price) => new Date(price.marketTime).toISOString()),
    ],
    'market-write-last-prices',
  );
}
