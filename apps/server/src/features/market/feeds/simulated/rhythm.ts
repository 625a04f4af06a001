/**
 * The rhythm of a simulated day. A day is cut by a binary tree: into its 288 blocks of five minutes, each of them into its
 * minutes, each minute into 512 leaves (one every 117 ms), so that every bar begins and ends with a node. Down to the
 * blocks each node hands its variance to its two halves by the hours of its market, with a random part, which gives
 * bursts and quiet spells (Andersen & Bollerslev 1997, J. Empirical Finance 4:115-158); below, by time.
 *
 * Invariant: nodes are numbered in heap order, node 1 is the day and node i has the halves 2i and 2i + 1.
 * Known limitation: the hours are UTC all year round. Those of a market with daylight saving cover both of its opening
 * hours, so in honoured sessions its U is a little flatter than in reality.
 */
export const leavesPerMinute = 512;
export const minutesPerBlock = 5;
export const leavesPerBlock = minutesPerBlock * leavesPerMinute;
export const blocksPerDay = 288;
export const leavesPerDay = blocksPerDay * leavesPerBlock;
const minuteMs = 60_000;
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

/** The most that the random part moves a share, where the hours alone would give each half the same. */
const shareSpread = 0.24;

/** A node of several blocks has a number below this. */
const upperNodes = 512;

/** By node of several blocks: the share of its variance that goes to its first half, and the most it is moved at random. */
export interface Rhythm {
  readonly shares: Float64Array;
  readonly spreads: Float64Array;
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
plant(1, 0, blocksPerDay, 0);

/** Returns how many nodes are planted by then. */
function plant(node: number, block: number, blocks: number, planted: number): number {
  if (blocks === 1) {
    blockNodes[block] = node;
    return planted;
  }
  const first = firstBlocks(blocks);
  upperTree.nodes[planted] = node;
  upperTree.from[planted] = block;
  upperTree.middle[planted] = block + first;
  upperTree.to[planted] = block + blocks;
  const withFirst = plant(2 * node, block, first, planted + 1);
  return plant(2 * node + 1, block + first, blocks - first, withFirst);
}

const rhythms = new Map<RhythmName, Rhythm>();

export function rhythmNamed(name: RhythmName): Rhythm {
  const known = rhythms.get(name);
  if (known) return known;
  const rhythm = { shares: new Float64Array(upperNodes), spreads: new Float64Array(upperNodes) };
  const before = Array.from({ length: blocksPerDay + 1 }, (_, block) => varianceBefore(hours[name], block));
  const between = (from: number, to: number) => (before[to] ?? 0) - (before[from] ?? 0);
  upperTree.nodes.forEach((node, index) => {
    const [from = 0, middle = 0, to = 0] = [
      upperTree.from[index],
      upperTree.middle[index],
      upperTree.to[index],
    ];
    const share = between(from, middle) / between(from, to);
    rhythm.shares[node] = share;
    // Scaled by what is there to move, so that a share stays between 0 and 1 however uneven the hours are.
    rhythm.spreads[node] = 4 * shareSpread * share * (1 - share);
  });
  rhythms.set(name, rhythm);
  return rhythm;
}

/** The integral of the hours from the day's beginning to a block. */
function varianceBefore(byHour: readonly number[], block: number): number {
  const blocksPerHour = blocksPerDay / byHour.length;
  return byHour.reduce(
    (sum, weight, hour) => sum + weight * Math.max(0, Math.min(1, block / blocksPerHour - hour)),
    0,
  );
}

/** Whether a node is longer than a minute: its displacement is shared with other paths and can go further. */
export const isLong = (width: number): boolean => width > leavesPerMinute;

/** How blocks are cut, by a node's width in leaves; all lengths in standard deviations of the node's span. */
export interface Cuts {
  /** Leaves in the first half: 5 minutes are 2 and 3, 3 are 1 and 2, all others even. */
  readonly first: Int32Array;
  readonly share: Float64Array;
  /** The standard deviations of the first and the second half, and of the middle's displacement. */
  readonly firstDeviation: Float64Array;
  readonly secondDeviation: Float64Array;
  readonly displacement: Float64Array;
  /** How far at most the middle can be from the line between the ends. */
  readonly middleReach: Float64Array;
  /** How far at most the path can leave the highest of its ends and its middle. */
  readonly halvesReach: Float64Array;
}

/** `limitOf` says how far a node of a width can be displaced, in standard deviations of the displacement. */
export function cutsBelowBlock(limitOf: (width: number) => number): Cuts {
  const byWidth = () => new Float64Array(leavesPerBlock + 1);
  const cuts = {
    first: new Int32Array(leavesPerBlock + 1),
    share: byWidth(),
    firstDeviation: byWidth(),
    secondDeviation: byWidth(),
    displacement: byWidth(),
    middleReach: byWidth(),
    halvesReach: byWidth(),
  };
  const reachOf = (width: number) => (cuts.middleReach[width] ?? 0) + (cuts.halvesReach[width] ?? 0);
  const widths = [5, 3, 2, 1].map((minutes) => minutes * leavesPerMinute);
  for (let width = leavesPerMinute / 2; width >= 2; width /= 2) widths.push(width);
  for (const width of widths.reverse()) {
    const minutes = Math.floor(width / (2 * leavesPerMinute));
    const first = isLong(width) ? minutes * leavesPerMinute : width / 2;
    const share = first / width;
    const firstDeviation = Math.sqrt(share);
    const secondDeviation = Math.sqrt(1 - share);
    cuts.first[width] = first;
    cuts.share[width] = share;
    cuts.firstDeviation[width] = firstDeviation;
    cuts.secondDeviation[width] = secondDeviation;
    cuts.displacement[width] = firstDeviation * secondDeviation;
    cuts.middleReach[width] = firstDeviation * secondDeviation * limitOf(width);
    cuts.halvesReach[width] = Math.max(
      firstDeviation * reachOf(first),
      secondDeviation * reachOf(width - first),
    );
  }
  return cuts;
}
