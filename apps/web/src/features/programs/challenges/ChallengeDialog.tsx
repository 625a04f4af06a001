/** Makes a challenge or changes one. Fields that are fixed can be read; the server refuses what is fixed, in words. */
import { challengeLossModes, challengeStepsMax } from '@fulcrum/domain';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { FormDialog } from '../../../shared/form/FormDialog.tsx';
import { optionsOf, SelectField } from '../../../shared/form/SelectField.tsx';
import { unwrap, useSupabase } from '../../../shared/supabase/index.ts';
import { Button, TextField } from '../../../shared/ui/index.ts';
import { AccountTerms, Introduction, type ProgramDialogProps, useProgramDialog } from '../program-dialog.tsx';
import {
  type ChallengeForm,
  checkForm,
  emptyForm,
  emptyStep,
  type GeneralField,
  generalFields,
  lockedReason,
  type StepField,
  type StepForm,
  stepFieldName,
  stepFields,
  toForm,
  toTerms,
} from './challenge-form.ts';
import { dailyLossBasis, dayEndText, modeLabels } from './labels.ts';
import { type Challenge, challengesKey } from './queries.ts';

const stepTexts: Readonly<Record<StepField, { readonly label: string; readonly hint: string }>> = {
  target: { label: 'Profit target, %', hint: 'Of the initial balance, realized.' },
  maxLoss: { label: 'Maximum loss, %', hint: 'Of the initial balance.' },
  lock: {
    label: 'Floor stops above the initial balance, %',
    hint: '0 is at the initial balance. Empty never stops it.',
  },
  dailyLoss: { label: 'Daily loss, %', hint: 'Empty is no limit.' },
  bestDay: { label: 'Best day, % of the profit', hint: 'At most. Empty is no limit.' },
  daysMin: { label: 'Least trading days', hint: 'Days with an opening.' },
  daysMax: { label: 'Days until it is decided', hint: 'Empty is no limit.' },
};

export function ChallengeDialog(props: ProgramDialogProps<Challenge>) {
  const { onClose } = props;
  const { rest } = useSupabase();
  const newestStep = useRef<HTMLInputElement>(null);
  const addStep = useRef<HTMLButtonElement>(null);
  const { seen, form, setForm, submission, textOf, choiceOf, isTutor, isFixed } = useProgramDialog<
    Challenge,
    GeneralField,
    ChallengeForm
  >(props, {
    what: 'Challenge',
    initial: (saved) => (saved ? toForm(saved) : emptyForm(Date.now())),
    names: ({ steps }) => [
      ...generalFields,
      ...steps.flatMap((_, index) => stepFields.map((field) => stepFieldName(index, field))),
    ],
    check: checkForm,
    lockedReason,
    save: (typed, saved, identify) => {
      const terms = toTerms(typed, saved);
      return unwrap(rest.rpc('save_challenge', { ...terms, ...identify(terms) }));
    },
    readKey: challengesKey,
  });
  const areRulesFixed = isFixed('ruleSet');
  const changeSteps = (steps: ChallengeForm['steps']) => setForm((held) => ({ ...held, steps }));
  const changeStep = (index: number, changes: Partial<StepForm>) =>
    changeSteps(form.steps.map((step, at) => (at === index ? { ...step, ...changes } : step)));
  const stepInput = (index: number, field: StepField, hint: string = stepTexts[field].hint) => (
    <TextField
      ref={field === 'target' && index === form.steps.length - 1 ? newestStep : null}
      label={stepTexts[field].label}
      hint={hint}
      inputMode={field === 'daysMin' || field === 'daysMax' ? 'numeric' : 'decimal'}
      name={stepFieldName(index, field)}
      value={form.steps[index]?.[field] ?? ''}
      onChange={({ target }) => changeStep(index, { [field]: target.value })}
      error={submission.errorOf(stepFieldName(index, field))}
      readOnly={areRulesFixed}
    />
  );
  const dayEnd = dayEndText(
    form.steps.map(({ dailyLoss, dailyLossRule }) => (dailyLoss.trim() === '' ? null : dailyLossRule)),
  );
  return (
    <FormDialog
      title={seen ? `Change ${seen.name}` : 'New challenge'}
      description={`Each attempt gets an account with the start balance. A limit ends it at the first tick that touches it${dayEnd}. Staff change nothing in it.`}
      submission={submission}
      submit={seen ? 'Save challenge' : 'Create challenge'}
      size="wide"
      onClose={onClose}
    >
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Introduction textOf={textOf} classChoice={choiceOf('classId')} isTutor={isTutor} />
        <TextField label="Attempts start from" type="datetime-local" {...textOf('opens')} />
        <TextField label="Attempts start until" type="datetime-local" {...textOf('closes')} />
        <TextField
          label="Challenge ends"
          type="datetime-local"
          {...textOf('ends', 'A step that is undecided then is not passed.')}
        />
        <TextField label="Attempts of a trader" inputMode="numeric" {...textOf('attempts')} />
        <AccountTerms textOf={textOf} ruleChoice={choiceOf('ruleSet')} />
      </div>
      {form.steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step is its number.
        <fieldset key={index} className="grid items-start gap-4 border-t border-line pt-4 md:grid-cols-2">
          <legend className="text-14 font-semibold">Step {index + 1}</legend>
          {stepInput(index, 'target')}
          {stepInput(index, 'maxLoss')}
          <SelectField
            label="Floor of the maximum loss"
            name={`mode${index}`}
            value={step.mode}
            disabled={areRulesFixed}
            options={optionsOf(challengeLossModes, modeLabels)}
            onChange={(mode) => changeStep(index, { mode })}
          />
          {stepInput(index, 'lock')}
          {stepInput(
            index,
            'dailyLoss',
            `Per cent ${dailyLossBasis(step.dailyLossRule)}. ${stepTexts.dailyLoss.hint}`,
          )}
          {stepInput(index, 'bestDay')}
          {stepInput(index, 'daysMin')}
          {stepInput(index, 'daysMax')}
        </fieldset>
      ))}
      {areRulesFixed ? null : (
        <div className="flex gap-2">
          {form.steps.length < challengeStepsMax ? (
            <Button
              ref={addStep}
              size="compact"
              onClick={() => {
                flushSync(() => changeSteps([...form.steps, form.steps.at(-1) ?? emptyStep]));
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
                flushSync(() => changeSteps(form.steps.slice(0, -1)));
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
