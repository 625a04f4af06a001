/**
 * The path inside one simulated day: a Brownian bridge from the day's open to its close by midpoint displacement on the
 * tree of `rhythm.ts`, in business time, and volume follows the same measure from block to block (Clark 1973, Econometrica 41:135-155).
 * Down to the minute displacements load on the factors as the days do, so prices that move together do so within
 * the day; below it each leg goes by one deviation up or down on its own. A pair of two legs is walked as one
 * tree, whose every point is the weighted sum of the two.
 *
 * Invariant: everything is a function of the day's keys, open, close and amplitudes. A day costs its 288 blocks once, a
 * leaf 12 nodes more. The highest point of any span is exact and costs some hundred nodes instead of the whole span:
 * displacements are bounded, so a subtree that cannot reach the best point found so far is not entered.
 */
import { bell, bellLimit, draw, type NoiseKey, uniform } from './noise.ts';
import {
  blockNodes,
  blocksPerDay,
  cutsBelowBlock,
  isLong,
  leavesPerBlock,
  leavesPerMinute,
  minutesPerBlock,
  type Rhythm,
  upperTree,
} from './rhythm.ts';
import { type Move, moveAt, movesAtMost } from './shocks.ts';

/** Draws of one day that a leg follows, and how strongly. */
interface Noise {
  readonly key: NoiseKey;
  readonly loading: number;
}

/** One leg's part in the displacements of a day. */
export interface Swing {
  /** Weight times standard deviation of the day's return; negative where the pair falls as the leg rises. */
  readonly amplitude: number;
  /** Shared with other paths. */
  readonly shared: readonly Noise[];
  /** The squares of all loadings add up to 1. */
  readonly own: Noise;
}

export interface DayTerms {
  readonly rhythm: Rhythm;
  /** The stream of the random part of business time. */
  readonly clock: NoiseKey;
  readonly swings: readonly Swing[];
  /** Logarithms of price over anchor at 00:00 and at 24:00. */
  readonly open: number;
  readonly close: number;
  /** What shocks add to it, leaf by leaf; on most days nothing. */
  readonly moves: readonly Move[];
}

/** A day laid out in its blocks. */
export interface IntradayDay extends DayTerms {
  /** By block, and at the day's end: logarithm of price over anchor without the moves, at its first leaf. */
  readonly levels: Float64Array;
  /** Likewise the share of the day's variance, and of its volume, that lies before it; from 0 to 1. */
  readonly elapsed: Float64Array;
  /** By block: the square root of its share of the day's variance. */
  readonly deviations: Float64Array;
  /** The sum of the amplitudes' sizes. */
  readonly amplitude: number;
}

export interface Leaf {
  /** Logarithm of price over anchor. */
  readonly level: number;
  /** Share of the day's volume that lies before the leaf; from 0 to 1. */
  readonly elapsed: number;
}

export function layOutDay(terms: DayTerms): IntradayDay {
  const { rhythm, clock, swings, open, close } = terms;
  const levels = new Float64Array(blocksPerDay + 1);
  const elapsed = new Float64Array(blocksPerDay + 1);
  levels[0] = open;
  levels[blocksPerDay] = close;
  elapsed[blocksPerDay] = 1;
  const displacements = upperDisplacements(swings);
  // Flat loops over flat arrays, here and in the search: recursion would put every number on the heap.
  for (let index = 0; index < upperTree.nodes.length; index += 1) {
    const node = upperTree.nodes[index] ?? 0;
    const from = upperTree.from[index] ?? 0;
    const middle = upperTree.middle[index] ?? 0;
    const to = upperTree.to[index] ?? 0;
    const random = 2 * uniform(draw(clock, node)) - 1;
    const share = (rhythm.shares[node] ?? 0) + random * (rhythm.spreads[node] ?? 0);
    const before = elapsed[from] ?? 0;
    const variance = (elapsed[to] ?? 0) - before;
    const left = levels[from] ?? 0;
    const right = levels[to] ?? 0;
    // Weighted by variance, with a displacement of variance v s (1 - s).
    const deviation = Math.sqrt(variance * share * (1 - share));
    levels[middle] = left + share * (right - left) + deviation * (displacements[index] ?? 0);
    elapsed[middle] = before + variance * share;
  }
  const deviations = new Float64Array(blocksPerDay);
  for (let block = 0; block < blocksPerDay; block += 1) {
    deviations[block] = Math.sqrt((elapsed[block + 1] ?? 0) - (elapsed[block] ?? 0));
  }
  const amplitude = swings.reduce((sum, swing) => sum + Math.abs(swing.amplitude), 0);
  return { ...terms, levels, elapsed, deviations, amplitude };
}

/** Overwritten by each day that is laid out. */
const upperSum = new Float64Array(upperTree.nodes.length);
const upperBells = new Float64Array(upperTree.nodes.length);

/** `sharedDisplacement` of every node of several blocks, stream by stream; valid until the next call. */
function upperDisplacements(swings: readonly Swing[]): Float64Array {
  const { nodes } = upperTree;
  upperSum.fill(0);
  for (const { amplitude, shared, own } of swings) {
    upperBells.fill(0);
    for (const { key, loading } of [own, ...shared]) {
      for (let index = 0; index < nodes.length; index += 1) {
        upperBells[index] = (upperBells[index] ?? 0) + loading * bell(draw(key, nodes[index] ?? 0));
      }
    }
    for (let index = 0; index < nodes.length; index += 1) {
      upperSum[index] = (upperSum[index] ?? 0) + amplitude * kept(upperBells[index] ?? 0);
    }
  }
  return upperSum;
}

/** A node can be displaced by a sum of bells, which is kept to the limit of one of them, or by one step. */
const cuts = cutsBelowBlock((width) => (isLong(width) ? bellLimit : 1));

/** `leaf` from 0 to `leavesPerDay` - 1. */
export function leafOf(day: IntradayDay, leaf: number): Leaf {
  const block = Math.floor(leaf / leavesPerBlock);
  const opened = block * leavesPerBlock;
  const before = day.elapsed[block] ?? 0;
  const variance = (day.elapsed[block + 1] ?? 0) - before;
  const elapsed = before + variance * tradedShare(day.clock, block, leaf - opened);
  let left = day.levels[block] ?? 0;
  let right = day.levels[block + 1] ?? 0;
  let deviation = day.deviations[block] ?? 0;
  let node = blockNodes[block] ?? 0;
  let start = opened;
  let width = leavesPerBlock;
  // The first leaf of a node is its left end: nothing below can change it.
  while (start !== leaf) {
    const half = cuts.first[width] ?? 0;
    const middle = middleOf(day, node, width, left, right, deviation);
    if (leaf < start + half) {
      right = middle;
      deviation *= cuts.firstDeviation[width] ?? 0;
      width = half;
      node = 2 * node;
    } else {
      left = middle;
      deviation *= cuts.secondDeviation[width] ?? 0;
      start += half;
      width -= half;
      node = 2 * node + 1;
    }
  }
  return { level: left + moveAt(day.moves, leaf), elapsed };
}

/** Draws of the clock beyond every node of the tree. */
const minuteDraws = 2 ** 30;
/** The busiest minute of a block trades at most four times as much as the quietest. */
const [leastActivity, activitySpread] = [0.4, 1.2] as const;

/** Share of a block's volume before its `leaf`th leaf: each minute has its own part of it, evenly spread. */
function tradedShare(clock: NoiseKey, block: number, leaf: number): number {
  const minute = Math.floor(leaf / leavesPerMinute);
  let before = 0;
  let all = 0;
  for (let each = 0; each < minutesPerBlock; each += 1) {
    const random = uniform(draw(clock, minuteDraws + block * minutesPerBlock + each));
    const activity = leastActivity + random * activitySpread;
    if (each < minute) before += activity;
    if (each === minute) before += activity * (leaf / leavesPerMinute - minute);
    all += activity;
  }
  return before / all;
}

const blockReach = (cuts.middleReach[leavesPerBlock] ?? 0) + (cuts.halvesReach[leavesPerBlock] ?? 0);

/** Nodes that the search has yet to enter; no more than one for each step down the tree and the one it is at. */
const pending = {
  node: new Int32Array(32),
  start: new Int32Array(32),
  width: new Int32Array(32),
  left: new Float64Array(32),
  right: new Float64Array(32),
  deviation: new Float64Array(32),
} as const;

/**
 * The greatest of `sign * level` over the leaves from `from` to `to` (both included) and of `best`: sign 1 finds the
 * highest point, -1 the (negated) lowest. No move of the day may begin after `from` and up to `to`.
 */
export function extremeOf(day: IntradayDay, sign: 1 | -1, from: number, to: number, best: number): number {
  const { levels, deviations, moves, amplitude } = day;
  const firstBlock = Math.floor(from / leavesPerBlock);
  const lastBlock = Math.floor(to / leavesPerBlock);
  let found = best;
  let highestBlock = -1;
  // The blocks' own ends first: they set a mark that most blocks cannot reach.
  for (let block = Math.ceil(from / leavesPerBlock); block <= lastBlock; block += 1) {
    const move = moves.length === 0 ? 0 : moveAt(moves, block * leavesPerBlock);
    const level = sign * ((levels[block] ?? 0) + move);
    if (level <= found) continue;
    found = level;
    highestBlock = block;
  }
  // Then what lies around the highest of them, then the rest.
  if (highestBlock > firstBlock) found = highestInBlock(day, highestBlock - 1, sign, from, to, found);
  if (highestBlock > firstBlock) found = highestInBlock(day, highestBlock, sign, from, to, found);
  for (let block = firstBlock; block <= lastBlock; block += 1) {
    const higher = Math.max(sign * (levels[block] ?? 0), sign * (levels[block + 1] ?? 0));
    const isInReach = higher + blockReach * amplitude * (deviations[block] ?? 0) > found;
    if (isInReach || moves.length > 0) found = highestInBlock(day, block, sign, from, to, found);
  }
  return found;
}

function highestInBlock(
  day: IntradayDay,
  block: number,
  sign: 1 | -1,
  from: number,
  to: number,
  best: number,
): number {
  const { levels, deviations, moves, amplitude } = day;
  const isMoved = moves.length > 0;
  let found = best;
  pending.node[0] = blockNodes[block] ?? 0;
  pending.start[0] = block * leavesPerBlock;
  pending.width[0] = leavesPerBlock;
  pending.left[0] = levels[block] ?? 0;
  pending.right[0] = levels[block + 1] ?? 0;
  pending.deviation[0] = deviations[block] ?? 0;
  for (let top = 0; top >= 0; ) {
    const node = pending.node[top] ?? 0;
    const start = pending.start[top] ?? 0;
    const width = pending.width[top] ?? 0;
    // The level of the node's first leaf, and of the one behind its last.
    const left = pending.left[top] ?? 0;
    const right = pending.right[top] ?? 0;
    const deviation = pending.deviation[top] ?? 0;
    top -= 1;
    const end = start + width;
    if (width === 1 || start > to || end <= from) continue;
    const higher = sign * left > sign * right ? sign * left : sign * right;
    const line = sign * (left + (cuts.share[width] ?? 0) * (right - left));
    const middleMost = line + (cuts.middleReach[width] ?? Infinity) * amplitude * deviation;
    let reach = (cuts.halvesReach[width] ?? Infinity) * amplitude * deviation;
    if (isMoved) reach += movesAtMost(moves, sign, start > from ? start : from, end <= to ? end - 1 : to);
    if ((middleMost > higher ? middleMost : higher) + reach <= found) continue;

    const middle = middleOf(day, node, width, left, right, deviation);
    const half = cuts.first[width] ?? 0;
    const behind = start + half;
    if (behind >= from && behind <= to) {
      const level = sign * (middle + (isMoved ? moveAt(moves, behind) : 0));
      if (level > found) found = level;
    }
    // The more promising half is entered first: the better the best known point, the more is cut off.
    const isFirstBetter = sign * left > sign * right;
    const firstAt = isFirstBetter ? top + 2 : top + 1;
    const secondAt = isFirstBetter ? top + 1 : top + 2;
    pending.node[firstAt] = 2 * node;
    pending.start[firstAt] = start;
    pending.width[firstAt] = half;
    pending.left[firstAt] = left;
    pending.right[firstAt] = middle;
    pending.deviation[firstAt] = deviation * (cuts.firstDeviation[width] ?? 0);
    pending.node[secondAt] = 2 * node + 1;
    pending.start[secondAt] = behind;
    pending.width[secondAt] = width - half;
    pending.left[secondAt] = middle;
    pending.right[secondAt] = right;
    pending.deviation[secondAt] = deviation * (cuts.secondDeviation[width] ?? 0);
    top += 2;
  }
  return found;
}

/** The middle of a bridge below the block. `deviation`: of the node's span, as a share of the day's. */
function middleOf(
  { swings }: DayTerms,
  node: number,
  width: number,
  left: number,
  right: number,
  deviation: number,
): number {
  const displacement = isLong(width) ? sharedDisplacement(swings, node) : ownStep(swings, node);
  const line = left + (cuts.share[width] ?? 0) * (right - left);
  return line + deviation * (cuts.displacement[width] ?? 0) * displacement;
}

/** What is below the minute is each leg's own, and one standard deviation up or down: the shortest reach there is. */
function ownStep(swings: readonly Swing[], node: number): number {
  let displacement = 0;
  for (const { amplitude, own } of swings) {
    displacement += (draw(own.key, node) & 0x10000) === 0 ? amplitude : -amplitude;
  }
  return displacement;
}

/** In logarithms per standard deviation of a displacement. */
function sharedDisplacement(swings: readonly Swing[], node: number): number {
  let displacement = 0;
  for (const { amplitude, shared, own } of swings) {
    let bells = own.loading * bell(draw(own.key, node));
    for (const { key, loading } of shared) bells += loading * bell(draw(key, node));
    displacement += amplitude * kept(bells);
  }
  return displacement;
}

/** A sum of bells goes further than one of them; kept to its limit, a subtree's reach stays short. */
const kept = (bells: number): number => Math.max(-bellLimit, Math.min(bellLimit, bells));
