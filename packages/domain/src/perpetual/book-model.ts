/**
 * The modelled book of a market without a streamed one (A114): a pure function of the price, a model row and draws from
 * the day's key. Sizes follow the square-root law of market impact (Tóth et al., "Anomalous price impact and the critical nature
 * of liquidity in financial markets", 2011): taking a share q of a day's volume moves the price by about σ√q, where σ is the day's
 * volatility. So the size up to a distance d from the best price is V × (d/σ)².
 *
 * All in whole numbers, so that every process and every machine computes the same book.
 */
import { asPrice, asSize, divideRounded, type Price, type Size, UNIT } from '../money.ts';
import { type PairLimits, roundToTick } from '../pairs.ts';
import type { Book, Level } from './book.ts';
import type { FillTerms } from './fill-profiles.ts';

/** What the market was like when the row was made, once a minute. */
export interface ModelRow {
  /** Half of the spread, and the volatility of a day, in 1e-8 of the price. */
  readonly halfSpread: bigint;
  readonly volatility: bigint;
  /** Yesterday's volume in base units. */
  readonly dayVolume: Size;
  /** How thin the session is, in per cent of its usual depth; the spread widens in proportion. */
  readonly depth: number;
}

export const levelsPerSide = 20;
/** Draws of a book: one for each level. */
export const drawsPerBook = 2 * levelsPerSide;
/** The levels hold this share of the day's volume together, in 1e-4; the last one lies σ × its root away. */
const shownShare = 25n;
const shownShareUnit = 10_000n;
/** √(25 / 10,000) = 1/20. */
const rootOfShare = 20n;
const drawUnit = 1n << 32n;

/**
 * The book at `mid`, which is on the pair's ticks. `draws`: `drawsPerBook` uniform numbers of 32 bits, which vary the sizes by a
 * half in either direction. An `ideal` profile has everything at the price itself.
 */
export function modelledBook(
  mid: Price,
  pair: PairLimits,
  row: ModelRow,
  { spread, impact }: Pick<FillTerms, 'spread' | 'impact'>,
  draws: Uint32Array,
): Book {
  const { tickSize } = pair;
  if (impact === 0) {
    const all = [{ price: mid, size: pair.maxQty }];
    return { bids: all, asks: all };
  }
  const depth = BigInt(row.depth);
  const half = divideRounded(mid * row.halfSpread * BigInt(spread), UNIT * depth, 'half-away-from-zero');
  // A market with a spread has at least one tick of it, whatever its ticks.
  const best = (spread === 0 ? 0n : half < tickSize ? tickSize : half) as Price;
  const reach = (mid * row.volatility * BigInt(impact)) / (UNIT * rootOfShare * 100n);
  const gap = divideRounded(reach, tickSize * BigInt(levelsPerSide), 'half-away-from-zero') * tickSize;
  const step = gap < tickSize ? tickSize : gap;
  const shown = (row.dayVolume * shownShare * depth) / (shownShareUnit * 100n);
  const sideOf = (first: Price, direction: bigint, draw: number): Level[] => {
    const levels: Level[] = [];
    for (let i = 0; i < levelsPerSide; i += 1) {
      // A market at its lowest price still has one bid there.
      const price = first + direction * step * BigInt(i);
      if (price < pair.minPrice && i > 0) break;
      levels.push({ price: asPrice(price), size: sizeOf(shown, i, draws[draw + i] ?? 0, pair) });
    }
    return levels;
  };
  // A price may have fallen below what orders may state.
  const lowest = mid < pair.minPrice ? mid : pair.minPrice;
  const bid = roundToTick(asPrice(mid - best), tickSize, 'floor');
  return {
    bids: sideOf(bid > lowest ? bid : lowest, -1n, 0),
    asks: sideOf(roundToTick(asPrice(mid + best), tickSize, 'ceiling'), 1n, levelsPerSide),
  };
}

/** The level's part of (i + 1)² − i², times a half to one and a half, in whole steps; at least the smallest order. */
function sizeOf(shown: bigint, i: number, draw: number, { stepSize, minQty, maxQty }: PairLimits): Size {
  const parts = BigInt(2 * i + 1) * (drawUnit / 2n + BigInt(draw));
  const exact = (shown * parts) / (BigInt(levelsPerSide * levelsPerSide) * drawUnit);
  const size = exact - (exact % stepSize);
  if (size < minQty) return minQty;
  return asSize(size > maxQty ? maxQty - (maxQty % stepSize) : size);
}

/** The volume of a minute by the model, in base units. */
export const minuteVolumeOf = ({ dayVolume, depth }: ModelRow): Size =>
  asSize((dayVolume * BigInt(depth)) / (24n * 60n * 100n));
