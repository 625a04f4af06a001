/** A115: warnings before an order, each case by hand. BUY 10 of BTCUSDT at 100 and leverage 10: value 1000, margin 100, liquidated at 90.5. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { money, price, size } from '../../test/engine.ts';
import type { HourBar } from '../bar-statistics.ts';
import { asPercent, asPrice, asSize, formatFixed, NO_FEE, parseDecimal, toDecimalString } from '../money.ts';
import { ruleSetNames } from '../rules.ts';
import { sides } from '../states.ts';
import { hourMs, minuteMs } from '../time.ts';
import { lessons } from './lessons.ts';
import {
  type AccountAtStake,
  type DayAtStake,
  type OpenPosition,
  type OrderAtStake,
  orderFactsOf,
} from './order-facts.ts';
import { noOwnRules } from './own-rules.ts';
import { type OwnRules, warningIds } from './rules.ts';
import { type Warnings, warningRules, warningsOf } from './warnings.ts';

const order: OrderAtStake = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  price: price('100'),
  size: size('10'),
  leverage: 10,
  rules: 'standard',
  feeRate: NO_FEE,
  tickSize: price('0.01'),
  stopLossPrice: null,
  reduceOnly: false,
};
const position = (more: Partial<OpenPosition> = {}): OpenPosition => ({
  symbol: 'ETHUSDT',
  side: 'BUY',
  size: size('20.01'),
  entryPrice: price('90'),
  markPrice: price('100'),
  margin: money('100'),
  entryValue: null,
  ...more,
});
/** Hours that move by turns, with a range of 2 around each close. */
const hours = (count: number, closeAt: (hour: number) => number = () => 100): HourBar[] =>
  Array.from({ length: count }, (_, hour) => {
    const close = parseDecimal(closeAt(hour).toFixed(8));
    const one = parseDecimal('1');
    return {
      openTime: hour * hourMs,
      high: asPrice(close + one),
      low: asPrice(close - one),
      close: asPrice(close),
    };
  });
const account = (more: Partial<AccountAtStake> = {}): AccountAtStake => ({
  equity: money('1000'),
  positions: [],
  day: null,
  marketOf: (symbol) => (symbol.endsWith('USDT') ? 'crypto' : 'forex'),
  hoursOf: () => [],
  ...more,
});
const own = (share: string): OwnRules => ({ ...noOwnRules, riskShareMax: asPercent(parseDecimal(share)) });
const warn = (
  of: Partial<OrderAtStake>,
  at: Partial<AccountAtStake> = {},
  rules: OwnRules | null = noOwnRules,
): Warnings => {
  const sheet = orderFactsOf({ ...order, ...of }, account(at));
  if (sheet === null) throw new Error('it opens nothing');
  return warningsOf(sheet, rules);
};
const sentences = (...given: Parameters<typeof warn>) => warn(...given).found.map(({ sentence }) => sentence);

describe('share of the equity at risk', () => {
  const text = (risk: string, share: string, limit: string) =>
    `The order puts ${risk} USDT at risk: the loss at its stop loss or, without one, its margin. That is ${share} % of your equity; your own rule is ${limit} %.`;

  test('to the stop loss: 10 × 3 of 1000', () => {
    const stopLossPrice = price('97');
    expect(sentences({ stopLossPrice }, {}, own('2.99'))).toEqual([text('30.00', '3.00', '2.99')]);
    expect(sentences({ stopLossPrice }, {}, own('3'))).toEqual([]);
    expect(sentences({ side: 'SELL', stopLossPrice: price('103') }, {}, own('2.99'))).toEqual([
      text('30.00', '3.00', '2.99'),
    ]);
  });
  test('without one, or with one beyond it, the margin of 100', () => {
    expect(sentences({}, {}, own('9'))).toEqual([text('100.00', '10.00', '9.00')]);
    expect(sentences({ stopLossPrice: price('50') }, {}, own('9'))).toEqual([
      text('100.00', '10.00', '9.00'),
    ]);
  });
  test('under the rules as specified the leverage multiplies the loss', () => {
    expect(sentences({ rules: 'as-specified', stopLossPrice: price('99.5') }, {}, own('1'))).toEqual([
      text('50.00', '5.00', '1.00'),
    ]);
  });
  test('without an own rule or an equity it is not checked, with the reason', () => {
    expect(warn({}).unchecked).toContainEqual({
      rule: 'order_over_own_risk',
      reason: 'you have set no limit in My rules',
    });
    expect(warn({}, {}, null).unchecked).toContainEqual({
      rule: 'order_over_own_risk',
      reason: 'your own rules could not be read',
    });
    expect(warn({}, { equity: null }, own('1')).unchecked).toContainEqual({
      rule: 'order_over_own_risk',
      reason: 'your equity is not known while a position has no price',
    });
  });
});

describe('markets that move together', () => {
  const text = (value: string, share: string) =>
    `With the open positions that move with it the order is ${value} USDT, ${share} % of your equity; more than 300.00 % is much.`;
  const wave = (hour: number) => 100 + (hour % 3) + (hour % 7);
  const alikeOf = (of: Partial<OrderAtStake>, at: Partial<AccountAtStake>) =>
    orderFactsOf({ ...order, ...of }, account(at))?.alike;

  test('1000 and 2001 of an equity of 1000', () => {
    expect(sentences({}, { positions: [position()] })).toEqual([text('3001.00', '300.10')]);
    expect(sentences({}, { positions: [position({ size: size('20') })] })).toEqual([]);
    expect(sentences({ size: size('100') })).toEqual([]);
  });
  test('without bars the same market and side count, and nothing else', () => {
    expect(alikeOf({}, { positions: [position(), position({ symbol: 'EURUSD' })] })).toEqual([
      { symbol: 'ETHUSDT', basis: 'same market', correlation: null },
    ]);
    expect(alikeOf({}, { positions: [position({ side: 'SELL' })] })).toEqual([]);
  });
  test('bars of either market that could not be read are no small number of bars', () => {
    const unread = [{ symbol: 'ETHUSDT', basis: 'same market, unread', correlation: null }];
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
      const hoursOf = (of: string) => (of === symbol ? null : hours(73, wave));
      expect(alikeOf({}, { positions: [position()], hoursOf })).toEqual(unread);
    }
  });
  test('with bars the correlation decides, for the other side the inverse one', () => {
    const hoursOf = (symbol: string) =>
      hours(
        73,
        symbol === 'BTCUSDT'
          ? wave
          : (hour) => (symbol === 'EURUSD' ? 10_000 / wave(hour) : 100 + (hour % 5)),
      );
    const positions = [
      position(),
      position({ symbol: 'EURUSD' }),
      position({ symbol: 'EURUSD', side: 'SELL' }),
    ];
    expect(alikeOf({}, { positions, hoursOf })).toEqual([
      { symbol: 'EURUSD', basis: 'correlation', correlation: -1 },
    ]);
    expect(alikeOf({ side: 'SELL' }, { positions, hoursOf })).toEqual([
      { symbol: 'EURUSD', basis: 'correlation', correlation: -1 },
    ]);
  });
  test('a position of its own symbol counts on its own side', () => {
    const positions = [position({ symbol: 'BTCUSDT' })];
    expect(alikeOf({}, { positions })).toEqual([
      { symbol: 'BTCUSDT', basis: 'same symbol', correlation: null },
    ]);
    expect(alikeOf({ side: 'SELL' }, { positions })).toEqual([]);
  });
});

describe('distance to the liquidation', () => {
  test('9.5 is 4.75 times a range of 2; at leverage 9 it is 10.55, 5.28 times', () => {
    const at = { hoursOf: () => hours(25) };
    expect(sentences({}, at)).toEqual([
      'Liquidation at 90.5 is 9.5 away, 4.75 times the average range of an hour of the last day (2); less than 5.00 times is near.',
    ]);
    expect(sentences({ leverage: 9 }, at)).toEqual([]);
    expect(sentences({ side: 'SELL' }, at)[0]).toContain('Liquidation at 109.5 is 9.5 away');
  });
  test('the range is shown in whole ticks: 2.4 is 2 where a tick is 1, and 9 is 4.50 of them', () => {
    const bars = hours(25).map((bar) => ({ ...bar, high: asPrice(bar.high + parseDecimal('0.4')) }));
    expect(sentences({ tickSize: price('1') }, { hoursOf: () => bars })[0]).toContain(
      'Liquidation at 91 is 9 away, 4.50 times the average range of an hour of the last day (2)',
    );
  });
  test('without 24 whole hours it is not checked, with the reason', () => {
    expect(warn({}, { hoursOf: () => hours(24) }).unchecked).toContainEqual({
      rule: 'order_near_liquidation',
      reason: 'this market has fewer than 24 whole hours of prices so far',
    });
    expect(warn({}, { hoursOf: () => null }).unchecked).toContainEqual({
      rule: 'order_near_liquidation',
      reason: 'the prices of the last hours could not be read',
    });
  });
});

describe('the limits of the owner', () => {
  test('a day that could not be read is stated for its three rules; without limits nothing is', () => {
    const ofDay = ({ unchecked }: Warnings) =>
      unchecked.filter(({ reason }) => reason === 'the day under your own limits could not be read');
    expect(ofDay(warn({}, { day: 'unread' })).map(({ rule }) => rule)).toEqual([
      'order_near_loss_limit',
      'order_last_trade',
      'order_in_cool_down',
    ]);
    expect(ofDay(warn({}, { day: null }))).toEqual([]);
  });
  const day = { loss: null, trades: null, coolDown: null } as const;
  const onDay = (more: Partial<DayAtStake>) => sentences({}, { day: { ...day, ...more } });

  test('a loss of 40 is 80 % of a limit of 50', () => {
    expect(onDay({ loss: { soFar: money('40'), max: money('50') } })).toEqual([
      'Your day is 40.00 USDT behind, 80.00 % of your own limit of 50.00 USDT. From 80.00 % on it is near; at the limit nothing opens.',
    ]);
    expect(onDay({ loss: { soFar: money('39.99'), max: money('50') } })).toEqual([]);
    expect(onDay({ loss: { soFar: money('-100'), max: money('50') } })).toEqual([]);
  });
  test('the third trade of three', () => {
    expect(onDay({ trades: { soFar: 2, max: 3 } })).toEqual([
      'This is trade 3 of the day, and your own limit is 3. Beyond it nothing opens.',
    ]);
    expect(onDay({ trades: { soFar: 1, max: 3 } })).toEqual([]);
  });
  test('a cool-down that lasts', () => {
    expect(onDay({ coolDown: 9 * minuteMs })).toEqual([
      'Your own cool-down after a loss lasts 9 min more. Until then nothing opens.',
    ]);
  });
});

describe('of an account with net positions', () => {
  const net = { rules: 'perpetual', leverage: 20 } as const;
  const held = position({
    symbol: 'BTCUSDT',
    size: size('10'),
    entryPrice: price('100'),
    margin: money('150'),
  });
  const liquidation = (of: Partial<OrderAtStake>, positions: readonly OpenPosition[]) =>
    orderFactsOf({ ...order, ...net, ...of }, account({ positions }))?.facts.liquidationPrice;

  test('the liquidation is that of the position with the order', () => {
    // (1000 − 50) / (10 × 0.996) = 95.381…, to the tick towards the entry.
    expect(liquidation({}, [])).toEqual({ unit: 'price', value: price('95.39') });
    // (2000 − 200) / (20 × 0.996) = 90.361…
    expect(liquidation({}, [held])).toEqual({ unit: 'price', value: price('90.37') });
    // Closes 10 and opens 5 short: (500 + 25) / (5 × 1.004) = 104.581…
    expect(liquidation({ side: 'SELL', size: size('15') }, [held])).toEqual({
      unit: 'price',
      value: price('104.58'),
    });
  });
  test('what only reduces has no warning', () => {
    expect(liquidation({ side: 'SELL' }, [held])).toBeUndefined();
    expect(liquidation({ reduceOnly: true }, [])).toBeUndefined();
  });
});

test('a warning that is switched off is neither found nor unchecked', () => {
  const off: OwnRules = { ...own('1'), off: ['order_over_own_risk', 'order_near_liquidation'] };
  expect(warn({}, {}, off)).toEqual({ found: [], unchecked: [] });
});

test('each rule has an id, a lesson, and names only facts that it needs', () => {
  expect(warningRules.map(({ id }) => id)).toEqual([...warningIds]);
  for (const { id, sentence, needs } of warningRules) {
    expect(lessons[id].sentences.length, id).toBeGreaterThanOrEqual(3);
    const named = [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect([...needs, 'threshold'], id).toEqual(expect.arrayContaining(named));
  }
});

test('A115: every figure of a warning is a fact or a threshold, whatever the order; the same order gives the same warnings', () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 13n });
  fc.assert(
    fc.property(
      fc.record({
        side: fc.constantFrom(...sides),
        rules: fc.constantFrom(...ruleSetNames),
        at: fc.integer({ min: 1000, max: 10_000_000 }),
        units: amount,
        leverage: fc.integer({ min: 1, max: 125 }),
        stop: fc.option(fc.integer({ min: 1, max: 10_000_000 })),
        equity: fc.option(amount),
        heldUnits: amount,
        bars: fc.integer({ min: 0, max: 73 }),
      }),
      ({ side, rules, at, units, leverage, stop, equity, heldUnits, bars }) => {
        const cents = (value: number) => asPrice(BigInt(value) * 1_000_000n);
        const given = {
          ...order,
          ...{ side, rules, leverage, price: cents(at), size: asSize(units) },
          stopLossPrice: stop === null ? null : cents(stop),
        };
        const state = account({
          equity: equity === null ? null : money(toDecimalString(equity)),
          positions: [position({ size: asSize(heldUnits) })],
          hoursOf: () => hours(bars, (hour) => 100 + (hour % 5)),
        });
        const sheet = orderFactsOf(given, state);
        if (sheet === null) return;
        const { found, unchecked } = warningsOf(sheet, own('1'));
        expect(warningsOf(orderFactsOf(given, state)!, own('1'))).toEqual({ found, unchecked });
        for (const { sentence } of found) {
          let rest = sentence;
          const figures = Object.values(sheet.facts).flatMap(({ value }) => [
            formatFixed(BigInt(value), 2),
            toDecimalString(BigInt(value)),
          ]);
          for (const figure of [...figures, '1.00', '300.00', '5.00'].sort((a, b) => b.length - a.length))
            rest = rest.replaceAll(figure, '');
          expect(rest).not.toMatch(/\d/);
        }
      },
    ),
  );
});
