/** Makes a challenge or changes one. Fields that are fixed can be read; the server refuses what is fixed, in words. */
import {
  type ChallengeLossMode,
  challengeLossModes,
  challengeStepsMax,
  type RuleSetName,
  ruleSetNames,
} from '@fulcrum/domain';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { FormDialog } from '../../../shared/form/FormDialog.tsx';
import { failedWith, useRepeatableClientId, useSubmission } from '../../../shared/form/index.ts';
import { SelectField } from '../../../shared/form/SelectField.tsx';
import { log } from '../../../shared/log/log.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap, useSupabase } from '../../../shared/supabase/index.ts';
import { Button, showToast, TextField } from '../../../shared/ui/index.ts';
import { classesQuery, ruleTexts } from '../../classes/index.ts';
import {
  type ChallengeField,
  type ChallengeForm,
  checkForm,
  emptyForm,
  emptyStep,
  fixedBecause,
  type GeneralField,
  generalFields,
  type StepField,
  type StepForm,
  stepFieldName,
  stepFields,
  toForm,
  toTerms,
} from './challenge-form.ts';
import { dailyLossBasis, dayEndText, modeLabels } from './labels.ts';
import { type Challenge, challengesKey } from './queries.ts';

interface ChallengeDialogProps {
  /** Null makes one. */
  readonly edited: Challenge | null;
  readonly onSaved: (saved: Challenge) => void;
  readonly onClose: () => void;
}

export function ChallengeDialog({ edited, onSaved, onClose }: ChallengeDialogProps) {
  const supabase = useSupabase();
  const cache = useQueryClient();
  const first = useRef<HTMLInputElement>(null);
  const newestStep = useRef<HTMLInputElement>(null);
  const addStep = useRef<HTMLButtonElement>(null);
  const clientIdOf = useRepeatableClientId();
  const { data: classes = [] } = useQuery(classesQuery(supabase));
  const isTutor = useSignedIn().user.role === 'manager';
  const [form, setForm] = useState<ChallengeForm>(() => (edited ? toForm(edited) : emptyForm(Date.now())));
  const change = (changes: Partial<ChallengeForm>) => setForm((held) => ({ ...held, ...changes }));
  const changeStep = (index: number, changes: Partial<StepForm>) =>
    change({ steps: form.steps.map((step, at) => (at === index ? { ...step, ...changes } : step)) });

  const submission = useSubmission<ChallengeField>({
    names: [
      ...generalFields,
      ...form.steps.flatMap((_, index) => stepFields.map((field) => stepFieldName(index, field))),
    ],
    check: () => checkForm(form, { needsClass: isTutor }),
    send: async () => {
      const terms = toTerms(form, edited);
      const saved = await unwrap(
        supabase.rest.rpc('save_challenge', {
          ...terms,
          ...(edited
            ? { p_id: edited.id, p_version: edited.version }
            : { p_client_id: clientIdOf(JSON.stringify(terms)) }),
        }),
      );
      return () => {
        showToast('success', edited ? 'Challenge changed' : 'Challenge created');
        cache
          .invalidateQueries({ queryKey: challengesKey })
          .catch((cause: unknown) => log.error('Refreshing the challenges failed', cause));
        onSaved(saved);
      };
    },
    failed: failedWith('Failed to save the challenge'),
  });
  const { errorOf } = submission;
  const fixed = (field: ChallengeField): string | null => (edited ? fixedBecause(edited, field) : null);
  const areRulesFixed = fixed('ruleSet') !== null;
  const textOf = (field: Exclude<GeneralField, 'ruleSet'>, hint?: string) => ({
    name: field,
    value: form[field],
    onChange: (event: { readonly target: HTMLInputElement }) => change({ [field]: event.target.value }),
    error: errorOf(field),
    hint: fixed(field) ?? hint,
    readOnly: fixed(field) !== null,
  });
  const stepTextOf = (index: number, field: StepField, hint?: string) => ({
    name: stepFieldName(index, field),
    value: form.steps[index]?.[field] ?? '',
    onChange: (event: { readonly target: HTMLInputElement }) =>
      changeStep(index, { [field]: event.target.value }),
    error: errorOf(stepFieldName(index, field)),
    hint,
    readOnly: areRulesFixed,
  });
  const dayEnd = dayEndText(
    form.steps.map(({ dailyLoss, dailyLossRule }) => (dailyLoss.trim() === '' ? null : dailyLossRule)),
  );
  return (
    <FormDialog
      title={edited ? `Change ${edited.name}` : 'New challenge'}
      description={`Each attempt gets an account with the start balance. A limit ends it at the first tick that touches it${dayEnd}. Staff change nothing in it.`}
      submission={submission}
      submit={edited ? 'Save challenge' : 'Create challenge'}
      size="wide"
      initialFocus={first}
      onClose={onClose}
    >
      <div className="grid items-start gap-4 md:grid-cols-2">
        <TextField ref={first} label="Name" {...textOf('name')} />
        <SelectField
          label="Open to"
          name="classId"
          value={form.classId}
          hint={fixed('classId') ?? undefined}
          disabled={areRulesFixed}
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
          <TextField label="Description" {...textOf('description')} />
        </div>
        <TextField label="Attempts start from" type="datetime-local" {...textOf('opens')} />
        <TextField label="Attempts start until" type="datetime-local" {...textOf('closes')} />
        <TextField
          label="Challenge ends"
          type="datetime-local"
          {...textOf('ends', 'A step that is undecided then is not passed.')}
        />
        <TextField label="Attempts of a trader" inputMode="numeric" {...textOf('attempts')} />
        <TextField label="Start balance, USDT" inputMode="decimal" {...textOf('balance')} />
        <SelectField
          label="Rules"
          name="ruleSet"
          value={form.ruleSet}
          disabled={areRulesFixed}
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
      </div>
      {form.steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is its number.
        <fieldset key={index} className="grid items-start gap-4 border-t border-line pt-4 md:grid-cols-2">
          <legend className="text-14 font-semibold">Step {index + 1}</legend>
          <TextField
            ref={index === form.steps.length - 1 ? newestStep : null}
            label="Profit target, %"
            inputMode="decimal"
            {...stepTextOf(index, 'target', 'Of the initial balance, realized.')}
          />
          <TextField
            label="Maximum loss, %"
            inputMode="decimal"
            {...stepTextOf(index, 'maxLoss', 'Of the initial balance.')}
          />
          <SelectField
            label="Floor of the maximum loss"
            name={`mode${index}`}
            value={step.mode}
            disabled={areRulesFixed}
            onChange={(value) =>
              changeStep(index, {
                mode: challengeLossModes.find((one): one is ChallengeLossMode => one === value) ?? 'static',
              })
            }
          >
            {challengeLossModes.map((mode) => (
              <option key={mode} value={mode}>
                {modeLabels[mode]}
              </option>
            ))}
          </SelectField>
          <TextField
            label="Floor stops above the initial balance, %"
            inputMode="decimal"
            {...stepTextOf(index, 'lock', '0 is at the initial balance. Empty never stops it.')}
          />
          <TextField
            label="Daily loss, %"
            inputMode="decimal"
            {...stepTextOf(
              index,
              'dailyLoss',
              `Per cent ${dailyLossBasis(step.dailyLossRule)}. Empty is no limit.`,
            )}
          />
          <TextField
            label="Best day, % of the profit"
            inputMode="decimal"
            {...stepTextOf(index, 'bestDay', 'At most. Empty is no limit.')}
          />
          <TextField
            label="Least trading days"
            inputMode="numeric"
            {...stepTextOf(index, 'daysMin', 'Days with an opening.')}
          />
          <TextField
            label="Days until it is decided"
            inputMode="numeric"
            {...stepTextOf(index, 'daysMax', 'Empty is no limit.')}
          />
        </fieldset>
      ))}
      {areRulesFixed ? null : (
        <div className="flex gap-2">
          {form.steps.length < challengeStepsMax ? (
            <Button
              ref={addStep}
              size="compact"
              onClick={() => {
                flushSync(() => change({ steps: [...form.steps, form.steps.at(-1) ?? emptyStep] }));
                // The button disappears at the last step that is possible.
                newestStep.current?.focus();
              }}
            >
              Add a step
            </Button>
          ) : null}
          {form.steps.length > 1 ? (
            <Button
              size="compact"
              tone="quiet"
              onClick={() => {
                flushSync(() => change({ steps: form.steps.slice(0, -1) }));
                // The button disappears with the second step.
                if (form.steps.length === 2) addStep.current?.focus();
              }}
            >
              Remove step {form.steps.length}
            </Button>
          ) : null}
        </div>
      )}
    </FormDialog>
  );
}
