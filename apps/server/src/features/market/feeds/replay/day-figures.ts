/**
 * The figures of the recorded part of the last 24 hours; the change counts from the oldest open in it. Asked for several
 * times a second, so what whole candles add up to is kept until another minute begins.
 */
import { dayMs } from '@fulcrum/domain';
import type { DayFigures } from '../../feed.ts';
import { type Figures, figuresBetween, figuresOf, joined } from './figures.ts';
import { lastOpened, type Recording } from './recording.ts';
import { walkedUntil } from './walk.ts';

const percentDecimals = 1e4;
const none: DayFigures = { priceChangePercent: null, volume: 0, quoteVolume: 0, high: null, low: null };

/** Of the moment `now`, whose candle is the one at the index `present`. */
export type RecordedDayFigures = (present: number, now: number) => DayFigures;

export function createDayFigures(recording: Recording): RecordedDayFigures {
  const { candles, ticks } = recording;
  let kept: { first: number; present: number; whole: Figures | null } | null = null;

  return (present, now) => {
    const first = lastOpened(recording, now - dayMs) + 1;
    const candle = candles[present];
    if (!candle || first > present) return none;
    if (kept?.first !== first || kept.present !== present) {
      kept = { first, present, whole: figuresBetween(candles, first, present - 1) };
    }
    const walked = figuresOf(walkedUntil(candle, now - candle.openTime, ticks));
    const { open, high, low, close, volume, quoteVolume } = joined(kept.whole, walked) ?? walked;
    const priceChangePercent = Math.round((close / open - 1) * 100 * percentDecimals) / percentDecimals;
    return { priceChangePercent, volume, quoteVolume, high, low };
  };
}
