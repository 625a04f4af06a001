/** What an equity book decides at its accounts' deadlines, and at old prices. */
import {
  type ChallengeStep,
  dayMs,
  endWaitsForPricesMs,
  hourMs,
  judgeChallenge,
  type Position,
} from '@fulcrum/domain';
import { describe, expect, test } from 'vitest';
import {
  floor,
  holding,
  idOf,
  initial,
  money,
  step,
  walletOf,
} from '../../../../test/trading/equity-floor.ts';
import { price } from '../../../../test/trading/waiting-rows.ts';
import type { EquityBook } from './equity-book.ts';

describe('the equity book', () => {
  test('an account that is armed at old prices waits for those that trade', () => {
    const { book, prices, quoteOf, states } = floor([step()]);
    book.disarm(idOf(0));
    let stale = true;
    const seen = (symbol: string) => ({ ...quoteOf(symbol)!, stale });
    book.pass(2 * dayMs, seen);
    const account = { wallet: walletOf(0), positions: [holding(0, 'BTCUSDT', 100)] };
    prices.set('BTCUSDT', price('90'));
    book.arm(account, { step: step(), state: states[0]!, tradedOn: [], changedAt: 0 }, seen);
    expect(book.check(idOf(0), 2 * dayMs, seen)).toBeNull();
    expect(book.pass(2 * dayMs + 1, seen)).toEqual([]);
    prices.set('BTCUSDT', price('99'));
    stale = false;
    expect(book.pass(2 * dayMs + 2, seen)).toEqual([]);
    expect(book.unstored(2 * dayMs + 2, 10)).toMatchObject([
      { state: { day: { begins: 2 * dayMs, equity: money('9900') } } },
    ]);
  });

  test('at its deadline an account waits a minute for a market that never trades again, then the last accepted price decides', () => {
    const { book, prices, quoteOf, states } = floor([step()]);
    book.disarm(idOf(0));
    const seen = (symbol: string) => ({ ...quoteOf(symbol)!, stale: symbol === 'ETHUSDT' });
    const state = { ...states[0]!, deadline: dayMs };
    prices.set('ETHUSDT', price('99'));
    const positions = [holding(0, 'BTCUSDT', 10), holding(0, 'ETHUSDT', 10)];
    const pass = (from: number, to: number) => {
      for (let at = from; at < to; at += 1_000) expect(book.pass(at, seen)).toEqual([]);
    };
    pass(dayMs - 30_000, dayMs - 20_000);
    book.arm({ wallet: walletOf(0), positions }, { step: step(), state, tradedOn: [0], changedAt: 0 }, seen);
    pass(dayMs - 20_000, dayMs + 40_000);
    // After a long gap prices are waited for again; a short one counts.
    const back = dayMs + 40_000 + endWaitsForPricesMs;
    pass(back, back + 10_000);
    pass(back + 20_000, back + endWaitsForPricesMs);
    expect(book.pass(back + endWaitsForPricesMs, seen)).toMatchObject([
      {
        trigger: { accountId: idOf(0) },
        command: {
          marks: { BTCUSDT: { state: 'live' }, ETHUSDT: { price: price('99'), state: 'old' } },
        },
      },
    ]);
  });

  describe('near its deadline', () => {
    const deadline = dayMs / 2;
    const won = money('11000');
    /** After a restart, with prices that the test silences; the account is armed by it. */
    const restarted = (more: Partial<ChallengeStep> = {}) => {
      const { book, prices, quoteOf, states } = floor([step(more)]);
      book.disarm(idOf(0));
      const silent = new Set<string>();
      const seen = (symbol: string) => ({ ...quoteOf(symbol)!, stale: silent.has(symbol) });
      const state = { ...states[0]!, deadline };
      return {
        ...{ book, silent },
        arm: (balance: typeof won, positions: readonly Position[], changedAt: number) =>
          book.arm(
            { wallet: walletOf(0, balance), positions },
            { step: step(more), state, tradedOn: [0], changedAt },
            seen,
          ),
        /** A decision that is committed. */
        follow: (balance: typeof won, positions: readonly Position[], at: number) => {
          book.follow({ wallet: walletOf(0, balance), positions }, false, at, seen);
          const judgement = book.check(idOf(0), at, seen);
          book.confirm(idOf(0));
          return judgement;
        },
        tick: (symbol: string, at: string, now: number) => {
          prices.set(symbol, price(at));
          return book.tick(symbol, price(at), now, seen);
        },
        pass: (at: number) => book.pass(at, seen),
        /** Each second from `from` until `to`. */
        passes: (from: number, to: number) => {
          for (let at = from; at < to; at += 1_000) expect(book.pass(at, seen)).toEqual([]);
        },
      };
    };
    const outcomeOf = ([judgement]: ReturnType<EquityBook['pass']>, balance = won) => {
      const { at, step: of, state } = judgement!.command;
      const verdict = judgeChallenge(of, state, { at, balance, equity: balance });
      return [at, verdict?.rule ?? verdict?.outcome];
    };

    test('a pass whose verdict was lost is judged after the restart, at the latest of the last instant before the deadline', () => {
      const early = restarted();
      early.arm(won, [], deadline - 9_000);
      expect(outcomeOf(early.pass(deadline - 5_000))).toEqual([deadline - 5_000, 'passed']);
      const late = restarted();
      late.arm(won, [], deadline - 1);
      expect(outcomeOf(late.pass(deadline + hourMs))).toEqual([deadline - 1, 'passed']);
      const tooLate = restarted();
      tooLate.arm(won, [], deadline);
      expect(outcomeOf(tooLate.pass(deadline + 500))).toEqual([deadline + 500, 'time_limit']);
    });

    test('a pass whose batch failed is judged with the next second, though that is after the deadline', () => {
      const { book, arm, follow, pass, passes } = restarted();
      arm(initial, [holding(0, 'BTCUSDT', 10)], 0);
      passes(deadline - 9_000, deadline - 900);
      const judgement = follow(won, [], deadline - 500);
      expect(judgement?.command.at).toBe(deadline - 500);
      expect(pass(deadline - 100)).toEqual([]);
      book.end(idOf(0));
      book.abandon(idOf(0));
      expect(pass(deadline + 900)).toEqual([]);
      arm(won, [], deadline - 500);
      expect(outcomeOf(pass(deadline + 1_900))).toEqual([deadline - 1, 'passed']);
    });

    test('an account that a silent market keeps waiting passes with the close that leaves it empty', () => {
      const { arm, silent, follow, passes } = restarted();
      silent.add('ETHUSDT');
      arm(initial, [holding(0, 'ETHUSDT', 10)], 0);
      passes(deadline - 9_000, deadline - 5_000);
      const judgement = follow(won, [], deadline - 5_000);
      expect(outcomeOf([judgement!])).toEqual([deadline - 5_000, 'passed']);
    });

    test('one that waits for a silent market passes at its deadline by what it had realized before', () => {
      const { arm, silent, follow, pass, passes } = restarted();
      silent.add('ETHUSDT');
      const left = [holding(0, 'ETHUSDT', 10)];
      arm(initial, [holding(0, 'BTCUSDT', 10), ...left], 0);
      passes(deadline - 9_000, deadline - 5_000);
      expect(follow(won, left, deadline - 5_000)).toBeNull();
      passes(deadline - 5_000, deadline);
      const judged = pass(deadline + 300);
      expect(judged).toMatchObject([{ command: { marks: { ETHUSDT: { state: 'old' } } } }]);
      expect(outcomeOf(judged)).toEqual([deadline - 1, 'passed']);
    });

    test('what it realizes in the minute after the deadline does not count, whatever prices do', () => {
      const { arm, silent, follow, tick, pass, passes } = restarted();
      silent.add('ETHUSDT');
      const left = [holding(0, 'ETHUSDT', 10)];
      arm(initial, [holding(0, 'BTCUSDT', 10), ...left], 0);
      passes(deadline - 9_000, deadline + 10_000);
      expect(tick('BTCUSDT', '200', deadline + 10_000)).toEqual([]);
      expect(follow(won, left, deadline + 10_000)).toBeNull();
      // Read again, it is what it was.
      arm(won, left, deadline + 10_000);
      passes(deadline + 10_000, deadline + endWaitsForPricesMs);
      expect(outcomeOf(pass(deadline + endWaitsForPricesMs))).toEqual([
        deadline + endWaitsForPricesMs,
        'time_limit',
      ]);
    });

    test('without a gap, too, it waits a minute for an open market that is silent, or until that trades', () => {
      const known = () => {
        const floored = restarted();
        // The equity is below the target, the balance at it.
        floored.arm(won, [holding(0, 'BTCUSDT', 10), holding(0, 'ETHUSDT', 10, '101')], 0);
        floored.passes(deadline - 60_000, deadline - 30_000);
        floored.silent.add('ETHUSDT');
        floored.passes(deadline - 30_000, deadline + 20_000);
        expect(floored.tick('BTCUSDT', '110', deadline + 20_000)).toEqual([]);
        floored.passes(deadline + 20_000, deadline + 30_000);
        return floored;
      };
      const still = known();
      still.passes(deadline + 30_000, deadline + endWaitsForPricesMs);
      const judged = still.pass(deadline + endWaitsForPricesMs);
      expect(judged).toMatchObject([{ command: { marks: { ETHUSDT: { state: 'old' } } } }]);
      expect(outcomeOf(judged)).toEqual([deadline + endWaitsForPricesMs, 'time_limit']);
      const { silent, pass } = known();
      silent.delete('ETHUSDT');
      expect(outcomeOf(pass(deadline + 30_000))).toEqual([deadline + 30_000, 'time_limit']);
    });
  });
});
