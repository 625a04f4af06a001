/**
 * The rhythm of a simulated day. A binary tree divides a day into its 288 blocks of five minutes, each of them into its
 * minutes, each minute into 512 leaves (one every 117 ms), so that every bar begins and ends with a node. Down to the
 * blocks each node distributes its variance to its two halves by the hours of its market, with a random part, which causes
 * bursts and quiet spells (Andersen & Bollerslev 1997, J. Empirical Finance 4:115-158); below, by time.
 *
 * Invariant: nodes are numbered in heap order, node 1 is the day and node i has the halves 2i and 2i + 1.
 * Known limitation: the hours are UTC all year round. Those of a market with daylight saving cover both of its opening
 * hours, so in honoured sessions its U is a little flatter than in reality.
 */
import { minuteMs } from '@fulcrum/domain';
export const leavesPerMinute = 512;
export const minutesPerBlock = 5;
export const leavesPerBlock = minutesPerBlock * leavesPerMinute;
export const blocksPerDay = 288;
export const leavesPerDay = blocksPerDay * leavesPerBlock;
/** Milliseconds. */
export const leafMs = minuteMs / leavesPerMinute;

/** The leaf that is in force at a moment, both counted from 00:00 UTC of the day. */
export const leafAt = (msOfDay: number): number => Math.floor(msOfDay / leafMs);

/** Shares of a day's variance by hour UTC, unnormalised. */
const hours = {
  // Quiet in the Asian night, two humps at the London and New York openings.
  crypto: [7, 7, 6, 5, 5, 6, 8, 11, 12, 11, 10, 10, 12, 17, 22, 20, 16, 13, 12, 12, 11, 9, 8, 7],
  // Tokyo, London, the overlap with New York; dead after New York's close.
  forex: [6, 6, 5, 5, 5, 5, 8, 13, 14, 12, 10, 10, 14, 18, 18, 16, 12, 9, 8, 7, 5, 3, 3, 4],
  // Floor hours of New York and Chicago over a night that trades.
  futures: [4, 4, 4, 4, 4, 4, 6, 9, 9, 9, 9, 10, 14, 20, 22, 18, 16, 15, 14, 8, 5, 3, 3, 4],
  // The cash session with its U, between 13:30 and 21:00 in both halves of the year.
  newYork: [2, 2, 2, 2, 2, 2, 2, 3, 4, 4, 4, 5, 7, 20, 26, 18, 13, 11, 12, 18, 20, 6, 3, 2],
  europe: [2, 2, 2, 2, 2, 3, 6, 22, 20, 14, 12, 11, 12, 14, 16, 19, 12, 4, 3, 3, 3, 2, 2, 2],
  asia: [20, 18, 16, 11, 11, 14, 16, 10, 6, 4, 4, 4, 4, 5, 5, 4, 4, 3, 3, 3, 3, 3, 4, 10],
} as const satisfies Record<string, readonly number[]>;
export type RhythmName = keyof typeof hours;

/** The largest effect of the random part on a share, where the hours alone would give each half the same. */
const shareSpread = 0.24;

/** A node of several blocks has a number below this. */
export const upperNodes = 512;

/** By node of several blocks: the share of its variance that goes to its first half, and the most it is moved at random. */
export interface Rhythm {
  readonly shares: Float64Array;
  readonly spreads: Float64Array;
  /** Of the day, over that of a usual day. */
  readonly variance: number;
}

/**
 * The share of its variance that an hour of a closed weekend has (ENG-10). Two such days add a quarter to a third
 * to the variance of a night.
 */
const shutShare = 0.05;
/** The hour UTC of a Sunday from which a market trades, in the earlier half of the year. */
const sundayOpening = {
  crypto: 0,
  forex: 21,
  futures: 22,
  newYork: 24,
  europe: 24,
  asia: 23,
} as const satisfies Record<RhythmName, number>;

/** Days of the week, as far as the hours differ. */
const [weekday, saturday, sunday] = [0, 1, 2];
/** Of a day since 1970-01-01, which was a Thursday. */
function dayOfWeek(day: number): number {
  const ofWeek = (day + 4) % 7;
  if (ofWeek === 0) return sunday;
  return ofWeek === 6 ? saturday : weekday;
}

function hoursOf(name: RhythmName, day: number): readonly number[] {
  if (day === weekday || name === 'crypto') return hours[name];
  const opening = day === sunday ? sundayOpening[name] : hours[name].length;
  return hours[name].map((weight, hour) => (hour < opening ? weight * shutShare : weight));
}

/** How many blocks the first half of a node of so many has. */
const firstBlocks = (blocks: number): number => Math.floor(blocks / 2);

/** The nodes of several blocks, each before its halves: its number, its first block, and where its halves meet and end. */
export const upperTree = {
  nodes: new Int32Array(blocksPerDay - 1),
  from: new Int32Array(blocksPerDay - 1),
  middle: new Int32Array(blocksPerDay - 1),
  to: new Int32Array(blocksPerDay - 1),
} as const;
/** The node of each block. */
export const blockNodes = new Int32Array(blocksPerDay);
addSubtree(1, 0, blocksPerDay, 0);

/** Returns how many nodes are planted by then. */
function addSubtree(node: number, block: number, blocks: number, tree: number): number {
  if (blocks === 1) {
    blockNodes[block] = node;
    return tree;
  }
  const first = firstBlocks(blocks);
  upperTree.nodes[tree] = node;
  upperTree.from[tree] = block;
  upperTree.middle[tree] = block + first;
  upperTree.to[tree] = block + blocks;
  const withFirst = addSubtree(2 * node, block, first, tree + 1);
  return addSubtree(2 * node + 1, block + first, blocks - first, withFirst);
}

/** By name, in the order of the days of the week. */
const rhythms = new Map<RhythmName, readonly Rhythm[]>();

/** The rhythm of a day (since 1970-01-01) in a market that trades round the clock, or one that has `weekends`. */
export function rhythmOfDay(name: RhythmName, day: number, weekends: boolean): Rhythm {
  let ofName = rhythms.get(name);
  if (!ofName) {
    const usual = sumOf(hours[name]);
    ofName = [weekday, saturday, sunday].map((ofWeek) => rhythmOfHours(hoursOf(name, ofWeek), usual));
    rhythms.set(name, ofName);
  }
  const rhythm = ofName[weekends ? dayOfWeek(day) : weekday];
  if (!rhythm) throw new RangeError(`Day ${day} is none of the week`);
  return rhythm;
}

const sumOf = (weights: readonly number[]): number => weights.reduce((sum, weight) => sum + weight, 0);

function rhythmOfHours(byHour: readonly number[], usual: number): Rhythm {
  const shares = new Float64Array(upperNodes);
  const spreads = new Float64Array(upperNodes);
  const before = Array.from({ length: blocksPerDay + 1 }, (_, block) => varianceBefore(byHour, block));
  const between = (from: number, to: number) => (before[to] ?? 0) - (before[from] ?? 0);
  upperTree.nodes.forEach((node, index) => {
    const [from = 0, middle = 0, to = 0] = [
      upperTree.from[index],
      upperTree.middle[index],
      upperTree.to[index],
    ];
    const share = between(from, middle) / between(from, to);
    shares[node] = share;
    // Scaled by the available variance, so that a share stays between 0 and 1 however uneven the hours are.
    spreads[node] = 4 * shareSpread * share * (1 - share);
  });
  return { shares, spreads, variance: sumOf(byHour) / usual };
}

/** The integral of the hours from the day's beginning to a block. */
function varianceBefore(byHour: readonly number[], block: number): number {
  const blocksPerHour = blocksPerDay / byHour.length;
  return byHour.reduce(
    (sum, weight, hour) => sum + weight * Math.max(0, Math.min(1, block / blocksPerHour - hour)),
    0,
  );
}

/** The nodes of a block that are longer than a minute, each before its halves: 5 minutes are 2 and 3, 3 are 1 and 2. */
export const longTree = [
  { node: 1, from: 0, middle: 2, to: 5 },
  { node: 2, from: 0, middle: 1, to: 2 },
  { node: 3, from: 2, middle: 3, to: 5 },
  { node: 7, from: 3, middle: 4, to: 5 },
] as const;
export const minutesPerDay = blocksPerDay * minutesPerBlock;
