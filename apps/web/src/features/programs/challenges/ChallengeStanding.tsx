/** On the dashboard of a challenge account: how far the step is, and the way to its rules. */
import { useQuery } from '@tanstack/react-query';
import { useSignedIn } from '../../../shared/session/index.ts';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { ButtonLink } from '../../../shared/ui/index.ts';
import { Progress } from './ChallengeView.tsx';
import { attemptsQuery, type Challenge, challengesQuery } from './queries.ts';

function Standing({ of, accountId }: { readonly of: Challenge; readonly accountId: string }) {
  const { data } = useQuery(attemptsQuery(useSupabase(), of.id));
  const step = data?.attempts[0]?.steps.find(({ account_id }) => account_id === accountId);
  if (!step) return null;
  return (
    <section aria-labelledby="standing" className="panel overflow-hidden">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <h2 id="standing" className="text-14 font-semibold">
          <bdi>{of.name}</bdi>
        </h2>
        {of.rules.steps.length > 1 ? (
          <span className="text-12 text-text-3">
            Step {step.step} of {of.rules.steps.length}
          </span>
        ) : null}
        <ButtonLink to="/contests" size="compact" tone="quiet" className="ml-auto">
          {step.verdict ? 'Verdict and rules' : 'Rules'}
        </ButtonLink>
      </div>
      {step.figures ? (
        <div className="px-4 py-3">
          <Progress figures={step.figures} daysMin={of.rules.steps[step.step - 1]?.daysMin ?? 0} />
        </div>
      ) : (
        <p className="px-4 py-3 text-13 text-text-2">This step is decided.</p>
      )}
    </section>
  );
}

export function ChallengeStanding() {
  const { accountId } = useSignedIn();
  const { data } = useQuery(challengesQuery(useSupabase()));
  const shown = data?.find(({ account_id }) => account_id === accountId);
  return shown === undefined ? null : <Standing of={shown} accountId={accountId} />;
}
