import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requiredMargin } from './margin.ts';
import { asMoney, asPrice, asSize, parseDecimal, toDecimalString } from './money.ts';
import { type ClosedTrade, initialRisk, TradeTally } from './performance.ts';
import type { RuleSetName } from './rules.ts';
import type { Side } from './states.ts';
import { dayMs, minuteMs } from './time.ts';
import { zoneOf } from './zones.ts';

const money = (text: string) => asMoney(parseDecimal(text));
const price = (text: string) => asPrice(parseDecimal(text));
const at = (iso: string) => Date.parse(iso);

interface Expected {
  readonly symbol?: string;
  readonly side?: Side;
  readonly pnl: string;
  readonly fees?: string;
  readonly funding?: string;
  readonly risk?: string;
  readonly closed?: string;
  readonly minutes?: number;
}

let count = 0;
function trade({
  symbol = 'BTCUSDT',
  side = 'BUY',
  pnl,
  fees = '0',
  funding = '0',
  risk,
  closed,
  minutes = 10,
}: Expected): ClosedTrade {
  count += 1;
  const closedAt = at(closed ?? '2026-11-21T10:00:00Z');
  return {
    id: `trade-${count}`,
    symbol,
    side,
    realizedPnl: money(pnl),
    fees: money(fees),
    funding: money(funding),
    risk: risk === undefined ? null : money(risk),
    openedAt: closedAt - minutes * minuteMs,
    closedAt,
  };
}

function figuresOf(trades: readonly ClosedTrade[], zone = 'UTC') {
  const tally = new TradeTally(zoneOf(zone));
  for (const one of trades) tally.add(one);
  return tally.figures();
}

const asText = (units: bigint | null) => (units === null ? null : toDecimalString(units));

describe('figures computed by hand', () => {
  test('no trades: counts and sums are zero, everything else has no meaning', () => {
    const figures = figuresOf([]);
    expect(figures).toMatchObject({ trades: 0, wins: 0, losses: 0, breakEven: 0, rTrades: 0 });
    expect([figures.gross, figures.fees, figures.net, figures.grossProfit, figures.grossLoss]).toEqual([
      0n,
      0n,
      0n,
      0n,
      0n,
    ]);
    const meaningless = [
      'winRate',
      'profitFactor',
      'expectancy',
      'averageWin',
      'averageLoss',
      'averageR',
      'averageHolding',
      'medianHolding',
      'best',
      'worst',
    ] as const;
    for (const name of meaningless) expect(figures[name], name).toBeNull();
    expect(figures.bySymbol).toEqual([]);
    expect(figures.byDay).toEqual([]);
    expect(figures.byHour).toHaveLength(24);
    expect(figures.byHour.every(({ trades, net }) => trades === 0 && net === 0n)).toBe(true);
  });

  // Net: +95, -55, +45, 0, -20; so wins 95 + 45 = 140, losses 55 + 20 = 75, net 65.
  const five = [
    trade({ pnl: '100', fees: '5', risk: '50', minutes: 60 }),
    trade({ pnl: '-50', fees: '5', risk: '50', minutes: 30, symbol: 'ETHUSDT', side: 'SELL' }),
    trade({ pnl: '50', fees: '5', minutes: 20, side: 'SELL' }),
    trade({ pnl: '5', fees: '5', risk: '10', minutes: 10, symbol: 'ETHUSDT' }),
    trade({ pnl: '-20', minutes: 5, symbol: 'NVDA' }),
  ];

  test('A113: funding is in the net result and beside the gross one', () => {
    const figures = figuresOf([
      trade({ pnl: '10', fees: '1', funding: '-9' }),
      trade({ pnl: '-1', fees: '1', funding: '2.5' }),
    ]);
    expect(figures).toMatchObject({ wins: 1, breakEven: 1, losses: 0 });
    expect([figures.gross, figures.fees, figures.funding, figures.net].map(asText)).toEqual([
      '9',
      '2',
      '-6.5',
      '0.5',
    ]);
  });

  test('wins, losses and a break-even one, after fees', () => {
    const figures = figuresOf(five);
    expect(figures).toMatchObject({ trades: 5, wins: 2, losses: 2, breakEven: 1 });
    expect(asText(figures.gross)).toBe('85');
    expect(asText(figures.fees)).toBe('20');
    expect(asText(figures.net)).toBe('65');
    // 2 of 5.
    expect(asText(figures.winRate)).toBe('40');
    // 140 / 75.
    expect(asText(figures.profitFactor)).toBe('1.86666667');
    // 65 / 5, and 0.4 x 70 - 0.4 x 37.5.
    expect(asText(figures.expectancy)).toBe('13');
    expect(asText(figures.averageWin)).toBe('70');
    expect(asText(figures.averageLoss)).toBe('-37.5');
    // (95/50 - 55/50 + 0/10) / 3 = 0.8 / 3.
    expect(asText(figures.averageR)).toBe('0.26666667');
    expect(figures.rTrades).toBe(3);
    // (60 + 30 + 20 + 10 + 5) / 5 = 25 min; the middle one is 20.
    expect(figures.averageHolding).toBe(25 * minuteMs);
    expect(figures.medianHolding).toBe(20 * minuteMs);
    expect(figures.best?.net).toBe(money('95'));
    expect(figures.worst?.net).toBe(money('-55'));
  });

  test('by symbol, the largest result first, whatever its sign', () => {
    const bySymbol = figuresOf(five).bySymbol.map(({ net, ...rest }) => ({ ...rest, net: asText(net) }));
    expect(bySymbol).toEqual([
      { symbol: 'BTCUSDT', trades: 2, wins: 2, net: '140' },
      { symbol: 'ETHUSDT', trades: 2, wins: 0, net: '-55' },
      { symbol: 'NVDA', trades: 1, wins: 0, net: '-20' },
    ]);
  });

  test('by side: long is +95, 0 and -20, short is -55 and +45', () => {
    const text = ({ bySide }: ReturnType<typeof figuresOf>) =>
      bySide.map(({ net, winRate, ...rest }) => ({ ...rest, winRate: asText(winRate), net: asText(net) }));
    expect(text(figuresOf(five))).toEqual([
      { side: 'BUY', trades: 3, wins: 1, winRate: '33.33333333', net: '75' },
      { side: 'SELL', trades: 2, wins: 1, winRate: '50', net: '-10' },
    ]);
    expect(text(figuresOf(five.slice(0, 1)))).toEqual([
      { side: 'BUY', trades: 1, wins: 1, winRate: '100', net: '95' },
      { side: 'SELL', trades: 0, wins: 0, winRate: null, net: '0' },
    ]);
  });

  test('of equal results the first that was added is the best or the worst, and equal symbols are in the order of their names', () => {
    const won = trade({ pnl: '7', symbol: 'SOLUSDT' });
    const lost = trade({ pnl: '-7', symbol: 'XRPUSDT' });
    const later = [trade({ pnl: '7', symbol: 'ADAUSDT' }), trade({ pnl: '-7', symbol: 'BNBUSDT' })];
    const figures = figuresOf([won, lost, ...later]);
    expect([figures.best?.id, figures.worst?.id]).toEqual([won.id, lost.id]);
    expect(figures.bySymbol.map(({ symbol }) => symbol)).toEqual([
      'ADAUSDT',
      'BNBUSDT',
      'SOLUSDT',
      'XRPUSDT',
    ]);
  });

  test('one trade: it is every average, and without a loss there is no profit factor', () => {
    const figures = figuresOf([trade({ pnl: '12.5', fees: '0.5', minutes: 3 })]);
    expect(asText(figures.winRate)).toBe('100');
    expect(asText(figures.expectancy)).toBe('12');
    expect(asText(figures.averageWin)).toBe('12');
    expect([figures.averageLoss, figures.profitFactor, figures.averageR]).toEqual([null, null, null]);
    expect([figures.averageHolding, figures.medianHolding]).toEqual([3 * minuteMs, 3 * minuteMs]);
    expect(figures.best).toEqual(figures.worst);
  });

  test('only losses: a profit factor of zero, no average win', () => {
    const figures = figuresOf([trade({ pnl: '-3' }), trade({ pnl: '-5' })]);
    expect(asText(figures.winRate)).toBe('0');
    expect(asText(figures.profitFactor)).toBe('0');
    expect(figures.averageWin).toBeNull();
    expect(asText(figures.averageLoss)).toBe('-4');
  });

  test('fees turn a zero result into a loss, and a gain of their size into break-even', () => {
    expect(figuresOf([trade({ pnl: '0', fees: '0.1' })])).toMatchObject({ losses: 1, breakEven: 0 });
    expect(figuresOf([trade({ pnl: '0.1', fees: '0.1' })])).toMatchObject({ losses: 0, breakEven: 1 });
  });

  test('the median of an even number lies between the middle two; a clock that was put back holds nothing', () => {
    const figures = figuresOf([1, 2, 4, 100].map((minutes) => trade({ pnl: '1', minutes })));
    expect(figures.medianHolding).toBe(3 * minuteMs);
    expect(figuresOf([trade({ pnl: '1', minutes: -5 })]).averageHolding).toBe(0);
  });

  test('A23: a part and the rest are two trades, whose sum is what the whole earned', () => {
    // 1 BTC bought at 100 with 0.06 of fee; 0.4 sold at 110 (fee 0.0264), the rest at 105 (fee 0.0378).
    const figures = figuresOf([trade({ pnl: '4', fees: '0.0264' }), trade({ pnl: '3', fees: '0.0978' })]);
    expect(figures.trades).toBe(2);
    expect(asText(figures.net)).toBe('6.8758');
  });
});

describe('days and hours', () => {
  const daysOf = (closed: readonly string[], zone: string) =>
    figuresOf(
      closed.map((iso) => trade({ pnl: '1', closed: iso })),
      zone,
    );
  const nameOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);

  test('a close belongs to the day and hour of the requested zone', () => {
    const closed = ['2026-11-20T23:30:00Z', '2026-11-21T00:30:00Z'];
    const inUtc = daysOf(closed, 'UTC');
    expect(inUtc.byDay.map(({ day, trades }) => [nameOf(day), trades])).toEqual([
      ['2026-11-20', 1],
      ['2026-11-21', 1],
    ]);
    const inBerlin = daysOf(closed, 'Europe/Berlin');
    expect(inBerlin.byDay.map(({ day, trades }) => [nameOf(day), trades])).toEqual([['2026-11-21', 2]]);
    expect(inBerlin.byHour.filter(({ trades }) => trades > 0).map(({ hour }) => hour)).toEqual([0, 1]);
    const inKathmandu = daysOf(closed, 'Asia/Kathmandu');
    expect(inKathmandu.byHour.filter(({ trades }) => trades > 0).map(({ hour }) => hour)).toEqual([5, 6]);
  });

  test('a day of 23 hours has no hour 2, one of 25 hours has one hour 2', () => {
    // Berlin: 29 March 2026 at 01:00 UTC from 2 to 3 o'clock; 25 October 2026 at 01:00 UTC from 3 to 2.
    const spring = daysOf(
      ['2026-03-28T22:59:59Z', '2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z'],
      'Europe/Berlin',
    );
    expect(spring.byDay.map(({ day, trades }) => [nameOf(day), trades])).toEqual([
      ['2026-03-28', 1],
      ['2026-03-29', 2],
    ]);
    expect(spring.byHour.filter(({ trades }) => trades > 0).map(({ hour }) => hour)).toEqual([1, 3, 23]);
    const autumn = daysOf(
      ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T22:59:59Z'],
      'Europe/Berlin',
    );
    expect(autumn.byDay.map(({ day, trades }) => [nameOf(day), trades])).toEqual([['2026-10-25', 3]]);
    expect(
      autumn.byHour.filter(({ trades }) => trades > 0).map(({ hour, trades }) => [hour, trades]),
    ).toEqual([
      [2, 2],
      [23, 1],
    ]);
  });
});

describe('A108: what the first stop loss put at risk', () => {
  const riskOf = (rules: RuleSetName, side: 'BUY' | 'SELL', stop: string | null, leverage = 10) => {
    const [entryPrice, size] = [price('100'), asSize(parseDecimal('2'))];
    const margin = requiredMargin(entryPrice, size, leverage);
    const initialStopLossPrice = stop === null ? null : price(stop);
    return asText(initialRisk({ rules, side, entryPrice, size, leverage, margin, initialStopLossPrice }));
  };

  test('in standard the move to it times the size, in as-specified times the leverage too', () => {
    expect(riskOf('standard', 'BUY', '97')).toBe('6');
    expect(riskOf('standard', 'SELL', '101.5')).toBe('3');
    // Margin 20: 2 x 10 x 0.5 = 10 is within it.
    expect(riskOf('as-specified', 'BUY', '99.5')).toBe('10');
  });
  test('A03: never more than the margin', () => {
    expect(riskOf('as-specified', 'BUY', '97')).toBe('20');
    expect(riskOf('standard', 'SELL', '120')).toBe('20');
  });
  test('none without a stop loss, at the entry, or on the winning side', () => {
    expect(riskOf('standard', 'BUY', null)).toBeNull();
    expect(riskOf('standard', 'BUY', '100')).toBeNull();
    expect(riskOf('standard', 'BUY', '101')).toBeNull();
    expect(riskOf('as-specified', 'SELL', '99')).toBeNull();
  });
});

describe('properties', () => {
  const cents = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n });
  const trades = fc.array(
    fc.record({
      id: fc.uuid(),
      symbol: fc.constantFrom('BTCUSDT', 'ETHUSDT', 'NVDA', 'EURUSD'),
      side: fc.constantFrom<Side>('BUY', 'SELL'),
      realizedPnl: cents.map(asMoney),
      fees: fc.bigInt({ min: 0n, max: 10n ** 10n }).map(asMoney),
      funding: cents.map(asMoney),
      risk: fc.option(fc.bigInt({ min: 1n, max: 10n ** 12n }).map(asMoney)),
      openedAt: fc.integer({ min: 1_600_000_000_000, max: 1_800_000_000_000 }),
      closedAt: fc.integer({ min: 1_600_000_000_000, max: 1_800_000_000_000 }),
    }),
    { maxLength: 60 },
  );
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe');
  const netOf = (sums: readonly { readonly net: bigint }[]) => sums.reduce((sum, { net }) => sum + net, 0n);
  const countOf = (sums: readonly { readonly trades: number }[]) =>
    sums.reduce((sum, one) => sum + one.trades, 0);

  test('by symbol, by side, by day and by hour are the whole; profit less loss is the net result', () => {
    fc.assert(
      fc.property(trades, zones, (some, zone) => {
        const figures = figuresOf(some, zone);
        for (const part of [figures.bySymbol, figures.bySide, figures.byDay, figures.byHour]) {
          expect(netOf(part)).toBe(figures.net);
          expect(countOf(part)).toBe(some.length);
        }
        expect(figures.grossProfit - figures.grossLoss).toBe(figures.net);
        expect(figures.gross - figures.fees + figures.funding).toBe(figures.net);
        expect(figures.wins + figures.losses + figures.breakEven).toBe(some.length);
      }),
    );
  });

  test('the order of the trades changes nothing but which of equal ones is the best', () => {
    fc.assert(
      fc.property(trades, (some) => {
        const { best, worst, ...figures } = figuresOf(some);
        const { best: best2, worst: worst2, ...others } = figuresOf([...some].reverse());
        expect(others).toEqual(figures);
        expect([best2?.net, worst2?.net]).toEqual([best?.net, worst?.net]);
      }),
    );
  });

  test('a winning trade more is one win more, and never lowers what was won', () => {
    fc.assert(
      fc.property(trades, fc.bigInt({ min: 1n, max: 10n ** 12n }), (some, pnl) => {
        const before = figuresOf(some);
        const after = figuresOf([...some, { ...trade({ pnl: '0' }), realizedPnl: asMoney(pnl) }]);
        expect([after.trades, after.wins, after.losses]).toEqual([
          before.trades + 1,
          before.wins + 1,
          before.losses,
        ]);
        expect(after.net - before.net).toBe(pnl);
        expect(after.grossLoss).toBe(before.grossLoss);
      }),
    );
  });
});
