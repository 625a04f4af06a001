/**
 * The fields of a class as they are typed: their objections, what is sent, and what stays of them when another admin has saved the class
 * meanwhile. Invariant: a field that the user did not change never overwrites a newer value.
 */
import {
  checkAccountName,
  classSymbolsMax,
  classTutorsMax,
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
import type { Class, SaveClassArgs } from './queries.ts';

/** In the order of the dialog. */
export const classFields = [
  'name',
  'rules',
  'begins',
  'ends',
  'balance',
  'leverage',
  'symbols',
  'positions',
  'tutors',
  'classmates',
] as const;
export type ClassField = (typeof classFields)[number];
/** Those that are typed as text. */
export type ClassTextField = Exclude<ClassField, 'rules' | 'tutors' | 'classmates'>;

export interface ClassForm extends Readonly<Record<ClassTextField, string>> {
  readonly rules: RuleSetName;
  /** Their ids. */
  readonly tutors: readonly string[];
  /** Whether members see each other. */
  readonly classmates: boolean;
}

/** What stays as it is once the class has a member. */
const fixedFields: readonly ClassField[] = ['rules', 'balance', 'leverage'];

const monthMs = 30 * dayMs;

/** A class that begins at `now`, in milliseconds since the epoch. */
export const emptyForm = (now: number): ClassForm => ({
  name: '',
  rules: 'standard',
  begins: toLocalTime(now),
  ends: toLocalTime(now + monthMs),
  balance: '10000',
  leverage: '20',
  symbols: '',
  positions: '',
  tutors: [],
  classmates: false,
});

export const toForm = (saved: Class): ClassForm => ({
  name: saved.name,
  rules: saved.rules,
  begins: toLocalTime(Date.parse(saved.begins_at)),
  ends: toLocalTime(Date.parse(saved.ends_at)),
  balance: String(saved.start_balance),
  leverage: String(saved.leverage_max),
  symbols: saved.symbols?.join(', ') ?? '',
  positions: saved.positions_max === null ? '' : String(saved.positions_max),
  tutors: saved.tutors.map(({ id }) => id),
  classmates: saved.members_see_each_other,
});

/** The objection to each field, null without one. The server checks the rest, such as whether a symbol is known. */
export function checkForm(form: ClassForm): Readonly<Record<ClassField, string | null>> {
  const [begins, ends] = [toIsoTime(form.begins), toIsoTime(form.ends)];
  const noTime = 'Choose a date and a time.';
  const { min, max } = practiceBalance;
  return {
    name: form.name.trim() === '' ? 'Give the class a name.' : checkAccountName(form.name),
    rules: null,
    begins: begins === null ? noTime : null,
    ends:
      ends === null
        ? noTime
        : begins !== null && ends <= begins
          ? 'Choose a time after the class begins.'
          : null,
    balance:
      toStartBalance(form.balance) === null
        ? `Type an amount from ${toDecimalString(min)} to ${toDecimalString(max)}, such as 10000.`
        : null,
    leverage: isWholeTo(form.leverage, MAX_LEVERAGE)
      ? null
      : `Type a whole number from 1 to ${MAX_LEVERAGE}.`,
    symbols: checkSymbols(form.symbols, classSymbolsMax),
    positions:
      form.positions.trim() === '' || isWholeTo(form.positions, MAX_OPEN_POSITIONS)
        ? null
        : `Type a whole number from 1 to ${MAX_OPEN_POSITIONS}, or leave it empty.`,
    tutors: form.tutors.length > classTutorsMax ? `A class has at most ${classTutorsMax} tutors.` : null,
    classmates: null,
  };
}

/** What is sent of a form without objections. */
export function toTerms(form: ClassForm): Omit<SaveClassArgs, 'p_id' | 'p_version' | 'p_client_id'> {
  const symbols = toSymbols(form.symbols);
  return {
    p_name: form.name,
    p_begins_at: toIsoTime(form.begins) ?? '',
    p_ends_at: toIsoTime(form.ends) ?? '',
    p_start_balance: toStartBalance(form.balance) ?? '',
    p_rules: form.rules,
    p_leverage_max: Number(form.leverage),
    p_symbols: symbols.length === 0 ? null : symbols,
    p_positions_max: form.positions.trim() === '' ? null : Number(form.positions),
    p_tutor_ids: [...form.tutors],
    p_members_see_each_other: form.classmates,
  };
}

const toKey = (form: ClassForm, field: ClassField): string =>
  field === 'tutors'
    ? form.tutors.toSorted().join()
    : field === 'classmates'
      ? String(form.classmates)
      : form[field].trim();

/** The fields in which two forms differ. */
export const differingFields = (a: ClassForm, b: ClassForm): readonly ClassField[] =>
  classFields.filter((field) => toKey(a, field) !== toKey(b, field));

export const isFixed = ({ members }: Pick<Class, 'members'>, field: ClassField): boolean =>
  members > 0 && fixedFields.includes(field);

/** The user's changes of `seen`, applied to the newer version `now`; untouched fields take its values. */
export function rebaseForm(seen: Class, now: Class, form: ClassForm): ClassForm {
  const own = differingFields(toForm(seen), form).filter((field) => !isFixed(now, field));
  return { ...toForm(now), ...Object.fromEntries(own.map((field) => [field, form[field]])) };
}
