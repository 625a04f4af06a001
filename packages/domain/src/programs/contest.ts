/**
 * Contests (A112): their states, what an entrant's score is, and the order of the entrants. Pure and exact up to one rounding a figure, except
 * the Sharpe ratio, which is a floating-point figure by its definition. A score without a meaning is null and ranks below all others.
 *
 * Sources: return, drawdown and R as in `performance.ts` and `equity-curve.ts`; the ratio by W. Sharpe, "The Sharpe Ratio" (1994), of
 * daily returns with a risk-free rate of 0, not annualised. Below zero a ratio would reward more risk, so the score multiplies there (C. Israelsen,
 * "A refinement to the Sharpe ratio and information ratio", 2005); the return by drawdown does likewise.
 */
import { asMoney, divideRounded, type Money, UNIT } from '../money.ts';
import { rMultiple } from '../performance.ts';
import { dayMs, minuteMs } from '../time.ts';

export const programFaces = ['contest', 'challenge'] as const;

/** Entrants of one contest. */
export const contestEntrantsMax = 10_000;
export const contestSymbolsMax = 100;
export const contestDescriptionMax = 1000;
/** Days of equity that a Sharpe ratio needs, and so the length of a contest that is ranked by it. */
const sharpeDaysMin = 10;

const contestDaysMax = 400;

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

/**
 * How long the end of a program waits for a fresh price of a market that is open, from then or the return of the server on; then the last accepted
 * price ends what is open.
 */
export const endWaitsForPricesMs = minuteMs;

export const contestPhases = [
  'announced',
  'registration',
  'waiting',
  'trading',
  'ending',
  'ended',
  'withdrawn',
] as const;
export type ContestPhase = (typeof contestPhases)[number];

/** Milliseconds since the epoch, all of them; from (inclusive) and until (exclusive). */
export interface ContestTimes {
  readonly registrationOpens: number;
  readonly registrationEnds: number;
  readonly begins: number;
  readonly ends: number;
}

/**
 * `ended`: the result is frozen. `registration` is before the start, `waiting` after it where trading begins later; late entries are possible while
 * `trading`, as `canEnter` says. `withdrawn` is what was withdrawn before its start, whatever the time.
 */
export function contestPhaseOf(times: ContestTimes, isFrozen: boolean, now: number): ContestPhase {
  if (isFrozen) return 'ended';
  if (now >= times.ends) return 'ending';
  if (now >= times.begins) return 'trading';
  if (now >= times.registrationEnds) return 'waiting';
  return now >= times.registrationOpens ? 'registration' : 'announced';
}

export const canEnter = (times: ContestTimes, now: number): boolean =>
  now >= times.registrationOpens && now < times.registrationEnds && now < times.ends;

/** Null, or the text to show. */
export function checkContestTimes(times: ContestTimes, score: ContestScore): string | null {
  if (times.registrationEnds <= times.registrationOpens) return 'Registration ends after it opens.';
  if (times.ends <= times.begins) return 'Trading ends after it begins.';
  if (times.ends - times.begins > contestDaysMax * dayMs)
    return `A contest lasts at most ${contestDaysMax} days.`;
  if (times.registrationEnds > times.ends) return 'Registration ends before trading does, or with it.';
  const days = Math.floor((times.ends - times.begins) / dayMs);
  return score === 'sharpe' && days < sharpeDaysMin
    ? `A contest that is ranked by the Sharpe ratio lasts at least ${sharpeDaysMin} days.`
    : null;
}

/** A closed position, or a closed part of one. */
export interface ContestTrade {
  /** The position; of a part the one that it was split from. */
  readonly positionId: string;
  /** After fees and funding, USDT. */
  readonly net: Money;
  /** What it could lose, above zero: to the stop loss of its opening, else its margin. */
  readonly risk: Money;
  /** Whether the end of the contest closed it. */
  readonly closedByEnd: boolean;
  /** A part of another position is no trade of its own. */
  readonly isPart: boolean;
}

interface ContestFigures {
  readonly number: number;
  readonly equity: Money;
  /** Per cent of the start balance, in 1e-8. */
  readonly returnPct: bigint;
  /** USDT. */
  readonly realized: Money;
  /** Per cent of the highest equity so far, in 1e-8, zero or positive. */
  readonly drawdownPct: bigint;
  /** Mean over sample deviation of the daily returns; null of fewer than ten days, of returns that are all alike, and after a total loss. */
  readonly sharpe: number | null;
  /** Mean of net / risk over the positions, in 1e-8; null without one. */
  readonly expectancyR: bigint | null;
  readonly trades: number;
  /** In the unit of the score; null where it has no meaning. */
  readonly score: number | null;
}

/** What the history of an entrant amounts to. */
export interface ContestRecord extends Omit<ContestFigures, 'score'> {
  /** What the Sharpe ratio is ranked by. */
  readonly sharpeScore: number | null;
}

interface ContestRank extends ContestFigures {
  /** From 1; null for an entrant who is not ranked. */
  readonly rank: number | null;
  readonly unranked: 'too_few_trades' | 'no_score' | null;
}

interface ContestRanking {
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

/** Per cent of the start balance, in 1e-8: nothing is paid into or out of the account of a contest. */
export const contestReturnOf = (equity: Money, startBalance: Money): bigint =>
  percentOf(equity - startBalance, startBalance);

const toNumber = (scaled: bigint): number => Number(scaled) / Number(UNIT);

interface EntrantTerms {
  readonly number: number;
  readonly startBalance: Money;
  /** Milliseconds since the epoch, all three. */
  readonly begins: number;
  readonly ends: number;
  readonly entered: number;
}

/**
 * Sums up the history of one entrant while it is read, so that memory does not grow with it. A day is 24 hours from the begin on, the last one may
 * be shorter; an entrant has the days that end after the entry. Between two observations the equity is the earlier one.
 */
export class ContestTally {
  readonly #terms: EntrantTerms;
  #realized = 0n;
  #trades = 0;
  /** The position whose parts arrive. */
  #position: { readonly id: string; net: bigint; risk: bigint } | null = null;
  #sumOfR = 0n;
  #positions = 0n;
  #last: bigint;
  #highest: bigint;
  #deepest = 0n;
  #dayEnds: number;
  #beforeDay: bigint;
  /** Of the daily returns (B. P. Welford, 1962): how many, their mean, the sum of the squares of what they differ from it. */
  #days = 0;
  #mean = 0;
  #squares = 0;
  #isLost = false;

  constructor(terms: EntrantTerms) {
    this.#terms = terms;
    const { startBalance, begins, entered } = terms;
    this.#last = startBalance;
    this.#highest = startBalance;
    this.#beforeDay = startBalance;
    this.#dayEnds = begins + dayMs * (Math.max(0, Math.floor((entered - begins) / dayMs)) + 1);
  }

  /** The parts of a position arrive one after the other. */
  trade({ positionId, net, risk, closedByEnd, isPart }: ContestTrade): void {
    // What the trader closed, and of what the end closed the losses: an open gain is not realized, and an open loss hides nowhere.
    if (!closedByEnd || net <= 0n) this.#realized += net;
    if (!isPart) this.#trades += 1;
    if (this.#position?.id !== positionId) {
      this.#finishPosition();
      this.#position = { id: positionId, net: 0n, risk: 0n };
    }
    this.#position.net += net;
    this.#position.risk += risk;
  }

  /** Observations arrive in the order of time, none of them after the end. */
  observe({ at, equity }: { readonly at: number; readonly equity: Money }): void {
    this.#passDays(at);
    this.#see(equity);
  }

  /** `equity`: at the end, with nothing open. */
  record(equity: Money): ContestRecord {
    const { number, startBalance, ends } = this.#terms;
    this.#passDays(ends - 1);
    this.#see(equity);
    this.#finishDay();
    this.#finishPosition();
    const deviation = Math.sqrt(this.#squares / (this.#days - 1));
    const hasRatio = this.#days >= sharpeDaysMin && this.#squares > 0 && !this.#isLost;
    const sharpe = hasRatio ? this.#mean / deviation : null;
    return {
      ...{ number, equity, trades: this.#trades, realized: asMoney(this.#realized) },
      returnPct: contestReturnOf(equity, startBalance),
      drawdownPct: this.#deepest,
      expectancyR:
        this.#positions === 0n ? null : divideRounded(this.#sumOfR, this.#positions, 'half-away-from-zero'),
      sharpe,
      sharpeScore: sharpe !== null && sharpe < 0 ? this.#mean * deviation : sharpe,
    };
  }

  #see(equity: bigint): void {
    this.#last = equity;
    if (equity > this.#highest) this.#highest = equity;
    const fall = percentOf(this.#highest - equity, this.#highest);
    if (fall > this.#deepest) this.#deepest = fall;
  }

  /** Ends the days that end until `at`, but for the last one. */
  #passDays(at: number): void {
    for (; this.#dayEnds <= at && this.#dayEnds < this.#terms.ends; this.#dayEnds += dayMs) this.#finishDay();
  }

  #finishDay(): void {
    if (this.#beforeDay <= 0n) this.#isLost = true;
    else {
      const returned = Number(this.#last - this.#beforeDay) / Number(this.#beforeDay);
      this.#days += 1;
      const difference = returned - this.#mean;
      this.#mean += difference / this.#days;
      this.#squares += difference * (returned - this.#mean);
    }
    this.#beforeDay = this.#last;
  }

  #finishPosition(): void {
    const position = this.#position;
    if (!position || position.risk <= 0n) return;
    this.#sumOfR += rMultiple(asMoney(position.net), asMoney(position.risk));
    this.#positions += 1n;
    this.#position = null;
  }
}

/** A result that is divided by its risk above zero, and multiplied with it below: more risk is never better. */
const byRisk = (result: bigint, risk: bigint): bigint =>
  result > 0n
    ? divideRounded(result * UNIT, risk, 'half-away-from-zero')
    : divideRounded(result * risk, UNIT, 'half-away-from-zero');

function scoreOf(score: ContestScore, record: ContestRecord): number | null {
  const { returnPct, realized, drawdownPct, sharpeScore, expectancyR } = record;
  switch (score) {
    case 'return':
      return toNumber(returnPct);
    case 'realized':
      return toNumber(realized);
    case 'sharpe':
      return sharpeScore;
    case 'drawdown':
      return toNumber(byRisk(returnPct, drawdownPct > drawdownFloor ? drawdownPct : drawdownFloor));
    case 'expectancy':
      return expectancyR === null ? null : toNumber(expectancyR);
  }
}

export function contestFiguresOf(record: ContestRecord, score: ContestScore): ContestFigures {
  const { sharpeScore: _, ...figures } = record;
  return { ...figures, score: scoreOf(score, record) };
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
