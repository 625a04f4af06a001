import { expect, test } from 'vitest';
import {
  autocorrelationOf,
  changesOf,
  correlationOf,
  deviationOf,
  excessKurtosisOf,
} from '../../../../../test/long/statistics.ts';
import { catalogue } from '../../catalogue/index.ts';
import { compositionOf } from './composition.ts';
import { createDailyLayers, firstDay, ownLoading } from './daily.ts';
import { createEngine3Noise, keyOfSeed } from './engine-3.ts';

const days = 4_000;
const layersOf = (seed: string) => createDailyLayers(createEngine3Noise(keyOfSeed(seed)), false);
const pairOf = (symbol: string) => catalogue.find((pair) => pair.symbol === symbol)!;

function createReturns(seed: string) {
  const layers = layersOf(seed);
  const levelsOf = (symbol: string) => {
    const { legs } = compositionOf(pairOf(symbol))!;
    return Array.from({ length: days }, (_, day) =>
      legs.reduce((sum, { path, weight }) => sum + weight * layers.of(path).day(firstDay + day).open, 0),
    );
  };
  return { levelsOf, returnsOf: (symbol: string) => changesOf(levelsOf(symbol)) };
}

test('every listed pair consists of paths whose loadings leave a share of their own', () => {
  for (const pair of catalogue) {
    const { anchor, legs } = compositionOf(pair)!;
    expect(anchor / pair.typical!.price, pair.symbol).toBeCloseTo(1, 4);
    expect(legs.length).toBeGreaterThan(0);
    for (const { path } of legs) expect(ownLoading(path), path.name).toBeGreaterThan(0.2);
  }
});

test('eleven simulated years look like a market: volatility on target, fat tails, clusters, no drift away', () => {
  const { levelsOf } = createReturns('seed');
  for (const name of ['BTCUSDT', 'EUR/USD', 'SPX', 'TSLA', 'NGUSD']) {
    const levels = levelsOf(name);
    const returns = changesOf(levels);
    const ratio = (deviationOf(returns) * 100) / pairOf(name).typical!.dailyVolatilityPct;
    expect(ratio, name).toBeGreaterThan(0.85);
    expect(ratio, name).toBeLessThan(1.15);
    expect(excessKurtosisOf(returns), name).toBeGreaterThan(1);
    expect(Math.abs(autocorrelationOf(returns, 1)), name).toBeLessThan(0.1);
    expect(autocorrelationOf(returns.map(Math.abs), 1), name).toBeGreaterThan(0.05);
    expect(Math.max(...levels.map(Math.abs)), name).toBeLessThan(2.5);
  }
});

test('markets move together as they do: signs and sizes of daily correlations', () => {
  const { returnsOf } = createReturns('seed');
  const expected = [
    ['EUR/USD', 'GBP/USD', 0.64],
    ['EUR/USD', 'USD/CHF', -0.74],
    ['NDX', 'SPX', 0.87],
    ['AAPL', 'SPX', 0.6],
    ['WTIUSD', 'BCOUSD', 0.93],
    ['XAUUSD', 'XAGUSD', 0.7],
    ['BTCUSDT', 'ETHUSDT', 0.85],
    ['BTCUSDT', 'NDX', 0.25],
    ['AUD/USD', 'SPX', 0.35],
  ] as const;
  for (const [left, right, size] of expected) {
    const correlation = correlationOf(returnsOf(left), returnsOf(right));
    expect(Math.abs(correlation - size), `${left} ${right} ${correlation}`).toBeLessThan(0.08);
  }
});

test('a day does not depend on how far, or in which order, days were computed', () => {
  const path = compositionOf(pairOf('NVDA'))!.legs[0]!.path;
  const [forwards, backwards] = [layersOf('seed').of(path), layersOf('seed').of(path)];
  const late = backwards.day(firstDay + 6_000);
  for (const day of [10, 1_000, 3_999]) {
    expect(forwards.day(firstDay + day)).toEqual(backwards.day(firstDay + day));
  }
  expect(forwards.day(firstDay + 6_000)).toEqual(late);
  expect(() => forwards.day(firstDay - 1)).toThrow(RangeError);
});
