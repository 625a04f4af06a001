/** The market of the preview: the candles of one pair, the pair's price and limits, and this server's order rules. */
import type { Candle, PriceState, PublicConfig } from '@fulcrum/contract';
import { asPrice, asSize, type PairLimits, parseDecimal } from '@fulcrum/domain';
import { loadServerConfig } from '../../shared/supabase/config.ts';
import { fetchCandles, fetchPairs, type Polled, usePolled } from './requests.ts';

const pollMs = 5000;
const bars = 96;
export const previewSymbol = 'BTCUSDT';
export const previewTimeframe = '15m';

export interface Market {
  /** Oldest first, at least two. */
  readonly candles: readonly Candle[];
  readonly pair: PairRow;
  readonly limits: PairLimits;
  readonly config: PublicConfig;
}

export interface PairRow {
  readonly base_asset: string;
  readonly min_price: number;
  readonly max_price: number;
  readonly tick_size: number;
  readonly min_qty: number;
  readonly max_qty: number;
  readonly step_size: number;
  readonly price: number | null;
  readonly price_change_percent: number | null;
  readonly state: PriceState | null;
}

const columns = [
  'base_asset',
  'min_price',
  'max_price',
  'tick_size',
  'min_qty',
  'max_qty',
  'step_size',
  'price',
  'price_change_percent',
  'state',
] as const satisfies readonly (keyof PairRow)[];

const price = (value: number) => asPrice(parseDecimal(value));
const size = (value: number) => asSize(parseDecimal(value));
const toPairLimits = (pair: PairRow): PairLimits => ({
  minPrice: price(pair.min_price),
  maxPrice: price(pair.max_price),
  tickSize: price(pair.tick_size),
  minQty: size(pair.min_qty),
  maxQty: size(pair.max_qty),
  stepSize: size(pair.step_size),
});

async function fetchMarket(signal: AbortSignal): Promise<Market> {
  const [config, candles, [pair]] = await Promise.all([
    loadServerConfig(),
    fetchCandles(previewSymbol, previewTimeframe, bars, signal),
    fetchPairs<PairRow>([previewSymbol], columns, signal),
  ]);
  if (candles.length < 2 || !pair) throw new Error('Invalid response format');
  return { candles, pair, limits: toPairLimits(pair), config };
}

export const useMarket = (): Polled<Market> => usePolled('The market of the preview', fetchMarket, pollMs);
