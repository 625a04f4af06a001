/**
 * The market's tables: the catalogue, rewritten at each start, and the last price of each symbol, from which positions are
 * marked on read, with its held price. Invariant: a pair is never deleted, because positions refer to it; one that is no
 * longer in the catalogue is unlisted. Last prices are a cache, so their write does not wait for the disk.
 */

import type { PriceState } from '@fulcrum/contract';
import {
  asPrice,
  asSize,
  type MarketType,
  parseDecimal,
  type TradingPair,
  toDecimalString,
} from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { isWaitingSql } from '../../platform/database/row-scope.ts';
import type { Source } from './feed.ts';
import type { ReplayPosition } from './feeds/replay/index.ts';
import type { StoredPrice } from './price.ts';

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
interface PairRow {
  readonly symbol: string;
  readonly name: string;
  readonly nickname: string | null;
  readonly type: MarketType;
  readonly base_asset: string;
  readonly quote_asset: string;
  readonly min_price: string;
  readonly max_price: string;
  readonly tick_size: string;
  readonly min_qty: string;
  readonly max_qty: string;
  readonly step_size: string;
  readonly trading_hours: string;
  readonly sort_order: number;
}

/** The pairs of these symbols as an earlier process listed them; symbols that were never listed are left out. */
export async function readPairs(db: Queryable, symbols: ReadonlySet<string>): Promise<TradingPair[]> {
  const { rows } = await db.query<PairRow>(
    `select symbol, name, nickname, type, base_asset, quote_asset, min_price, max_price, tick_size, min_qty, max_qty,
       step_size, trading_hours, sort_order
     from app.trading_pairs where symbol = any ($1::text[])`,
    [[...symbols]],
  );
  return rows.map((row) => ({
    id: row.symbol,
    symbol: row.symbol,
    name: row.name,
    nickname: row.nickname,
    type: row.type,
    baseAsset: row.base_asset,
    quoteAsset: row.quote_asset,
    minPrice: asPrice(parseDecimal(row.min_price)),
    maxPrice: asPrice(parseDecimal(row.max_price)),
    tickSize: asPrice(parseDecimal(row.tick_size)),
    minQty: asSize(parseDecimal(row.min_qty)),
    maxQty: asSize(parseDecimal(row.max_qty)),
    stepSize: asSize(parseDecimal(row.step_size)),
    tradingHours: row.trading_hours,
    sortOrder: row.sort_order,
  }));
}

/** Why each market is simulated, null where its provider serves it; null before the first choice. */
export async function readSourceChoice(db: Queryable): Promise<Map<MarketType, string | null> | null> {
  const { rows } = await db.query<{ market: MarketType; unused_because: string | null }>(
    'select market, unused_because from app.market_sources',
  );
  return rows.length === 0 ? null : new Map(rows.map((row) => [row.market, row.unused_because]));
}

export async function writeSourceChoice(
  db: Queryable,
  choice: ReadonlyMap<MarketType, string | null>,
): Promise<void> {
  await db.query(
    `insert into app.market_sources (market, unused_because) select * from unnest($1::text[], $2::text[])
     on conflict (market) do nothing`,
    [[...choice.keys()], [...choice.values()]],
  );
}

/** Where the recording is; null before the first leader of a cluster plays one. */
export async function readReplayPosition(
  db: Queryable,
): Promise<(ReplayPosition & { readonly isRecent: boolean }) | null> {
  const { rows } = await db.query<ReplayPosition & { readonly isRecent: boolean }>(
    `select recording, position, speed, configured_speed as "configuredSpeed", paused, decisions,
       stored_at > now() - interval '1 minute' as "isRecent"
     from app.replay_position`,
  );
  return rows[0] ?? null;
}

export async function writeReplayPosition(db: Queryable, at: ReplayPosition): Promise<void> {
  await db.query(
    `insert into app.replay_position (recording, position, speed, configured_speed, paused, decisions)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (only_row) do update set (recording, position, speed, configured_speed, paused, decisions, stored_at) =
       (excluded.recording, excluded.position, excluded.speed, excluded.configured_speed, excluded.paused,
        excluded.decisions, now())`,
    [at.recording, at.position, at.speed, at.configuredSpeed, at.paused, JSON.stringify(at.decisions)],
  );
}

/** Symbols of open positions and waiting orders. */
export async function readSymbolsInUse(db: Queryable): Promise<Set<string>> {
  const { rows } = await db.query<{ symbol: string }>('select symbol from app.symbols_in_use');
  return new Set(rows.map(({ symbol }) => symbol));
}

/** Those of `symbols` that an open position or a waiting order still has; reads one row of each at most. */
export async function filterInUse(db: Queryable, symbols: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ symbol: string }>(
    `select symbol from unnest($1::text[]) as given (symbol)
     where exists (select from app.positions p where p.symbol = given.symbol and p.status = 'open')
        or exists (select from app.orders o where o.symbol = given.symbol and ${isWaitingSql('o.status')})`,
    [symbols],
    'market_still_in_use',
  );
  return new Set(rows.map(({ symbol }) => symbol));
}

interface LastPriceRow {
  readonly symbol: string;
  readonly price: string;
  readonly price_change_percent: string | null;
  readonly volume: string;
  readonly quote_volume: string;
  readonly high_24h: string | null;
  readonly low_24h: string | null;
  readonly source: Source;
  readonly priced_at: Date;
  readonly market_open: boolean;
  readonly state: PriceState;
  readonly market_time: Date | null;
  readonly held_price: string | null;
  readonly held_priced_at: Date;
  readonly held_market_time: Date;
  readonly held_since: Date;
}

/** The last prices of all symbols, as an earlier process stored them, whatever their source. */
export async function readLastPrices(db: Queryable): Promise<StoredPrice[]> {
  const { rows } = await db.query<LastPriceRow>(
    `select symbol, price, price_change_percent, volume, quote_volume, high_24h, low_24h, source, priced_at, market_open,
       state, market_time, held_price, held_priced_at, held_market_time, held_since
     from app.last_prices`,
  );
  return rows.map((row) => ({
    symbol: row.symbol,
    price: asPrice(parseDecimal(row.price)),
    source: row.source,
    pricedAt: row.priced_at.getTime(),
    marketTime: (row.market_time ?? row.priced_at).getTime(),
    state: row.state,
    marketOpen: row.market_open,
    held: row.held_price !== null,
    priceChangePercent: nullableNumber(row.price_change_percent),
    volume: Number(row.volume),
    quoteVolume: Number(row.quote_volume),
    high24h: nullableNumber(row.high_24h),
    low24h: nullableNumber(row.low_24h),
    heldBack:
      row.held_price === null
        ? null
        : {
            price: asPrice(parseDecimal(row.held_price)),
            pricedAt: row.held_priced_at.getTime(),
            marketTime: row.held_market_time.getTime(),
            since: row.held_since.getTime(),
          },
  }));
}

export async function deleteLastPrices(db: Queryable, symbols: readonly string[]): Promise<void> {
  await db.query('delete from app.last_prices where symbol = any ($1::text[])', [symbols]);
}

const nullableNumber = (text: string | null): number | null => (text === null ? null : Number(text));

const isoOf = (instant: number): string => new Date(instant).toISOString();

/** One statement, whatever the number of prices; a crash may lose the last second of it. */
export async function writeLastPrices(db: Queryable, prices: readonly StoredPrice[]): Promise<void> {
  if (prices.length === 0) return;
  const column = <T>(of: (price: StoredPrice) => T): T[] => prices.map(of);
  await db.query(
    `with relaxed as (select set_config('synchronous_commit', 'off', true))
     insert into app.last_prices (symbol, price, price_change_percent, volume, quote_volume, high_24h, low_24h, source,
       priced_at, market_open, state, market_time, held_price, held_priced_at, held_market_time, held_since)
     select t.* from relaxed, unnest($1::text[], $2::numeric[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[],
       $7::numeric[], $8::text[], $9::timestamptz[], $10::bool[], $11::text[], $12::timestamptz[], $13::numeric[],
       $14::timestamptz[], $15::timestamptz[], $16::timestamptz[]) as t
     on conflict (symbol) do update set
       price = excluded.price, price_change_percent = excluded.price_change_percent, volume = excluded.volume,
       quote_volume = excluded.quote_volume, high_24h = excluded.high_24h, low_24h = excluded.low_24h,
       source = excluded.source, priced_at = excluded.priced_at, market_open = excluded.market_open,
       state = excluded.state, market_time = excluded.market_time, held_price = excluded.held_price,
       held_priced_at = excluded.held_priced_at, held_market_time = excluded.held_market_time,
       held_since = excluded.held_since`,
    [
      column((price) => price.symbol),
      column((price) => toDecimalString(price.price)),
      column((price) => price.priceChangePercent),
      column((price) => price.volume),
      column((price) => price.quoteVolume),
      column((price) => price.high24h),
      column((price) => price.low24h),
      column((price) => price.source),
      column((price) => isoOf(price.pricedAt)),
      column((price) => price.marketOpen),
      column((price) => price.state),
      column((price) => isoOf(price.marketTime)),
      column(({ heldBack }) => heldBack && toDecimalString(heldBack.price)),
      column(({ heldBack }) => heldBack && isoOf(heldBack.pricedAt)),
      column(({ heldBack }) => heldBack && isoOf(heldBack.marketTime)),
      column(({ heldBack }) => heldBack && isoOf(heldBack.since)),
    ],
    'market-write-last-prices',
  );
}
