/**
 * The fields of a class as they are typed: their objections, what is sent, and what stays of them when another admin has saved the class
 * meanwhile. Invariant: a field that the user did not change never overwrites a newer value.
 */
import { classSymbolsMax, classTutorsMax, dayMs, type RuleSetName } from '@fulcrum/domain';
import {
  checkTerms,
  localOf,
  noTime,
  timeOf,
  toIsoTime,
  toLimits,
  toLocalTime,
  toTermsForm,
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
  ...toTermsForm({
    name: saved.name,
    startBalance: saved.start_balance,
    leverageMax: saved.leverage_max,
    symbols: saved.symbols,
    positionsMax: saved.positions_max,
  }),
  rules: saved.rules,
  begins: localOf(saved.begins_at),
  ends: localOf(saved.ends_at),
  tutors: saved.tutors.map(({ id }) => id),
  classmates: saved.members_see_each_other,
});

/** The objection to each field, null without one. The server checks the rest, such as whether a symbol is known. */
export function checkForm(form: ClassForm): Readonly<Record<ClassField, string | null>> {
  const [begins, ends] = [toIsoTime(form.begins), toIsoTime(form.ends)];
  return {
    ...checkTerms(form, 'class', classSymbolsMax),
    rules: null,
    begins: begins === null ? noTime : null,
    ends:
      ends === null
        ? noTime
        : begins !== null && ends <= begins
          ? 'Choose a time after the class begins.'
          : null,
    tutors: form.tutors.length > classTutorsMax ? `A class has at most ${classTutorsMax} tutors.` : null,
    classmates: null,
  };
}

/** What is sent of a form without objections. A time of `saved` that was not touched goes as it is stored, with its seconds. */
export function toTerms(
  form: ClassForm,
  saved: Class | null,
): Omit<SaveClassArgs, 'p_id' | 'p_version' | 'p_client_id'> {
  const { startBalance, leverageMax, symbols, positionsMax } = toLimits(form);
  return {
    p_name: form.name,
    p_begins_at: timeOf(form.begins, saved?.begins_at),
    p_ends_at: timeOf(form.ends, saved?.ends_at),
    p_start_balance: startBalance,
    p_rules: form.rules,
    p_leverage_max: leverageMax,
    p_symbols: symbols,
    p_positions_max: positionsMax,
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
