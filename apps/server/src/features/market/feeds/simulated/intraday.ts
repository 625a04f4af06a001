/**
 * The path inside one simulated day: a Brownian bridge from the day's open to its close by midpoint displacement on a
 * binary tree of 2^19 leaves (one every 165 ms), in business time: each node hands its variance to its two halves in a
 * random share around an hourly profile, which gives bursts and quiet spells (Andersen & Bollerslev 1997, J. Empirical
 * Finance 4:115-158), and volume follows the same measure (Clark 1973, Econometrica 41:135-155).
 *
 * Invariant: everything is a function of the day's key, open, close and volatility. A leaf costs 19 nodes. The highest
 * point of any span is exact and costs some hundred nodes instead of the whole span: displacements are bounded, so a
 * subtree that cannot reach the best point found so far is not entered.
 */
import { bell, bellLimit, draw, mix, type NoiseKey, uniform } from './noise.ts';

const levels = 19;
export const leavesPerDay = 2 ** levels;

/**
 * Share of a day's variance by hour UTC, unnormalised: quiet in the Asian night, two humps at the London and New York
 * openings.
 */
const hourlyProfile = [
  7, 7, 6, 5, 5, 6, 8, 11, 12, 11, 10, 10, 12, 17, 20, 18, 15, 13, 12, 12, 11, 9, 8, 7,
] as const;

/** Nodes above this depth split by the hourly profile, those below evenly. */
const profileLevels = 5;
/** Heap order: node 1 is the day, node i has the halves 2i and 2i + 1. The share that goes to the first half. */
const profileShares = Float64Array.from({ length: 2 ** profileLevels }, (_, node) => {
  if (node === 0) return 0;
  const depth = Math.floor(Math.log2(node));
  const width = 24 / 2 ** depth;
  const start = (node - 2 ** depth) * width;
  const first = weight(start, start + width / 2);
  return first / (first + weight(start + width / 2, start + width));
});

/** The profile's integral between two hours. */
function weight(from: number, to: number): number {
  return hourlyProfile.reduce(
    (sum, share, hour) => sum + share * Math.max(0, Math.min(to, hour + 1) - Math.max(from, hour)),
    0,
  );
}

/** The random part of a share: at most this much to either side. */
const shareSpread = 0.1;

/**
 * How far the path under a node can leave the higher of its two ends, in standard deviations of the node's span: its
 * own displacement (at most half a deviation times `bellLimit`) and what its halves can add. Below the profile all
 * nodes are alike and the sum is a geometric series.
 */
const evenReach = (0.5 * bellLimit) / (1 - Math.sqrt(0.5 + shareSpread));
const profileReach = new Float64Array(2 ** profileLevels);
for (let node = profileReach.length - 1; node >= 1; node -= 1) {
  const base = profileShares[node] ?? 0.5;
  const first = Math.sqrt(base + shareSpread) * reachOf(2 * node);
  const second = Math.sqrt(1 - base + shareSpread) * reachOf(2 * node + 1);
  profileReach[node] = 0.5 * bellLimit + Math.max(first, second);
}

function reachOf(node: number): number {
  return node < profileReach.length ? (profileReach[node] ?? evenReach) : evenReach;
}

export interface IntradayDay {
  readonly key: NoiseKey;
  /** Logarithms of price over anchor at 00:00 and at 24:00. */
  readonly open: number;
  readonly close: number;
  readonly volatility: number;
}

/** The leaf that is in force at a moment of the day, both counted from 00:00 UTC. */
export const leafAt = (msOfDay: number): number => Math.floor((msOfDay * leavesPerDay) / 86_400_000);

export interface Leaf {
  /** Logarithm of price over anchor. */
  readonly level: number;
  /** Share of the day's variance, and of its volume, that lies before the leaf; from 0 to 1. */
  readonly elapsed: number;
}

export function leafOf(day: IntradayDay, leaf: number): Leaf {
  let left = day.open;
  let right = day.close;
  let variance = 1;
  let elapsed = 0;
  let node = 1;
  for (let half = leavesPerDay / 2; half >= 1; half /= 2) {
    const bits = draw(day.key, node);
    const share = shareOf(node, bits);
    const middle = middleOf(day, left, right, variance, share, bits);
    const firstVariance = variance * share;
    if ((leaf & half) === 0) {
      right = middle;
      variance = firstVariance;
      node = 2 * node;
    } else {
      left = middle;
      elapsed += firstVariance;
      variance -= firstVariance;
      node = 2 * node + 1;
    }
  }
  return { level: left, elapsed };
}

/**
 * The greatest of `sign * level` over the leaves from `from` to `to` (both included) and of `best`: sign 1 finds the
 * highest point, -1 the (negated) lowest.
 */
export function extremeOf(day: IntradayDay, sign: 1 | -1, from: number, to: number, best: number): number {
  let found = best;
  visit(1, 0, leavesPerDay, sign * day.open, sign * day.close, 1);
  return found;

  /** `width` leaves from `start`; `left` is the level of the first, `right` that of the one behind the last. */
  function visit(node: number, start: number, width: number, left: number, right: number, variance: number) {
    if (start > to || start + width <= from) return;
    if (start >= from && left > found) found = left;
    if (width === 1) return;
    const span = day.volatility * Math.sqrt(variance);
    if ((left > right ? left : right) + reachOf(node) * span <= found) return;

    const bits = draw(day.key, node);
    const share = shareOf(node, bits);
    const middle = sign * middleOf(day, sign * left, sign * right, variance, share, bits);
    const half = width / 2;
    const firstVariance = variance * share;
    // The more promising half first: the better the best known point, the more is cut off.
    if (left > right) visit(2 * node, start, half, left, middle, firstVariance);
    visit(2 * node + 1, start + half, half, middle, right, variance - firstVariance);
    if (left <= right) visit(2 * node, start, half, left, middle, firstVariance);
  }
}

function shareOf(node: number, bits: number): number {
  const base = node < profileShares.length ? (profileShares[node] ?? 0.5) : 0.5;
  // Mixed once more, so that the share is independent of the displacement drawn from the same bits.
  return base + (2 * uniform(mix(bits ^ 0x5bd1e995)) - 1) * shareSpread;
}

/**
 * The middle of a bridge in business time: the ends weighted by variance, plus a displacement of variance v s (1 - s).
 */
function middleOf(
  day: IntradayDay,
  left: number,
  right: number,
  variance: number,
  share: number,
  bits: number,
): number {
  const deviation = day.volatility * Math.sqrt(variance * share * (1 - share));
  return left + share * (right - left) + deviation * bell(bits);
}
