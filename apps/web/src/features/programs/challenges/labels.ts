/** What the terms of challenges are called on the screen. */
import type { BrokenRule, ChallengeLossMode, ChallengePhase } from '@fulcrum/domain';
import { formatFigure } from '../../../shared/numbers/index.ts';
import type { BadgeTone } from '../../../shared/ui/index.ts';
import type { Attempt, ChallengeStepRules } from './queries.ts';

interface Label {
  readonly text: string;
  readonly tone: BadgeTone;
}

export const challengePhaseLabels: Readonly<Record<ChallengePhase, Label>> = {
  announced: { text: 'Announced', tone: 'neutral' },
  open: { text: 'Open', tone: 'accent' },
  shut: { text: 'No new attempts', tone: 'warn' },
  ended: { text: 'Ended', tone: 'neutral' },
};

export const attemptLabels: Readonly<Record<Attempt['state'], Label>> = {
  running: { text: 'In progress', tone: 'accent' },
  passed: { text: 'Passed', tone: 'up' },
  failed: { text: 'Not passed', tone: 'down' },
};

export const modeLabels: Readonly<Record<ChallengeLossMode, string>> = {
  static: 'Static, below the initial balance',
  trailing_day: 'Trailing the best balance at a day’s end',
  trailing_intraday: 'Trailing the highest equity, open gains too',
};

export const ruleLabels: Readonly<Record<BrokenRule, string>> = {
  daily_loss: 'Daily loss',
  max_loss: 'Maximum loss',
  time_limit: 'Time limit',
};

const percent = (of: string | number): string => `${formatFigure(Number(of), 2).replace(/\.?0+$/, '')} %`;
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function maxLossText({ mode, pct, lockPct }: ChallengeStepRules['maxLoss']): string {
  const stop =
    lockPct === null
      ? ''
      : `, up to the initial balance${Number(lockPct) === 0 ? '' : ` and ${percent(lockPct)}`}`;
  if (mode === 'static') return `${percent(pct)} below the initial balance`;
  return mode === 'trailing_day'
    ? `${percent(pct)} below the highest balance at a day’s end${stop}`
    : `${percent(pct)} below the highest equity${stop}`;
}

type DailyLoss = NonNullable<ChallengeStepRules['dailyLoss']>;

/** What the per cent of a daily loss are of, and when they are compared. */
export function dailyLossBasis(rule: Omit<DailyLoss, 'pct'>): string {
  const from = rule.from === 'balance' ? 'balance' : 'equity';
  const of = rule.of === 'initial' ? 'the initial balance' : `that ${from}`;
  return `of ${of} below the ${from} at midnight UTC${rule.countsOpen ? '' : ', closed results only'}${
    rule.checked === 'day_end' ? ', at the end of the day' : ''
  }`;
}

const dailyLossText = (rule: DailyLoss | null): string =>
  rule === null ? 'no limit' : `${percent(rule.pct)} ${dailyLossBasis(rule)}`;

/** Follows a sentence on the first tick that touches a limit. */
export const dayEndText = (dailyLosses: readonly (Pick<DailyLoss, 'checked'> | null)[]): string =>
  dailyLosses.some((rule) => rule?.checked === 'day_end')
    ? ', or at the end of the day where a daily loss is checked then'
    : '';

/** The rules of a step, by name. */
export const ruleFacts = (step: ChallengeStepRules): readonly (readonly [string, string])[] => [
  ['Profit target', `${percent(step.targetPct)} of the initial balance, realized`],
  ['Maximum loss', maxLossText(step.maxLoss)],
  ['Daily loss', dailyLossText(step.dailyLoss)],
  [
    'Best day',
    step.consistencyPct === null ? 'no limit' : `at most ${percent(step.consistencyPct)} of the profit`,
  ],
  [
    'Trading days',
    step.daysMin === 0 ? 'none needed' : `at least ${counted(step.daysMin, 'day')} with an opening`,
  ],
  ['Time', step.daysMax === null ? 'no limit' : counted(step.daysMax, 'day')],
];
