/** The fields of a contest as they are typed, their objections, and what is sent. */
import {
  type ContestNames,
  type ContestScore,
  type ContestTieBreak,
  checkContestTimes,
  contestTieBreaks,
  dayMs,
} from '@fulcrum/domain';
import { isWholeTo } from '../../shared/decimals/whole.ts';
import { localOf, noTime, timeOf, toIsoTime, toLocalTime } from '../../shared/form/term-fields.ts';
import { phasesBeforeBegin } from './labels.ts';
import {
  checkProgram,
  emptyProgram,
  type FormCheck,
  type ProgramForm,
  toProgramArgs,
  toProgramForm,
  toProgramRules,
} from './program-form.ts';
import type { Contest, SaveContestArgs } from './queries.ts';

/** In the order of the dialog. */
export const contestFields = [
  'name',
  'classId',
  'description',
  'opens',
  'closes',
  'begins',
  'ends',
  'ruleSet',
  'balance',
  'leverage',
  'symbols',
  'positions',
  'score',
  'trades',
  'names',
] as const;
export type ContestField = (typeof contestFields)[number];

export interface ContestForm
  extends ProgramForm,
    Readonly<Record<'opens' | 'closes' | 'begins' | 'ends' | 'trades', string>> {
  readonly score: ContestScore;
  readonly names: ContestNames;
  /** Not in the dialog: a new contest has all of them. */
  readonly tieBreaks: readonly ContestTieBreak[];
}

const monthMs = 30 * dayMs;
const tradesMax = 1000;

/** A contest that is open for a week and then runs for a month; `now` in milliseconds since the epoch. */
export const emptyForm = (now: number): ContestForm => ({
  ...emptyProgram,
  opens: toLocalTime(now),
  closes: toLocalTime(now + 7 * dayMs),
  begins: toLocalTime(now + 7 * dayMs),
  ends: toLocalTime(now + 7 * dayMs + monthMs),
  ...{ score: 'return', trades: '1', names: 'shown', tieBreaks: contestTieBreaks },
});

export const toForm = (saved: Contest): ContestForm => ({
  ...toProgramForm(saved),
  ...{ opens: localOf(saved.registration_opens_at), closes: localOf(saved.registration_ends_at) },
  ...{ begins: localOf(saved.begins_at), ends: localOf(saved.ends_at) },
  ...{ score: saved.rules.score, trades: String(saved.rules.tradesMin) },
  ...{ names: saved.rules.names, tieBreaks: saved.rules.tieBreaks },
});

/** When each field is fixed, in words; null while it may change. */
export function lockedReason(
  { phase, entrants }: Pick<Contest, 'phase' | 'entrants'>,
  field: ContestField,
): string | null {
  if (field === 'name' || field === 'description') return null;
  if (!phasesBeforeBegin.has(phase)) return 'Fixed, because the contest has begun.';
  const isTime = ['opens', 'closes', 'begins', 'ends'].includes(field);
  return entrants > 0 && !isTime ? 'Fixed, because the contest has entrants.' : null;
}

function checkTimes(
  form: ContestForm,
): Readonly<Record<'opens' | 'closes' | 'begins' | 'ends', string | null>> {
  const timeOf = (local: string) => {
    const iso = toIsoTime(local);
    return iso === null ? null : Date.parse(iso);
  };
  const [opens, closes, begins, ends] = [form.opens, form.closes, form.begins, form.ends].map(timeOf);
  const missing = (time: number | null | undefined) => (time == null ? noTime : null);
  const faults = {
    ...{ opens: missing(opens), closes: missing(closes), begins: missing(begins), ends: missing(ends) },
  };
  if (opens == null || closes == null || begins == null || ends == null) return faults;
  const fault = checkContestTimes(
    { registrationOpens: opens, registrationEnds: closes, begins, ends },
    form.score,
  );
  if (fault === null) return faults;
  return closes <= opens || (closes > ends && ends > begins)
    ? { ...faults, closes: fault }
    : { ...faults, ends: fault };
}

/** The objection to each field, null without one. The server checks the rest, such as whether a symbol is known. */
export function checkForm(
  form: ContestForm,
  options: FormCheck,
): Readonly<Record<ContestField, string | null>> {
  return {
    ...checkProgram(form, 'contest', options),
    ...checkTimes(form),
    score: null,
    trades:
      form.trades.trim() === '0' || isWholeTo(form.trades, tradesMax)
        ? null
        : `Type a whole number from 0 to ${tradesMax}.`,
    names: null,
  };
}

/** What is sent of a form without objections. A time of `saved` that was not touched goes as it is stored, with its seconds. */
export function toTerms(
  form: ContestForm,
  saved: Contest | null,
): Omit<SaveContestArgs, 'p_id' | 'p_version' | 'p_client_id'> {
  return {
    ...toProgramArgs(form),
    p_registration_opens_at: timeOf(form.opens, saved?.registration_opens_at),
    p_registration_ends_at: timeOf(form.closes, saved?.registration_ends_at),
    p_begins_at: timeOf(form.begins, saved?.begins_at),
    p_ends_at: timeOf(form.ends, saved?.ends_at),
    p_rules: {
      ...toProgramRules(form),
      score: form.score,
      tieBreaks: [...form.tieBreaks],
      tradesMin: Number(form.trades),
      names: form.names,
    },
  };
}
