/**
 * The random numbers of a simulated path, and the distributions derived from them. A draw is identified by its
 * stream, its day and its place in it, so any point of a path is computed on its own, in any order, with the same result.
 * Each engine has a module that implements `MarketNoise` (`engine-2.ts`, `engine-3.ts`): a published path can always be
 * computed again.
 * Known limitation: Math.exp, cos and pow may differ in the last bit between versions of V8; rounding to ticks
 * hides that except for one price in billions.
 */

/** A minute's tree has a group of 15 nodes on top, named 1, and 16 subtrees below it, named 16 to 31: by their first nodes. */
export const groupNodes = 16;

/** The draws of one stream on one day. `node` is a number in heap order: of the day's tree, or of the tree below a block. */
export interface DayNoise {
  /** 32 random bits of a node of several blocks. */
  upper(node: number): number;
  /** 32 random bits of a node below a block that is longer than a minute. */
  long(block: number, node: number): number;
  /**
   * Adds `amplitude` times the displacements of a group of a minute of the day to those of `sums`, by node in heap order of the
   * group's tree. Displacements are in standard deviations: mean 0, variance 1. Group 1 has 15 nodes, groups 16 to 31 have 31.
   */
  addSteps(minute: number, group: number, amplitude: number, sums: Float64Array): void;
  /** The greatest size of the displacements of a group. */
  stepLimit(minute: number, group: number): number;
}

/** How the middle of a span is displaced from the line between its ends, in standard deviations: mean 0, variance 1. */
export interface Displacement {
  /** Of a node that is longer than a minute, by its 32 random bits. */
  readonly of: (bits: number) => number;
  /** The greatest size of that, and of a step. */
  readonly limit: number;
  readonly stepLimit: number;
}

/** The draws of a symbol's volume on one day. */
export interface VolumeNoise {
  /** 32 random bits of the whole day. */
  readonly surprise: number;
  /** 32 random bits of a minute of the day. */
  minute(minute: number): number;
}

/** What the daily layer draws: by path or factor its shock, by weather its regime, for all of them the mood. */
export type DailyKind = 'path' | 'factor' | 'weather' | 'mood';
/** The place of a draw among those of its name and day. */
export const dailyDraws = { shockU: 0, shockV: 1, regime: 2, mood: 3 } as const;
/** 32 random bits; `day` in days since the first day of all markets. */
export type DailyNoise = (day: number, draw: (typeof dailyDraws)[keyof typeof dailyDraws]) => number;

/** All draws of one simulated market. Days are counted since 1970-01-01 but for `daily`. */
export interface MarketNoise {
  /**
   * Changes with what a price is computed from (a recipe, a table, an order of draws), and is part of every key, so that
   * a seed never shows half of an old past.
   */
  readonly engine: number;
  /** Identifies a key or seed without disclosing a secret one. */
  readonly keyId: string;
  readonly displacement: Displacement;
  daily(kind: DailyKind, name: string): DailyNoise;
  /** Displacements within the day: a path's own, and those of a factor. */
  path(name: string, day: number): DayNoise;
  factor(name: string, day: number): DayNoise;
  /** Business time. */
  clock(name: string, day: number): Pick<DayNoise, 'upper'>;
  /** `clock`: of the symbol's business time. */
  volume(symbol: string, clock: string, day: number): VolumeNoise;
}

/** Uniform in the open interval (0, 1). */
export const toUniform = (bits: number): number => ((bits >>> 0) + 0.5) / 2 ** 32;

/** Mean and standard deviation of the sum of two independent integers, each uniform on 0..65535. */
const sumMean = 65_535;
const sumDeviation = Math.sqrt((2 * (65_536 ** 2 - 1)) / 12);

/**
 * A bounded bell from 32 bits: the sum of their halves (a triangle), mean 0, variance 1. No transcendental function,
 * hence the same double everywhere, and never beyond `bellLimit`, which is what makes extremes provable. Sums of a few
 * are near normal.
 */
export const bell = (bits: number): number => ((bits & 65_535) + (bits >>> 16) - sumMean) / sumDeviation;

export const bellLimit = sumMean / sumDeviation;

/**
 * Student's t with `degrees` > 2 of freedom, scaled to variance 1, from two uniforms (Bailey 1994, Math. Comp. 62,
 * equation for the polar generation of t).
 */
export function studentT(degrees: number, u: number, v: number): number {
  const t = Math.sqrt(degrees * (u ** (-2 / degrees) - 1)) * Math.cos(2 * Math.PI * v);
  return t * Math.sqrt((degrees - 2) / degrees);
}
