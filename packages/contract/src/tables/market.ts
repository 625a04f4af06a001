/** The trading pairs, and the favourites of each trader. */
import { marketTypes } from '@fulcrum/domain';
import { bool, int, nullable, numeric, oneOf, text, timestamp, uuid } from '../columns.ts';
import { priceStates, sources } from '../topics.ts';
import { all, allOfKey, type Table } from './table.ts';

export const tradingPairs = {
  name: 'trading_pairs',
  columns: {
    id: text,
    symbol: text,
    name: text,
    nickname: nullable(text),
    type: oneOf(...marketTypes),
    base_asset: text,
    quote_asset: text,
    min_price: numeric,
    max_price: numeric,
    tick_size: numeric,
    min_qty: numeric,
    max_qty: numeric,
    step_size: numeric,
    trading_hours: text,
    sort_order: int,
    /** Last price and the day's figures; null before the first price. */
    price: nullable(numeric),
    price_change_percent: nullable(numeric),
    volume: nullable(numeric),
    quote_volume: nullable(numeric),
    high_24h: nullable(numeric),
    low_24h: nullable(numeric),
    source: nullable(oneOf(...sources)),
    state: nullable(oneOf(...priceStates)),
    priced_at: nullable(timestamp),
    market_open: bool,
  },
  key: ['symbol'],
  owner: null,
  relations: [],
  access: { anon: all, trader: allOfKey, manager: all, support: all, admin: all },
  realtime: false,
} as const satisfies Table;

export const favorites = {
  name: 'favorites',
  columns: { user_id: uuid, symbol: text, created_at: timestamp },
  key: ['user_id', 'symbol'],
  owner: 'user_id',
  relations: [],
  access: {
    trader: {
      select: { rows: 'own', columns: '*' },
      insert: { by: 'row', rows: 'own', columns: ['symbol'], upsert: true },
      delete: { by: 'row', rows: 'own' },
      apiKey: { select: 'read' },
    },
  },
  realtime: false,
} as const satisfies Table;
