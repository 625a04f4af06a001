/**
 * Random numbers by counter instead of by state: the n-th draw of a stream is a hash of (engine, seed, symbol,
 * stream, n), so any point of a simulated path is computed on its own, in any order, with the same result.
 * Known limitations: good for a market on a screen, not for cryptography; Math.exp, cos and pow may differ in the last bit
 * between versions of V8, which rounding to ticks hides but for one price in billions.
 */

/**
 * A stream of draws; 64 bits, so that the streams of all symbols and days stay apart. Signed, as the engine of
 * JavaScript keeps such numbers without a box.
 */
export interface NoiseKey {
  readonly a: number;
  readonly b: number;
}

/** The finalizer of MurmurHash3 (Appleby, public domain): each input bit moves half of the 32 output bits. */
export function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** An odd constant near 2^32 / golden ratio: consecutive counters land far apart before they are mixed. */
const stride = 0x9e3779b9;

/**
 * Part of every key. A change of what a price is computed from (a recipe, a table, an order of draws) takes the next
 * number, so that a seed never shows half of an old past.
 */
export const engine = 'engine 2';

/** The stream named by `parts`, for example seed, symbol and purpose. */
export function noiseKey(...parts: readonly string[]): NoiseKey {
  let a = 0x811c9dc5;
  let b = 0x2545f491;
  for (const character of [engine, ...parts].join('\u0000')) {
    const code = character.codePointAt(0) ?? 0;
    a = mix(a ^ code);
    b = mix(Math.imul(b, stride) + code);
  }
  return { a, b };
}

/** A stream of its own for each `index` of a stream, for example for each day. */
export const subKey = (key: NoiseKey, index: number): NoiseKey => ({
  a: mix((key.a + Math.imul(index, stride)) | 0),
  b: mix(key.b ^ Math.imul(index, stride)),
});

/** 32 uniform bits. */
export const draw = (key: NoiseKey, counter: number): number =>
  mix(mix((key.a + Math.imul(counter, stride)) | 0) ^ key.b);

/** Uniform in the open interval (0, 1). */
export const uniform = (bits: number): number => ((bits >>> 0) + 0.5) / 2 ** 32;

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
