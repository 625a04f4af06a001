/**
 * A step of a challenge as the auditor judges it (A112): floors, target and days from their definitions, with own arithmetic. A test that knows all
 * ticks of an account judges each of them with it.
 */
import { dayMs, nearest, over, ratio, times, wholeAbove } from './arithmetic.ts';

/** Per cent in 1e-8. */
export interface AuditedStep {
  readonly targetPct: bigint;
  readonly dailyLoss: {
    readonly pct: bigint;
    readonly of: string;
    readonly from: string;
    readonly countsOpen: boolean;
    readonly checked: string;
  } | null;
  readonly maxLoss: { readonly pct: bigint; readonly mode: string; readonly lockPct: bigint | null };
  readonly consistencyPct: bigint | null;
  readonly daysMin: number;
}

/** Where a day began. */
interface StepDay {
  readonly begins: number;
  readonly balance: bigint;
  readonly equity: bigint;
}

/** What has happened until now. Money in 1e-8, times in milliseconds since the epoch. */
export interface StepPast {
  readonly initial: bigint;
  readonly deadline: number | null;
  /** The highest equity that a tick has made. */
  peak: bigint;
  /** The present day. */
  day: StepDay;
  /** The days before, the last one last. Each ended with what the next one began with. */
  former: readonly StepDay[];
}
export interface StepNow {
  readonly at: number;
  readonly balance: bigint;
  readonly equity: bigint;
  /** Days with an opening. */
  readonly days: number;
  /** The day is over now. */
  readonly endsDay: boolean;
}

export const dayOf = (at: number): number => at - (at % dayMs);
const shareOf = (base: bigint, pct: bigint): bigint =>
  nearest(over(times(ratio(base), ratio(pct)), ratio(10_000_000_000n)));
const most = (...of: readonly bigint[]): bigint => of.reduce((a, b) => (a > b ? a : b));
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

export const stepBegins = (initial: bigint, at: number, deadline: number | null): StepPast => ({
  ...{ initial, deadline, peak: initial, former: [] },
  day: { begins: at, balance: initial, equity: initial },
});

/** A day has ended with this. */
export function endStepDay(past: StepPast, midnight: number, balance: bigint, equity: bigint): void {
  past.former = [...past.former, past.day];
  past.peak = most(past.peak, equity);
  past.day = { begins: midnight, balance, equity };
}

const lockOf = ({ lockPct }: AuditedStep['maxLoss'], { initial }: StepPast): bigint | null =>
  lockPct === null ? null : initial + shareOf(initial, lockPct);

/** Whether a floor that follows `from` has stopped. */
export function isStepLocked(rule: AuditedStep['maxLoss'], past: StepPast, from: bigint): boolean {
  const lock = lockOf(rule, past);
  return lock !== null && from - shareOf(past.initial, rule.pct) >= lock;
}

/** Everything that is compared, as the arithmetic of a verdict states it. */
export function stepFigures(step: AuditedStep, past: StepPast, { at, balance, equity, days }: StepNow) {
  const { initial, deadline, day } = past;
  const begun = [...past.former, day].map((begin) => begin.balance);
  const gains = begun.map((begin, n) => (begun[n + 1] ?? balance) - begin);
  const bestDay = most(0n, ...gains);
  const from =
    step.maxLoss.mode === 'static'
      ? initial
      : step.maxLoss.mode === 'trailing_day'
        ? most(...begun)
        : most(past.peak, equity);
  const allowed = shareOf(initial, step.maxLoss.pct);
  const isLocked = isStepLocked(step.maxLoss, past, from);
  const lock = lockOf(step.maxLoss, past) ?? 0n;
  const daily = step.dailyLoss;
  const dayFrom = daily?.from === 'equity' ? day.equity : day.balance;
  const dayAllowed = daily ? shareOf(daily.of === 'initial' ? initial : dayFrom, daily.pct) : 0n;
  const shared =
    step.consistencyPct === null
      ? 0n
      : wholeAbove(over(times(ratio(bestDay), ratio(10_000_000_000n)), ratio(step.consistencyPct)));
  return {
    ...{ at, balance, equity, initial, dayBegins: day.begins, bestDay, deadline, tradingDays: days },
    dailyLoss: daily && {
      ...{ from: dayFrom, allowed: dayAllowed, floor: dayFrom - dayAllowed },
      value: daily.countsOpen ? equity : balance,
    },
    maxLoss: { from, allowed, floor: isLocked ? lock : from - allowed, locked: isLocked },
    profit: least(balance, equity) - initial,
    profitNeeded: most(shareOf(initial, step.targetPct), shared),
  };
}
export type StepFigures = ReturnType<typeof stepFigures>;

export interface StepVerdict {
  readonly outcome: 'passed' | 'failed';
  readonly rule: 'daily_loss' | 'max_loss' | 'time_limit' | null;
  readonly figures: StepFigures;
}

/** Null: the step goes on. */
export function judgeStep(step: AuditedStep, past: StepPast, now: StepNow): StepVerdict | null {
  const figures = stepFigures(step, past, now);
  const { dailyLoss, maxLoss, profit, profitNeeded, deadline } = figures;
  const broken: { readonly rule: 'daily_loss' | 'max_loss'; readonly floor: bigint }[] = [];
  const isChecked = step.dailyLoss?.checked === 'tick' || now.endsDay;
  if (dailyLoss && isChecked && dailyLoss.value <= dailyLoss.floor)
    broken.push({ rule: 'daily_loss', floor: dailyLoss.floor });
  if (now.equity <= maxLoss.floor) broken.push({ rule: 'max_loss', floor: maxLoss.floor });
  // A falling equity has met the higher floor first.
  const [first] = broken.toSorted((a, b) => (a.floor === b.floor ? 0 : a.floor > b.floor ? -1 : 1));
  if (first) return { outcome: 'failed', rule: first.rule, figures };
  if (deadline !== null && now.at >= deadline) return { outcome: 'failed', rule: 'time_limit', figures };
  const isPassed = profit >= profitNeeded && now.days >= step.daysMin;
  return isPassed ? { outcome: 'passed', rule: null, figures } : null;
}
