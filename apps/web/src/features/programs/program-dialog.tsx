/**
 * The dialog of a contest or a challenge: its state, its submission, and the fields that both have. Invariant: a save names the version that
 * the form was filled from, so the server refuses it when another user has saved a newer one.
 */
import { texts } from '@fulcrum/contract/texts';
import { type RuleSetName, ruleSetNames } from '@fulcrum/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { failedWith, useRepeatableClientId, useSubmission } from '../../shared/form/index.ts';
import { namedOptions, optionsOf, SelectField } from '../../shared/form/SelectField.tsx';
import { useSignedIn } from '../../shared/session/index.ts';
import { useSupabase } from '../../shared/supabase/index.ts';
import { showToast, TextField } from '../../shared/ui/index.ts';
import { classesQuery, ruleTexts } from '../classes/index.ts';
import type { FormCheck, ProgramForm, ProgramTextField } from './program-form.ts';

export interface ProgramDialogProps<Saved> {
  /** Null makes one. */
  readonly edited: Saved | null;
  readonly onSaved: (saved: Saved) => void;
  readonly onClose: () => void;
}

/** Which program a save changes, or which command makes one. */
type Identity = { readonly p_id: string; readonly p_version: number } | { readonly p_client_id: string };

interface ProgramOptions<Saved, Form, Field> {
  readonly what: 'Contest' | 'Challenge';
  readonly initial: (seen: Saved | null) => Form;
  /** Names of the inputs, in the order of the dialog. */
  readonly names: (form: Form) => readonly string[];
  readonly check: (form: Form, options: FormCheck) => Readonly<Record<string, string | null>>;
  /** When a field is fixed, in words; null while it may change. */
  readonly lockedReason: (edited: Saved, field: Field) => string | null;
  readonly save: (form: Form, seen: Saved | null, identify: (terms: unknown) => Identity) => Promise<Saved>;
  /** Prefix of all reads of such programs. */
  readonly readKey: readonly string[];
}

/**
 * `Field` are those that have one text or choice each. `edited` may be a row that is read again and again: the form and its save are of the one
 * that the dialog opened with (`seen`); only which fields are fixed follows the newest.
 */
export function useProgramDialog<
  Saved extends { readonly id: string; readonly version: number },
  Field extends string,
  Form extends ProgramForm & Readonly<Record<Field, string>>,
>(
  { edited, onSaved }: ProgramDialogProps<Saved>,
  { what, initial, names, check, lockedReason, save, readKey }: ProgramOptions<Saved, Form, Field>,
) {
  const cache = useQueryClient();
  const clientIdOf = useRepeatableClientId();
  const isTutor = useSignedIn().user.role === 'manager';
  const [seen] = useState(edited);
  const [form, setForm] = useState(() => initial(seen));
  const identify = (terms: unknown): Identity =>
    seen ? { p_id: seen.id, p_version: seen.version } : { p_client_id: clientIdOf(JSON.stringify(terms)) };
  const failed = (cause: unknown): string => {
    const reason = failedWith(`Failed to save the ${what.toLowerCase()}`)(cause);
    if (reason !== texts.changedMeanwhile) return reason;
    // So that the dialog opens with the newer version.
    void cache.invalidateQueries({ queryKey: readKey });
    return `${reason} Close the dialog and open it again.`;
  };
  const submission = useSubmission<string>({
    names: names(form),
    check: () => check(form, { needsClass: isTutor }),
    send: async () => {
      const saved = await save(form, seen, identify);
      return () => {
        showToast('success', seen ? `${what} changed` : `${what} created`);
        void cache.invalidateQueries({ queryKey: readKey });
        onSaved(saved);
      };
    },
    failed,
  });
  const fixed = (field: Field): string | null => (edited ? lockedReason(edited, field) : null);
  const set = (field: Field, value: string) => setForm((held) => ({ ...held, [field]: value }));
  const inputOf = <Name extends Field>(name: Name, hint?: string) => ({
    ...submission.fieldOf(name),
    value: form[name],
    hint: fixed(name) ?? hint,
  });
  return {
    seen,
    form,
    setForm,
    submission,
    isTutor,
    isFixed: (field: Field) => fixed(field) !== null,
    /** A field that is typed as text. */
    textOf: (field: Field, hint?: string) => ({
      ...inputOf(field, hint),
      onChange: (event: { readonly target: HTMLInputElement }) => set(field, event.target.value),
      readOnly: fixed(field) !== null,
    }),
    /** A field with choices. */
    choiceOf: <Name extends Field>(field: Name, hint?: string) => ({
      ...inputOf(field, hint),
      onChange: (value: Form[Name]) => set(field, value),
      disabled: fixed(field) !== null,
    }),
  } as const;
}

type TextOf = (field: ProgramTextField, hint?: string) => Omit<ComponentProps<typeof TextField>, 'label'>;
type Chosen<Value extends string> = Omit<ComponentProps<typeof SelectField<Value>>, 'label' | 'options'>;

interface IntroductionProps {
  readonly textOf: TextOf;
  readonly classChoice: Chosen<string>;
  readonly isTutor: boolean;
  readonly descriptionHint?: string;
}

/** What it is, and who may take part. */
export function Introduction({ textOf, classChoice, isTutor, descriptionHint }: IntroductionProps) {
  const { data: classes } = useQuery(classesQuery(useSupabase()));
  return (
    <>
      <TextField label="Name" {...textOf('name')} />
      <SelectField
        label="Open to"
        {...classChoice}
        options={namedOptions(isTutor ? 'Choose a class' : 'Every trader', classes)}
      />
      <div className="md:col-span-2">
        <TextField label="Description" {...textOf('description', descriptionHint)} />
      </div>
    </>
  );
}

interface AccountTermsProps {
  readonly textOf: TextOf;
  readonly ruleChoice: Chosen<RuleSetName>;
}

/** What each account starts with, and its limits. */
export function AccountTerms({ textOf, ruleChoice }: AccountTermsProps) {
  return (
    <>
      <TextField label="Start balance, USDT" inputMode="decimal" {...textOf('balance')} />
      <SelectField label="Rules" {...ruleChoice} options={optionsOf(ruleSetNames, ruleTexts)} />
      <TextField label="Greatest leverage" inputMode="numeric" {...textOf('leverage')} />
      <TextField
        label="Most open positions"
        inputMode="numeric"
        {...textOf('positions', 'Empty is no limit.')}
      />
      <TextField
        label="Symbols"
        placeholder="BTCUSDT, ETHUSDT"
        {...textOf('symbols', 'Empty is every market.')}
      />
    </>
  );
}
