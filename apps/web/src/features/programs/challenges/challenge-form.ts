/** The fields of a challenge as they are typed, their objections, and what is sent. */
import {
  type ChallengeLossMode,
  challengeAttemptsMax,
  challengeDaysMax,
  checkChallengeTimes,
  dayMs,
  toDecimalString,
} from '@fulcrum/domain';
import { parseAmount } from '../../../shared/decimals/amount.ts';
import { isWholeTo } from '../../../shared/decimals/whole.ts';
import { localOf, noTime, timeOf, toIsoTime, toLocalTime } from '../../../shared/form/term-fields.ts';
import {
  checkProgram,
  emptyProgram,
  type FormCheck,
  type ProgramForm,
  toProgramArgs,
  toProgramForm,
  toProgramRules,
} from '../program-form.ts';
import type { Challenge, ChallengeStepRules, SaveChallengeArgs } from './queries.ts';

export const generalFields = [
  ...(['name', 'classId', 'description', 'opens', 'closes', 'ends'] as const),
  ...(['ruleSet', 'balance', 'leverage', 'positions', 'symbols', 'attempts'] as const),
] as const;
export type GeneralField = (typeof generalFields)[number];

/** Per cent, and whole days. Empty is no such rule, where that is possible. */
export const stepFields = [
  'target',
  'maxLoss',
  'lock',
  'dailyLoss',
  'bestDay',
  'daysMin',
  'daysMax',
] as const;
export type StepField = (typeof stepFields)[number];

export interface StepForm extends Readonly<Record<StepField, string>> {
  readonly mode: ChallengeLossMode;
  /** What the fields do not show of a stored daily loss. */
  readonly dailyLossRule: NonNullable<ChallengeStepRules['dailyLoss']>;
}

export interface ChallengeForm
  extends ProgramForm,
    Readonly<Record<'opens' | 'closes' | 'ends' | 'attempts', string>> {
  readonly steps: readonly StepForm[];
}

/** The name of a field of a step. */
export const stepFieldName = (index: number, field: StepField): `${StepField}${number}` => `${field}${index}`;
export type ChallengeField = GeneralField | `${StepField}${number}`;

export const emptyStep: StepForm = {
  ...{ target: '10', maxLoss: '10', mode: 'static', lock: '', dailyLoss: '5', bestDay: '' },
  ...{ daysMin: '4', daysMax: '' },
  dailyLossRule: { pct: '5', of: 'initial', from: 'balance', countsOpen: true, checked: 'tick' },
};

const monthMs = 30 * dayMs;

/** Attempts start for a month, and the challenge ends two months later; `now` in milliseconds since the epoch. */
export const emptyForm = (now: number): ChallengeForm => ({
  ...{ ...emptyProgram, attempts: '1', steps: [emptyStep] },
  ...{ opens: toLocalTime(now), closes: toLocalTime(now + monthMs), ends: toLocalTime(now + 3 * monthMs) },
});

const typed = (value: string | number | null): string => (value === null ? '' : String(value));

const toStepForm = (of: ChallengeStepRules): StepForm => ({
  ...{ target: typed(of.targetPct), maxLoss: typed(of.maxLoss.pct), mode: of.maxLoss.mode },
  ...{ lock: typed(of.maxLoss.lockPct), dailyLoss: typed(of.dailyLoss?.pct ?? null) },
  ...{ bestDay: typed(of.consistencyPct), daysMin: typed(of.daysMin), daysMax: typed(of.daysMax) },
  dailyLossRule: of.dailyLoss ?? emptyStep.dailyLossRule,
});

export const toForm = (saved: Challenge): ChallengeForm => ({
  ...toProgramForm(saved),
  ...{ opens: localOf(saved.opens_at), closes: localOf(saved.starts_until), ends: localOf(saved.ends_at) },
  ...{ attempts: String(saved.rules.attemptsMax), steps: saved.rules.steps.map(toStepForm) },
});

/** When the field is fixed, in words; null while it may change. */
export const lockedReason = (
  { attempts }: Pick<Challenge, 'attempts'>,
  field: ChallengeField,
): string | null =>
  attempts === 0 || field === 'name' || field === 'description'
    ? null
    : 'Fixed, because the challenge has attempts.';

/** A decimal in the server's form; null for a text that is none. */
function toPercent(text: string): string | null {
  const parsed = parseAmount(text);
  return parsed.kind === 'amount' ? toDecimalString(parsed.size) : null;
}

/** Null, or the objection. */
function checkPercent(
  text: string,
  { max, isOptional = false, min = 0.01 }: { max: number; isOptional?: boolean; min?: number },
) {
  if (isOptional && text.trim() === '') return null;
  const value = min === 0 && text.trim() === '0' ? '0' : toPercent(text);
  const isValid = value !== null && Number(value) >= min && Number(value) <= max;
  return isValid ? null : `Type per cent up to ${max}, such as 5${isOptional ? ', or leave it empty' : ''}.`;
}

function checkStep({
  target,
  maxLoss,
  mode,
  lock,
  dailyLoss,
  bestDay,
  daysMin,
  daysMax,
}: StepForm): Readonly<Record<StepField, string | null>> {
  const days = daysMax.trim() === '' || isWholeTo(daysMax, challengeDaysMax);
  return {
    target: checkPercent(target, { max: 1000 }),
    maxLoss: checkPercent(maxLoss, { max: 100 }),
    lock:
      mode === 'static' && lock.trim() !== ''
        ? 'A static floor does not move. Leave it empty.'
        : checkPercent(lock, { max: 100, min: 0, isOptional: true }),
    dailyLoss: checkPercent(dailyLoss, { max: 100, isOptional: true }),
    bestDay: checkPercent(bestDay, { max: 100, isOptional: true }),
    daysMin: daysMin.trim() === '0' || isWholeTo(daysMin, 100) ? null : 'Type a whole number from 0 to 100.',
    daysMax: days ? null : `Type a whole number from 1 to ${challengeDaysMax}, or leave it empty.`,
  };
}

function checkTimes({
  opens,
  closes,
  ends,
}: ChallengeForm): Readonly<Record<'opens' | 'closes' | 'ends', string | null>> {
  const [from, until, end] = [opens, closes, ends].map((local) => Date.parse(toIsoTime(local) ?? ''));
  const missing = (time: number | undefined) => (Number.isNaN(time ?? Number.NaN) ? noTime : null);
  const faults = { opens: missing(from), closes: missing(until), ends: missing(end) };
  if (faults.opens !== null || faults.closes !== null || faults.ends !== null) return faults;
  const times = { opens: from ?? 0, startsUntil: until ?? 0, ends: end ?? 0 };
  const fault = checkChallengeTimes(times);
  return times.startsUntil <= times.opens ? { ...faults, closes: fault } : { ...faults, ends: fault };
}

/** The objection to each field, null without one. The server checks the rest, such as whether a symbol is known. */
export function checkForm(form: ChallengeForm, options: FormCheck): Readonly<Record<string, string | null>> {
  const ofSteps = form.steps.flatMap((step, index) => {
    const faults = checkStep(step);
    return stepFields.map((field) => [stepFieldName(index, field), faults[field]] as const);
  });
  return {
    ...checkProgram(form, 'challenge', options),
    ...checkTimes(form),
    attempts: isWholeTo(form.attempts, challengeAttemptsMax)
      ? null
      : `Type a whole number from 1 to ${challengeAttemptsMax}.`,
    ...Object.fromEntries(ofSteps),
  };
}

const optional = (text: string): string | null =>
  text.trim() === '' ? null : text.trim() === '0' ? '0' : toPercent(text);

const toStep = (of: StepForm): ChallengeStepRules => ({
  targetPct: toPercent(of.target) ?? '',
  dailyLoss: of.dailyLoss.trim() === '' ? null : { ...of.dailyLossRule, pct: toPercent(of.dailyLoss) ?? '' },
  maxLoss: { pct: toPercent(of.maxLoss) ?? '', mode: of.mode, lockPct: optional(of.lock) },
  consistencyPct: optional(of.bestDay),
  daysMin: Number(of.daysMin),
  daysMax: of.daysMax.trim() === '' ? null : Number(of.daysMax),
});

/** What is sent of a form without objections. What of `saved` was not touched goes as it is stored. */
export function toTerms(
  form: ChallengeForm,
  saved: Challenge | null,
): Omit<SaveChallengeArgs, 'p_id' | 'p_version' | 'p_client_id'> {
  const stepOf = (step: StepForm, index: number): ChallengeStepRules => {
    const stored = saved?.rules.steps[index];
    return stored && JSON.stringify(toStepForm(stored)) === JSON.stringify(step) ? stored : toStep(step);
  };
  return {
    ...toProgramArgs(form),
    p_opens_at: timeOf(form.opens, saved?.opens_at),
    p_starts_until: timeOf(form.closes, saved?.starts_until),
    p_ends_at: timeOf(form.ends, saved?.ends_at),
    p_rules: {
      ...toProgramRules(form),
      attemptsMax: Number(form.attempts),
      steps: form.steps.map(stepOf),
    },
  };
}
