/**
 * A simulated market as a whole: its draws, and whether closed weekends reduce its movement (ENG-10). Two with the same draws
 * and weekends are the same market. `PathEpoch` is the past of one that another one replaced.
 */
import { createDailyLayers, type DailyLayers } from './daily.ts';
import { createEngine2Noise } from './engine-2.ts';
import { createEngine3Noise, createNoiseOfKeys, type DayKeys, keyOfSeed } from './engine-3.ts';
import type { Displacement, MarketNoise } from './noise.ts';

export interface MarketModel {
  readonly noise: MarketNoise;
  readonly displacement: Displacement;
  readonly weekends: boolean;
  /** Shared by all feeds of the market: eleven years of days are computed once. */
  readonly layers: DailyLayers;
}

/** A market up to the instant (ms since the epoch) at which the next one took over, and the factors that it had by symbol. */
export interface PathEpoch {
  readonly model: MarketModel;
  readonly scales: ReadonlyMap<string, number>;
  readonly until: number;
}

const modelOf = (noise: MarketNoise, weekends: boolean): MarketModel => ({
  noise,
  displacement: noise.displacement,
  weekends,
  layers: createDailyLayers(noise, weekends),
});

/** `key`: 32 bytes, from which all prices can be computed. */
export const modelOfKey = (key: Uint8Array, weekends: boolean): MarketModel =>
  modelOf(createEngine3Noise(key), weekends);

/** Of a chosen seed, which is public. */
export const modelOfSeed = (seed: string, weekends = false): MarketModel =>
  modelOfKey(keyOfSeed(seed), weekends);

export const modelOfEngine2 = (seed: string): MarketModel => modelOf(createEngine2Noise(seed), false);

/** Of published keys: it has the prices of their days, and the volumes of none. */
export const modelOfDayKeys = (keys: DayKeys, keyId: string, weekends: boolean): MarketModel =>
  modelOf(createNoiseOfKeys(keys, keyId), weekends);
