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
  if (impact === 0) return everythingAt(mid, pair);
  const { tickSize } = pair;
  const half = divideRounded(
    mid * row.halfSpread * BigInt(spread),
    UNIT * BigInt(row.depth),
    'half-away-from-zero',
  );
  // A market with a spread has at least one tick of it, whatever its ticks.
  const best = spread === 0 ? 0n : half < tickSize ? tickSize : half;
  const bids = { best, levels: modelledLevels(mid, pair, row, impact, draws, 0) };
  const asks = { best, levels: modelledLevels(mid, pair, row, impact, draws, levelsPerSide) };
  return toBook(mid, pair, { bids, asks });
}

/** What a profile without spread and impact trades on. */
export function everythingAt(price: Price, { maxQty }: PairLimits): Book {
  const all = [{ price, size: maxQty }];
  return { bids: all, asks: all };
}

/** A level by its distance from the best price of its side. */
export interface LevelDistance {
  readonly beyond: bigint;
  readonly size: Size;
}
export interface SideDistances {
  /** The distance of the best price from the middle. */
  readonly best: bigint;
  readonly levels: readonly LevelDistance[];
}

/** The levels of a side by the model; `draw`: the first of its draws. */
export function modelledLevels(
  mid: Price,
  pair: PairLimits,
  { volatility, dayVolume, depth }: ModelRow,
  impact: number,
  draws: Uint32Array,
  draw: number,
): LevelDistance[] {
  const { tickSize } = pair;
  const reach = (mid * volatility * BigInt(impact)) / (UNIT * rootOfShare * 100n);
  const gap = divideRounded(reach, tickSize * BigInt(levelsPerSide), 'half-away-from-zero') * tickSize;
  const step = gap < tickSize ? tickSize : gap;
  const shown = (dayVolume * shownShare * BigInt(depth)) / (shownShareUnit * 100n);
  return Array.from({ length: levelsPerSide }, (_, i) => ({
    beyond: step * BigInt(i),
    size: sizeOf(shown, i, draws[draw + i] ?? 0, pair),
  }));
}

/**
 * Both sides on whole ticks, rounded away from the middle, each level at least a tick beyond the one before. The bids end at the
 * pair's lowest price.
 */
export function toBook(
  mid: Price,
  pair: PairLimits,
  { bids, asks }: { readonly bids: SideDistances; readonly asks: SideDistances },
): Book {
  const { tickSize, minPrice } = pair;
  // A price may have fallen below what orders may state.
  const lowest = mid < minPrice ? mid : minPrice;
  const bid = roundToTick(asPrice(mid - bids.best), tickSize, 'floor');
  const ask = roundToTick(asPrice(mid + asks.best), tickSize, 'ceiling');
  return {
    bids: toSide(bid > lowest ? bid : lowest, -1n, bids.levels, pair),
    asks: toSide(ask, 1n, asks.levels, pair),
  };
}

function toSide(
  first: Price,
  direction: bigint,
  levels: readonly LevelDistance[],
  { tickSize, minPrice }: PairLimits,
): Level[] {
  const placed: Level[] = [];
  let ticks = -1n;
  for (const { beyond, size } of levels) {
    const away = divideRounded(beyond, tickSize, 'ceiling');
    ticks = away > ticks ? away : ticks + 1n;
    const price = first + direction * ticks * tickSize;
    // A market at its lowest price still has one bid there.
    if (price < minPrice && placed.length > 0) break;
    placed.push({ price: asPrice(price), size });
  }
  return placed;
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
