/**
 * The simulation over years: four seeds, eleven years of days for every listed pair and half a year of five minutes for a
 * few, compared with properties of real markets (Cont 2001, Quantitative Finance 1:223-236). All is computed and nothing
 * timed, so a failure is a change of the model.
 */
import { dayMs, hourMs, minuteMs } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import { compositionOf } from '../../src/features/market/feeds/simulated/composition.ts';
import { firstDay } from '../../src/features/market/feeds/simulated/daily.ts';
import { createSimulatedFeed, modelOfSeed } from '../../src/features/market/feeds/simulated/index.ts';
import { createManualTimers } from '../harness/manual-timers.ts';
import {
  autocorrelationOf,
  changesOf,
  correlationOf,
  deviationOf,
  excessKurtosisOf,
  meanOf,
} from './statistics.ts';

const seeds = ['s4', 's5', 's6', 's7'] as const;
const days = 4_200;

/** By symbol: the logarithm of price over anchor at each midnight. */
function dailyLevels(seed: string): ReadonlyMap<string, readonly number[]> {
  const layers = modelOfSeed(seed).layers;
  return new Map(
    catalogue.map((pair) => [
      pair.symbol,
      Array.from({ length: days }, (_, day) =>
        compositionOf(pair)!.legs.reduce(
          (sum, { path, weight }) => sum + weight * layers.of(path).day(firstDay + day).open,
          0,
        ),
      ),
    ]),
  );
}

const runs = seeds.map((seed) => {
  const levels = dailyLevels(seed);
  const returns = new Map([...levels].map(([symbol, values]) => [symbol, changesOf(values)]));
  return {
    seed,
    levelsOf: (symbol: string) => levels.get(symbol)!,
    returnsOf: (symbol: string) => returns.get(symbol)!,
  };
});
const symbols = catalogue.map((pair) => pair.symbol);
const overSeeds = (figure: (run: (typeof runs)[number]) => number) => runs.map(figure);

const print = (line: string) => process.stdout.write(`${line}\n`);
const rangeOf = (values: readonly number[]) =>
  `${Math.min(...values).toFixed(3)} to ${Math.max(...values).toFixed(3)}`;

test('the daily volatility of every pair matches its row', () => {
  const ratios: number[] = [];
  for (const { symbol, type, typical } of catalogue) {
    // Crosses follow from their currencies and have a test of their own.
    if (type === 'forex' && !symbol.includes('USD')) continue;
    const target = typical!.dailyVolatilityPct / 100;
    const ratio = meanOf(overSeeds(({ returnsOf }) => deviationOf(returnsOf(symbol)) / target));
    expect(Math.abs(ratio - 1), `${symbol} ${ratio}`).toBeLessThan(0.1);
    ratios.push(ratio);
  }
  print(`daily deviation over its target: ${rangeOf(ratios)}`);
});

test('tails are fat, volatility clusters, and yesterday does not predict the direction of today', () => {
  const figures = {
    kurtosis: (returns: readonly number[]) => excessKurtosisOf(returns),
    autocorrelation: (returns: readonly number[]) => autocorrelationOf(returns, 1),
    clustering: (returns: readonly number[]) => autocorrelationOf(returns.map(Math.abs), 1),
    memory: (returns: readonly number[]) => autocorrelationOf(returns.map(Math.abs), 20),
  };
  const allOf = (figure: keyof typeof figures) =>
    runs.flatMap(({ returnsOf }) => symbols.map((symbol) => figures[figure](returnsOf(symbol))));
  const [kurtosis, autocorrelation, clustering, memory] = [
    allOf('kurtosis'),
    allOf('autocorrelation'),
    allOf('clustering'),
    allOf('memory'),
  ];
  print(`excess kurtosis ${rangeOf(kurtosis)}, autocorrelation ${rangeOf(autocorrelation)}`);
  print(`autocorrelation of sizes: lag 1 ${rangeOf(clustering)}, lag 20 ${rangeOf(memory)}`);
  expect(Math.min(...kurtosis)).toBeGreaterThan(1.2);
  expect(Math.max(...kurtosis)).toBeLessThan(15);
  expect(Math.max(...autocorrelation.map(Math.abs))).toBeLessThan(0.12);
  expect(Math.min(...clustering)).toBeGreaterThan(0.05);
  expect(Math.max(...clustering)).toBeLessThan(0.35);
  expect(Math.min(...memory)).toBeGreaterThan(-0.02);
});

test('no day is impossible', () => {
  const worst = (symbol: string) =>
    Math.max(...overSeeds(({ returnsOf }) => Math.max(...returnsOf(symbol).map(Math.abs))));
  const bounds = {
    'EUR/USD': 0.04,
    SPX: 0.08,
    XAUUSD: 0.1,
    AAPL: 0.15,
    NVDA: 0.24,
    BTCUSDT: 0.22,
    DOGEUSDT: 0.42,
  };
  for (const [symbol, bound] of Object.entries(bounds)) {
    print(`worst day of ${symbol}: ${(100 * (1 - Math.exp(-worst(symbol)))).toFixed(1)} %`);
    expect(worst(symbol), symbol).toBeLessThan(bound);
  }
  for (const { symbol, type, typical } of catalogue) {
    if (type === 'forex') continue;
    expect(worst(symbol), symbol).toBeLessThan((9 * typical!.dailyVolatilityPct) / 100);
  }
});

test('markets move together: signs and sizes of daily correlations', () => {
  const expected = [
    ['EUR/USD', 'GBP/USD', 0.64],
    ['EUR/USD', 'USD/CHF', -0.74],
    ['AAPL', 'SPX', 0.61],
    ['NDX', 'SPX', 0.88],
    ['WTIUSD', 'BCOUSD', 0.93],
    ['XAUUSD', 'XAGUSD', 0.71],
    ['BTCUSDT', 'ETHUSDT', 0.85],
    ['BTCUSDT', 'NDX', 0.27],
    ['AUD/USD', 'SPX', 0.39],
  ] as const;
  for (const [left, right, size] of expected) {
    const correlation = meanOf(
      overSeeds(({ returnsOf }) => correlationOf(returnsOf(left), returnsOf(right))),
    );
    print(`${left} with ${right}: ${correlation.toFixed(2)}`);
    expect(Math.abs(correlation - size), `${left} ${right}`).toBeLessThan(0.07);
  }
});

test('crosses vary as they follow from their currencies', () => {
  const expected = {
    'EUR/GBP': 0.4,
    'EUR/CHF': 0.33,
    'AUD/NZD': 0.37,
    'GBP/JPY': 0.6,
    'EUR/SEK': 0.39,
    'EUR/NOK': 0.48,
  };
  for (const [symbol, percent] of Object.entries(expected)) {
    const volatility = 100 * meanOf(overSeeds(({ returnsOf }) => deviationOf(returnsOf(symbol))));
    print(`${symbol}: ${volatility.toFixed(2)} % a day`);
    expect(Math.abs(volatility / percent - 1), symbol).toBeLessThan(0.1);
  }
});

test('in eleven years prices stay within bounds, and return to their anchors', () => {
  /** The farthest from the anchor, as logarithms. */
  const bounds = { 'EUR/USD': 0.4, SPX: 0.65, XAUUSD: 0.7, BTCUSDT: 1.2, NGUSD: 1.5, DOGEUSDT: 2.4 };
  for (const [symbol, bound] of Object.entries(bounds)) {
    const all = runs.flatMap(({ levelsOf }) => levelsOf(symbol));
    print(`${symbol}: ${rangeOf(all.map(Math.exp))} of its anchor`);
    expect(Math.max(...all.map(Math.abs)), symbol).toBeLessThan(bound);
    expect(Math.abs(meanOf(all)), symbol).toBeLessThan(bound / 2);
  }
  for (const symbol of symbols) {
    for (const { levelsOf } of runs)
      expect(Math.max(...levelsOf(symbol).map(Math.abs)), symbol).toBeLessThan(3.5);
  }
});

test('within the day: busy hours, bursts, and the day’s volatility, for crosses too', () => {
  const from = Date.UTC(2024, 9, 1);
  const halfYear = 180;
  const perDay = dayMs / (5 * minuteMs);
  for (const seed of ['s1', 's2'] as const) {
    const timers = createManualTimers(from);
    const feed = createSimulatedFeed({
      model: modelOfSeed(seed),
      sessions: null,
      pairs: catalogue,
      timers,
      shocks: [],
      scales: new Map(),
    });
    for (const [symbol, busy, quiet] of [
      ['BTCUSDT', 14, 3],
      ['SPX', 14, 4],
      ['SPX', 19, 17],
      ['EUR/GBP', 14, 3],
      ['NIKKEI', 0, 13],
    ] as const) {
      const levels = Array.from({ length: halfYear * perDay + 1 }, (_, step) =>
        Math.log(feed.priceAt(symbol, from + step * 5 * minuteMs)!),
      );
      const returns = changesOf(levels);
      const hourly = changesOf(levels.filter((_, step) => step % (hourMs / (5 * minuteMs)) === 0));
      const ofHour = (hour: number) => deviationOf(hourly.filter((_, index) => index % 24 === hour));
      const daily = changesOf(levels.filter((_, step) => step % perDay === 0));
      const realized = (Math.sqrt(perDay) * deviationOf(returns)) / deviationOf(daily);
      const kurtosis = excessKurtosisOf(returns);
      const clustering = autocorrelationOf(returns.map(Math.abs), 1);
      print(
        `${seed} ${symbol}: five minutes ${(100 * deviationOf(returns)).toFixed(3)} %, kurtosis ${kurtosis.toFixed(1)}, sizes ${clustering.toFixed(2)}; hours ${busy} and ${quiet}: ${(1e4 * ofHour(busy)).toFixed(0)} and ${(1e4 * ofHour(quiet)).toFixed(0)} bp; five minutes over days ${realized.toFixed(2)}`,
      );
      expect(ofHour(busy), `${symbol} ${busy} ${quiet}`).toBeGreaterThan(ofHour(quiet) * 1.15);
      expect(kurtosis, symbol).toBeGreaterThan(2);
      expect(kurtosis, symbol).toBeLessThan(25);
      expect(clustering, symbol).toBeGreaterThan(0.12);
      expect(Math.abs(autocorrelationOf(returns, 1)), symbol).toBeLessThan(0.03);
      expect(Math.abs(realized - 1), symbol).toBeLessThan(0.3);
    }
  }
});
