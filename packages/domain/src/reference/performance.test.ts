/**
 * Computes the figures of trades a second time: from their definitions, in fractions, over whole lists, with the
 * calendar of the runtime. Over random histories both must agree.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decimal,
  largest,
  minus,
  plus,
  type Rational,
  ratio,
  rounded,
  sumOf,
  through,
  times,
  zero,
} from '../../test/rational.ts';
import { asMoney, asPrice, asSize, type Money } from '../money.ts';
import { type ClosedTrade, initialRisk, TradeTally } from '../performance.ts';
import { mainRuleSetNames } from '../rules.ts';
import { dayMs } from '../time.ts';
import { zoneOf } from '../zones.ts';

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'];
const clocks = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
    }),
  ]),
);
/** Day and hour on the clock of that zone. */
function wallClockOf(zone: string, at: number): { day: string; hour: number } {
  const parts = Object.fromEntries(
    clocks
      .get(zone)!
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return { day: `${parts.year}-${parts.month}-${parts.day}`, hour: Number(parts.hour) };
}

/** Around the clock changes of 2026 in Berlin, New York and on Lord Howe, and any time of two years. */
const changes = ['2026-03-29T01:00Z', '2026-10-25T01:00Z', '2026-11-01T06:00Z', '2026-04-04T15:00Z'];
const instants = fc.oneof(
  fc.integer({ min: Date.parse('2025-06-01'), max: Date.parse('2027-01-01') }),
  fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -9_000_000, max: 9_000_000 }))
    .map(([change, off]) => Date.parse(change) + off),
);
const amounts = fc.oneof(
  fc.bigInt({ min: -(10n ** 6n), max: 10n ** 6n }),
  fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }),
  // Near what numeric(28,8) can hold.
  fc.bigInt({ min: -(10n ** 26n), max: 10n ** 26n }),
  fc.constantFrom(0n, 1n, -1n),
);
const trades = fc.array(
  fc.record({
    symbol: fc.constantFrom('AUSDT', 'BUSDT', 'CUSDT'),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    realizedPnl: amounts,
    fees: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 10n ** 12n })),
    funding: fc.oneof(fc.constant(0n), fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n })),
    risk: fc.option(fc.bigInt({ min: 1n, max: 10n ** 13n })),
    closedAt: instants,
    held: fc.integer({ min: -5_000, max: 30 * dayMs }),
  }),
  { maxLength: 24 },
);
type Drawn = typeof trades extends fc.Arbitrary<infer List> ? List : never;

const asTrades = (drawn: Drawn): readonly ClosedTrade[] =>
  drawn.map(({ held, realizedPnl, fees, funding, risk, ...rest }, index) => ({
    ...rest,
    id: `${index}`,
    realizedPnl: asMoney(realizedPnl),
    fees: asMoney(fees),
    funding: asMoney(funding),
    risk: risk === null ? null : asMoney(risk),
    openedAt: rest.closedAt - held,
  }));

const mean = (values: readonly Rational[]): bigint | null =>
  values.length === 0 ? null : rounded(through(sumOf(values), ratio(BigInt(values.length))));
const total = (values: readonly Rational[]): bigint => rounded(sumOf(values));
const netOf = ({ realizedPnl, fees, funding }: ClosedTrade): Rational =>
  plus(minus(decimal(realizedPnl), decimal(fees)), decimal(funding));
function groupsBy<Key>(list: readonly ClosedTrade[], keyOf: (trade: ClosedTrade) => Key) {
  const keys = [...new Set(list.map(keyOf))];
  return new Map(keys.map((key) => [key, list.filter((trade) => keyOf(trade) === key)]));
}
const absolute = (value: bigint) => (value < 0n ? -value : value);

test('any history: counts, sums, averages and quotients are those of their definitions, rounded once, half away from zero', () => {
  fc.assert(
    fc.property(trades, fc.constantFrom(...zones), (drawn, zone) => {
      const list = asTrades(drawn);
      const tally = new TradeTally(zoneOf(zone));
      for (const trade of list) tally.add(trade);
      const figures = tally.figures();

      const nets = list.map(netOf);
      const wins = nets.filter(({ over }) => over > 0n);
      const losses = nets.filter(({ over }) => over < 0n);
      const [profit, loss] = [sumOf(wins), sumOf(losses)];
      const held = list
        .map(({ openedAt, closedAt }) => Math.max(0, closedAt - openedAt))
        .sort((a, b) => a - b);
      const half = held.length / 2;
      const middle = held.slice(Math.ceil(half) - 1, Math.floor(half) + 1);
      expect(figures).toMatchObject({
        trades: list.length,
        wins: wins.length,
        losses: losses.length,
        breakEven: list.length - wins.length - losses.length,
        gross: total(list.map(({ realizedPnl }) => decimal(realizedPnl))),
        fees: total(list.map(({ fees }) => decimal(fees))),
        funding: total(list.map(({ funding }) => decimal(funding))),
        net: total(nets),
        winRate: list.length === 0 ? null : rounded(ratio(100n * BigInt(wins.length), BigInt(list.length))),
        grossProfit: rounded(profit),
        grossLoss: -rounded(loss),
        profitFactor: losses.length === 0 ? null : rounded(through(profit, minus(zero, loss))),
        expectancy: mean(nets),
        averageWin: mean(wins),
        averageLoss: mean(losses),
        averageHolding: held.length === 0 ? null : held.reduce((sum, ms) => sum + ms, 0) / held.length,
        medianHolding: held.length === 0 ? null : middle.reduce((sum, ms) => sum + ms, 0) / middle.length,
      });

      const multiples = list.flatMap((trade) =>
        trade.risk === null ? [] : [through(netOf(trade), decimal(trade.risk))],
      );
      expect(figures.rTrades).toBe(multiples.length);
      const averageR = mean(multiples);
      if (averageR === null) expect(figures.averageR).toBeNull();
      else expect(absolute(figures.averageR! - averageR)).toBeLessThanOrEqual(1n);

      const ranked = [...list].sort((a, b) =>
        netOf(a).over * netOf(b).under > netOf(b).over * netOf(a).under ? -1 : 1,
      );
      expect(figures.best?.net).toBe(ranked[0] && rounded(netOf(ranked[0])));
      expect(figures.worst?.net).toBe(ranked.at(-1) && rounded(netOf(ranked.at(-1)!)));

      const parts = (sums: readonly { readonly trades: number; readonly net: Money }[]) => ({
        trades: sums.reduce((sum, one) => sum + one.trades, 0),
        net: sums.reduce((sum, one) => sum + one.net, 0n),
      });
      for (const sums of [figures.bySymbol, figures.bySide, figures.byDay, figures.byHour])
        expect(parts(sums)).toEqual({ trades: figures.trades, net: figures.net });

      const days = groupsBy(list, ({ closedAt }) => wallClockOf(zone, closedAt).day);
      expect(
        figures.byDay.map(({ day, ...sum }) => ({
          day: new Date(day * dayMs).toISOString().slice(0, 10),
          ...sum,
        })),
      ).toEqual(
        [...days]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([day, of]) => ({ day, trades: of.length, net: total(of.map(netOf)) })),
      );
      const hours = groupsBy(list, ({ closedAt }) => wallClockOf(zone, closedAt).hour);
      expect(figures.byHour).toEqual(
        Array.from({ length: 24 }, (_, hour) => {
          const of = hours.get(hour) ?? [];
          return { hour, trades: of.length, net: total(of.map(netOf)) };
        }),
      );
      const sides = groupsBy(list, ({ side }) => side);
      expect(figures.bySide).toEqual(
        (['BUY', 'SELL'] as const).map((side) => {
          const of = sides.get(side) ?? [];
          const won = of.filter((trade) => netOf(trade).over > 0n).length;
          return {
            side,
            trades: of.length,
            wins: won,
            winRate: of.length === 0 ? null : rounded(ratio(100n * BigInt(won), BigInt(of.length))),
            net: total(of.map(netOf)),
          };
        }),
      );
      const symbols = groupsBy(list, ({ symbol }) => symbol);
      expect(new Map(figures.bySymbol.map(({ symbol, ...sum }) => [symbol, sum]))).toEqual(
        new Map(
          [...symbols].map(([symbol, of]) => [
            symbol,
            {
              trades: of.length,
              wins: of.filter((trade) => netOf(trade).over > 0n).length,
              net: total(of.map(netOf)),
            },
          ]),
        ),
      );
      const sizes = figures.bySymbol.map(({ net }) => absolute(net));
      expect(sizes.every((size, index) => index === 0 || size <= sizes[index - 1]!)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('the order in which trades come changes nothing but which of equal ones is best and worst', () => {
  fc.assert(
    fc.property(trades, (drawn) => {
      const figuresOf = (list: readonly ClosedTrade[]) => {
        const tally = new TradeTally(zoneOf('Europe/Berlin'));
        for (const trade of list) tally.add(trade);
        const { best, worst, ...figures } = tally.figures();
        return { ...figures, best: best?.net, worst: worst?.net };
      };
      const list = asTrades(drawn);
      expect(figuresOf([...list].reverse())).toEqual(figuresOf(list));
    }),
    { numRuns: 200 },
  );
});

test('A01 A03 A108: what the first stop loss risks is the loss there by the rule set, at most the margin, and nothing on the winning side', () => {
  const units = fc.bigInt({ min: 1n, max: 10n ** 14n });
  fc.assert(
    fc.property(
      fc.constantFrom(...mainRuleSetNames),
      fc.constantFrom('BUY' as const, 'SELL' as const),
      units,
      fc.option(units),
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
      fc.integer({ min: 1, max: 125 }),
      (rules, side, entry, stop, size, leverage) => {
        const margin = rounded(through(times(decimal(entry), decimal(size)), ratio(BigInt(leverage))));
        const risk = initialRisk({
          rules,
          side,
          entryPrice: asPrice(entry),
          size: asSize(size),
          leverage,
          margin: asMoney(margin),
          initialStopLossPrice: stop === null ? null : asPrice(stop),
        });
        if (stop === null) {
          expect(risk).toBeNull();
          return;
        }
        const against =
          side === 'BUY' ? minus(decimal(entry), decimal(stop)) : minus(decimal(stop), decimal(entry));
        const factor = rules === 'standard' ? 1n : BigInt(leverage);
        const loss = rounded(largest(zero, times(times(against, decimal(size)), ratio(factor))));
        const capped = loss > margin ? margin : loss;
        expect(risk).toBe(capped === 0n ? null : capped);
      },
    ),
    { numRuns: 1000 },
  );
});
