/** Candles and marks. */

import { timeframes } from '@fulcrum/domain';
import { z } from 'zod';
import { symbol } from '../columns.ts';
import { roles, userRoles } from '../roles.ts';
import { tick } from '../topics.ts';
import { command, query, traderReads } from './procedure.ts';

export { type Timeframe, timeframes } from '@fulcrum/domain';

export const candle = z.object({
  /**
   * Opening time of the bar, ISO 8601 UTC. A bar of a day or longer is named by 00:00 UTC of its first trading day.
   * For forex and futures that day begins on the evening before.
   */
  open_time: z.string(),
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  /** Traded in the bar, in units of the base. */
  volume: z.number(),
  /** The same in units of the quote. */
  quote_volume: z.number(),
  /** True when the source sent nothing before this bar: bars within the market's hours are missing. */
  gap: z.boolean(),
});
export type Candle = z.infer<typeof candle>;

export const getCandles = query('get_candles', {
  whileImpersonating: 'allowed',
  roles,
  apiKey: 'read',
  args: z.strictObject({
    p_symbol: symbol,
    p_timeframe: z.enum(timeframes),
    /** At most 1000; default 300. */
    p_limit: z.coerce.number<number>().int().min(1).max(1000).nullish(),
    /** ISO 8601: only bars that opened before it. */
    p_before: z.iso.datetime({ offset: true }).nullish(),
  }),
  /** Oldest first. */
  result: z.array(candle),
});

/** The last 24 hours of many markets in one request. A market whose bars are not known yet is left out. */
export const getSparklines = query('get_sparklines', {
  ...traderReads,
  args: z.strictObject({ p_symbols: z.array(symbol).min(1).max(60) }),
  result: z.array(
    z.object({
      symbol: z.string(),
      /** The open of the first hour that began in the last day, then the closes of all of them; at least three. */
      closes: z.array(z.number()),
    }),
  ),
});

/**
 * Stores the newest prices, from which positions are marked on read, and waits for that; simultaneous calls share one
 * refresh (A33).
 */
export const updatePositionMarkPrices = command('update_position_mark_prices', {
  roles: userRoles,
  whileImpersonating: 'allowed',
  apiKey: 'read',
  result: z.object({
    /** Symbols whose stored price changed. */
    prices_updated: z.number().int(),
  }),
});

/**
 * The current price of a symbol at its source. A polled source is queried at once, within the provider's budget, and
 * simultaneous calls share one request (A37). The price of any other source is already in memory.
 */
export const fetchPrice = command('fetch_price', {
  roles: userRoles,
  whileImpersonating: 'allowed',
  apiKey: 'read',
  args: z.strictObject({ p_symbol: symbol }),
  result: tick,
});
