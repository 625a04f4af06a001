/**
 * The daily layer: where each UTC day of a path opens and how volatile it is, in logarithms of value over anchor.
 *
 *   open[d+1] = (1 - pull) open[d] + volatility[d] * shock[d], the last term within `moveLimit`
 *   shock[d] = sum of loading * factor[d] + sqrt(1 - sum of squares) * own[d]
 *   volatility[d] = typical * sqrt(hours[d]) * regime[d] * exp(mood[d]) / stationaryVolatility
 *
 * a discrete Ornstein-Uhlenbeck pull to the anchor, Student-t shocks (clipped) of which part is shared, a three-state
 * Markov regime for each market's weather and one AR(1) mood for all of them (Cont 2001, Quantitative Finance 1:223-236,
 * for the facts to match; Hamilton 1989, Econometrica 57, for regimes). Weather that paths share keeps the
 * correlation of their returns at the sum of the products of their loadings. `hours` is 1 but for days on which a market
 * that honours weekends is shut, or opens late (`rhythm.ts`).
 *
 * Invariant: a value depends on its day and the market's draws alone; it costs one step once and an array entry afterwards,
 * and never depends on how far the sequence has been computed.
 */
import type { PathTerms } from './composition.ts';
import { type Factor, factors } from './loadings.ts';
import { bell, type DailyNoise, dailyDraws, type MarketNoise, studentT, toUniform } from './noise.ts';
import { rhythmOfDay } from './rhythm.ts';

/** 2015-01-01, in days since 1970-01-01: the first day of every simulated market. */
export const firstDay = 16_436;

interface DayShape {
  /** Logarithm of (value at 00:00 UTC / anchor). */
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
type Regime = 0 | 1 | 2;
const moodMemory = 0.94;
const moodShock = 0.08;
/**
 * Root mean square of regime * exp(mood) in the long run; a constant, so that the past does not change as time goes on.
 */
const stationaryVolatility = 1.0879;
/** In standard deviations, of each shock. */
const shockLimit = 6;
/** In typical daily volatilities, of a whole day: without it a wild regime makes days that no market has had. */
const moveLimit = 8;
const factorDegrees = 6;

/** What the days of one path are. */
export interface DailyLayer {
  /** `day` in days since 1970-01-01. @throws RangeError before `firstDay` */
  day(day: number): DayShape;
  /** The day's volatility over the typical one of its hours; about 1 in the long run. */
  activity(day: number): number;
}

export interface DailyLayers {
  of(path: PathTerms): DailyLayer;
}

/** A sequence that is computed as far as it has been read. */
type Series = (index: number) => number;

function createSeries(next: (index: number) => number): Series {
  const values: number[] = [];
  return (index) => {
    while (values.length <= index) values.push(next(values.length));
    return values[index] ?? 0;
  };
}

/** `weekends`: whether markets that are shut then move less. */
export function createDailyLayers(noise: MarketNoise, weekends: boolean): DailyLayers {
  const layers = new Map<string, DailyLayer>();
  const weathers = new Map<string, Series>();
  const mood = createMood(noise.daily('mood', '*'));
  const factorShocks = new Map<Factor, Series>(
    factors.map((factor) => {
      const draws = noise.daily('factor', factor);
      return [factor, createSeries((index) => shockOf(draws, index, factorDegrees))];
    }),
  );

  function weatherOf(name: PathTerms['weather']): Series {
    let weather = weathers.get(name);
    if (!weather) {
      const regime = createRegime(noise.daily('weather', name));
      weather = createSeries((index) => (regime(index) * Math.exp(mood(index))) / stationaryVolatility);
      weathers.set(name, weather);
    }
    return weather;
  }

  function createLayer(path: PathTerms): DailyLayer {
    const activity = weatherOf(path.weather);
    const draws = noise.daily('path', path.name);
    const volatilityOf = (index: number) =>
      path.volatility * Math.sqrt(rhythmOfDay(path.rhythm, firstDay + index, weekends).variance);
    const pull = 1 - 0.5 ** (1 / path.halfLifeDays);
    const shared = factors.flatMap((factor) => {
      const loading = path.loadings[factor];
      const shocks = factorShocks.get(factor);
      return loading !== undefined && shocks ? [{ loading, shocks }] : [];
    });
    const own = ownLoading(path);
    let level = 0;
    const opens = createSeries((index) => {
      if (index === 0) return 0;
      let shock = own * shockOf(draws, index - 1, path.degrees);
      for (const { loading, shocks } of shared) shock += loading * shocks(index - 1);
      const swing = Math.max(-moveLimit, Math.min(moveLimit, activity(index - 1) * shock));
      const move = volatilityOf(index - 1) * swing;
      level = (1 - pull) * level + move;
      return level;
    });
    return {
      day(day) {
        const index = indexOf(day);
        const volatility = volatilityOf(index) * activity(index);
        return { open: opens(index), close: opens(index + 1), volatility };
      },
      activity: (day) => activity(indexOf(day)),
    };
  }

  return {
    of(path) {
      let layer = layers.get(path.name);
      if (!layer) {
        layer = createLayer(path);
        layers.set(path.name, layer);
      }
      return layer;
    },
  };
}

/** What the factors leave over: the loading of the path's own shocks. */
export function ownLoading({ loadings }: PathTerms): number {
  const shared = Object.values(loadings).reduce((sum, loading) => sum + loading ** 2, 0);
  return Math.sqrt(Math.max(0, 1 - shared));
}

function indexOf(day: number): number {
  if (day < firstDay) throw new RangeError(`The simulated market begins on day ${firstDay}, not on ${day}`);
  return day - firstDay;
}

function createMood(draws: DailyNoise): Series {
  let mood = 0;
  return createSeries((index) => {
    mood = moodMemory * mood + moodShock * bell(draws(index, dailyDraws.mood));
    return mood;
  });
}

/** The multiplier of each day's regime. */
function createRegime(draws: DailyNoise): Series {
  let regime: Regime = 0;
  return createSeries((index) => {
    regime = nextRegime(regime, toUniform(draws(index, dailyDraws.regime)));
    return regimes[regime];
  });
}

function nextRegime(from: Regime, u: number): Regime {
  const [calm, usual] = transitions[from];
  if (u < calm) return 0;
  return u < calm + usual ? 1 : 2;
}

function shockOf(draws: DailyNoise, index: number, degrees: number): number {
  const u = toUniform(draws(index, dailyDraws.shockU));
  const v = toUniform(draws(index, dailyDraws.shockV));
  return Math.max(-shockLimit, Math.min(shockLimit, studentT(degrees, u, v)));
}
