/**
 * Makes a class or changes one. What is fixed once it had a member is refused by the server, in words. Invariant: a save names the version
 * that the dialog showed. When another admin was faster, the dialog shows both versions and does not save again by itself.
 */
import { ruleSetNames } from '@fulcrum/domain';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConflictNotice } from '../../shared/form/ConflictNotice.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { failedWith, useRepeatableClientId, useSubmission } from '../../shared/form/index.ts';
import { optionsOf, SelectField } from '../../shared/form/SelectField.tsx';
import { RequestError, unwrap, useSupabase } from '../../shared/supabase/index.ts';
import { formatDatedClock } from '../../shared/time/dates.ts';
import { Checkbox, showToast, TextField } from '../../shared/ui/index.ts';
import { useManagers } from '../staff/index.ts';
import {
  type ClassField,
  type ClassForm,
  type ClassTextField,
  checkForm,
  classFields,
  differingFields,
  emptyForm,
  isFixed,
  rebaseForm,
  toForm,
  toTerms,
} from './class-form.ts';
import { type Class, classesKey, classesQuery, ruleTexts } from './queries.ts';

/** Each value of a class as the user reads it. */
function describe(saved: Class): Readonly<Record<ClassField, string>> {
  return {
    ...toForm(saved),
    rules: ruleTexts[saved.rules],
    begins: formatDatedClock(saved.begins_at),
    ends: formatDatedClock(saved.ends_at),
    symbols: saved.symbols?.join(', ') ?? 'every market',
    positions: saved.positions_max === null ? 'no limit' : `${saved.positions_max}`,
    tutors: saved.tutors.map(({ username }) => username).join(', ') || 'no one',
    classmates: saved.members_see_each_other ? 'yes' : 'no',
  };
}

interface ClassDialogProps {
  /** Null makes one. It is read once: a newer version arrives with a refused save. */
  readonly edited: Class | null;
  readonly onSaved: (saved: Class) => void;
  readonly onClose: () => void;
}

export function ClassDialog({ edited, onSaved, onClose }: ClassDialogProps) {
  const supabase = useSupabase();
  const cache = useQueryClient();
  const clientIdOf = useRepeatableClientId();
  const { data: managers = [] } = useManagers();
  const [seen, setSeen] = useState(edited);
  /** The fields that another admin changed in the version that is shown; null without such a save. */
  const [theirs, setTheirs] = useState<readonly ClassField[] | null>(null);
  const [form, setForm] = useState<ClassForm>(() => (edited ? toForm(edited) : emptyForm(Date.now())));
  const change = (changes: Partial<ClassForm>) => setForm((held) => ({ ...held, ...changes }));

  /** Shows the newer version beside the user's entries; false when there is none. */
  const showBoth = async (before: Class): Promise<boolean> => {
    const classes = await cache.fetchQuery({ ...classesQuery(supabase), staleTime: 0 });
    const now = classes.find(({ id }) => id === before.id);
    if (now === undefined || now.version === before.version) return false;
    // Applied to the current form: the user may have typed while the request was running.
    setForm((held) => rebaseForm(before, now, held));
    setSeen(now);
    setTheirs(differingFields(toForm(before), toForm(now)));
    return true;
  };

  const submission = useSubmission<ClassField>({
    names: classFields,
    check: () => checkForm(form),
    send: async () => {
      const terms = toTerms(form, seen);
      try {
        const saved = await unwrap(
          supabase.rest.rpc('save_class', {
            ...terms,
            ...(seen
              ? { p_id: seen.id, p_version: seen.version }
              : { p_client_id: clientIdOf(JSON.stringify(terms)) }),
          }),
        );
        return () => {
          showToast('success', seen ? 'Class changed' : 'Class created');
          void cache.invalidateQueries({ queryKey: classesKey });
          onSaved(saved);
        };
      } catch (cause) {
        // A taken name is a conflict too, without a newer version.
        const mayBeNewer = seen !== null && cause instanceof RequestError && cause.status === 409;
        if (mayBeNewer && (await showBoth(seen))) return null;
        throw cause;
      }
    },
    failed: failedWith('Failed to save the class'),
  });
  const { errorOf } = submission;

  const mine = seen ? differingFields(toForm(seen), form) : [];
  /** What stands beneath a field: the saved value that differs from the entry, else that it is new, else the hint. */
  const noteOf = (field: ClassField, hint?: string): string | undefined => {
    if (seen === null || theirs === null) return hint;
    if (mine.includes(field)) return `Saved meanwhile: ${describe(seen)[field]}`;
    return theirs.includes(field) ? 'Changed meanwhile.' : hint;
  };
  const isFieldFixed = (field: ClassField) => seen !== null && isFixed(seen, field);
  const textOf = (field: ClassTextField, hint?: string) => ({
    name: field,
    value: form[field],
    onChange: (event: { readonly target: HTMLInputElement }) => change({ [field]: event.target.value }),
    error: errorOf(field),
    hint: noteOf(field, isFieldFixed(field) ? 'Fixed, because the class has members.' : hint),
    readOnly: isFieldFixed(field),
  });
  const [tutorsNote, classmatesNote] = [noteOf('tutors'), noteOf('classmates')];
  return (
    <FormDialog
      title={seen ? `Change ${seen.name}` : 'New class'}
      description="Each member gets an account of the class with its own money and these rules."
      submission={submission}
      submit={seen ? 'Save class' : 'Create class'}
      size="wide"
      onClose={onClose}
    >
      {theirs !== null && seen ? (
        <ConflictNotice
          version={seen.version}
          onDiscard={mine.length === 0 ? null : () => setForm(toForm(seen))}
          discardLabel="Use the saved class"
        >
          {mine.length === 0
            ? 'The fields show the saved class, and your entries match it.'
            : 'Your entries stay, each with the saved value beneath. The other fields show the saved class. Compare both, then save again.'}
        </ConflictNotice>
      ) : null}
      <div className="grid items-start gap-4 md:grid-cols-2">
        <TextField label="Name" {...textOf('name')} />
        <SelectField
          label="Rules"
          name="rules"
          value={form.rules}
          disabled={isFieldFixed('rules')}
          hint={noteOf('rules')}
          options={optionsOf(ruleSetNames, ruleTexts)}
          onChange={(rules) => change({ rules })}
        />
        <TextField label="Begins" type="datetime-local" {...textOf('begins')} />
        <TextField label="Ends" type="datetime-local" {...textOf('ends')} />
        <TextField label="Start balance, USDT" inputMode="decimal" {...textOf('balance')} />
        <TextField label="Greatest leverage" inputMode="numeric" {...textOf('leverage')} />
        <TextField
          label="Symbols"
          placeholder="BTCUSDT, ETHUSDT"
          {...textOf('symbols', 'Empty is every market.')}
        />
        <TextField
          label="Most open positions"
          inputMode="numeric"
          {...textOf('positions', 'Empty is no limit.')}
        />
      </div>
      {managers.length === 0 ? null : (
        <fieldset className="flex flex-col gap-1.5">
          <legend className="mb-1.5 text-13 font-medium">Tutors</legend>
          <div className="flex flex-wrap gap-x-5">
            {managers.map(({ id, username }) => (
              <Checkbox
                key={id}
                checked={form.tutors.includes(id)}
                onChange={(isOn) =>
                  change({ tutors: isOn ? [...form.tutors, id] : form.tutors.filter((one) => one !== id) })
                }
              >
                <bdi>{username}</bdi>
              </Checkbox>
            ))}
          </div>
          {errorOf('tutors') ? (
            <p role="alert" className="text-12 text-down">
              {errorOf('tutors')}
            </p>
          ) : null}
          {tutorsNote ? <p className="text-12 text-text-3">{tutorsNote}</p> : null}
        </fieldset>
      )}
      <Checkbox checked={form.classmates} onChange={(classmates) => change({ classmates })}>
        Members see each other’s names and returns
        {classmatesNote ? <span className="ml-2 text-12 text-text-3">{classmatesNote}</span> : null}
      </Checkbox>
    </FormDialog>
  );
}
