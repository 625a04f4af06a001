/**
 * Bars of one recording, up to any moment of it. Hours and trading days are aggregated once, when the recording is opened,
 * and longer bars from them, so 1,000 bars of any length take a few milliseconds for any recording.
 * Invariant: a bar contains only what has been played; the present bar contains the played part of it.
 */
import { ALWAYS_OPEN, barSpan, barStart, isIntraday, nextBar, type Timeframe } from '@fulcrum/domain';
import { type Bar, type CandleQuery, toBar } from '../../feed.ts';
import { type Figures, figuresBetween, figuresOf, mergeFigures } from './figures.ts';
import { lastOpened, type RecordedCandle, type Recording } from './recording.ts';
import { walkedUntil } from './walk.ts';

interface RecordedBars {
  /** The newest bars at the instant `now` of the recording, oldest first; none before its first candle. */
  at(now: number, timeframe: Timeframe, query: CandleQuery): Bar[];
}

/** An hour or a trading day with everything recorded of it. */
interface Block {
  /** The name of its bar. */
  readonly start: number;
  /** Indices of its candles. */
  readonly first: number;
  readonly last: number;
  readonly figures: Figures;
}

interface Present {
  /** Index of the candle that has opened last. */
  readonly index: number;
  readonly walked: RecordedCandle;
}

interface NamedFigures {
  readonly start: number;
  readonly figures: Figures;
}

export function createRecordedBars(recording: Recording): RecordedBars {
  const { candles, tradingHours } = recording;
  const hours = blocksOf(recording, '1h');
  const days = blocksOf(recording, '1d');

  /** Of the candles from one on, as far as they have happened. */
  function figuresUntilNow(first: number, last: number, present: Present): Figures | null {
    if (last < present.index) return figuresBetween(candles, first, last);
    const walked = figuresOf(present.walked);
    return mergeFigures(figuresBetween(candles, first, present.index - 1), walked);
  }

  /** Newest first. */
  function* shortBars(timeframe: Timeframe, present: Present, before: number | null) {
    // Of the bars that opened before the bound, the newest is the one that holds the last ms before it.
    const bound =
      before === null ? Infinity : nextBar(timeframe, barStart(timeframe, before - 1, tradingHours));
    let last = Math.min(present.index, lastOpened(recording, bound - 1));
    while (last >= 0) {
      const start = barStart(timeframe, candles[last]?.openTime ?? 0, tradingHours);
      const first = lastOpened(recording, start - 1) + 1;
      const figures = figuresUntilNow(first, last, present);
      if (figures) yield { start, figures };
      last = first - 1;
    }
  }

  /** Newest first. */
  function* blockBars(
    blocks: readonly Block[],
    present: Present,
    before: number | null,
  ): Generator<NamedFigures> {
    for (let at = blocks.findLastIndex(({ first }) => first <= present.index); at >= 0; at -= 1) {
      const block = blocks[at];
      if (!block || (before !== null && block.start >= before)) continue;
      const { start, first, last } = block;
      const figures = last < present.index ? block.figures : figuresUntilNow(first, last, present);
      if (figures) yield { start, figures };
    }
  }

  return {
    at(now, timeframe, { limit, before }) {
      const index = lastOpened(recording, now);
      const candle = candles[index];
      if (!candle) return [];
      const present = { index, walked: walkedUntil(candle, now - candle.openTime, recording) };
      if (timeframe === '1d') return toBars(blockBars(days, present, before), limit);
      if (timeframe === '1h') return toBars(blockBars(hours, present, before), limit);
      if (timeframe !== '4h' && isIntraday(timeframe)) {
        return toBars(shortBars(timeframe, present, before), limit);
      }
      // A week that opened before the bound may hold days that did not.
      const blocks = blockBars(timeframe === '4h' ? hours : days, present, null);
      return toBars(grouped(blocks, timeframe, before), limit);
    },
  };
}

function blocksOf({ candles, tradingHours }: Recording, timeframe: '1h' | '1d'): readonly Block[] {
  const blocks: Block[] = [];
  let first = 0;
  while (first < candles.length) {
    const start = barStart(timeframe, candles[first]?.openTime ?? 0, tradingHours);
    const { to } = barSpan(timeframe, start, tradingHours);
    let last = first;
    while ((candles[last + 1]?.openTime ?? Infinity) < to) last += 1;
    const figures = figuresBetween(candles, first, last);
    if (figures) blocks.push({ start, first, last, figures });
    first = last + 1;
  }
  return blocks;
}

/** Longer bars of blocks; both newest first. */
function* grouped(
  blocks: Iterable<NamedFigures>,
  timeframe: Timeframe,
  before: number | null,
): Generator<NamedFigures> {
  let start = Number.NaN;
  let figures: Figures | null = null;
  for (const block of blocks) {
    // A trading day is known by its name, which is its first instant on the UTC clock.
    const name = barStart(timeframe, block.start, ALWAYS_OPEN);
    if (before !== null && name >= before) continue;
    if (name !== start) {
      if (figures) yield { start, figures };
      start = name;
      figures = null;
    }
    figures = mergeFigures(block.figures, figures);
  }
  if (figures) yield { start, figures };
}

function toBars(newestFirst: Iterable<NamedFigures>, limit: number): Bar[] {
  const bars: Bar[] = [];
  for (const { start, figures } of newestFirst) {
    if (bars.length >= limit) break;
    bars.push(toBar(start, figures));
  }
  return bars.reverse();
}
