/** Candles and marks. */
import { z } from 'zod';
import { symbol } from '../columns.ts';
import { procedure } from './procedure.ts';

export const timeframes = ['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M'] as const;
export type Timeframe = (typeof timeframes)[number];

export const candle = z.object({
  /** Opening time of the bar, ISO 8601 UTC. */
  open_time: z.string(),
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number(),
});
export type Candle = z.infer<typeof candle>;

export const getCandles = procedure({
  name: 'get_candles',
  kind: 'query',
  whileActing: 'allowed',
  roles: ['anon', 'trader', 'manager', 'support', 'admin'],
  args: z.strictObject({
    p_symbol: symbol,
    p_timeframe: z.enum(timeframes),
    /** At most 1000; default 300. */
    p_limit: z.coerce.number().int().min(1).max(1000).nullish(),
    /** ISO 8601: only bars that opened before it. */
    p_before: z.iso.datetime({ offset: true }).nullish(),
  }),
  /** Oldest first. */
  result: z.array(candle),
});

/**
 * Stores the newest prices, from which positions are marked on read, and waits for it; calls that arrive together share
 * one refresh (A33).
 */
export const updatePositionMarkPrices = procedure({
  name: 'update_position_mark_prices',
  kind: 'command',
  roles: ['trader', 'manager', 'support', 'admin'],
  whileActing: 'allowed',
  args: z.strictObject({}),
  result: z.object({
    /** Symbols whose stored price changed. */
    prices_updated: z.number().int(),
  }),
});
