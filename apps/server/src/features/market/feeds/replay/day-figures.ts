/**
 * The figures of the recorded part of the last 24 hours; the change counts from the oldest open in it. The feed reads them
 * several times a second, so the sums of whole candles are cached until the next minute begins.
 */
import { dayMs } from '@fulcrum/domain';
import type { DayFigures } from '../../feed.ts';
import { type Figures, figuresBetween, figuresOf, mergeFigures } from './figures.ts';
import { lastOpened, type Recording } from './recording.ts';
import { walkedUntil } from './walk.ts';

const percentDecimals = 1e4;
const none: DayFigures = { priceChangePercent: null, volume: 0, quoteVolume: 0, high: null, low: null };

/** At the time `now`, whose candle has the index `present`. */
type RecordedDayFigures = (present: number, now: number) => DayFigures;

export function createDayFigures(recording: Recording): RecordedDayFigures {
  const { candles } = recording;
  let cached: { first: number; present: number; whole: Figures | null } | null = null;

  return (present, now) => {
    const first = lastOpened(recording, now - dayMs) + 1;
    const candle = candles[present];
    if (!candle || first > present) return none;
    if (cached?.first !== first || cached.present !== present) {
      cached = { first, present, whole: figuresBetween(candles, first, present - 1) };
    }
    const walked = figuresOf(walkedUntil(candle, now - candle.openTime, recording));
    const { open, high, low, close, volume, quoteVolume } = mergeFigures(cached.whole, walked) ?? walked;
    const priceChangePercent = Math.round((close / open - 1) * 100 * percentDecimals) / percentDecimals;
    return { priceChangePercent, volume, quoteVolume, high, low };
  };
}
