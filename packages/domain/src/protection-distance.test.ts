import { describe, expect, test } from 'vitest';
import { requiredMargin } from './margin.ts';
import { asMoney, asPercent, asPrice, asSize, formatFixed, parseDecimal, UNIT } from './money.ts';
import {
  convertDistance,
  type DistanceTerms,
  distanceOfPrice,
  distanceUnits,
  lossPerUnit,
  priceAtDistance,
  riskOfSize,
  sizeAtRisk,
} from './protection-distance.ts';
import { rulesOf } from './rule-sets.ts';
import { sides } from './states.ts';

const price = (decimal: string) => asPrice(parseDecimal(decimal));
const tick = { tickSize: price('0.01') };
const terms = (change: Partial<DistanceTerms> = {}): DistanceTerms => ({
  side: 'BUY',
  entryPrice: price('97482.60'),
  leverage: 50,
  size: asSize(parseDecimal('0.4')),
  rules: rulesOf('standard'),
  ...change,
});
const at = (
  which: 'takeProfitPrice' | 'stopLossPrice',
  unit: (typeof distanceUnits)[number],
  distance: string,
  of = terms(),
) => {
  const found = priceAtDistance(which, unit, parseDecimal(distance), of, tick);
  return found === null ? null : formatFixed(found, 2);
};

describe('the price at a distance', () => {
  test('per cent, ROE and USDT of a long and a short', () => {
    const short = terms({ side: 'SELL' });
    expect(at('takeProfitPrice', 'percent', '2')).toBe('99432.26');
    expect(at('stopLossPrice', 'percent', '1')).toBe('96507.78');
    expect(at('takeProfitPrice', 'percent', '2', short)).toBe('95532.94');
    expect(at('stopLossPrice', 'percent', '1', short)).toBe('98457.42');
    // 50 % of the margin at 50× is 1 % of the price.
    expect(at('stopLossPrice', 'roe', '50')).toBe('96507.78');
    // 100 USDT at 0.4 is a move of 250.
    expect(at('takeProfitPrice', 'usdt', '100')).toBe('97732.60');
    expect(at('stopLossPrice', 'usdt', '100', short)).toBe('97732.60');
  });
  test('A01: with the leverage in the PnL, USDT need a smaller move, and ROE the same', () => {
    const asSpecified = terms({ rules: rulesOf('as-specified') });
    expect(at('takeProfitPrice', 'usdt', '100', asSpecified)).toBe('97487.60');
    expect(at('stopLossPrice', 'roe', '50', asSpecified)).toBe('96507.78');
  });
  test('a negative distance is at the other side of the entry, a large one beyond zero', () => {
    expect(at('stopLossPrice', 'percent', '-1')).toBe('98457.43');
    expect(at('stopLossPrice', 'percent', '150')).toBe('-48741.30');
  });
  test('is unknown without an entry, and in USDT without a size', () => {
    expect(at('stopLossPrice', 'percent', '1', terms({ entryPrice: price('0') }))).toBeNull();
    expect(at('stopLossPrice', 'usdt', '1', terms({ size: null }))).toBeNull();
    expect(at('stopLossPrice', 'roe', '50', terms({ size: null }))).toBe('96507.78');
  });
});

/** Pseudo-random whole numbers below `most`, the same in every run. */
function seeded(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
}

test('a take profit brings at least what was entered, a stop loss costs at most that, within one tick', () => {
  const next = seeded(20);
  for (let round = 0; round < 2_000; round += 1) {
    const entryPrice = asPrice(BigInt(next(20_000_000) + 100_000) * tick.tickSize);
    const [leverage, size] = [next(125) + 1, asSize(BigInt(next(1_000_000) + 1) * 1_000n)];
    const rules = rulesOf(round % 2 === 0 ? 'standard' : 'as-specified');
    const distance = BigInt(next(90_000) + 1) * (UNIT / 10_000n);
    for (const side of sides) {
      const of = { side, entryPrice, leverage, size, rules };
      const position = { ...of, margin: requiredMargin(entryPrice, size, leverage) };
      for (const which of ['takeProfitPrice', 'stopLossPrice'] as const) {
        const end = priceAtDistance(which, 'usdt', distance, of, tick);
        if (end === null) throw new Error('no price');
        const pnl = rules.realizedPnl(position, end);
        const rest = which === 'takeProfitPrice' ? pnl - distance : pnl + distance;
        // One tick of this position, and the rounding of the PnL itself.
        const oneTick = (tick.tickSize * size * rules.pnlFactor({ leverage })) / UNIT;
        expect(rest).toBeGreaterThanOrEqual(-1n);
        expect(rest).toBeLessThanOrEqual(oneTick + 1n);
      }
    }
  }
});

test('a price becomes its distance, and the distance that price again, within its rounding', () => {
  for (const side of sides)
    for (const unit of distanceUnits) {
      const of = terms({ side });
      const end = price(side === 'BUY' ? '99432.26' : '95532.94');
      const distance = distanceOfPrice('takeProfitPrice', unit, end, of);
      if (distance === null) throw new Error('no distance');
      expect(formatFixed(asPercent(distance), 2)).toBe(
        { percent: '2.00', roe: '100.00', usdt: '779.86' }[unit],
      );
      const back = priceAtDistance('takeProfitPrice', unit, distance, of, tick);
      expect(Math.abs(Number((back ?? 0n) - end)) / Number(UNIT)).toBeLessThan(0.06);
    }
  expect(distanceOfPrice('stopLossPrice', 'percent', price('98457.43'), terms())).toBe(parseDecimal('-1'));
  expect(distanceOfPrice('stopLossPrice', 'usdt', price('98457.43'), terms({ size: null }))).toBeNull();
});

test('a distance survives other units, whatever the tick', () => {
  // 2 % of such a price is less than three ticks of it.
  const tiny = terms({
    entryPrice: price('0.00000143'),
    leverage: 10,
    size: asSize(parseDecimal('1000000')),
  });
  const percent = parseDecimal('2');
  const roe = convertDistance(percent, 'percent', 'roe', tiny);
  expect(roe).toBe(parseDecimal('20'));
  expect(convertDistance(roe ?? 0n, 'roe', 'percent', tiny)).toBe(percent);
  // 2 % of 1.43 USDT.
  expect(convertDistance(percent, 'percent', 'usdt', tiny)).toBe(parseDecimal('0.03'));
  expect(convertDistance(-percent, 'percent', 'roe', tiny)).toBe(parseDecimal('-20'));
  expect(convertDistance(percent, 'percent', 'usdt', { ...tiny, size: null })).toBeNull();
});

describe('the size at a risk', () => {
  const available = asMoney(parseDecimal('10000'));
  const step = { stepSize: asSize(parseDecimal('0.001')) };
  const risk = (percent: string) => asPercent(parseDecimal(percent));
  test('is what the stop costs at most, rounded down to the step', () => {
    const loss = lossPerUnit(price('96982.60'), terms());
    // 1 % of 10,000 at a move of 500.
    expect(sizeAtRisk({ available, risk: risk('1'), loss }, step)).toBe(parseDecimal('0.2'));
    expect(sizeAtRisk({ available, risk: risk('0.999'), loss }, step)).toBe(parseDecimal('0.199'));
    expect(riskOfSize(asSize(parseDecimal('0.2')), loss, available)).toBe(parseDecimal('1'));
    expect(lossPerUnit(price('97982.60'), terms({ side: 'SELL' }))).toBe(loss);
  });
  test('A01: with the leverage in the PnL it is smaller by the leverage', () => {
    const loss = lossPerUnit(price('96982.60'), terms({ rules: rulesOf('as-specified') }));
    expect(sizeAtRisk({ available, risk: risk('1'), loss }, step)).toBe(parseDecimal('0.004'));
  });
  test('is zero for a stop at the entry and without a balance', () => {
    const loss = lossPerUnit(price('97482.60'), terms());
    expect(sizeAtRisk({ available, risk: risk('1'), loss }, step)).toBe(0n);
    expect(riskOfSize(asSize(UNIT), loss, asMoney(0n))).toBeNull();
  });
});
