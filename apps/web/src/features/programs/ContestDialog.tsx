/** Makes a contest or changes one. Fields that are fixed can be read; the server refuses what is fixed, in words. */
import {
  type ContestNames,
  type ContestScore,
  contestNames,
  contestScores,
  type RuleSetName,
  ruleSetNames,
} from '@fulcrum/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { failedWith, useRepeatableClientId, useSubmission } from '../../shared/form/index.ts';
import { SelectField } from '../../shared/form/SelectField.tsx';
import { log } from '../../shared/log/log.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import { unwrap, useSupabase } from '../../shared/supabase/index.ts';
import { showToast, TextField } from '../../shared/ui/index.ts';
import { classesQuery, ruleTexts } from '../classes/index.ts';
import {
  type ContestField,
  type ContestForm,
  type ContestTextField,
  checkForm,
  contestFields,
  emptyForm,
  fixedBecause,
  toForm,
  toTerms,
} from './contest-form.ts';
import { scoreHints, scoreLabels, tieBreakLabels } from './labels.ts';
import { type Contest, contestsKey } from './queries.ts';

const nameTexts: Readonly<Record<ContestNames, string>> = {
  shown: 'Entrants see each other’s names',
  numbered: 'Entrants see numbers, and their own name',
};

interface ContestDialogProps {
  /** Null makes one. */
  readonly edited: Contest | null;
  readonly onSaved: (saved: Contest) => void;
  readonly onClose: () => void;
}

export function ContestDialog({ edited, onSaved, onClose }: ContestDialogProps) {
  const supabase = useSupabase();
  const cache = useQueryClient();
  const first = useRef<HTMLInputElement>(null);
  const clientIdOf = useRepeatableClientId();
  const { data: classes = [] } = useQuery(classesQuery(supabase));
  const isTutor = useSignedIn().user.role === 'manager';
  const [form, setForm] = useState<ContestForm>(() => (edited ? toForm(edited) : emptyForm(Date.now())));
  const change = (changes: Partial<ContestForm>) => setForm((held) => ({ ...held, ...changes }));

  const submission = useSubmission<ContestField>({
    names: contestFields,
    check: () => checkForm(form, { needsClass: isTutor }),
    send: async () => {
      const terms = toTerms(form, edited);
      const saved = await unwrap(
        supabase.rest.rpc('save_contest', {
          ...terms,
          ...(edited
            ? { p_id: edited.id, p_version: edited.version }
            : { p_client_id: clientIdOf(JSON.stringify(terms)) }),
        }),
      );
      return () => {
        showToast('success', edited ? 'Contest changed' : 'Contest created');
        cache
          .invalidateQueries({ queryKey: contestsKey })
          .catch((cause: unknown) => log.error('Refreshing the contests failed', cause));
        onSaved(saved);
      };
    },
    failed: failedWith('Failed to save the contest'),
  });
  const { errorOf } = submission;
  const fixed = (field: ContestField): string | null => (edited ? fixedBecause(edited, field) : null);
  const textOf = (field: ContestTextField, hint?: string) => ({
    name: field,
    value: form[field],
    onChange: (event: { readonly target: HTMLInputElement }) => change({ [field]: event.target.value }),
    error: errorOf(field),
    hint: fixed(field) ?? hint,
    readOnly: fixed(field) !== null,
  });
  const choiceOf = (field: 'classId' | 'ruleSet' | 'score' | 'names', hint?: string) => ({
    name: field,
    value: form[field],
    hint: fixed(field) ?? hint,
    disabled: fixed(field) !== null,
  });
  return (
    <FormDialog
      title={edited ? `Change ${edited.name}` : 'New contest'}
      description="Each entrant gets an account of the contest with the same money and rules. Staff change nothing in it."
      submission={submission}
      submit={edited ? 'Save contest' : 'Create contest'}
      size="wide"
      initialFocus={first}
      onClose={onClose}
    >
      {edited === null && supabase.config.feed.kind !== 'simulated' ? (
        <p className="rounded-control bg-warn-weak px-3 py-2 text-12">
          This server trades on market prices. Some countries forbid contests on live prices: check the law
          that holds for your entrants first.
        </p>
      ) : null}
      <div className="grid items-start gap-4 md:grid-cols-2">
        <TextField ref={first} label="Name" {...textOf('name')} />
        <SelectField
          label="Open to"
          {...choiceOf('classId')}
          error={errorOf('classId')}
          onChange={(classId) => change({ classId })}
        >
          <option value="">{isTutor ? 'Choose a class' : 'Every trader'}</option>
          {classes.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <div className="md:col-span-2">
          <TextField label="Description" {...textOf('description', 'What entrants read: prizes, conduct.')} />
        </div>
        <TextField label="Registration opens" type="datetime-local" {...textOf('opens')} />
        <TextField label="Registration ends" type="datetime-local" {...textOf('closes')} />
        <TextField label="Trading begins" type="datetime-local" {...textOf('begins')} />
        <TextField
          label="Trading ends"
          type="datetime-local"
          {...textOf('ends', 'Everything is closed at the last accepted price of then.')}
        />
        <TextField label="Start balance, USDT" inputMode="decimal" {...textOf('balance')} />
        <SelectField
          label="Rules"
          {...choiceOf('ruleSet')}
          onChange={(value) =>
            change({
              ruleSet: ruleSetNames.find((name): name is RuleSetName => name === value) ?? 'standard',
            })
          }
        >
          {ruleSetNames.map((name) => (
            <option key={name} value={name}>
              {ruleTexts[name]}
            </option>
          ))}
        </SelectField>
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
        <TextField
          label="Least number of trades"
          inputMode="numeric"
          {...textOf('trades', 'Who opens fewer positions is not ranked.')}
        />
        <SelectField
          label="Score"
          {...choiceOf(
            'score',
            `${scoreHints[form.score]} Equal scores: ${form.tieBreaks.map((one) => tieBreakLabels[one]).join(', ')}.`,
          )}
          onChange={(value) =>
            change({ score: contestScores.find((one): one is ContestScore => one === value) ?? 'return' })
          }
        >
          {contestScores.map((score) => (
            <option key={score} value={score}>
              {scoreLabels[score]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Names"
          {...choiceOf('names')}
          onChange={(value) =>
            change({ names: contestNames.find((one): one is ContestNames => one === value) ?? 'shown' })
          }
        >
          {contestNames.map((name) => (
            <option key={name} value={name}>
              {nameTexts[name]}
            </option>
          ))}
        </SelectField>
      </div>
    </FormDialog>
  );
}
