/**
 * The book of a market whose exchange streams it (A114), as an account of a profile meets it. A profile stretches it as it stretches a
 * modelled one: the best prices by their distance from the middle, each further level by its distance from the best.
 * Invariants: never crossed, whole ticks and whole steps, the best level first; `pro` trades on the exchange's own prices.
 */
import { asPrice, asSize, divideRounded, type Price } from '../money.ts';
import { type PairLimits, roundToTick } from '../pairs.ts';
import type { Book, Level } from './book.ts';
import {
  everythingAt,
  type LevelDistance,
  levelsPerSide,
  type ModelRow,
  modelledLevels,
  type SideDistances,
  toBook,
} from './book-model.ts';
import type { FillTerms } from './fill-profiles.ts';

/** What an exchange sent, each side with its best level first. */
export interface StreamedBook extends Book {
  /** Only the best level of each side is known. */
  readonly isBestOnly: boolean;
  /** When it came, milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** What the levels behind the best ones are modelled from where the exchange sends none. */
interface LevelModel {
  readonly row: ModelRow;
  readonly draws: Uint32Array;
}

/** Null for a book without both sides, and for a crossed one. */
export function liveBook(
  streamed: StreamedBook,
  pair: PairLimits,
  { spread, impact }: Pick<FillTerms, 'spread' | 'impact'>,
  { row, draws }: LevelModel,
): (Book & { readonly mid: Price }) | null {
  const { tickSize } = pair;
  const bids = toGrid(streamed.bids, pair, 'floor');
  const asks = toGrid(streamed.asks, pair, 'ceiling');
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  if (bid === undefined || ask === undefined || bid >= ask || bid <= 0n) return null;
  const middle = asPrice((bid + ask) / 2n);
  if (impact === 0) {
    const mid = roundToTick(middle, tickSize, 'floor');
    return { ...everythingAt(mid, pair), mid };
  }
  const sideOf = (levels: readonly Level[], best: Price, draw: number): SideDistances => ({
    best: stretch(distance(middle, best), spread),
    levels: streamed.isBestOnly
      ? withModelled(levels, modelledLevels(middle, pair, row, impact, draws, draw))
      : levels.map(({ price, size }) => ({ beyond: stretch(distance(best, price), impact), size })),
  });
  const placed = toBook(middle, pair, {
    bids: sideOf(bids, bid, 0),
    asks: sideOf(asks, ask, levelsPerSide),
  });
  return { ...placed, mid: middle };
}

const distance = (from: bigint, to: bigint): bigint => (from > to ? from - to : to - from);
const stretch = (exact: bigint, percent: number): bigint =>
  divideRounded(exact * BigInt(percent), 100n, 'ceiling');

/** The best level as it is, and behind it those of the model. */
const withModelled = (
  [best]: readonly Level[],
  [, ...modelled]: readonly LevelDistance[],
): readonly LevelDistance[] => (best ? [{ beyond: 0n, size: best.size }, ...modelled] : modelled);

/** On the pair's ticks, away from the middle, and steps: the exchange may trade in finer ones than the pair. */
function toGrid(
  levels: readonly Level[],
  { tickSize, stepSize, maxQty }: PairLimits,
  rounding: 'floor' | 'ceiling',
): Level[] {
  const sizes = new Map<Price, bigint>();
  for (const { price, size } of levels) {
    const onTick = roundToTick(price, tickSize, rounding);
    sizes.set(onTick, (sizes.get(onTick) ?? 0n) + size);
  }
  return [...sizes].flatMap(([price, all]) => {
    const size = all < maxQty ? all : maxQty;
    return size < stepSize ? [] : [{ price, size: asSize(size - (size % stepSize)) }];
  });
}
