/**
 * The path inside one simulated day: a Brownian bridge from the day's open to its close by midpoint displacement on the
 * tree of `rhythm.ts`, in business time (Clark 1973, Econometrica 41:135-155); volume follows the same measure from block to
 * block.
 * Down to the minute displacements load on the factors as the days do, so prices that move together do so within
 * the day; below it each leg is independent. A pair of two legs is walked as one
 * tree, whose every point is the weighted sum of the two.
 *
 * Invariant: everything is a function of the day's draws, open, close and amplitudes. A day costs its 288 blocks once and, for
 * extremes, its 1,440 minutes; a leaf 9 nodes more. The highest point of any span is exact and costs some hundred nodes
 * instead of the whole span: the draws of a part of a minute have a bound that is known before them, so a subtree that cannot
 * reach the best point found so far is not entered.
 */
import { type DayNoise, type Displacement, groupNodes, toUniform, type VolumeNoise } from './noise.ts';
import {
  blocksPerDay,
  leavesPerBlock,
  leavesPerMinute,
  longTree,
  minutesPerBlock,
  minutesPerDay,
  type Rhythm,
  upperTree,
} from './rhythm.ts';
import { boundMoves, type Move, moveAt } from './shocks.ts';

/** Draws of one day that a leg follows, and how strongly. */
interface Noise {
  readonly draws: DayNoise;
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

const subtreeNodes = leavesPerMinute / groupNodes;
/** The deviation of a subtree, in those of its minute. */
const subtreeDeviation = Math.sqrt(1 / groupNodes);

/** How far at most a path leaves the higher end of a group of so many leaves, in limits of a step and deviations of the group. */
const reachOf = (leaves: number): number => (0.5 * (1 - Math.sqrt(1 / leaves))) / (1 - Math.SQRT1_2);
const topReach = reachOf(groupNodes);
const subtreeReach = reachOf(subtreeNodes) * subtreeDeviation;

interface DayTerms {
  readonly displacement: Displacement;
  readonly rhythm: Rhythm;
  /** The random part of business time. */
  readonly clock: Pick<DayNoise, 'upper'>;
  readonly volume: VolumeNoise;
  readonly swings: readonly Swing[];
  /** Logarithms of price over anchor at 00:00 and at 24:00. */
  readonly open: number;
  readonly close: number;
  /** Added by shocks, leaf by leaf; on most days zero. */
  readonly moves: readonly Move[];
}

/** A day laid out in its blocks. */
export interface IntradayDay extends DayTerms {
  /** By block, and at the day's end: logarithm of price over anchor without the moves, at its first leaf. */
  readonly levels: Float64Array;
  /** Likewise the share of the day's variance, and of its volume, that lies before it; from 0 to 1. */
  readonly elapsed: Float64Array;
  /** By block, of each of its minutes: the square root of its share of the day's variance. */
  readonly deviations: Float64Array;
  /** Like `levels` by minute. Computed on first use. */
  minuteLevels: Float64Array | null;
  /** The sum of the amplitudes' sizes. */
  readonly amplitude: number;
}

export function layOutDay(terms: DayTerms): IntradayDay {
  const { displacement, rhythm, clock, swings, open, close } = terms;
  const levels = new Float64Array(blocksPerDay + 1);
  const elapsed = new Float64Array(blocksPerDay + 1);
  levels[0] = open;
  levels[blocksPerDay] = close;
  elapsed[blocksPerDay] = 1;
  const displacements = upperDisplacements(swings, displacement);
  // Flat loops over flat arrays, here and in the search: recursion would put every number on the heap.
  for (let index = 0; index < upperTree.nodes.length; index += 1) {
    const node = upperTree.nodes[index] ?? 0;
    const from = upperTree.from[index] ?? 0;
    const middle = upperTree.middle[index] ?? 0;
    const to = upperTree.to[index] ?? 0;
    const random = 2 * toUniform(clock.upper(node)) - 1;
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
    deviations[block] = Math.sqrt(((elapsed[block + 1] ?? 0) - (elapsed[block] ?? 0)) / minutesPerBlock);
  }
  const amplitude = swings.reduce((sum, swing) => sum + Math.abs(swing.amplitude), 0);
  return { ...terms, levels, elapsed, deviations, minuteLevels: null, amplitude };
}

/** Overwritten by each day that is laid out. */
const upperSum = new Float64Array(upperTree.nodes.length);
const upperDraws = new Float64Array(upperTree.nodes.length);

/** `sharedDisplacement` of every node of several blocks, stream by stream; valid until the next call. */
function upperDisplacements(
  swings: readonly Swing[],
  { of: displacementOf, limit }: Displacement,
): Float64Array {
  const { nodes } = upperTree;
  upperSum.fill(0);
  for (const { amplitude, shared, own } of swings) {
    upperDraws.fill(0);
    for (const { draws, loading } of [own, ...shared]) {
      for (let index = 0; index < nodes.length; index += 1) {
        upperDraws[index] =
          (upperDraws[index] ?? 0) + loading * displacementOf(draws.upper(nodes[index] ?? 0));
      }
    }
    for (let index = 0; index < nodes.length; index += 1) {
      upperSum[index] = (upperSum[index] ?? 0) + amplitude * clamp(upperDraws[index] ?? 0, limit);
    }
  }
  return upperSum;
}

/** By long node: the deviation of its middle, in those of a minute. */
const longDeviations = longTree.map(({ from, middle, to }) =>
  Math.sqrt(((middle - from) * (to - middle)) / (to - from)),
);

function layOutMinutes(day: IntradayDay): Float64Array {
  const minutes = new Float64Array(minutesPerDay + 1);
  for (let block = 0; block <= blocksPerDay; block += 1)
    minutes[block * minutesPerBlock] = day.levels[block] ?? 0;
  for (const [index, { node, from, middle, to }] of longTree.entries()) {
    const share = (middle - from) / (to - from);
    const ofNode = longDeviations[index] ?? 0;
    const displacements = longDisplacements(day, node);
    for (let block = 0; block < blocksPerDay; block += 1) {
      const first = block * minutesPerBlock;
      const left = minutes[first + from] ?? 0;
      const line = left + share * ((minutes[first + to] ?? 0) - left);
      minutes[first + middle] = line + (day.deviations[block] ?? 0) * ofNode * (displacements[block] ?? 0);
    }
  }
  return minutes;
}

const minutesOf = (day: IntradayDay): Float64Array => (day.minuteLevels ??= layOutMinutes(day));

/** Logarithm of price over anchor at a leaf, from 0 to `leavesPerDay` - 1. */
export function levelOf(day: IntradayDay, leaf: number): number {
  const minute = Math.floor(leaf / leavesPerMinute);
  const minutes = minutesOf(day);
  const inMinute = leaf - minute * leavesPerMinute;
  // The first leaf of a node is its left end: nothing below can change it.
  if (inMinute === 0) return (minutes[minute] ?? 0) + moveAt(day.moves, leaf);
  const deviation = day.deviations[Math.floor(minute / minutesPerBlock)] ?? 0;
  const index = Math.floor(inMinute / subtreeNodes);
  const tops = topsOf(day, minute);
  const within = inMinute - index * subtreeNodes;
  if (within === 0) return (tops[index] ?? 0) + moveAt(day.moves, leaf);
  walk(
    day.swings,
    minute,
    groupNodes + index,
    tops[index] ?? 0,
    tops[index + 1] ?? 0,
    deviation * subtreeDeviation,
    points,
  );
  return (points[within] ?? 0) + moveAt(day.moves, leaf);
}

/** Share of the day's volume that lies before a leaf; from 0 to 1. */
export function elapsedBefore(day: IntradayDay, leaf: number): number {
  const block = Math.floor(leaf / leavesPerBlock);
  const before = day.elapsed[block] ?? 0;
  const variance = (day.elapsed[block + 1] ?? 0) - before;
  return before + variance * tradedShare(day.volume, block, leaf - block * leavesPerBlock);
}

/** The busiest minute of a block trades at most four times as much as the quietest. */
const [leastActivity, activitySpread] = [0.4, 1.2] as const;

/** Share of a block's volume before its `leaf`th leaf: each minute has its own part of it, evenly spread. */
function tradedShare(volume: VolumeNoise, block: number, leaf: number): number {
  const minute = Math.floor(leaf / leavesPerMinute);
  let before = 0;
  let all = 0;
  for (let each = 0; each < minutesPerBlock; each += 1) {
    const random = toUniform(volume.minute(block * minutesPerBlock + each));
    const activity = leastActivity + random * activitySpread;
    if (each < minute) before += activity;
    if (each === minute) before += activity * (leaf / leavesPerMinute - minute);
    all += activity;
  }
  return before / all;
}

/** Bounds of the subtrees of the latest minute, which a chart of minutes reads repeatedly. */
const latest = { day: null as IntradayDay | null, minute: -1, tops: new Float64Array(groupNodes + 1) };

/** Valid until the next call. */
function topsOf(day: IntradayDay, minute: number): Float64Array {
  if (latest.day !== day || latest.minute !== minute) {
    const minutes = minutesOf(day);
    const deviation = day.deviations[Math.floor(minute / minutesPerBlock)] ?? 0;
    walk(day.swings, minute, 1, minutes[minute] ?? 0, minutes[minute + 1] ?? 0, deviation, latest.tops);
    latest.day = day;
    latest.minute = minute;
  }
  return latest.tops;
}

/** The leaves of the subtree that is looked at. */
const points = new Float64Array(subtreeNodes + 1);
/** Displacements by node of a group. */
const displacements = new Float64Array(subtreeNodes);

/** Bisects a group of a minute from its ends, into all of `levels`. `deviation`: of the group, as a share of the day's. */
function walk(
  swings: readonly Swing[],
  minute: number,
  group: number,
  left: number,
  right: number,
  deviation: number,
  levels: Float64Array,
): void {
  const leaves = levels.length - 1;
  displacements.fill(0);
  // What is below the minute is each leg's own.
  for (const { amplitude, own } of swings) own.draws.addSteps(minute, group, amplitude, displacements);
  levels[0] = left;
  levels[leaves] = right;
  let scale = deviation;
  let node = 1;
  for (let half = leaves / 2; half >= 1; half /= 2) {
    for (let middle = half; middle < leaves; middle += 2 * half) {
      const line = (levels[middle - half] ?? 0) + (levels[middle + half] ?? 0);
      levels[middle] = 0.5 * (line + scale * (displacements[node] ?? 0));
      node += 1;
    }
    scale *= Math.SQRT1_2;
  }
}

/**
 * The greatest of `sign * level` over the leaves from `from` to `to` (both included) and of `best`: sign 1 finds the
 * highest point, -1 the (negated) lowest. No move of the day may begin after `from` and up to `to`.
 */
export function extremeOf(day: IntradayDay, sign: 1 | -1, from: number, to: number, best: number): number {
  const { swings, deviations, moves, amplitude } = day;
  const minutes = minutesOf(day);
  const { stepLimit } = day.displacement;
  const subtreeMost = subtreeReach * stepLimit * amplitude;
  const reach = topReach * stepLimit * amplitude + subtreeMost;
  const firstMinute = Math.floor(from / leavesPerMinute);
  const lastMinute = Math.floor(to / leavesPerMinute);
  let found = best;
  let highest = -1;
  // The minutes' own ends first: they set a mark that most minutes cannot reach.
  for (let minute = Math.ceil(from / leavesPerMinute); minute <= lastMinute; minute += 1) {
    const move = moves.length === 0 ? 0 : moveAt(moves, minute * leavesPerMinute);
    const level = sign * ((minutes[minute] ?? 0) + move);
    if (level <= found) continue;
    found = level;
    highest = minute;
  }
  // Then the points between the subtrees of minutes that can reach it, from the highest one on.
  const count = lastMinute - firstMinute + 1;
  const shift = Math.max(highest - 1 - firstMinute, 0);
  let known = 0;
  let foremost = 0;
  for (let offset = 0; offset < count; offset += 1) {
    const minute = firstMinute + ((shift + offset) % count);
    const left = sign * (minutes[minute] ?? 0);
    const right = sign * (minutes[minute + 1] ?? 0);
    const higher = left > right ? left : right;
    const deviation = deviations[Math.floor(minute / minutesPerBlock)] ?? 0;
    if (moves.length === 0) {
      if (higher + reach * deviation <= found) continue;
      const topLimit = stepLimitOf(swings, minute, 1);
      if (higher + (topReach * topLimit + subtreeMost) * deviation <= found) continue;
    }
    const first = minute * leavesPerMinute;
    const tops = topsOf(day, minute);
    const within = highestOf(tops, sign, moves, first, subtreeNodes, from, to, -Infinity);
    if (within > found) found = within;
    const isWhole = moves.length === 0 && from <= first && to >= first + leavesPerMinute - 1;
    const bound = isWhole ? (within > higher ? within : higher) + subtreeMost * deviation : Infinity;
    if (bound <= found) continue;
    candidates.minute[known] = minute;
    candidates.bound[known] = bound;
    if (bound > (candidates.bound[foremost] ?? 0) || known === 0) foremost = known;
    known += 1;
  }
  // Then the leaves of those that still can, from the most promising one on.
  for (let offset = 0; offset < known; offset += 1) {
    const at = (foremost + offset) % known;
    if ((candidates.bound[at] ?? 0) <= found) continue;
    found = highestLeaf(day, candidates.minute[at] ?? 0, sign, from, to, found);
  }
  return found;
}

/** Minutes whose subtrees a search has not visited yet, and the bound of each. */
const candidates = {
  minute: new Int32Array(minutesPerDay),
  bound: new Float64Array(minutesPerDay),
} as const;

/** Of what lies within the subtrees of a minute. */
function highestLeaf(
  day: IntradayDay,
  minute: number,
  sign: 1 | -1,
  from: number,
  to: number,
  best: number,
): number {
  const { swings, deviations, moves } = day;
  const deviation = deviations[Math.floor(minute / minutesPerBlock)] ?? 0;
  const most = subtreeReach * day.amplitude * day.displacement.stepLimit * deviation;
  const tops = topsOf(day, minute);
  let found = best;
  for (let index = 0; index < groupNodes; index += 1) {
    const start = minute * leavesPerMinute + index * subtreeNodes;
    const last = start + subtreeNodes - 1;
    if (start > to || last < from) continue;
    const ahead = tops[index] ?? 0;
    const behind = tops[index + 1] ?? 0;
    let higher = sign * ahead > sign * behind ? sign * ahead : sign * behind;
    if (moves.length > 0) higher += boundMoves(moves, sign, Math.max(start, from), Math.min(last, to));
    if (higher + most <= found) continue;
    const group = groupNodes + index;
    if (higher + subtreeReach * stepLimitOf(swings, minute, group) * deviation <= found) continue;
    walk(swings, minute, group, ahead, behind, deviation * subtreeDeviation, points);
    found = highestOf(points, sign, moves, start, 1, from, to, found);
  }
  return found;
}

/** Between the ends of `levels`, which are at every `width`th leaf from `start` on. */
function highestOf(
  levels: Float64Array,
  sign: 1 | -1,
  moves: readonly Move[],
  start: number,
  width: number,
  from: number,
  to: number,
  best: number,
): number {
  const first = Math.max(1, Math.ceil((from - start) / width));
  const last = Math.min(levels.length - 2, Math.floor((to - start) / width));
  let found = best;
  for (let at = first; at <= last; at += 1) {
    const move = moves.length === 0 ? 0 : moveAt(moves, start + at * width);
    const level = sign * ((levels[at] ?? 0) + move);
    if (level > found) found = level;
  }
  return found;
}

/** The greatest displacement within a group of a minute, in logarithms per standard deviation. */
function stepLimitOf(swings: readonly Swing[], minute: number, group: number): number {
  let limit = 0;
  for (const { amplitude, own } of swings) limit += Math.abs(amplitude) * own.draws.stepLimit(minute, group);
  return limit;
}

/** Overwritten by each long node that is laid out. */
const longSum = new Float64Array(blocksPerDay);
const longDraws = new Float64Array(blocksPerDay);

/** Of a long node in every block, in logarithms per standard deviation, stream by stream; valid until the next call. */
function longDisplacements({ swings, displacement }: IntradayDay, node: number): Float64Array {
  const { of: displacementOf, limit } = displacement;
  longSum.fill(0);
  for (const { amplitude, shared, own } of swings) {
    longDraws.fill(0);
    for (const { draws, loading } of [own, ...shared]) {
      for (let block = 0; block < blocksPerDay; block += 1) {
        longDraws[block] = (longDraws[block] ?? 0) + loading * displacementOf(draws.long(block, node));
      }
    }
    for (let block = 0; block < blocksPerDay; block += 1) {
      longSum[block] = (longSum[block] ?? 0) + amplitude * clamp(longDraws[block] ?? 0, limit);
    }
  }
  return longSum;
}

/** A sum of draws goes further than one of them; clipped to its limit, a subtree's reach stays short. */
const clamp = (drawn: number, limit: number): number => Math.max(-limit, Math.min(limit, drawn));
