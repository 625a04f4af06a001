import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asMoney, asPercent, asPrice, asSize, parseDecimal } from '../money.ts';
import { orderTypes } from '../states.ts';
import { dayMs, hourMs, minuteMs } from '../time.ts';
import { factText, findingsOf, habitsOf } from './findings.ts';
import { lessons } from './lessons.ts';
import { noOwnRules, toOwnRules } from './own-rules.ts';
import { coachRules, type OwnRules, type RuleId, ruleIds } from './rules.ts';
import {
  type FactName,
  type FactSheet,
  factsOf,
  followMsOf,
  type LossBefore,
  type PricesAround,
  type ReviewableTrade,
} from './trade-facts.ts';

const money = (text: string) => asMoney(parseDecimal(text));
const price = (text: string) => asPrice(parseDecimal(text));
const openedAt = Date.UTC(2026, 10, 23, 10);

/** 0.5 BTC bought at 60,000 with 10x, closed at 61,000: 500 USDT before 36 USDT of fees; the stop at 59,000 risks 500. */
const trade: ReviewableTrade = {
  id: 'a',
  symbol: 'BTCUSDT',
  side: 'BUY',
  rules: 'standard',
  entryPrice: price('60000'),
  closePrice: price('61000'),
  size: asSize(parseDecimal('0.5')),
  leverage: 10,
  margin: money('3000'),
  realizedPnl: money('500'),
  fees: money('36'),
  funding: money('0'),
  risk: money('500'),
  firstStop: price('59000'),
  lastStop: price('59000'),
  closeReason: 'manual',
  closedBy: null,
  hadStopOrder: false,
  executionCosts: null,
  equityBefore: money('10000'),
  openedAt,
  closedAt: openedAt + 2 * hourMs,
};
const around: PricesAround = {
  during: { high: price('61500'), low: price('59800') },
  after: { high: price('61200'), low: price('60500') },
};
const noRules: OwnRules = noOwnRules;

const sheetOf = (
  changed: Partial<ReviewableTrade> = {},
  prices: PricesAround = around,
  lossBefore: LossBefore | null = null,
) => factsOf({ ...trade, ...changed }, prices, lossBefore);
const rulesFor = (sheet: FactSheet, own = noRules): RuleId[] =>
  findingsOf(sheet, own).map(({ rule }) => rule);
const sentence = (sheet: FactSheet, rule: RuleId, own = noRules) =>
  findingsOf(sheet, own).find((finding) => finding.rule === rule)?.sentence;

describe('A115: the facts of a trade', () => {
  test('of a long one, reckoned by hand', () => {
    const texts = Object.fromEntries(
      Object.entries(sheetOf().facts).map(([name, fact]) => [name, factText(fact)]),
    );
    expect(texts).toEqual({
      net: '464.00',
      held: '2 h',
      entryPrice: '60000',
      exitPrice: '61000',
      costs: '36.00',
      // 36 of 500.
      costShare: '7.20 %',
      firstStop: '59000',
      lastStop: '59000',
      risk: '500.00',
      // 464 of 500.
      r: '0.93 R',
      riskShare: '5.00 %',
      worstPrice: '59800',
      worstResult: '-100.00',
      bestPrice: '61500',
      bestResult: '750.00',
      // 500 of 750.
      captured: '66.67 %',
      missedPrice: '61200',
      missedResult: '100.00',
    });
  });

  test('of a short one best and worst change places', () => {
    const { facts } = sheetOf({ side: 'SELL', closePrice: price('59900'), realizedPnl: money('50') });
    expect(factText(facts.bestPrice!)).toBe('59800');
    expect(factText(facts.bestResult!)).toBe('100.00');
    expect(factText(facts.worstPrice!)).toBe('61500');
    expect(facts.missedResult).toBeUndefined();
  });

  test('its own entry and close belong to what prices did, also where the bars do not show them', () => {
    const { facts } = sheetOf({ side: 'SELL', closePrice: price('59500'), realizedPnl: money('250') });
    expect(factText(facts.bestPrice!)).toBe('59500');
    expect(factText(facts.bestResult!)).toBe('250.00');
    expect(factText(facts.captured!)).toBe('100.00 %');
  });

  test('a loss is at most the margin, also at the worst price', () => {
    const { facts } = sheetOf({}, { during: { high: price('60000'), low: price('50000') }, after: null });
    expect(factText(facts.worstResult!)).toBe('-3000.00');
  });

  test('spread, impact and latency count as costs, and as what the trade would have earned', () => {
    const { facts } = sheetOf({ executionCosts: money('64'), funding: money('-20') });
    expect(factText(facts.costs!)).toBe('120.00');
    // 120 of 564.
    expect(factText(facts.costShare!)).toBe('21.28 %');
  });

  test('what is not known is absent: no stop, no prices, no snapshot, no loss before', () => {
    const { facts } = sheetOf(
      { risk: null, firstStop: null, lastStop: null, equityBefore: null },
      { during: null, after: null },
    );
    expect(Object.keys(facts)).toEqual(['net', 'held', 'entryPrice', 'exitPrice', 'costs', 'costShare']);
  });

  test('prices count as following for as long as the trade was open, within bounds', () => {
    expect(followMsOf({ openedAt: 0, closedAt: minuteMs })).toBe(15 * minuteMs);
    expect(followMsOf({ openedAt: 0, closedAt: 3 * hourMs })).toBe(3 * hourMs);
    expect(followMsOf({ openedAt: 0, closedAt: 9 * dayMs })).toBe(dayMs);
  });
});

const flat: PricesAround = { during: around.during, after: null };
/** Each rule: a sheet on which it speaks with its sentence, and the nearest one on which it does not. */
const cases: readonly (readonly [rule: RuleId, speaks: FactSheet, sentence: string, silent: FactSheet])[] = [
  [
    'no_stop',
    sheetOf({ firstStop: null, lastStop: null, risk: null }),
    'The trade had no stop loss from its opening to its end, and it ended at 464.00 USDT.',
    sheetOf({ firstStop: null, risk: null }),
  ],
  [
    'stop_moved_away',
    sheetOf({ lastStop: price('58999.5') }),
    'The stop loss moved from 59000 to 58999.5, away from the entry at 60000.',
    sheetOf({ lastStop: price('59000.5') }),
  ],
  [
    'soon_after_loss',
    sheetOf({}, flat, { net: money('-80.5'), closedAt: openedAt - 10 * minuteMs + 1 }),
    'The trade opened 9 min after a trade that ended at -80.50 USDT; less than 10 min is soon.',
    sheetOf({}, flat, { net: money('-80.5'), closedAt: openedAt - 10 * minuteMs }),
  ],
  [
    'gave_back',
    sheetOf(
      { realizedPnl: money('-100'), closePrice: price('59800'), closeReason: 'stop_loss' },
      { during: { high: price('61000'), low: price('59800') }, after: null },
    ),
    'At 61000 the trade was 500.00 USDT ahead, at least 100.00 % of its risk of 500.00 USDT; it ended at -136.00 USDT.',
    sheetOf(
      { realizedPnl: money('-100'), closePrice: price('59800'), closeReason: 'stop_loss' },
      { during: { high: price('60999.9'), low: price('59800') }, after: null },
    ),
  ],
  [
    'closed_early',
    sheetOf({}, { during: null, after: { high: price('61928'), low: price('60000') } }),
    'Closed by hand at 61000 with 464.00 USDT; prices then reached 61928, which was worth 464.00 USDT more.',
    sheetOf({}, { during: null, after: { high: price('61927.9'), low: price('60000') } }),
  ],
  [
    'costly',
    sheetOf({ fees: money('125') }),
    'Costs of 125.00 USDT were 25.00 % of what the trade earned before them; 25.00 % is much.',
    sheetOf({ fees: money('124.99') }),
  ],
  [
    'liquidated',
    sheetOf({ closeReason: 'liquidation', closePrice: price('54300'), realizedPnl: money('-2850') }),
    'The trade ended by liquidation at 54300 and its result is -2886.00 USDT.',
    sheetOf({ closeReason: 'stop_loss', closePrice: price('54300'), realizedPnl: money('-2850') }),
  ],
  [
    'loss_within_plan',
    sheetOf({ closeReason: 'stop_loss', closePrice: price('59000'), realizedPnl: money('-514') }),
    'The trade ended at -550.00 USDT, which is -1.10 R of what the first stop loss put at risk; down to -1.10 R is as planned.',
    sheetOf({ closeReason: 'stop_loss', closePrice: price('59000'), realizedPnl: money('-514.01') }),
  ],
  [
    'let_it_run',
    sheetOf({ realizedPnl: money('1036'), closePrice: price('62072') }),
    'The trade earned 1000.00 USDT, 2.00 R for what was at risk; 2.00 R or more is a profit that ran.',
    sheetOf({ realizedPnl: money('1035.99'), closePrice: price('62071.98') }),
  ],
];

describe('A115: the rules', () => {
  test.each(cases)(
    '%s speaks from its threshold on, in figures of the sheet',
    (rule, speaks, text, silent) => {
      expect(sentence(speaks, rule)).toBe(text);
      expect(rulesFor(silent)).not.toContain(rule);
    },
  );

  test('the share at risk is judged by the trader’s own rule alone', () => {
    const own = (text: string) => ({ riskShareMax: asPercent(parseDecimal(text)), off: [] });
    expect(rulesFor(sheetOf())).not.toContain('over_own_risk');
    expect(rulesFor(sheetOf(), own('5'))).not.toContain('over_own_risk');
    expect(sentence(sheetOf(), 'over_own_risk', own('2'))).toBe(
      'The first stop loss risked 500.00 USDT, 5.00 % of the equity; your own rule is 2.00 %.',
    );
  });

  test('closed early is spoken of where no order, or a MARKET order, closed the trade, and of no order that waited', () => {
    const after = { during: null, after: { high: price('61928'), low: price('60000') } };
    const speaksOf = (closedBy: ReviewableTrade['closedBy']) =>
      rulesFor(sheetOf({ closedBy }, after)).includes('closed_early');
    expect(orderTypes.filter(speaksOf)).toEqual(['MARKET']);
    expect(speaksOf(null)).toBe(true);
  });

  test('a trade with a stop order was not without a stop loss', () => {
    const noStop = { firstStop: null, lastStop: null, risk: null };
    expect(rulesFor(sheetOf({ ...noStop, closedBy: 'STOP_MARKET' }))).toContain('no_stop');
    expect(rulesFor(sheetOf({ ...noStop, hadStopOrder: true }))).not.toContain('no_stop');
  });

  test('every rule has a case above', () => {
    expect(new Set([...cases.map(([rule]) => rule), 'over_own_risk'])).toEqual(
      new Set(coachRules.map(({ id }) => id)),
    );
  });

  const anyMoney = fc.bigInt(-5_000_00000000n, 5_000_00000000n).map(asMoney);
  const anyPrice = fc.bigInt(50_000_00000000n, 70_000_00000000n).map(asPrice);
  const anyTrade = fc.record({
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    closePrice: anyPrice,
    realizedPnl: anyMoney,
    fees: fc.bigInt(0n, 200_00000000n).map(asMoney),
    risk: fc.option(fc.bigInt(1n, 3_000_00000000n).map(asMoney)),
    firstStop: fc.option(anyPrice),
    lastStop: fc.option(anyPrice),
    closeReason: fc.constantFrom('manual' as const, 'liquidation' as const, 'stop_loss' as const),
  });
  const anyRange = fc.option(
    fc.tuple(anyPrice, anyPrice).map(([one, other]) => ({
      high: one > other ? one : other,
      low: one > other ? other : one,
    })),
  );
  test('every figure of a finding is a fact of the sheet or a threshold, whatever the trade', () => {
    fc.assert(
      fc.property(anyTrade, anyRange, anyRange, anyMoney, (changed, during, after, net) => {
        const sheet = sheetOf(changed, { during, after }, { net, closedAt: openedAt - minuteMs });
        const known = new Set(Object.values(sheet.facts).map((fact) => factText(fact)));
        for (const { rule, sentence: spoken } of findingsOf(sheet, {
          riskShareMax: asPercent(2_00000000n),
          off: [],
        })) {
          const thresholds = ['10 min', '2.00 %', '100.00 %', '25.00 %', '-1.10 R', '2.00 R'];
          let rest = spoken;
          for (const text of [...known, ...thresholds].sort((one, other) => other.length - one.length))
            rest = rest.replaceAll(text, '');
          expect(rest, `${rule}: ${spoken}`).not.toMatch(/\d/);
        }
      }),
    );
  });
});

describe('A115: the habits of a period', () => {
  const many = (count: number, changed: Partial<ReviewableTrade>, prices = flat): FactSheet[] =>
    Array.from({ length: count }, (_, n) => ({ ...sheetOf(changed, prices), id: `${count}-${n}` }));
  const noStop = { firstStop: null, lastStop: null, risk: null } as const;

  test('the dearest first, each with its trades and what it cost', () => {
    const lost = many(3, { ...noStop, realizedPnl: money('-100') });
    const early = many(4, {}, { during: null, after: { high: price('62000'), low: price('61000') } });
    const { costliest, best, tooFew } = habitsOf([...lost, ...early], noRules);
    expect(costliest).toEqual([
      {
        rule: 'closed_early',
        worth: money('-2000'),
        trades: ['4-0', '4-1', '4-2', '4-3'].map((id) => ({ id, worth: money('-500') })),
      },
      {
        rule: 'no_stop',
        worth: money('-408'),
        trades: ['3-0', '3-1', '3-2'].map((id) => ({ id, worth: money('-136') })),
      },
    ]);
    expect(best).toEqual([]);
    expect(tooFew).toEqual([]);
  });

  test('found too seldom, it is not spoken of, and the review reports it', () => {
    const { costliest, tooFew } = habitsOf(many(2, { ...noStop, realizedPnl: money('-100') }), noRules);
    expect(costliest).toEqual([]);
    expect(tooFew).toEqual([{ rule: 'no_stop', trades: 2, needed: 3 }]);
  });

  test('a habit to lose that earned money is none of the costliest', () => {
    expect(habitsOf(many(3, noStop), noRules).costliest).toEqual([]);
  });

  test('the order of the trades changes nothing', () => {
    const sheets = [
      ...many(3, { realizedPnl: money('1200') }),
      ...many(4, { ...noStop, realizedPnl: money('-50') }),
    ];
    expect(habitsOf(sheets.toReversed(), noRules).best).toMatchObject([
      { rule: 'let_it_run', worth: money('3492') },
    ]);
    const sums = (habits: typeof sheets) =>
      habitsOf(habits, noRules).costliest.map(({ rule, worth, trades }) => [
        rule,
        worth,
        trades.map(({ id }) => id).toSorted(),
      ]);
    expect(sums(sheets.toReversed())).toEqual(sums(sheets));
  });
});

test('names of facts in sentences are facts that the rule needs', () => {
  for (const { id, sentence: template, needs, thresholdUnit } of coachRules) {
    const named = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as FactName | 'threshold');
    for (const name of named) {
      if (name === 'threshold') expect(thresholdUnit, id).not.toBeNull();
      else expect(needs, id).toContain(name);
    }
  }
});

test('A115: each rule has a short lesson of its own, without a figure', () => {
  expect(coachRules.map(({ id }) => id)).toEqual([...ruleIds]);
  expect(new Set(ruleIds.map((id) => lessons[id].title)).size).toBe(ruleIds.length);
  for (const { title, sentences } of Object.values(lessons)) {
    expect([3, 4], title).toContain(sentences.length);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z][^\d]+\.$/);
  }
});

test('A115: own rules are read from whatever is stored; a rule that is off finds nothing', () => {
  const limit = (text: string) => asPercent(parseDecimal(text));
  expect(toOwnRules({ riskShareMax: 1.25, off: ['no_stop', 'unknown'] })).toEqual({
    riskShareMax: limit('1.25'),
    off: ['no_stop'],
  });
  for (const value of [undefined, null, 'x', [], { riskShareMax: 0 }, { riskShareMax: 101, off: 'no_stop' }])
    expect(toOwnRules(value)).toEqual(noOwnRules);
  const unprotected = sheetOf({ firstStop: null, lastStop: null, risk: null });
  expect(rulesFor(unprotected)).toContain('no_stop');
  expect(rulesFor(unprotected, { riskShareMax: null, off: ['no_stop'] })).not.toContain('no_stop');
});
