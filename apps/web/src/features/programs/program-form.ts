/** The fields that contests and challenges share, as they are typed: their objections, and what is sent. */
import { contestDescriptionMax, contestSymbolsMax, type RuleSetName } from '@fulcrum/domain';
import { checkTerms, type TermsForm, toLimits, toTermsForm } from '../../shared/form/term-fields.ts';

export interface ProgramForm extends TermsForm {
  /** Empty is every trader. */
  readonly classId: string;
  readonly description: string;
  readonly ruleSet: RuleSetName;
}
export type ProgramField = keyof ProgramForm;
export type ProgramTextField = Exclude<ProgramField, 'classId' | 'ruleSet'>;

export const emptyProgram: ProgramForm = {
  ...{ name: '', classId: '', description: '', ruleSet: 'standard' },
  ...{ balance: '10000', leverage: '20', symbols: '', positions: '' },
};

interface SavedProgram {
  readonly name: string;
  readonly class_id: string | null;
  readonly description: string;
  readonly rules: {
    readonly ruleSet: RuleSetName;
    readonly startBalance: number | string;
    readonly leverageMax: number;
    readonly symbols: readonly string[] | null;
    readonly positionsMax: number | null;
  };
}

export const toProgramForm = ({ name, class_id, description, rules }: SavedProgram): ProgramForm => ({
  ...toTermsForm({ ...rules, name }),
  classId: class_id ?? '',
  description,
  ruleSet: rules.ruleSet,
});

export interface FormCheck {
  readonly needsClass: boolean;
}

/** The objection to each field, null without one. The server checks the rest, such as whether a symbol is known. */
export const checkProgram = (
  form: ProgramForm,
  what: 'contest' | 'challenge',
  { needsClass }: FormCheck,
): Readonly<Record<ProgramField, string | null>> => ({
  ...checkTerms(form, what, contestSymbolsMax),
  classId: needsClass && form.classId === '' ? 'Choose one of your classes.' : null,
  description:
    form.description.length > contestDescriptionMax
      ? `A description has at most ${contestDescriptionMax} characters.`
      : null,
  ruleSet: null,
});

/** What is sent of a form without objections, but for its rules. */
export const toProgramArgs = ({ name, description, classId }: ProgramForm) => ({
  p_name: name,
  p_description: description,
  p_class_id: classId === '' ? null : classId,
});

export const toProgramRules = (form: ProgramForm) =>
  ({ v: 1, ruleSet: form.ruleSet, ...toLimits(form) }) as const;
