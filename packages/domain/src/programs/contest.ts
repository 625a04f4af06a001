/**
 * Contests (A112): their states, what an entrant's score is, and the order of the entrants. Pure and exact up to one rounding a figure, except
 * the Sharpe ratio, which is a floating-point figure by its definition. A score without a meaning is null and ranks below all others.
 *
 * Sources: return, drawdown and expectancy as in `performance.ts` and `equity-curve.ts`; the ratio by W. Sharpe, "The Sharpe Ratio" (1994), of
 * daily returns with a risk-free rate of 0, not annualised, because all entrants have the same days.
 */
import { asMoney, divideRounded, type Money, UNIT } from '../money.ts';
import { rMultiple } from '../performance.ts';
import { dayMs } from '../time.ts';

export const programFaces = ['contest', 'challenge'] as const;

/** Entrants of one contest. */
export const contestEntrantsMax = 10_000;
export const contestSymbolsMax = 100;
export const contestDescriptionMax = 1000;
/** Days of equity that a Sharpe ratio needs, and so the length of a contest that is ranked by it. */
export const sharpeDaysMin = 10;

export const contestScores = ['return', 'realized', 'sharpe', 'drawdown', 'expectancy'] as const;
export type ContestScore = (typeof contestScores)[number];

/** What decides between equal scores: the smaller drawdown, fewer trades, the earlier entry. The number of the entrant is always the last. */
export const contestTieBreaks = ['drawdown', 'trades', 'entry'] as const;
export type ContestTieBreak = (typeof contestTieBreaks)[number];

/** What entrants read of each other. */
export const contestNames = ['shown', 'numbered'] as const;
export type ContestNames = (typeof contestNames)[number];

/** How a symbol's last accepted price stood when a program ended. */
export const markStates = ['live', 'old', 'shut', 'held'] as const;
export type MarkState = (typeof markStates)[number];

/** What may still change after the start. */
export const contestFieldsAfterStart = ['name', 'description'] as const;

export const contestPhases = ['announced', 'registration', 'trading', 'ending', 'ended'] as const;
export type ContestPhase = (typeof contestPhases)[number];

/** Milliseconds since the epoch, all of them; from (inclusive) and until (exclusive). */
export interface ContestTimes {
  readonly registrationOpens: number;
  readonly registrationEnds: number;
  readonly begins: number;
  readonly ends: number;
}

/** `ended`: the result is frozen. `registration` is before the start; late entries are possible while `trading`, as `canEnter` says. */
export function contestPhaseOf(times: ContestTimes, isFrozen: boolean, now: number): ContestPhase {
  if (isFrozen) return 'ended';
  if (now >= times.ends) return 'ending';
  if (now >= times.begins) return 'trading';
  return now >= times.registrationOpens ? 'registration' : 'announced';
}

export const canEnter = (times: ContestTimes, now: number): boolean =>
  now >= times.registrationOpens && now < times.registrationEnds && now < times.ends;

/** Null, or the text to show. */
export function checkContestTimes(times: ContestTimes, score: ContestScore): string | null {
  if (times.registrationEnds <= times.registrationOpens) return 'Registration ends after it opens.';
  if (times.ends <= times.begins) return 'Trading ends after it begins.';
  if (times.registrationEnds > times.ends) return 'Registration ends before trading does, or with it.';
  const days = Math.floor((times.ends - times.begins) / dayMs);
  return score === 'sharpe' && days < sharpeDaysMin
    ? `A contest that is ranked by the Sharpe ratio lasts at least ${sharpeDaysMin} days.`
    : null;
}

/** A closed position, or a closed part of one. */
export interface ContestTrade {
  /** After fees and funding, USDT. */
  readonly net: Money;
  /** `initialRisk`; null without a first stop loss. */
  readonly risk: Money | null;
  /** Whether the end of the contest closed it. */
  readonly closedByEnd: boolean;
  /** A part of another position is no trade of its own for the least number of trades. */
  readonly isPart: boolean;
}

export interface ContestRecord {
  readonly number: number;
  readonly startBalance: Money;
  /** At the end, with nothing open. */
  readonly equity: Money;
  readonly trades: readonly ContestTrade[];
  /** The equity at the end of each day that the entrant took part in, the oldest first; without the start balance. */
  readonly dailyEquity: readonly Money[];
  /** Every known equity, the oldest first. */
  readonly equities: readonly Money[];
}

export interface ContestFigures {
  readonly number: number;
  readonly equity: Money;
  /** Per cent of the start balance, in 1e-8. */
  readonly returnPct: bigint;
  /** USDT. */
  readonly realized: Money;
  /** Per cent of the highest equity so far, in 1e-8, zero or positive. */
  readonly drawdownPct: bigint;
  readonly sharpe: number | null;
  /** Mean of net / risk over the trades with a first stop loss, in 1e-8. */
  readonly expectancyR: bigint | null;
  readonly trades: number;
  /** In the unit of the score; null where it has no meaning. */
  readonly score: number | null;
}

export interface ContestRank extends ContestFigures {
  /** From 1; null for an entrant who is not ranked. */
  readonly rank: number | null;
  readonly unranked: 'too_few_trades' | 'no_score' | null;
}

export interface ContestRanking {
  readonly score: ContestScore;
  readonly tieBreaks: readonly ContestTieBreak[];
  /** Below it an entrant is not ranked. */
  readonly tradesMin: number;
}

const WHOLE_PERCENT = 100n * UNIT;
/** A smaller drawdown counts as this, per cent in 1e-8: a contest is no prize for one lucky trade. */
const drawdownFloor = UNIT;

const percentOf = (part: bigint, whole: bigint): bigint =>
  whole === 0n ? 0n : divideRounded(part * WHOLE_PERCENT, whole, 'half-away-from-zero');

/** The deepest fall from the highest value so far, beginning with `start`; per cent of that, in 1e-8. */
export function drawdownOf(start: Money, equities: readonly Money[]): bigint {
  let highest: bigint = start;
  let deepest = 0n;
  for (const equity of equities) {
    if (equity > highest) highest = equity;
    const fall = percentOf(highest - equity, highest);
    if (fall > deepest) deepest = fall;
  }
  return deepest;
}

/** Mean over sample deviation of the daily returns; null of fewer than ten days, of returns that are all alike, and after a total loss. */
export function sharpeOf(start: Money, dailyEquity: readonly Money[]): number | null {
  if (dailyEquity.length < sharpeDaysMin) return null;
  const returns: number[] = [];
  let before: bigint = start;
  for (const equity of dailyEquity) {
    if (before <= 0n) return null;
    returns.push(Number(equity - before) / Number(before));
    before = equity;
  }
  const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length;
  const variance = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (returns.length - 1);
  return variance === 0 ? null : mean / Math.sqrt(variance);
}

/** What the trader closed, and of what the end closed the losses: an open gain is not realized, and an open loss hides nowhere. */
export const realizedOf = (trades: readonly ContestTrade[]): Money =>
  asMoney(trades.reduce((sum, { net, closedByEnd }) => (closedByEnd && net > 0n ? sum : sum + net), 0n));

/** The mean of net / risk; null without a trade that had a first stop loss. */
export function expectancyOf(trades: readonly ContestTrade[]): bigint | null {
  let sum = 0n;
  let count = 0n;
  for (const { net, risk } of trades) {
    if (risk === null || risk <= 0n) continue;
    sum += rMultiple(net, risk);
    count += 1n;
  }
  return count === 0n ? null : divideRounded(sum, count, 'half-away-from-zero');
}

const toNumber = (scaled: bigint): number => Number(scaled) / Number(UNIT);

function scoreOf(score: ContestScore, figures: Omit<ContestFigures, 'score'>): number | null {
  const { returnPct, realized, drawdownPct, sharpe, expectancyR } = figures;
  switch (score) {
    case 'return':
      return toNumber(returnPct);
    case 'realized':
      return toNumber(realized);
    case 'sharpe':
      return sharpe;
    case 'drawdown': {
      const divisor = drawdownPct > drawdownFloor ? drawdownPct : drawdownFloor;
      return toNumber(divideRounded(returnPct * UNIT, divisor, 'half-away-from-zero'));
    }
    case 'expectancy':
      return expectancyR === null ? null : toNumber(expectancyR);
  }
}

export function contestFiguresOf(record: ContestRecord, score: ContestScore): ContestFigures {
  const { number, startBalance, equity, trades, dailyEquity, equities } = record;
  const figures = {
    number,
    equity,
    returnPct: percentOf(equity - startBalance, startBalance),
    realized: realizedOf(trades),
    drawdownPct: drawdownOf(startBalance, [...equities, equity]),
    sharpe: sharpeOf(startBalance, dailyEquity),
    expectancyR: expectancyOf(trades),
    trades: trades.filter(({ isPart }) => !isPart).length,
  };
  return { ...figures, score: scoreOf(score, figures) };
}

const compare = (a: bigint | number, b: bigint | number): number => (a < b ? -1 : a > b ? 1 : 0);

/** The entrants in order, the ranked ones first; the others by their equity. */
export function rankContest(
  records: readonly ContestRecord[],
  { score, tieBreaks, tradesMin }: ContestRanking,
): readonly ContestRank[] {
  const byTieBreak = {
    drawdown: (a: ContestFigures, b: ContestFigures) => compare(a.drawdownPct, b.drawdownPct),
    trades: (a: ContestFigures, b: ContestFigures) => compare(a.trades, b.trades),
    entry: (a: ContestFigures, b: ContestFigures) => compare(a.number, b.number),
  } as const satisfies Record<ContestTieBreak, unknown>;
  const judged = records.map((record) => {
    const figures = contestFiguresOf(record, score);
    const unranked =
      figures.trades < tradesMin
        ? ('too_few_trades' as const)
        : figures.score === null
          ? ('no_score' as const)
          : null;
    return { ...figures, unranked };
  });
  const ranked = judged
    .filter(({ unranked }) => unranked === null)
    .toSorted((a, b) => {
      const byScore = compare(b.score ?? 0, a.score ?? 0);
      if (byScore !== 0) return byScore;
      for (const tieBreak of tieBreaks) {
        const decided = byTieBreak[tieBreak](a, b);
        if (decided !== 0) return decided;
      }
      return compare(a.number, b.number);
    })
    .map((figures, index) => ({ ...figures, rank: index + 1 }));
  const others = judged
    .filter(({ unranked }) => unranked !== null)
    .toSorted((a, b) => compare(b.equity, a.equity) || compare(a.number, b.number))
    .map((figures) => ({ ...figures, rank: null }));
  return [...ranked, ...others];
}

/**
 * The equity at the end of each day of the contest that the entrant took part in. A day is 24 hours from the begin on, the last one may be shorter.
 * `observations` are of the time before the end, the oldest first; between two of them the equity is the earlier one. Times in ms since the
 * epoch.
 */
export function dailyEquityOf({
  begins,
  ends,
  entered,
  startBalance,
  final,
  observations,
}: {
  readonly begins: number;
  readonly ends: number;
  readonly entered: number;
  readonly startBalance: Money;
  /** At the end. */
  readonly final: Money;
  readonly observations: readonly { readonly at: number; readonly equity: Money }[];
}): readonly Money[] {
  const days: Money[] = [];
  let next = 0;
  let last = startBalance;
  for (let dayEnds = begins + dayMs; dayEnds < ends; dayEnds += dayMs) {
    for (; next < observations.length; next += 1) {
      const observed = observations[next];
      if (observed === undefined || observed.at >= dayEnds) break;
      last = observed.equity;
    }
    if (entered < dayEnds) days.push(last);
  }
  return [...days, final];
}
