/** Provides a chart's bars: history from `get_candles`, the last bar from the price stream. */
import { type Supabase, unwrap } from '../../../shared/supabase/index.ts';
import type { LastPrice, PriceStream } from '../prices/price-stream.ts';
import type { ChartSource } from './candle-chart.ts';

const isOpen = ({ market_open, state }: LastPrice): boolean => market_open && state !== 'closed';

export const createChartSource = (supabase: Supabase, stream: PriceStream): ChartSource => ({
  bars: async ({ symbol, timeframe }, limit, before) => {
    const candles = await unwrap(
      supabase.rest.rpc('get_candles', {
        p_symbol: symbol,
        p_timeframe: timeframe,
        p_limit: limit,
        p_before: before === null ? null : new Date(before).toISOString(),
      }),
    );
    return candles.map(({ open_time, ...bar }) => ({ ...bar, timestamp: Date.parse(open_time) }));
  },
  ticks: (symbol, tick) =>
    stream.subscribe(symbol, () => {
      const last = stream.latest(symbol);
      if (!last?.market_time) return;
      tick({ price: last.price, at: Date.parse(last.market_time), isOpen: isOpen(last) });
    }),
  now: (symbol) => stream.marketNow(symbol),
  isOpen: (symbol) => {
    const last = stream.latest(symbol);
    return last !== undefined && isOpen(last);
  },
});
