/** The playbook of one trade, and which of its criteria the trade met. */
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { failedWith, useRequest } from '../../shared/form/index.ts';
import { namedOptions, SelectField } from '../../shared/form/SelectField.tsx';
import { useSignedIn } from '../../shared/session/index.ts';
import type { Playbook } from '../../shared/supabase/index.ts';
import { Button, Checkbox, ErrorState, showToast } from '../../shared/ui/index.ts';
import {
  removeAnswer,
  saveAnswer,
  type TradeAnswer,
  usePlaybooks,
  useRefetchPlaybooks,
  useTradeAnswer,
} from './playbooks.ts';

const title = <h3 className="mb-1 text-12 text-text-3">Playbook</h3>;

interface AnswerFormProps {
  readonly positionId: string;
  readonly playbooks: readonly Playbook[];
  readonly answer: TradeAnswer | null;
}

function AnswerForm({ positionId, playbooks, answer }: AnswerFormProps) {
  const { accountId, supabase } = useSignedIn();
  const refetch = useRefetchPlaybooks();
  const { run, pending, error } = useRequest();
  const [chosenId, setChosenId] = useState(answer?.playbookId ?? '');
  const [met, setMet] = useState<readonly string[]>(answer?.met ?? []);
  const chosen = playbooks.find(({ id }) => id === chosenId) ?? null;
  const save = (event: FormEvent) => {
    event.preventDefault();
    return run(async () => {
      if (chosen === null) await removeAnswer(supabase, accountId, positionId);
      else await saveAnswer(supabase, positionId, chosen, met);
      refetch();
      showToast(
        'success',
        chosen === null ? 'Playbook removed from this trade' : 'Playbook of this trade saved',
      );
    }, failedWith('The playbook of this trade was not saved. Try again.'));
  };
  return (
    <form onSubmit={save} className="flex flex-col gap-3">
      <SelectField
        label="Setup"
        value={chosenId}
        options={namedOptions('None', playbooks)}
        onChange={setChosenId}
        error={error ?? undefined}
      />
      {chosen === null || chosen.criteria.length === 0 ? null : (
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 text-13 font-medium">Which criteria did it meet?</legend>
          {chosen.criteria.map((criterion) => (
            <Checkbox
              key={criterion}
              checked={met.includes(criterion)}
              onChange={(isMet) =>
                setMet(isMet ? [...met, criterion] : met.filter((one) => one !== criterion))
              }
            >
              {criterion}
            </Checkbox>
          ))}
        </fieldset>
      )}
      <Button type="submit" size="compact" pending={pending} className="self-start">
        Save playbook of this trade
      </Button>
    </form>
  );
}

export function TradePlaybook({ positionId }: { readonly positionId: string }) {
  const playbooks = usePlaybooks();
  const answer = useTradeAnswer(positionId);
  if (playbooks.isError || answer.isError) {
    const retry = () => Promise.all([playbooks.refetch(), answer.refetch()]);
    return (
      <ErrorState
        title="Failed to load the playbooks"
        onRetry={retry}
        retrying={playbooks.isFetching || answer.isFetching}
      />
    );
  }
  if (playbooks.data === undefined || answer.data === undefined) return null;
  return (
    <section aria-label="Playbook">
      {title}
      {playbooks.data.length === 0 ? (
        <p className="text-13 text-text-2">
          Make a playbook in the{' '}
          <Link to="/journal" className="text-accent hover:underline">
            journal
          </Link>
          , and choose it here for this trade.
        </p>
      ) : (
        <AnswerForm positionId={positionId} playbooks={playbooks.data} answer={answer.data} />
      )}
    </section>
  );
}
