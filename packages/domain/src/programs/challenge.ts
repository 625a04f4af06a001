/**
 * Challenges (A112): the rules of a step, what is kept of an account for them, and the judgement. Pure and exact. Invariants: a step fails where
 * equity touches a floor; it passes by what is realized, never by an open gain; of two floors that are touched at once the higher one
 * is named, because a falling equity met it first.
 *
 * Sources: FTMO, "Trading objectives" (ftmo.com/en/trading-objectives) and "Maximum daily loss" (academy.ftmo.com); LuxAlgo, prop-firm-sim,
 * docs/rule-semantics.md, whose worked examples are the cases of the test. A day is that of UTC.
 */
import { asMoney, divideRounded, HUNDRED_PERCENT, type Money, NO_MONEY, type Percent } from '../money.ts';
import { dayMs } from '../time.ts';

/**
 * What the floor of the maximum loss follows: nothing, the highest balance at the end of a day, or the highest equity of any tick.
 */
export const challengeLossModes = ['static', 'trailing_day', 'trailing_intraday'] as const;
export type ChallengeLossMode = (typeof challengeLossModes)[number];

/** Of what a daily loss is a part: the initial balance, or where the day began. */
export const dailyLossBases = ['initial', 'day'] as const;
/** Where the day began: its balance, or its equity. */
export const dailyLossStarts = ['balance', 'equity'] as const;
/** When it is judged: with each tick, or once as the day ends. */
export const dailyLossChecks = ['tick', 'day_end'] as const;

export const challengeStepsMax = 5;
export const challengeAttemptsMax = 100;
export const challengeDaysMax = 400;
export const challengeEntrantsMax = 10_000;

interface DailyLossRule {
  readonly pct: Percent;
  readonly of: (typeof dailyLossBases)[number];
  readonly from: (typeof dailyLossStarts)[number];
  /** Whether an open loss counts. */
  readonly countsOpen: boolean;
  readonly checked: (typeof dailyLossChecks)[number];
}

export interface MaxLossRule {
  /** Of the initial balance. */
  readonly pct: Percent;
  readonly mode: ChallengeLossMode;
  /** The floor stops at the initial balance and this part of it; null never stops it. */
  readonly lockPct: Percent | null;
}

export interface ChallengeStep {
  /** Of the initial balance. */
  readonly targetPct: Percent;
  readonly dailyLoss: DailyLossRule | null;
  readonly maxLoss: MaxLossRule;
  /** The most that the best day may be of the whole profit. */
  readonly consistencyPct: Percent | null;
  /** Days with an opening. */
  readonly daysMin: number;
  /** Of 24 hours from the start of the step; null is unlimited. */
  readonly daysMax: number | null;
}

/** What is kept of a step in progress. Milliseconds since the epoch; money in USDT. */
export interface ChallengeState {
  readonly initial: Money;
  /** When the step fails undecided; null never. */
  readonly deadline: number | null;
  /** Where the day began: at midnight UTC, or with the step. */
  readonly day: { readonly begins: number; readonly balance: Money; readonly equity: Money };
  /** Of the ended days; at least the initial balance. */
  readonly highestDayEnd: Money;
  /** The highest equity; at least the initial balance. */
  readonly peak: Money;
  /** The greatest profit of an ended day, or zero. */
  readonly bestDay: Money;
  /** Ended days with an opening. */
  readonly tradingDays: number;
  readonly tradedToday: boolean;
}

/** What an account is worth at an instant. */
export interface ChallengeStanding {
  readonly at: number;
  readonly balance: Money;
  readonly equity: Money;
}

/** How a step ends. */
export const challengeOutcomes = ['passed', 'failed'] as const;
export const challengeRulesBroken = ['daily_loss', 'max_loss', 'time_limit'] as const;
export type BrokenRule = (typeof challengeRulesBroken)[number];

/** The arithmetic of a judgement: everything that it compares. */
export interface ChallengeFigures extends ChallengeStanding {
  readonly initial: Money;
  readonly dayBegins: number;
  /** Where the day's loss is counted from, and what it may be; null without the rule. */
  readonly dailyLoss: {
    readonly from: Money;
    readonly allowed: Money;
    readonly floor: Money;
    /** What is compared: equity, or the balance where open losses do not count. */
    readonly value: Money;
  } | null;
  readonly maxLoss: {
    /** What the floor follows. */
    readonly from: Money;
    readonly allowed: Money;
    readonly floor: Money;
    readonly locked: boolean;
  };
  /** The lesser of balance and equity, less the initial balance. */
  readonly profit: Money;
  /** The target, or more where the best day demands it. */
  readonly profitNeeded: Money;
  readonly bestDay: Money;
  readonly tradingDays: number;
  readonly deadline: number | null;
}

export type ChallengeVerdict =
  | { readonly outcome: 'passed'; readonly rule: null; readonly figures: ChallengeFigures }
  | { readonly outcome: 'failed'; readonly rule: BrokenRule; readonly figures: ChallengeFigures };

export const challengePhases = ['announced', 'open', 'shut', 'ended'] as const;
export type ChallengePhase = (typeof challengePhases)[number];

/** When attempts may start, from (inclusive) and until (exclusive), and when the challenge ends; milliseconds since the epoch. */
export interface ChallengeTimes {
  readonly opens: number;
  readonly startsUntil: number;
  readonly ends: number;
}

export function challengePhaseOf({ opens, startsUntil, ends }: ChallengeTimes, now: number): ChallengePhase {
  if (now < opens) return 'announced';
  if (now < startsUntil) return 'open';
  return now < ends ? 'shut' : 'ended';
}

/** Null, or the text to show. */
export function checkChallengeTimes({ opens, startsUntil, ends }: ChallengeTimes): string | null {
  if (startsUntil <= opens) return 'Attempts can be started until a time after they open.';
  if (startsUntil > ends) return 'Attempts can be started until the challenge ends, or until before that.';
  return ends - opens > challengeDaysMax * dayMs
    ? `A challenge lasts at most ${challengeDaysMax} days.`
    : null;
}

const isWithin = (pct: Percent, max: bigint): boolean => pct > 0n && pct <= max;

/** Null, or the text to show. */
export function checkChallengeStep({
  targetPct,
  dailyLoss,
  maxLoss,
  consistencyPct,
}: ChallengeStep): string | null {
  if (!isWithin(targetPct, 10n * HUNDRED_PERCENT)) return 'A profit target is above 0 and at most 1000 %.';
  if (!isWithin(maxLoss.pct, HUNDRED_PERCENT)) return 'A maximum loss is above 0 and at most 100 %.';
  if (dailyLoss && !isWithin(dailyLoss.pct, HUNDRED_PERCENT))
    return 'A daily loss is above 0 and at most 100 %.';
  // An open gain at midnight would be a loss of the next day.
  if (dailyLoss?.from === 'equity' && !dailyLoss.countsOpen)
    return 'A day that begins with its equity counts open results, too.';
  if (consistencyPct !== null && !isWithin(consistencyPct, HUNDRED_PERCENT))
    return 'A best day is above 0 and at most 100 % of the profit.';
  if (maxLoss.lockPct === null) return null;
  if (maxLoss.mode === 'static')
    return 'A static floor does not move, so nothing stops it. Choose a trailing one, or no stop.';
  return maxLoss.lockPct < 0n || maxLoss.lockPct > HUNDRED_PERCENT
    ? 'A floor stops at the initial balance, or at most 100 % above it.'
    : null;
}

/** The midnight UTC before, or at, the instant. */
export const challengeDayOf = (at: number): number => Math.floor(at / dayMs) * dayMs;

/** Half a unit away from zero. */
export const challengePartOf = (base: Money, pct: Percent): Money =>
  asMoney(divideRounded(base * pct, HUNDRED_PERCENT, 'half-away-from-zero'));

const greater = (a: Money, b: Money): Money => (a > b ? a : b);
const lesser = (a: Money, b: Money): Money => (a < b ? a : b);

/** `ends`: of the whole challenge. */
export function beginChallenge(
  step: ChallengeStep,
  { initial, at, ends }: { readonly initial: Money; readonly at: number; readonly ends: number | null },
): ChallengeState {
  const limit = step.daysMax === null ? null : at + step.daysMax * dayMs;
  return {
    initial,
    deadline: limit === null ? ends : Math.min(limit, ends ?? limit),
    day: { begins: at, balance: initial, equity: initial },
    ...{ highestDayEnd: initial, peak: initial, bestDay: NO_MONEY, tradingDays: 0, tradedToday: false },
  };
}

/** An equity that a tick made. */
export const withEquity = (state: ChallengeState, equity: Money): ChallengeState =>
  equity > state.peak ? { ...state, peak: equity } : state;

/** As the stored days with an opening say, midnights UTC. */
export function withTradingDays(state: ChallengeState, tradedOn: readonly number[]): ChallengeState {
  const today = challengeDayOf(state.day.begins);
  return {
    ...state,
    tradingDays: tradedOn.filter((day) => day < today).length,
    tradedToday: tradedOn.some((day) => day >= today),
  };
}

/** A day has ended, or several of which no price is known: the next one begins with what the account is worth. */
export function withNewDay(
  state: ChallengeState,
  { at, balance, equity }: ChallengeStanding,
): ChallengeState {
  return {
    ...state,
    day: { begins: challengeDayOf(at), balance, equity },
    highestDayEnd: greater(state.highestDayEnd, balance),
    peak: greater(state.peak, equity),
    bestDay: greater(state.bestDay, asMoney(balance - state.day.balance)),
    tradingDays: state.tradingDays + Number(state.tradedToday),
    tradedToday: false,
  };
}

function maxLossOf({ maxLoss }: ChallengeStep, state: ChallengeState): ChallengeFigures['maxLoss'] {
  const { initial, highestDayEnd, peak } = state;
  const { pct, mode, lockPct } = maxLoss;
  const from = { static: initial, trailing_day: highestDayEnd, trailing_intraday: peak }[mode];
  const allowed = challengePartOf(initial, pct);
  const floor = asMoney(from - allowed);
  const lock = lockPct === null ? floor : asMoney(initial + challengePartOf(initial, lockPct));
  return { from, allowed, floor: lesser(floor, lock), locked: lockPct !== null && floor >= lock };
}

function dailyLossOf(
  { dailyLoss }: ChallengeStep,
  { initial, day }: ChallengeState,
  { balance, equity }: ChallengeStanding,
): ChallengeFigures['dailyLoss'] {
  if (!dailyLoss) return null;
  const from = day[dailyLoss.from];
  const allowed = challengePartOf(dailyLoss.of === 'initial' ? initial : from, dailyLoss.pct);
  return { from, allowed, floor: asMoney(from - allowed), value: dailyLoss.countsOpen ? equity : balance };
}

/** By `standing`, of which the peak is part. */
export function challengeFiguresOf(
  step: ChallengeStep,
  before: ChallengeState,
  standing: ChallengeStanding,
): ChallengeFigures {
  const state = withEquity(before, standing.equity);
  const { initial, day } = state;
  const bestDay = greater(state.bestDay, asMoney(standing.balance - day.balance));
  const target = challengePartOf(initial, step.targetPct);
  const shared =
    step.consistencyPct === null
      ? NO_MONEY
      : asMoney(divideRounded(bestDay * HUNDRED_PERCENT, step.consistencyPct, 'ceiling'));
  return {
    ...standing,
    ...{ initial, dayBegins: day.begins, bestDay, deadline: state.deadline },
    dailyLoss: dailyLossOf(step, state, standing),
    maxLoss: maxLossOf(step, state),
    profit: asMoney(lesser(standing.balance, standing.equity) - initial),
    profitNeeded: greater(target, shared),
    tradingDays: state.tradingDays + Number(state.tradedToday),
  };
}

/** Null: the step goes on. `endsDay`: the day of the state ends with this standing. */
export function judgeChallenge(
  step: ChallengeStep,
  state: ChallengeState,
  standing: ChallengeStanding,
  endsDay = false,
): ChallengeVerdict | null {
  const figures = challengeFiguresOf(step, state, standing);
  const { dailyLoss, maxLoss, deadline } = figures;
  const isMaxLoss = standing.equity <= maxLoss.floor;
  const isDailyLoss =
    dailyLoss !== null &&
    dailyLoss.value <= dailyLoss.floor &&
    (endsDay || step.dailyLoss?.checked === 'tick');
  if (isDailyLoss && !(isMaxLoss && maxLoss.floor > dailyLoss.floor))
    return { outcome: 'failed', rule: 'daily_loss', figures };
  if (isMaxLoss) return { outcome: 'failed', rule: 'max_loss', figures };
  if (deadline !== null && standing.at >= deadline) return { outcome: 'failed', rule: 'time_limit', figures };
  const isPassed = figures.profit >= figures.profitNeeded && figures.tradingDays >= step.daysMin;
  return isPassed ? { outcome: 'passed', rule: null, figures } : null;
}

/** Between which equities no tick decides anything, while the balance stays as it is. */
interface ChallengeBounds {
  /** At it or below the step may fail. */
  readonly lower: Money;
  /** At it or above the step may pass; null where no tick can do that. */
  readonly upper: Money | null;
  /** Above it the peak moves a floor; null where the peak moves none. */
  readonly peak: Money | null;
}

/** A hint: `judgeChallenge` decides. */
export function challengeBoundsOf(
  step: ChallengeStep,
  state: ChallengeState,
  balance: Money,
): ChallengeBounds {
  const standing = { at: state.day.begins, balance, equity: balance };
  const { dailyLoss, profitNeeded, tradingDays, initial } = challengeFiguresOf(step, state, standing);
  const { floor, locked } = maxLossOf(step, state);
  const isDaily =
    dailyLoss !== null && step.dailyLoss?.countsOpen === true && step.dailyLoss.checked === 'tick';
  const target = asMoney(initial + profitNeeded);
  return {
    lower: isDaily ? greater(floor, dailyLoss.floor) : floor,
    upper: balance >= target && tradingDays >= step.daysMin ? target : null,
    peak: step.maxLoss.mode === 'trailing_intraday' && !locked ? state.peak : null,
  };
}
