/**
 * Sums of one-minute candles. Volume is stated in units of the base; in units of the quote it is the sum over the
 * minutes of typical price (the mean of high, low and close) times volume, so that bars of all lengths agree.
 */
import type { BarPrices } from '@fulcrum/domain';
import type { RecordedCandle } from './recording.ts';

export interface Figures extends BarPrices {
  readonly volume: number;
  readonly quoteVolume: number;
}

const volumeDecimals = 1e8;
const roundVolume = (volume: number): number => Math.round(volume * volumeDecimals) / volumeDecimals;

export const figuresOf = ({ open, high, low, close, volume }: RecordedCandle): Figures => ({
  open,
  high,
  low,
  close,
  volume,
  quoteVolume: roundVolume((volume * (high + low + close)) / 3),
});

/** Combines two consecutive figures; null where both are null. */
export function mergeFigures(earlier: Figures | null, later: Figures | null): Figures | null {
  if (!earlier || !later) return earlier ?? later;
  return {
    open: earlier.open,
    high: Math.max(earlier.high, later.high),
    low: Math.min(earlier.low, later.low),
    close: later.close,
    volume: roundVolume(earlier.volume + later.volume),
    quoteVolume: roundVolume(earlier.quoteVolume + later.quoteVolume),
  };
}

/** Of whole candles, both ends included; null when there is none. */
export function figuresBetween(
  candles: readonly RecordedCandle[],
  first: number,
  last: number,
): Figures | null {
  let open = Number.NaN;
  let high = Number.NEGATIVE_INFINITY;
  let low = Number.POSITIVE_INFINITY;
  let close = Number.NaN;
  let volume = 0;
  let quoteVolume = 0;
  for (let index = first; index <= last; index += 1) {
    const candle = candles[index];
    if (!candle) continue;
    if (Number.isNaN(open)) open = candle.open;
    if (candle.high > high) high = candle.high;
    if (candle.low < low) low = candle.low;
    close = candle.close;
    volume += candle.volume;
    quoteVolume += roundVolume((candle.volume * (candle.high + candle.low + candle.close)) / 3);
  }
  if (Number.isNaN(open)) return null;
  return { open, high, low, close, volume: roundVolume(volume), quoteVolume: roundVolume(quoteVolume) };
}
