/** On the dashboard of a challenge account: how far the step is, and the way to its rules. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useSignedIn } from '../../../shared/session/index.ts';
import { useSupabase } from '../../../shared/supabase/index.ts';
import { ButtonLink, ReadError, Skeleton } from '../../../shared/ui/index.ts';
import { Progress } from './ChallengeView.tsx';
import { attemptsQuery, type Challenge } from './queries.ts';
import { useChallengeOfAccount } from './useChallengeOfAccount.ts';

/** Of about the height of what follows. */
function Placeholder({ failed }: { readonly failed: Pick<UseQueryResult, 'refetch' | 'isFetching'> | null }) {
  return (
    <section
      aria-label="Your challenge"
      aria-busy={failed === null}
      className="panel min-h-40 overflow-hidden"
    >
      {failed === null ? (
        <div className="flex flex-col gap-3 px-4 py-3">
          <Skeleton className="h-3.5 w-40" />
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-10 w-full" />
        </div>
      ) : (
        <div className="py-3">
          <ReadError title="Failed to load your challenge" shape="line" reading={failed} />
        </div>
      )}
    </section>
  );
}

function Standing({ of, accountId }: { readonly of: Challenge; readonly accountId: string }) {
  const reading = useQuery(attemptsQuery(useSupabase(), of.id));
  const steps = reading.data?.attempts.flatMap((attempt) => attempt.steps);
  const step = steps?.find(({ account_id }) => account_id === accountId);
  if (reading.isError && reading.data === undefined) return <Placeholder failed={reading} />;
  if (steps === undefined) return <Placeholder failed={null} />;
  if (step === undefined) return null;
  const page = `/contests?challenge=${of.id}`;
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
        <ButtonLink to={page} size="compact" tone="quiet" className="ml-auto">
          {step.verdict ? 'Verdict and rules' : 'Rules'}
        </ButtonLink>
      </div>
      {step.figures ? (
        <div className="px-4 py-3">
          <Progress figures={step.figures} daysMin={of.rules.steps[step.step - 1]?.daysMin ?? 0} />
        </div>
      ) : (
        <p className="px-4 py-3 text-13 text-text-2">
          This step is decided. The page of the challenge has{' '}
          <Link to={page} className="text-accent hover:underline">
            its verdict
          </Link>
          .
        </p>
      )}
    </section>
  );
}

export function ChallengeStanding() {
  const { accountId } = useSignedIn();
  const { shown, readings } = useChallengeOfAccount();
  if (shown !== undefined) return <Standing of={shown} accountId={accountId} />;
  const missing = readings.filter(({ data }) => data === undefined);
  const failed = missing.find(({ isError }) => isError) ?? null;
  return missing.length === 0 ? null : <Placeholder failed={failed} />;
}
