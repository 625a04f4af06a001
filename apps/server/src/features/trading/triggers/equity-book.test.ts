/** A112: what the columns mark is what exact arithmetic decides, at the tick that decides it. */
import {
  asMoney,
  balanceOf,
  type ChallengeState,
  challengeLossModes,
  dayMs,
  equityOf,
  judgeChallenge,
  type Position,
  withEquity,
  withNewDay,
} from '@fulcrum/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  floor,
  holding,
  idOf,
  initial,
  money,
  pct,
  step,
  symbols,
  walletOf,
} from '../../../../test/trading/equity-floor.ts';
import { price } from '../../../../test/trading/waiting-rows.ts';
import { storesEveryMs } from './equity-book.ts';

describe('the equity book', () => {
  test('marks the account that a tick brings to its floor, with the marks of all that it holds', () => {
    const { book, follow, tick } = floor([step(), step()]);
    const positions = [holding(0, 'BTCUSDT', 50), holding(0, 'ETHUSDT', -10)];
    follow(0, positions);
    expect(tick('BTCUSDT', '91')).toEqual([]);
    expect(tick('ETHUSDT', '104')).toEqual([]);
    const [judgement, ...others] = tick('ETHUSDT', '105', 7);
    expect(others).toEqual([]);
    expect(judgement).toMatchObject({
      trigger: { kind: 'judge', accountId: idOf(0) },
      command: {
        ...{ at: 7, endsDay: false, state: { tradedToday: true } },
        marks: {
          BTCUSDT: { price: price('91'), state: 'live' },
          ETHUSDT: { price: price('105'), state: 'live' },
        },
      },
    });
    // One on its way at a time; after its decision the next tick marks it again.
    expect(tick('ETHUSDT', '106')).toEqual([]);
    if (judgement) book.settle(judgement);
    expect(tick('ETHUSDT', '106')).toHaveLength(1);
  });

  test('has nothing of a symbol without a holder, nor of an account that has left', () => {
    const { book, follow, tick } = floor([step()]);
    expect(tick('BTCUSDT', '1')).toEqual([]);
    follow(0, [holding(0, 'BTCUSDT', 50)]);
    book.disarm(idOf(0));
    expect(tick('BTCUSDT', '0.5')).toEqual([]);
    expect(book.size).toBe(0);
  });

  test('stores a new day at once and peaks every ten seconds, until they are stored', () => {
    const trailing = step({ maxLoss: { pct: pct('5'), mode: 'trailing_intraday', lockPct: null } });
    const { book, follow, tick, quoteOf } = floor([trailing]);
    follow(0, [holding(0, 'BTCUSDT', 10)]);
    tick('BTCUSDT', '120');
    tick('BTCUSDT', '110');
    expect(book.unstored(storesEveryMs - 1, 10)).toEqual([]);
    const peaks = book.unstored(storesEveryMs, 10);
    expect(peaks).toMatchObject([{ accountId: idOf(0), state: { peak: money('10200') } }]);
    book.stored(peaks);
    expect(book.unstored(2 * storesEveryMs, 10)).toEqual([]);
    book.pass(dayMs, quoteOf);
    expect(book.unstored(dayMs, 10)).toMatchObject([
      { state: { day: { begins: dayMs, balance: initial, equity: money('10100') }, tradingDays: 1 } },
    ]);
  });

  test('stores each in its order where there are more than it may at once, and all of them at the end', () => {
    const trailing = step({ maxLoss: { pct: pct('5'), mode: 'trailing_intraday', lockPct: null } });
    const { book, follow, tick } = floor([trailing, trailing]);
    for (const account of [0, 1]) {
      follow(account, [holding(account, 'BTCUSDT', 10)]);
    }
    const storedAt = (at: number) => {
      const states = book.unstored(at, 1);
      book.stored(states);
      return states.map(({ accountId }) => accountId);
    };
    tick('BTCUSDT', '120');
    expect(storedAt(storesEveryMs)).toEqual([idOf(0)]);
    tick('BTCUSDT', '121');
    expect(storedAt(storesEveryMs + 1_000)).toEqual([idOf(1)]);
    tick('BTCUSDT', '122');
    expect(storedAt(storesEveryMs + 2_000)).toEqual([idOf(0)]);
    expect(book.ahead(() => true)).toMatchObject([{ accountId: idOf(1), state: { peak: money('10220') } }]);
    expect(book.ahead((accountId) => accountId === idOf(0))).toEqual([]);
  });

  test('an account that is armed again keeps the state in memory, with the stored trading days', () => {
    const trailing = step({ maxLoss: { pct: pct('5'), mode: 'trailing_intraday', lockPct: null } });
    const { book, follow, tick, quoteOf, states } = floor([trailing]);
    const positions = [holding(0, 'BTCUSDT', 10)];
    follow(0, positions, false);
    tick('BTCUSDT', '120');
    book.arm(
      { wallet: walletOf(0), positions },
      { step: trailing, state: states[0]!, tradedOn: [0], changedAt: 0 },
      quoteOf,
    );
    expect(tick('BTCUSDT', '70')).toMatchObject([
      { command: { state: { peak: money('10200'), tradedToday: true } } },
    ]);
  });

  test('has no peak, no day and no judgement of what was never committed', () => {
    const trailing = step({ maxLoss: { pct: pct('5'), mode: 'trailing_intraday', lockPct: null } });
    const { book, tick, quoteOf, states } = floor([trailing]);
    const bought = { wallet: walletOf(0), positions: [holding(0, 'BTCUSDT', 1_000)] };
    book.follow(bought, true, 1, quoteOf);
    tick('BTCUSDT', '101');
    book.pass(dayMs, quoteOf);
    expect(book.unstored(dayMs, 10)).toEqual([]);
    const [judgement] = tick('BTCUSDT', '95');
    expect(judgement).toBeDefined();
    book.abandon(idOf(0));
    expect(book.isVoid(judgement!.command)).toBe(true);
    // Its fate may be unknown: nothing of it counts until the account is read.
    expect(tick('BTCUSDT', '120')).toEqual([]);
    book.arm(
      { wallet: walletOf(0), positions: [] },
      { step: trailing, state: states[0]!, tradedOn: [], changedAt: 0 },
      quoteOf,
    );
    expect(book.check(idOf(0), dayMs, quoteOf)).toBeNull();
    expect(book.unstored(dayMs, 10)).toMatchObject([
      { state: { peak: initial, day: { begins: dayMs, equity: initial }, tradingDays: 0 } },
    ]);
  });

  test('judges a day that ended while another judgement was on its way, by its own marks', () => {
    const daily = {
      pct: pct('2'),
      of: 'initial',
      from: 'balance',
      countsOpen: true,
      checked: 'day_end',
    } as const;
    const { book, follow, tick, quoteOf } = floor([step({ dailyLoss: daily })]);
    const positions = [holding(0, 'BTCUSDT', 10)];
    follow(0, positions);
    const [judgement] = tick('BTCUSDT', '50');
    book.pass(dayMs - 1_000, quoteOf);
    expect(tick('BTCUSDT', '78', dayMs - 1)).toEqual([]);
    expect(book.passDay(dayMs, quoteOf)).toEqual([]);
    tick('BTCUSDT', '90', dayMs + 1);
    expect(book.pass(dayMs + 1, quoteOf)).toEqual([]);
    // What came before it has changed the account, so that it is not decided.
    book.settle(judgement!);
    expect(book.pass(dayMs + 2, quoteOf)).toMatchObject([
      {
        command: {
          ...{ at: dayMs, endsDay: true, state: { day: { begins: 0 } } },
          marks: { BTCUSDT: { price: price('78') } },
        },
      },
    ]);
    expect(book.pass(dayMs + 3, quoteOf)).toEqual([]);
  });

  test('after a gap old prices make no peak, end no day and decide nothing, until all open markets trade', () => {
    const daily = {
      pct: pct('2'),
      of: 'initial',
      from: 'equity',
      countsOpen: true,
      checked: 'day_end',
    } as const;
    const trailing = step({
      ...{ dailyLoss: daily, maxLoss: { pct: pct('5'), mode: 'trailing_intraday', lockPct: null } },
    });
    const { book, follow, prices, quoteOf, tick } = floor([trailing]);
    const open = new Set(symbols);
    const trades = new Set(symbols);
    const seen = (symbol: string) => {
      const quote = quoteOf(symbol);
      return quote && { ...quote, stale: !trades.has(symbol), marketOpen: open.has(symbol) };
    };
    follow(0, [...[holding(0, 'BTCUSDT', 100), holding(0, 'ETHUSDT', 100), holding(0, 'AAPL', 1)]]);
    book.pass(dayMs - 1_000, seen);
    tick('BTCUSDT', '98', dayMs - 900);
    // A halt over midnight, in which both move; the share's market is shut.
    const resumed = dayMs + 600_000;
    prices.set('BTCUSDT', price('110'));
    prices.set('ETHUSDT', price('90'));
    prices.set('AAPL', price('99'));
    trades.delete('ETHUSDT');
    trades.delete('AAPL');
    open.delete('AAPL');
    expect(book.passDay(resumed, seen)).toEqual([]);
    expect(book.tick('BTCUSDT', price('110'), resumed, seen)).toEqual([]);
    expect(book.pass(resumed, seen)).toEqual([]);
    expect(book.unstored(resumed, 10)).toEqual([]);
    trades.add('ETHUSDT');
    book.tick('ETHUSDT', price('90'), resumed + 500, seen);
    expect(book.pass(resumed + 1_000, seen)).toEqual([]);
    expect(book.unstored(resumed + 1_000, 10)).toMatchObject([
      { state: { peak: initial, day: { begins: dayMs, balance: initial, equity: money('9999') } } },
    ]);
    expect(book.tick('BTCUSDT', price('105'), resumed + 1_100, seen)).toMatchObject([
      { command: { state: { peak: initial }, endsDay: false } },
    ]);
  });

  test('what opens after a midnight whose day still waits for prices counts for its own day', () => {
    const { book, follow, quoteOf, tick } = floor([step()]);
    const silent = new Set<string>();
    const seen = (symbol: string) => {
      const quote = quoteOf(symbol);
      return quote && { ...quote, stale: silent.has(symbol) };
    };
    follow(0, [holding(0, 'ETHUSDT', 1)]);
    book.pass(dayMs - 1_000, seen);
    // A halt over midnight.
    silent.add('ETHUSDT');
    const resumed = dayMs + 600_000;
    book.pass(resumed, seen);
    const both = [holding(0, 'ETHUSDT', 1), holding(0, 'BTCUSDT', 100)];
    book.follow({ wallet: walletOf(0), positions: both }, true, resumed, seen);
    book.confirm(idOf(0));
    silent.clear();
    book.pass(resumed + 1_000, seen);
    expect(tick('BTCUSDT', '90', resumed + 2_000)).toMatchObject([
      { command: { state: { day: { begins: dayMs }, tradingDays: 1, tradedToday: true } } },
    ]);
  });

  test('a judgement counts what was opened since it was sent, until the day that it judges', () => {
    const { book, follow, quoteOf, tick } = floor([step()]);
    const positions = [holding(0, 'BTCUSDT', 100)];
    follow(0, positions);
    book.pass(dayMs, quoteOf);
    const judgement = tick('BTCUSDT', '90', dayMs + 1)[0]!;
    const countedIn = (openedOn: number | null, sent = judgement) => {
      const { tradingDays, tradedToday } = book.withOpenings(sent, openedOn).state;
      return [tradingDays, tradedToday];
    };
    expect(countedIn(null)).toEqual([1, false]);
    expect(countedIn(dayMs)).toEqual([1, true]);
    const ended = { ...judgement, command: { ...judgement.command, at: dayMs, endsDay: true } };
    expect(countedIn(2 * dayMs)).toEqual([1, false]);
    expect(countedIn(dayMs, ended)).toEqual([1, false]);
    // In a batch before.
    book.follow({ wallet: walletOf(0), positions }, true, dayMs + 2, quoteOf);
    expect(countedIn(null)).toEqual([1, true]);
  });

  test('what a committed decision opened has its peak from the decision on', () => {
    const trailing = step({ maxLoss: { pct: pct('5'), mode: 'trailing_intraday', lockPct: null } });
    const { book, tick, quoteOf } = floor([trailing]);
    book.follow({ wallet: walletOf(0), positions: [holding(0, 'BTCUSDT', 100)] }, true, 1, quoteOf);
    tick('BTCUSDT', '110');
    book.confirm(idOf(0));
    expect(tick('BTCUSDT', '105')).toMatchObject([{ command: { state: { peak: money('11000') } } }]);
  });

  test('an end that is not committed leaves the account with its peak', () => {
    const trailing = step({ maxLoss: { pct: pct('5'), mode: 'trailing_intraday', lockPct: null } });
    const { book, follow, tick, quoteOf, states } = floor([trailing]);
    const positions = [holding(0, 'BTCUSDT', 10)];
    follow(0, positions);
    tick('BTCUSDT', '120');
    book.end(idOf(0));
    expect(tick('BTCUSDT', '60')).toEqual([]);
    book.abandon(idOf(0));
    book.arm(
      { wallet: walletOf(0), positions },
      { step: trailing, state: states[0]!, tradedOn: [], changedAt: 0 },
      quoteOf,
    );
    expect(tick('BTCUSDT', '70')).toMatchObject([{ command: { state: { peak: money('10200') } } }]);
  });
});

test('whatever happens, it marks what exact arithmetic decides, at that tick, and nothing else', () => {
  const steps = fc.array(
    fc.record({
      targetPct: fc.constantFrom(pct('3'), pct('10')),
      dailyLoss: fc.option(
        fc
          .record({
            pct: fc.constantFrom(pct('2'), pct('4')),
            of: fc.constantFrom('initial' as const, 'day' as const),
            ...{ from: fc.constantFrom('balance' as const, 'equity' as const), countsOpen: fc.boolean() },
            checked: fc.constantFrom('tick' as const, 'day_end' as const),
          })
          .map((rule) => ({ ...rule, countsOpen: rule.countsOpen || rule.from === 'equity' })),
      ),
      maxLoss: fc.record({
        pct: fc.constantFrom(pct('3'), pct('6')),
        mode: fc.constantFrom(...challengeLossModes),
        lockPct: fc.option(fc.constantFrom(pct('0'), pct('1'))),
      }),
      consistencyPct: fc.option(fc.constant(pct('60'))),
      daysMin: fc.integer({ min: 0, max: 2 }),
      daysMax: fc.constant(null),
    }),
    { minLength: 3, maxLength: 3 },
  );
  const cents = fc.integer({ min: 9_600, max: 10_400 }).map((of) => (of / 100).toFixed(2));
  const events = fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant('tick' as const),
          symbol: fc.constantFrom(...symbols),
          at: cents,
        }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant('hold' as const),
          account: fc.integer({ min: 0, max: 2 }),
          amounts: fc.tuple(...symbols.map(() => fc.integer({ min: -60, max: 60 }))),
          gain: fc.integer({ min: -150, max: 250 }),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('midnight' as const) }) },
    ),
    { minLength: 20, maxLength: 60, size: 'max' },
  );
  fc.assert(
    fc.property(steps, events, (rules, happenings) => {
      const { book, prices, quoteOf, states, tick } = floor(rules);
      const accounts = rules.map((of, n) => ({
        of,
        state: states[n] as ChallengeState,
        wallet: walletOf(n),
        positions: [] as Position[],
        over: false,
      }));
      const standing = ({ wallet, positions }: (typeof accounts)[number], at: number) => ({
        ...{ at, balance: balanceOf(wallet), equity: equityOf(wallet, positions, { quote: quoteOf }) },
      });
      let now = 1;
      /** Of the accounts that are not over: which are decided, in exact arithmetic. */
      const expected = (at: number, endsDay: boolean, of = accounts) =>
        of.flatMap((account) => {
          if (account.over) return [];
          const seen = standing(account, at);
          account.state = withEquity(account.state, seen.equity);
          const verdict = judgeChallenge(account.of, account.state, seen, endsDay);
          if (verdict) account.over = true;
          return verdict ? [[account.wallet.accountId, verdict.rule, verdict.figures.maxLoss.floor]] : [];
        });
      const marked = (judgements: ReturnType<typeof book.tick>) =>
        judgements.map(({ trigger, command }) => {
          const account = accounts.find(({ wallet }) => wallet.accountId === trigger.accountId)!;
          const verdict = judgeChallenge(
            command.step,
            command.state,
            standing(account, command.at),
            command.endsDay,
          );
          book.disarm(trigger.accountId);
          return [trigger.accountId, verdict?.rule, verdict?.figures.maxLoss.floor];
        });
      const byAccount = (list: unknown[][]) => list.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
      for (const event of happenings) {
        now += 1;
        if (event.kind === 'tick') {
          prices.set(event.symbol, price(event.at));
          // Who does not hold it is not decided by it.
          const holders = accounts.filter(({ positions }) =>
            positions.some(({ symbol }) => symbol === event.symbol),
          );
          expect(byAccount(marked(tick(event.symbol, event.at, now)))).toEqual(
            byAccount(expected(now, false, holders)),
          );
        } else if (event.kind === 'hold') {
          const account = accounts[event.account]!;
          if (account.over) continue;
          account.wallet = walletOf(
            event.account,
            asMoney(balanceOf(account.wallet) + money(String(event.gain))),
          );
          account.positions = event.amounts.flatMap((amount, n) =>
            amount === 0 ? [] : [holding(event.account, symbols[n]!, amount, '99.5')],
          );
          account.state = { ...account.state, tradedToday: true };
          book.follow(account, true, now, quoteOf);
          book.confirm(account.wallet.accountId);
          const judgement = book.check(account.wallet.accountId, now, quoteOf);
          expect(marked(judgement ? [judgement] : [])).toEqual(expected(now, false, [account]));
        } else {
          const midnight = (Math.floor(now / dayMs) + 1) * dayMs;
          now = midnight + 5;
          const judged = marked(book.pass(now, quoteOf));
          expect(byAccount(judged)).toEqual(byAccount(expected(midnight, true)));
          for (const account of accounts)
            account.state = withNewDay(account.state, standing(account, midnight));
        }
      }
    }),
    { numRuns: 300 },
  );
});
