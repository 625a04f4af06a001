/**
 * The daily layer of a simulated price: where each UTC day opens and how volatile it is. In logarithms of price over
 * anchor:
 *
 *   open[d+1] = (1 - pull) open[d] + volatility[d] * shock[d]
 *   volatility[d] = typical * regime[d] * exp(mood[d]) / stationaryVolatility
 *
 * a discrete Ornstein-Uhlenbeck pull to the anchor, Student-t shocks (clipped), a three-state Markov regime and an
 * AR(1) mood (Cont 2001, Quantitative Finance 1:223-236, for the facts to match; Hamilton 1989, Econometrica 57, for
 * regimes). It runs from `firstDay` on, so a day costs one step once and an array entry afterwards, and what is
 * computed never depends on how far it has been asked for.
 */
import type { MarketType } from '@fulcrum/domain';
import { bell, draw, type NoiseKey, noiseKey, studentT, subKey, uniform } from './noise.ts';

/** 2015-01-01, in days since 1970-01-01: the first day of every simulated market. */
export const firstDay = 16_436;

interface DayShape {
  /** Logarithm of (price at 00:00 UTC / anchor). */
  readonly open: number;
  /** The same at 24:00, which is the next day's open. */
  readonly close: number;
  /** Standard deviation of the day's logarithmic return. */
  readonly volatility: number;
}

/** Multipliers of volatility, and the chance per day to go from row to column. */
const regimes = [0.75, 1.1, 1.9] as const;
const transitions = [
  [0.985, 0.014, 0.001],
  [0.018, 0.972, 0.01],
  [0.005, 0.055, 0.94],
] as const;
const moodMemory = 0.94;
const moodShock = 0.08;
/**
 * Root mean square of regime * exp(mood) in the long run; a constant, so that the past does not change as time goes on.
 */
const stationaryVolatility = 1.0879;
const shockLimit = 6;

const tails = { crypto: 4, stock: 4, forex: 5, commodity: 5, index: 5 } as const satisfies Record<
  MarketType,
  number
>;
const halfLifeDays = {
  crypto: 250,
  stock: 250,
  forex: 400,
  commodity: 250,
  index: 250,
} as const satisfies Record<MarketType, number>;

/** Draws of one day, by purpose. */
const purposes = { shockU: 0, shockV: 1, regime: 2, mood: 3 } as const;

export interface DailyLayer {
  /** `day` in days since 1970-01-01, at least `firstDay`. */
  day(day: number): DayShape;
}

/** `typicalVolatility`: standard deviation of a day's logarithmic return in the long run, for example 0.024. */
export function createDailyLayer(
  seed: string,
  symbol: string,
  type: MarketType,
  typicalVolatility: number,
): DailyLayer {
  const key = noiseKey(seed, symbol, 'daily');
  const pull = 1 - 0.5 ** (1 / halfLifeDays[type]);
  const opens: number[] = [0];
  const volatilities: number[] = [];
  let regime: 0 | 1 | 2 = 0;
  let mood = 0;

  return {
    day(day) {
      const index = day - firstDay;
      if (index < 0) throw new RangeError(`The simulated market begins on day ${firstDay}, not on ${day}`);
      while (volatilities.length <= index) appendDay();
      return {
        open: opens[index] ?? 0,
        close: opens[index + 1] ?? 0,
        volatility: volatilities[index] ?? 0,
      };
    },
  };

  function appendDay(): void {
    const index = volatilities.length;
    const dayKey = subKey(key, index);
    regime = nextRegime(regime, uniform(draw(dayKey, purposes.regime)));
    mood = moodMemory * mood + moodShock * bell(draw(dayKey, purposes.mood));
    const volatility = (typicalVolatility * regimes[regime] * Math.exp(mood)) / stationaryVolatility;
    const shock = shockOf(dayKey);
    opens.push((1 - pull) * (opens[index] ?? 0) + volatility * shock);
    volatilities.push(volatility);
  }

  function shockOf(dayKey: NoiseKey): number {
    const u = uniform(draw(dayKey, purposes.shockU));
    const v = uniform(draw(dayKey, purposes.shockV));
    return Math.max(-shockLimit, Math.min(shockLimit, studentT(tails[type], u, v)));
  }
}

function nextRegime(from: 0 | 1 | 2, u: number): 0 | 1 | 2 {
  const [calm, usual] = transitions[from];
  if (u < calm) return 0;
  return u < calm + usual ? 1 : 2;
}
