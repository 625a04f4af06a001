/** Figures worked out by hand, most of them those of the worked arithmetic behind A01 to A07. */
import { describe, expect, test } from 'vitest';
import {
  calculatePnl,
  calculatePosition,
  calculateRisk,
  calculatorFee,
  type PnlInputs,
  type PositionInputs,
  type RiskInputs,
  stopOutlook,
} from './calculators.ts';
import {
  asFeeRate,
  asMoney,
  asPercent,
  asPrice,
  asSize,
  NO_FEE,
  parseDecimal,
  toDecimalString,
} from './money.ts';
import { maintenanceMargin } from './perpetual/brackets.ts';
import { initialMargin, netLiquidationPrice } from './perpetual/net-position.ts';
import { mainRuleSetNames } from './rules.ts';
import { sides } from './states.ts';

const price = (text: string) => asPrice(parseDecimal(text));
const size = (text: string) => asSize(parseDecimal(text));
const money = (text: string) => asMoney(parseDecimal(text));
const percent = (text: string) => asPercent(parseDecimal(text));

const shown = (result: object | null) =>
  result &&
  Object.fromEntries(
    Object.entries(result).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? toDecimalString(value) : value,
    ]),
  );
/** Each input once missing, once negative where it is a figure. */
const spoilt = <Inputs extends object>(inputs: Inputs) =>
  Object.entries(inputs).flatMap(([name, value]) => [
    { ...inputs, [name]: null },
    ...(typeof value === 'bigint' ? [{ ...inputs, [name]: -value }] : []),
  ]);
const noLeverage = [0, -1, 126, 1.5, Number.NaN, Number.POSITIVE_INFINITY];

describe('P/L', () => {
  const long: PnlInputs = {
    side: 'BUY',
    entryPrice: price('100'),
    exitPrice: price('101'),
    size: size('1'),
    leverage: 10,
  };
  test.each([
    [1, '101', '1', '1'],
    [2, '101', '2', '2'],
    [10, '101', '10', '10'],
    [10, '98', '-20', '-20'],
    [10, '91', '-90', '-90'],
    [125, '101', '125', '125'],
    [125, '99.5', '-62.5', '-62.5'],
  ])(
    'CALC-03, CALC-05: long 1 from 100 at %i× to %s makes %s USDT, %s per cent',
    (leverage, exit, pnl, roi) => {
      expect(shown(calculatePnl({ ...long, leverage, exitPrice: price(exit) }))).toEqual({
        pnl,
        roi,
        positionSize: `${leverage}`,
      });
    },
  );
  test('CALC-04, CALC-05: short 0.35 from 3642.18 at 10× to 3480', () => {
    // 162.18 × 0.35 × 10; of 1274.763 that is 44.5285… %.
    const short = { side: 'SELL', entryPrice: price('3642.18'), exitPrice: price('3480') } as const;
    expect(shown(calculatePnl({ ...long, ...short, size: size('0.35') }))).toEqual({
      pnl: '567.63',
      roi: '44.53',
      positionSize: '3.5',
    });
  });
  test('CALC-04: a short loses when the price rises', () => {
    expect(shown(calculatePnl({ ...long, side: 'SELL' }))).toMatchObject({ pnl: '-10', roi: '-10' });
  });
  test('A89: a market that falls to nothing is a result', () => {
    expect(shown(calculatePnl({ ...long, exitPrice: price('0') }))).toMatchObject({
      pnl: '-1000',
      roi: '-1000',
    });
  });
  test('CALC-01, CALC-02, A89: no result with an input missing, negative, or a zero beneath the line', () => {
    for (const inputs of spoilt(long)) expect(calculatePnl(inputs)).toBeNull();
    for (const leverage of noLeverage) expect(calculatePnl({ ...long, leverage })).toBeNull();
    expect(calculatePnl({ ...long, entryPrice: price('0') })).toBeNull();
    expect(calculatePnl({ ...long, size: size('0') })).toBeNull();
  });
});

describe('Risk', () => {
  const inputs: RiskInputs = {
    account: money('10000'),
    riskPercent: percent('1'),
    entryPrice: price('100'),
    stopPrice: price('98'),
    leverage: 1,
  };
  test.each([
    ['standard', 1, '98', '50', '5000'],
    ['standard', 5, '98', '50', '1000'],
    ['standard', 10, '98', '50', '500'],
    ['standard', 1, '99.5', '200', '20000'],
    ['as-specified', 1, '98', '50', '5000'],
    ['as-specified', 5, '98', '250', '5000'],
    ['as-specified', 10, '98', '500', '5000'],
    ['as-specified', 10, '99.5', '2000', '20000'],
  ] as const)(
    'CALC-07 CALC-08 CALC-09 A06: %s at %i× with the stop at %s: size %s, margin %s',
    (rules, leverage, stop, positionSize, margin) => {
      expect(shown(calculateRisk(rules, { ...inputs, leverage, stopPrice: price(stop) }))).toEqual({
        side: 'BUY',
        riskAmount: '100',
        positionSize,
        margin,
        exceedsAccount: margin === '20000',
      });
    },
  );
  test('CALC-07, CALC-08, CALC-09: 1 % of 12648.92 between 97482.60 and 96500 at 25×', () => {
    // 126.4892 / 982.6 = 0.128729086…; 0.12872908 × 97482.60 / 25 = 501.953816…
    const found = calculateRisk('standard', {
      account: money('12648.92'),
      riskPercent: percent('1'),
      entryPrice: price('97482.60'),
      stopPrice: price('96500'),
      leverage: 25,
    });
    expect(shown(found)).toMatchObject({
      riskAmount: '126.4892',
      positionSize: '0.12872908',
      exceedsAccount: false,
    });
    expect(toDecimalString(found!.margin)).toMatch(/^501\.9538/);
  });
  test('a stop above the entry is that of a short', () => {
    expect(shown(calculateRisk('standard', { ...inputs, stopPrice: price('102') }))).toMatchObject({
      side: 'SELL',
      positionSize: '50',
    });
  });
  test('A06: a margin as large as the account is covered', () => {
    expect(calculateRisk('standard', { ...inputs, stopPrice: price('99') })).toMatchObject({
      margin: money('10000'),
      exceedsAccount: false,
    });
  });
  test.each(mainRuleSetNames)(
    'CALC-01, CALC-02, CALC-06, A89: no result where there cannot be one, %s',
    (rules) => {
      for (const one of spoilt(inputs)) expect(calculateRisk(rules, one)).toBeNull();
      for (const leverage of noLeverage) expect(calculateRisk(rules, { ...inputs, leverage })).toBeNull();
      for (const risk of ['0', '0.09', '5.1']) {
        expect(calculateRisk(rules, { ...inputs, riskPercent: percent(risk) })).toBeNull();
      }
      expect(calculateRisk(rules, { ...inputs, stopPrice: price('100') })).toBeNull();
      expect(calculateRisk(rules, { ...inputs, entryPrice: price('0') })).toBeNull();
    },
  );
  test.each([
    // 100 × (1 − 0.95 / 47) = 97.978…, up to the tick; at 48× 98.0208….
    ['standard', 47, '98', null],
    ['standard', 48, '98', '98.03'],
    ['standard', 48, '102', '101.97'],
    // 0.95 / L²: 1.9387… % away at 7×, 2.6388… % at 6×.
    ['as-specified', 6, '98', null],
    ['as-specified', 7, '98', '98.07'],
  ] as const)(
    'A04, A06: %s at %i× with the stop at %s: liquidated first at %s',
    (rules, leverage, stop, at) => {
      const entered = { ...inputs, leverage, stopPrice: price(stop) };
      const circumstances = { rules, feeRate: NO_FEE, tickSize: price('0.01') };
      const outlook = stopOutlook(circumstances, entered, calculateRisk(rules, entered)!);
      expect(outlook).toEqual({ liquidatedAt: at === null ? null : price(at), fees: 0n });
    },
  );
  test('A07: what the server charges on the way to the stop comes on top of the risk amount', () => {
    const circumstances = {
      rules: 'standard',
      feeRate: asFeeRate(60_000n),
      tickSize: price('0.01'),
    } as const;
    // 50 × 100 × 0.06 % + 50 × 98 × 0.06 %.
    const { fees } = stopOutlook(circumstances, inputs, calculateRisk('standard', inputs)!);
    expect(fees).toBe(money('5.94'));
  });
  test.each(['0.1', '5'])('CALC-06: %s per cent is within the bounds', (risk) => {
    expect(calculateRisk('standard', { ...inputs, riskPercent: percent(risk) })).not.toBeNull();
  });
});

describe('Position', () => {
  const inputs: PositionInputs = { side: 'BUY', price: price('100'), size: size('1'), leverage: 10 };
  const here = { rules: 'standard', feeRate: NO_FEE, tickSize: price('0.01') } as const;
  test('CALC-11, CALC-12, CALC-14, CALC-15, A04: 1 at 100 and 10×', () => {
    expect(shown(calculatePosition(here, inputs))).toEqual({
      value: '100',
      requiredMargin: '10',
      liquidationPrice: '90.5',
      maintenanceMargin: '0.5',
      fee: '0.06',
    });
  });
  test('CALC-11, CALC-12, CALC-14, CALC-15: 40 at 182.64 and 5×', () => {
    // 182.64 × (1 − 0.95/5) = 147.9384, towards the entry 147.94; 0.06 % of 7305.6 is 4.38336.
    expect(
      shown(calculatePosition(here, { ...inputs, price: price('182.64'), size: size('40'), leverage: 5 })),
    ).toEqual({
      value: '7305.6',
      requiredMargin: '1461.12',
      liquidationPrice: '147.94',
      maintenanceMargin: '73.056',
      fee: '4.38336',
    });
  });
  test.each([
    [1, '5', '195'],
    [2, '52.5', '147.5'],
    [5, '81', '119'],
    [10, '90.5', '109.5'],
    [125, '99.24', '100.76'],
  ])('A04: from 100 at %i× a long is liquidated at %s, a short at %s', (leverage, long, short) => {
    const at = (side: 'BUY' | 'SELL') =>
      toDecimalString(calculatePosition(here, { ...inputs, side, leverage })!.liquidationPrice);
    expect([at('BUY'), at('SELL')]).toEqual([long, short]);
  });
  test('A07: the server’s own fee rate enters the fee and the liquidation price', () => {
    // 100 × (1 − 0.095) / (1 − 0.001) = 90.5905…, towards the entry 90.60.
    const charged = { ...here, feeRate: asFeeRate(100_000n) };
    expect(shown(calculatePosition(charged, inputs))).toMatchObject({ fee: '0.1', liquidationPrice: '90.6' });
  });
  test.each([
    ['standard', 0n, 60_000n, false],
    ['standard', 60_000n, 60_000n, true],
    ['standard', 100_000n, 100_000n, true],
    ['as-specified', 0n, 60_000n, false],
    ['as-specified', 60_000n, 60_000n, true],
    ['as-specified', 100_000n, 60_000n, false],
  ] as const)('CALC-15, A07: %s at the rate %s reckons with %s', (rules, charged, rate, isCharged) => {
    expect(calculatorFee({ rules, feeRate: asFeeRate(charged) })).toEqual({ rate, isCharged });
  });
  test.each(['BUY', 'SELL'] as const)(
    'CALC-13, A04: as specified a %s has 0.8 × entry at every leverage',
    (side) => {
      for (const leverage of [1, 5, 10, 125]) {
        expect(
          shown(calculatePosition({ ...here, rules: 'as-specified' }, { ...inputs, side, leverage })),
        ).toMatchObject({
          liquidationPrice: '80',
          fee: '0.06',
        });
      }
    },
  );
  test.each(mainRuleSetNames)(
    'CALC-01, CALC-02, CALC-10, A89: no result where there cannot be one, %s',
    (rules) => {
      const there = { ...here, rules };
      for (const one of spoilt(inputs)) expect(calculatePosition(there, one)).toBeNull();
      for (const leverage of noLeverage) expect(calculatePosition(there, { ...inputs, leverage })).toBeNull();
      expect(calculatePosition(there, { ...inputs, price: price('0') })).toBeNull();
    },
  );
});

describe('A113: a net position', () => {
  const net = {
    rules: 'perpetual',
    market: 'crypto',
    feeRate: asFeeRate(60_000n),
    tickSize: price('0.01'),
  } as const;
  /** 10,000 USDT at 100×. */
  const inputs: PositionInputs = {
    side: 'BUY',
    price: price('100000'),
    size: size('0.1'),
    leverage: 100,
  };
  const netLiquidation = ({ side, price: entry, size: amount, leverage }: PositionInputs) => {
    const entryValue = asMoney((entry * amount) / 100_000_000n);
    const margin = initialMargin(entryValue, leverage);
    return netLiquidationPrice({ side, size: amount, entryValue, margin }, net.market, net.tickSize);
  };

  test('10,000 USDT at 100× are liquidated 0.60 % away, at the maintenance margin of the bracket', () => {
    // (10,000 − 100) / (0.1 × (1 − 0.4 %)) = 99,397.590…, towards the entry.
    expect(shown(calculatePosition(net, inputs))).toMatchObject({
      value: '10000',
      requiredMargin: '100',
      liquidationPrice: '99397.6',
      maintenanceMargin: '40',
      fee: '6',
      bracket: { mmr: 40n, cum: 0n },
    });
    // By the rules of main accounts 0.89 % away.
    expect(shown(calculatePosition({ ...net, rules: 'standard' }, inputs))).toMatchObject({
      liquidationPrice: '99109.47',
      maintenanceMargin: '5',
    });
  });
  test.each(sides)('margin and liquidation of a %s are the engine’s, at any value and leverage', (side) => {
    for (const amount of ['0.001', '0.1', '0.5', '1', '5', '80']) {
      for (const leverage of [1, 5, 20, 100]) {
        const entered = { ...inputs, side, size: size(amount), leverage };
        const calculated = calculatePosition(net, entered)!;
        expect(calculated.requiredMargin).toBe(initialMargin(calculated.value, leverage));
        expect(calculated.maintenanceMargin).toBe(maintenanceMargin('crypto', calculated.value));
        expect(calculated.liquidationPrice).toBe(netLiquidation(entered));
      }
    }
  });
  test('another market has other brackets', () => {
    const { liquidationPrice } = calculatePosition(net, inputs)!;
    const ofForex = calculatePosition({ ...net, market: 'forex' }, inputs)!;
    expect(ofForex.liquidationPrice).toBeLessThan(liquidationPrice);
  });
  test('CALC-01, A89: there is no result where there cannot be one, and none without a size', () => {
    for (const one of spoilt(inputs)) expect(calculatePosition(net, one)).toBeNull();
    for (const leverage of noLeverage) expect(calculatePosition(net, { ...inputs, leverage })).toBeNull();
    expect(calculatePosition(net, { ...inputs, price: price('0') })).toBeNull();
    expect(calculatePosition(net, { ...inputs, size: size('0') })).toBeNull();
  });

  const outlookAt = (stop: string, rules: 'perpetual' | 'standard' = 'perpetual', account = '7500') => {
    const entered: RiskInputs = {
      account: money(account),
      riskPercent: percent('1'),
      entryPrice: inputs.price,
      stopPrice: price(stop),
      leverage: inputs.leverage,
    };
    return stopOutlook({ ...net, rules }, entered, calculateRisk('standard', entered)!);
  };
  test('a stop between the liquidation of a net position and that of a main account is never reached', () => {
    // A risk of 75 USDT over 750 USDT is a size of 0.1.
    const liquidatedAt = netLiquidation(inputs);
    expect(outlookAt('99250')).toMatchObject({ liquidatedAt, fees: money('11.955') });
    expect(outlookAt('99250', 'standard').liquidatedAt).toBeNull();
    expect(outlookAt('99397.6', 'perpetual', '6024').liquidatedAt).toBe(liquidatedAt);
    expect(outlookAt('99397.61', 'perpetual', '6024').liquidatedAt).toBeNull();
    expect(outlookAt('100750').liquidatedAt).toBe(netLiquidation({ ...inputs, side: 'SELL' }));
  });
  test('a position of no size is not liquidated', () => {
    expect(outlookAt('99250', 'perpetual', '0')).toEqual({ liquidatedAt: null, fees: 0n });
  });
});
