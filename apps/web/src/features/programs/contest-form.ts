/** The fields of a contest as they are typed, their objections, and what is sent. */
import {
  type ContestNames,
  type ContestScore,
  type ContestTieBreak,
  checkAccountName,
  checkContestTimes,
  contestDescriptionMax,
  contestSymbolsMax,
  contestTieBreaks,
  dayMs,
  MAX_LEVERAGE,
  MAX_OPEN_POSITIONS,
  practiceBalance,
  type RuleSetName,
  toDecimalString,
} from '@fulcrum/domain';
import { isWholeTo } from '../../shared/decimals/whole.ts';
import {
  checkSymbols,
  toIsoTime,
  toLocalTime,
  toStartBalance,
  toSymbols,
} from '../../shared/form/term-fields.ts';
import { phasesBeforeBegin } from './labels.ts';
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
/** Those that are typed as text. */
export type ContestTextField = Exclude<ContestField, 'classId' | 'ruleSet' | 'score' | 'names'>;

export interface ContestForm extends Readonly<Record<ContestTextField, string>> {
  /** Empty is every trader. */
  readonly classId: string;
  readonly ruleSet: RuleSetName;
  readonly score: ContestScore;
  readonly names: ContestNames;
  /** Not in the dialog: a new contest has all of them. */
  readonly tieBreaks: readonly ContestTieBreak[];
}

const monthMs = 30 * dayMs;
const tradesMax = 1000;

/** A contest that is open for a week and then runs for a month; `now` in milliseconds since the epoch. */
export const emptyForm = (now: number): ContestForm => ({
  ...{ name: '', classId: '', description: '' },
  opens: toLocalTime(now),
  closes: toLocalTime(now + 7 * dayMs),
  begins: toLocalTime(now + 7 * dayMs),
  ends: toLocalTime(now + 7 * dayMs + monthMs),
  ...{ ruleSet: 'standard', balance: '10000', leverage: '20', symbols: '', positions: '' },
  ...{ score: 'return', trades: '1', names: 'shown', tieBreaks: contestTieBreaks },
});

const localOf = (iso: string): string => toLocalTime(Date.parse(iso));

export const toForm = ({ rules, ...saved }: Contest): ContestForm => ({
  ...{ name: saved.name, classId: saved.class_id ?? '', description: saved.description },
  ...{ opens: localOf(saved.registration_opens_at), closes: localOf(saved.registration_ends_at) },
  ...{ begins: localOf(saved.begins_at), ends: localOf(saved.ends_at) },
  ...{ ruleSet: rules.ruleSet, balance: String(rules.startBalance), leverage: String(rules.leverageMax) },
  symbols: rules.symbols?.join(', ') ?? '',
  positions: rules.positionsMax === null ? '' : String(rules.positionsMax),
  ...{ score: rules.score, trades: String(rules.tradesMin), names: rules.names, tieBreaks: rules.tieBreaks },
});

/** When each field is fixed, in words; null while it may change. */
export function fixedBecause(
  { phase, entrants }: Pick<Contest, 'phase' | 'entrants'>,
  field: ContestField,
): string | null {
  if (field === 'name' || field === 'description') return null;
  if (!phasesBeforeBegin.has(phase)) return 'Fixed, because the contest has begun.';
  const isTime = ['opens', 'closes', 'begins', 'ends'].includes(field);
  return entrants > 0 && !isTime ? 'Fixed, because the contest has entrants.' : null;
}

const noTime = 'Choose a date and a time.';

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
  { needsClass }: { readonly needsClass: boolean },
): Readonly<Record<ContestField, string | null>> {
  const { min, max } = practiceBalance;
  return {
    name: form.name.trim() === '' ? 'Give the contest a name.' : checkAccountName(form.name),
    classId: needsClass && form.classId === '' ? 'Choose one of your classes.' : null,
    description:
      form.description.length > contestDescriptionMax
        ? `A description has at most ${contestDescriptionMax} characters.`
        : null,
    ...checkTimes(form),
    ruleSet: null,
    balance:
      toStartBalance(form.balance) === null
        ? `Type an amount from ${toDecimalString(min)} to ${toDecimalString(max)}, such as 10000.`
        : null,
    leverage: isWholeTo(form.leverage, MAX_LEVERAGE)
      ? null
      : `Type a whole number from 1 to ${MAX_LEVERAGE}.`,
    symbols: checkSymbols(form.symbols, contestSymbolsMax),
    positions:
      form.positions.trim() === '' || isWholeTo(form.positions, MAX_OPEN_POSITIONS)
        ? null
        : `Type a whole number from 1 to ${MAX_OPEN_POSITIONS}, or leave it empty.`,
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
  const symbols = toSymbols(form.symbols);
  const timeOf = (local: string, stored: string | undefined): string =>
    stored !== undefined && localOf(stored) === local ? stored : (toIsoTime(local) ?? '');
  return {
    p_name: form.name,
    p_description: form.description,
    p_class_id: form.classId === '' ? null : form.classId,
    p_registration_opens_at: timeOf(form.opens, saved?.registration_opens_at),
    p_registration_ends_at: timeOf(form.closes, saved?.registration_ends_at),
    p_begins_at: timeOf(form.begins, saved?.begins_at),
    p_ends_at: timeOf(form.ends, saved?.ends_at),
    p_rules: {
      v: 1,
      startBalance: toStartBalance(form.balance) ?? '',
      ruleSet: form.ruleSet,
      leverageMax: Number(form.leverage),
      symbols: symbols.length === 0 ? null : symbols,
      positionsMax: form.positions.trim() === '' ? null : Number(form.positions),
      score: form.score,
      tieBreaks: [...form.tieBreaks],
      tradesMin: Number(form.trades),
      names: form.names,
    },
  };
}
