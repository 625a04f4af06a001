/** Makes a contest or changes one. Fields that are fixed can be read; the server refuses what is fixed, in words. */
import { type ContestNames, contestNames, contestScores } from '@fulcrum/domain';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { optionsOf, SelectField } from '../../shared/form/SelectField.tsx';
import { unwrap, useSupabase } from '../../shared/supabase/index.ts';
import { TextField } from '../../shared/ui/index.ts';
import {
  type ContestField,
  type ContestForm,
  checkForm,
  contestFields,
  emptyForm,
  lockedReason,
  toForm,
  toTerms,
} from './contest-form.ts';
import { scoreHints, scoreLabels, tieBreakLabels } from './labels.ts';
import { AccountTerms, Introduction, type ProgramDialogProps, useProgramDialog } from './program-dialog.tsx';
import { type Contest, contestsKey } from './queries.ts';

const nameTexts: Readonly<Record<ContestNames, string>> = {
  shown: 'Entrants see each other’s names',
  numbered: 'Entrants see numbers, and their own name',
};

export function ContestDialog(props: ProgramDialogProps<Contest>) {
  const { onClose } = props;
  const { rest, config } = useSupabase();
  const { seen, form, submission, textOf, choiceOf, isTutor } = useProgramDialog<
    Contest,
    ContestField,
    ContestForm
  >(props, {
    what: 'Contest',
    initial: (saved) => (saved ? toForm(saved) : emptyForm(Date.now())),
    names: () => contestFields,
    check: checkForm,
    lockedReason,
    save: (typed, saved, identify) => {
      const terms = toTerms(typed, saved);
      return unwrap(rest.rpc('save_contest', { ...terms, ...identify(terms) }));
    },
    readKey: contestsKey,
  });
  return (
    <FormDialog
      title={seen ? `Change ${seen.name}` : 'New contest'}
      description="Each entrant gets an account of the contest with the same money and rules. Staff change nothing in it."
      submission={submission}
      submit={seen ? 'Save contest' : 'Create contest'}
      size="wide"
      onClose={onClose}
    >
      {seen === null && config.feed.kind !== 'simulated' ? (
        <p className="rounded-control bg-warn-weak px-3 py-2 text-12">
          This server trades on market prices. Some countries forbid contests on live prices: check the law
          that holds for your entrants first.
        </p>
      ) : null}
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Introduction
          textOf={textOf}
          classChoice={choiceOf('classId')}
          isTutor={isTutor}
          descriptionHint="What entrants read: prizes, conduct."
        />
        <TextField label="Registration opens" type="datetime-local" {...textOf('opens')} />
        <TextField label="Registration ends" type="datetime-local" {...textOf('closes')} />
        <TextField label="Trading begins" type="datetime-local" {...textOf('begins')} />
        <TextField
          label="Trading ends"
          type="datetime-local"
          {...textOf('ends', 'Everything is closed at the last accepted price of then.')}
        />
        <AccountTerms textOf={textOf} ruleChoice={choiceOf('ruleSet')} />
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
          options={optionsOf(contestScores, scoreLabels)}
        />
        <SelectField label="Names" {...choiceOf('names')} options={optionsOf(contestNames, nameTexts)} />
      </div>
    </FormDialog>
  );
}
