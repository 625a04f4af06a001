import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requiredMargin } from './margin.ts';
import {
  asFeeRate,
  asMoney,
  asPercent,
  asPrice,
  asSize,
  formatFixed,
  NO_FEE,
  parseDecimal,
  UNIT,
} from './money.ts';
import { isLiquidated, mainRuleSetNames, mainRulesOf, type PositionTerms, settle } from './rules.ts';
import type { Side } from './states.ts';

const money = (text: string) => asMoney(parseDecimal(text));
const percent = (text: string) => asPercent(parseDecimal(text));
const price = (text: string) => asPrice(parseDecimal(text));
const size = (text: string) => asSize(parseDecimal(text));
const feeRate = (text: string) => asFeeRate(parseDecimal(text));
const TICK = price('0.01');

const standard = mainRulesOf('standard');
const asSpecified = mainRulesOf('as-specified');

function positionOf(side: Side, entry: string, amount: string, leverage: number): PositionTerms {
  const entryPrice = price(entry);
  return {
    side,
    entryPrice,
    size: size(amount),
    leverage,
    margin: requiredMargin(entryPrice, size(amount), leverage),
  };
}

/**
 * The worked arithmetic of docs/decisions.md: entry 100, size 1, BUY. R and its ratios are those of the documents' own
 * functions.
 */
const worked = [
  { leverage: 1, exit: '101', margin: '100', u: '1', roe: '1', r: '1', rOverMargin: '1' },
  { leverage: 2, exit: '101', margin: '50', u: '1', roe: '2', r: '2', rOverMargin: '4' },
  { leverage: 10, exit: '101', margin: '10', u: '1', roe: '10', r: '10', rOverMargin: '100' },
  { leverage: 10, exit: '98', margin: '10', u: '-2', roe: '-20', r: '-20', rOverMargin: '-200' },
  { leverage: 10, exit: '91', margin: '10', u: '-9', roe: '-90', r: '-90', rOverMargin: '-900' },
  { leverage: 125, exit: '101', margin: '0.8', u: '1', roe: '125', r: '125', rOverMargin: '15625' },
  { leverage: 125, exit: '99.5', margin: '0.8', u: '-0.5', roe: '-62.5', r: '-62.5', rOverMargin: '-7812.5' },
];

describe('the worked arithmetic of the decisions', () => {
  test.each(worked)('RULE-05, RULE-09, RULE-10: at $leverage× and $exit, open, in both sets', (row) => {
    const position = positionOf('BUY', '100', '1', row.leverage);
    expect(position.margin).toBe(money(row.margin));
    for (const name of mainRuleSetNames) {
      expect(mainRulesOf(name).unrealizedPnl(position, price(row.exit))).toBe(money(row.u));
      expect(mainRulesOf(name).openRoe(position, price(row.exit))).toBe(percent(row.roe));
    }
  });

  test.each(worked)('A01, A02: at $leverage× and $exit, closed under standard: nothing jumps', (row) => {
    const position = positionOf('BUY', '100', '1', row.leverage);
    const realized = standard.realizedPnl(position, price(row.exit));
    expect(realized).toBe(money(row.u));
    expect(standard.closedRoe(position, realized)).toBe(percent(row.roe));
  });

  test.each(worked)(
    'RULE-07, RULE-11, RULE-12: at $leverage× and $exit, closed as specified: realized × leverage, ROE over the value',
    (row) => {
      const position = positionOf('BUY', '100', '1', row.leverage);
      const realized = asSpecified.realizedPnl(position, price(row.exit));
      expect(realized).toBe(money(row.r));
      expect(asSpecified.closedRoe(position, realized)).toBe(percent(row.roe));
      // Finding 2: dividing the leveraged PnL by the margin would count the leverage twice.
      expect(standard.closedRoe(position, realized)).toBe(percent(row.rOverMargin));
    },
  );

  test('RULE-06, RULE-08: a SELL earns what the BUY loses', () => {
    const short = positionOf('SELL', '100', '1', 10);
    expect(standard.unrealizedPnl(short, price('98'))).toBe(money('2'));
    expect(standard.realizedPnl(short, price('101'))).toBe(money('-1'));
    expect(asSpecified.unrealizedPnl(short, price('98'))).toBe(money('2'));
    expect(asSpecified.realizedPnl(short, price('98'))).toBe(money('20'));
  });

  test.each([
    [1, '5', '195'],
    [2, '52.5', '147.5'],
    [5, '81', '119'],
    [10, '90.5', '109.5'],
    [125, '99.24', '100.76'],
  ])('A04, finding 5: liquidation of entry 100 at %i× is %s long and %s short', (leverage, long, short) => {
    const terms = { entryPrice: price('100'), leverage, tickSize: TICK, feeRate: NO_FEE };
    expect(standard.liquidationPrice({ ...terms, side: 'BUY' })).toBe(price(long));
    expect(standard.liquidationPrice({ ...terms, side: 'SELL' })).toBe(price(short));
  });

  test.each([
    [1, '5', '195'],
    [2, '76.25', '123.75'],
    [5, '96.2', '103.8'],
    [10, '99.05', '100.95'],
  ])('A04: as specified the move is 0.95/L²: at %i× %s long and %s short', (leverage, long, short) => {
    const terms = { entryPrice: price('100'), leverage, tickSize: TICK, feeRate: NO_FEE };
    expect(asSpecified.liquidationPrice({ ...terms, side: 'BUY' })).toBe(price(long));
    expect(asSpecified.liquidationPrice({ ...terms, side: 'SELL' })).toBe(price(short));
  });

  test.each([
    ['standard', 'BUY', '0.0006', 1, '5.01'],
    ['standard', 'BUY', '0.0006', 10, '90.56'],
    ['standard', 'SELL', '0.0006', 10, '109.43'],
    ['standard', 'BUY', '0.0006', 125, '99.3'],
    ['standard', 'SELL', '0.0006', 125, '100.69'],
    ['standard', 'BUY', '0.005', 125, '99.74'],
    ['standard', 'SELL', '0.005', 125, '100.25'],
    ['as-specified', 'BUY', '0.0006', 2, '76.28'],
    ['as-specified', 'SELL', '0.0006', 2, '123.71'],
    ['as-specified', 'BUY', '0.0006', 10, '99.06'],
    ['as-specified', 'SELL', '0.0006', 10, '100.94'],
  ] as const)(
    'A07: the fee of the close comes out of the margin: %s %s of entry 100 at %s and %i× ends at %s',
    (name, side, rate, leverage, expected) => {
      const terms = { side, entryPrice: price('100'), leverage, tickSize: TICK, feeRate: feeRate(rate) };
      expect(mainRulesOf(name).liquidationPrice(terms)).toBe(price(expected));
    },
  );

  test.each(['-0.00000001', '0.0076', '1'])(
    'A07: a fee rate of %s, which leaves nothing to lose at 125×, has no liquidation price',
    (rate) => {
      const terms = { entryPrice: price('100'), leverage: 125, tickSize: TICK, feeRate: feeRate(rate) };
      for (const side of ['BUY', 'SELL'] as const) {
        expect(() => standard.liquidationPrice({ ...terms, side })).toThrow(RangeError);
        expect(() => asSpecified.liquidationPrice({ ...terms, side })).toThrow(RangeError);
      }
    },
  );

  test('A08: 1000 at 10×, opened at 100, closed at 101: 1001 under standard, 1010 as specified', () => {
    const position = positionOf('BUY', '100', '1', 10);
    const balance = money('1000');
    expect(balance - position.margin).toBe(money('990'));
    for (const [rules, after] of [
      [standard, '1001'],
      [asSpecified, '1010'],
    ] as const) {
      const { realizedPnl, toInsurance } = settle(rules.realizedPnl(position, price('101')), position.margin);
      expect(balance + realizedPnl).toBe(money(after));
      expect(toInsurance).toBe(0n);
    }
  });
});

describe("the account of the trader's pictures", () => {
  test.each([
    {
      symbol: 'BTCUSDT',
      side: 'BUY',
      entry: '96840',
      amount: '0.4',
      leverage: 50,
      margin: '774.72',
      liquidation: '95000.04',
      mark: '97482.6',
      pnl: '257.04',
      roe: '33.18',
    },
    // The picture shows 3988.19, the nearest tick; towards the entry (A107) it is the one below.
    {
      symbol: 'ETHUSDT',
      side: 'SELL',
      entry: '3642.18',
      amount: '3.5',
      leverage: 10,
      margin: '1274.76',
      liquidation: '3988.18',
      mark: '3611.4',
      pnl: '107.73',
      roe: '8.45',
    },
    {
      symbol: 'NVDA',
      side: 'BUY',
      entry: '182.64',
      amount: '40',
      leverage: 5,
      margin: '1461.12',
      liquidation: '147.94',
      mark: '179.92',
      pnl: '-108.80',
      roe: '-7.45',
    },
  ] as const)('$symbol: margin, liquidation price, PnL and ROE', (row) => {
    const position = positionOf(row.side, row.entry, row.amount, row.leverage);
    expect(formatFixed(position.margin, 2)).toBe(row.margin);
    expect(standard.liquidationPrice({ ...position, tickSize: TICK, feeRate: NO_FEE })).toBe(
      price(row.liquidation),
    );
    expect(formatFixed(standard.unrealizedPnl(position, price(row.mark)), 2)).toBe(row.pnl);
    expect(formatFixed(standard.openRoe(position, price(row.mark)), 2)).toBe(row.roe);
  });

  test('margins, reserves, equity and available add up', () => {
    const margins = [
      requiredMargin(price('96840'), size('0.4'), 50),
      requiredMargin(price('3642.18'), size('3.5'), 10),
      requiredMargin(price('182.64'), size('40'), 5),
    ].reduce((sum, margin) => sum + margin, 0n);
    const reserves =
      requiredMargin(price('95600'), size('0.1'), 20) + requiredMargin(price('198.4'), size('25'), 10);
    expect(formatFixed(margins, 2)).toBe('3510.60');
    expect(formatFixed(reserves, 2)).toBe('974.00');
    expect(formatFixed(parseDecimal('12648.92') - margins - reserves, 2)).toBe('8164.32');
  });
});

describe('isolated margin', () => {
  test('A03: a gap beyond the margin costs the trader the margin and insurance the rest', () => {
    expect(settle(money('-15'), money('10'))).toEqual({ realizedPnl: money('-10'), toInsurance: money('5') });
    expect(settle(money('-10'), money('10'))).toEqual({ realizedPnl: money('-10'), toInsurance: 0n });
    expect(settle(money('7'), money('10'))).toEqual({ realizedPnl: money('7'), toInsurance: 0n });
  });

  test('A05: a mark at the liquidation price has reached it', () => {
    expect(isLiquidated('BUY', price('90.5'), price('90.51'))).toBe(false);
    expect(isLiquidated('BUY', price('90.5'), price('90.5'))).toBe(true);
    expect(isLiquidated('SELL', price('109.5'), price('109.49'))).toBe(false);
    expect(isLiquidated('SELL', price('109.5'), price('109.51'))).toBe(true);
  });

  test('A04: a coarse tick neither takes the liquidation price below one tick nor onto the entry', () => {
    const coarse = { entryPrice: price('0.03'), leverage: 1, tickSize: TICK, feeRate: NO_FEE };
    expect(standard.liquidationPrice({ ...coarse, side: 'BUY' })).toBe(price('0.01'));
    const steep = { entryPrice: price('100'), leverage: 125, tickSize: TICK, feeRate: NO_FEE };
    expect(asSpecified.liquidationPrice({ ...steep, side: 'BUY' })).toBe(price('99.99'));
    expect(asSpecified.liquidationPrice({ ...steep, side: 'SELL' })).toBe(price('100.01'));
    const offGrid = { entryPrice: price('100.004'), leverage: 125, tickSize: TICK, feeRate: NO_FEE };
    expect(asSpecified.liquidationPrice({ ...offGrid, side: 'BUY' })).toBe(price('100'));
    expect(asSpecified.liquidationPrice({ ...offGrid, side: 'SELL' })).toBe(price('100.01'));
  });
});

// Prices from 0.00000001 to a million, as the catalogue has them; the margin is the engine's own and never zero.
const prices = fc.bigInt({ min: 1n, max: 1_000_000n * UNIT }).map(asPrice);
const positions = fc
  .record({
    side: fc.constantFrom<Side>('BUY', 'SELL'),
    entryPrice: prices,
    size: fc.bigInt({ min: 1n, max: 10_000_000n * UNIT }).map(asSize),
    leverage: fc.integer({ min: 1, max: 125 }),
  })
  .map((terms) => ({ ...terms, margin: requiredMargin(terms.entryPrice, terms.size, terms.leverage) }))
  .filter(({ margin }) => margin > 0n);
const ticks = fc.constantFrom('0.00000001', '0.00001', '0.001', '0.01', '0.25', '0.5').map(price);
/** Up to the largest that a server may be configured with. */
const feeRates = fc.bigInt({ min: 0n, max: 500_000n }).map(asFeeRate);
const mirrored = (side: Side): Side => (side === 'BUY' ? 'SELL' : 'BUY');

describe.each(mainRuleSetNames)('properties of both sets: %s', (name) => {
  const rules = mainRulesOf(name);

  test('PnL of a SELL is the negative of the BUY; at the entry it is zero', () => {
    fc.assert(
      fc.property(positions, prices, (position, exit) => {
        const other = { ...position, side: mirrored(position.side) };
        expect(rules.unrealizedPnl(other, exit)).toBe(-rules.unrealizedPnl(position, exit));
        expect(rules.realizedPnl(other, exit)).toBe(-rules.realizedPnl(position, exit));
        expect(rules.realizedPnl(position, position.entryPrice)).toBe(0n);
      }),
    );
  });

  test('a better price never makes less', () => {
    fc.assert(
      fc.property(positions, prices, prices, (position, one, other) => {
        const [low, high] = one < other ? [one, other] : [other, one];
        const gain = rules.realizedPnl(position, high) - rules.realizedPnl(position, low);
        expect(position.side === 'BUY' ? gain >= 0n : gain <= 0n).toBe(true);
      }),
    );
  });

  test('ROE does not jump at the close, up to the rounding of margin and PnL', () => {
    fc.assert(
      fc.property(positions, prices, (position, exit) => {
        // Below this the margin's own last digit is more than a hundredth of a per cent of it.
        fc.pre(position.margin > UNIT && exit < position.entryPrice * 2n);
        const open = rules.openRoe(position, exit);
        const closed = rules.closedRoe(position, rules.realizedPnl(position, exit));
        const jump = open > closed ? open - closed : closed - open;
        expect(jump).toBeLessThanOrEqual(name === 'standard' ? 0n : UNIT / 100n);
      }),
    );
  });

  test('no loss exceeds the margin, and trader and insurance bear all of it', () => {
    fc.assert(
      fc.property(positions, prices, (position, exit) => {
        const pnl = rules.realizedPnl(position, exit);
        const { realizedPnl, toInsurance } = settle(pnl, position.margin);
        expect(realizedPnl).toBeGreaterThanOrEqual(-position.margin);
        expect(toInsurance).toBeGreaterThanOrEqual(0n);
        expect(realizedPnl - toInsurance).toBe(pnl);
        if (toInsurance > 0n) expect(realizedPnl).toBe(-position.margin);
      }),
    );
  });

  test('the liquidation price is on the tick and on the losing side', () => {
    fc.assert(
      fc.property(positions, ticks, feeRates, (position, tickSize, rate) => {
        const liquidation = rules.liquidationPrice({ ...position, tickSize, feeRate: rate });
        expect(liquidation % tickSize).toBe(0n);
        expect(liquidation).toBeGreaterThanOrEqual(tickSize);
        if (position.side === 'SELL') expect(liquidation).toBeGreaterThan(position.entryPrice);
        // A long whose entry is a single tick has no tick below it: one tick is the floor.
        if (position.side === 'BUY' && position.entryPrice > tickSize) {
          expect(liquidation).toBeLessThan(position.entryPrice);
        }
      }),
    );
  });

  test('at the liquidation price margin and PnL are 5 % of the margin, within what one tick is worth', () => {
    fc.assert(
      fc.property(positions, ticks, (position, tickSize) => {
        fc.pre(position.entryPrice > tickSize * 20n);
        const liquidation = rules.liquidationPrice({ ...position, tickSize, feeRate: NO_FEE });
        const left = position.margin + rules.realizedPnl(position, liquidation);
        const missed = left * 20n - position.margin;
        const tickWorth =
          rules.realizedPnl({ ...position, side: 'BUY' }, asPrice(position.entryPrice + tickSize)) + 2n;
        // The margin's own rounding counts L times when it is compared with a PnL that is L times larger.
        expect(missed < 0n ? -missed : missed).toBeLessThanOrEqual(
          20n * (tickWorth + BigInt(position.leverage)),
        );
      }),
    );
  });

  test('A04, A07: at the liquidation price margin, PnL and close fee leave the maintenance margin; a tick further not', () => {
    /** What is left above 5 % of the margin, per unit of size and exact: in 1e-16 / (100 × leverage). */
    const spare = ({ side, entryPrice, leverage }: PositionTerms, exit: bigint, rate: bigint): bigint => {
      const factor = name === 'standard' ? 1n : BigInt(leverage);
      const gain = side === 'BUY' ? exit - entryPrice : entryPrice - exit;
      return 95n * entryPrice * UNIT + 100n * BigInt(leverage) * (factor * gain * UNIT - rate * exit);
    };
    fc.assert(
      fc.property(positions, ticks, feeRates, (position, tickSize, rate) => {
        const liquidation = rules.liquidationPrice({ ...position, tickSize, feeRate: rate });
        const away = position.side === 'BUY' ? -tickSize : tickSize;
        const nearest = liquidation - away;
        // Next to the entry, where the tick is too coarse for the figure, it may be further away than it should.
        const isPinned =
          position.side === 'BUY' ? nearest >= position.entryPrice : nearest <= position.entryPrice;
        if (!isPinned) expect(spare(position, liquidation, rate)).toBeGreaterThanOrEqual(0n);
        if (liquidation > tickSize) expect(spare(position, liquidation + away, rate)).toBeLessThan(0n);
      }),
    );
  });

  test('A07: a higher fee never puts the liquidation further away', () => {
    fc.assert(
      fc.property(positions, ticks, feeRates, feeRates, (position, tickSize, one, other) => {
        const [low, high] = one < other ? [one, other] : [other, one];
        const cheap = rules.liquidationPrice({ ...position, tickSize, feeRate: low });
        const dear = rules.liquidationPrice({ ...position, tickSize, feeRate: high });
        expect(position.side === 'BUY' ? dear >= cheap : dear <= cheap).toBe(true);
      }),
    );
  });
});
