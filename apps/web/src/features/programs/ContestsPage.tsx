/** `/admin/contests`, and `/manager/contests` for those of the classes that a manager teaches. The address names the one that is shown (`?contest=`). */
import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import { useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useSignedIn } from '../../shared/session/index.ts';
import { useSupabase } from '../../shared/supabase/index.ts';
import { BackLink } from '../../shared/ui/BackLink.tsx';
import { Button, ButtonLink, EmptyState } from '../../shared/ui/index.ts';
import { ContestDialog } from './ContestDialog.tsx';
import { ContestList } from './ContestList.tsx';
import { ContestView } from './ContestView.tsx';
import { StaffChallenges } from './challenges/StaffChallenges.tsx';
import { phasesBeforeBegin } from './labels.ts';
import { contestsQuery } from './queries.ts';
import { WithdrawDialog } from './WithdrawDialog.tsx';

export default function ContestsPage() {
  const [search, setSearch] = useSearchParams();
  const isTutor = useSignedIn().user.role === 'manager';
  const reading = useQuery(contestsQuery(useSupabase()));
  const [opened, setOpened] = useState<'new' | 'edit' | 'withdraw' | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const named = search.get('contest');
  const shown = reading.data?.find(({ id }) => id === named);
  // A manager reads contests for everyone, and changes those of their classes.
  const canWithdraw = !isTutor && shown !== undefined && phasesBeforeBegin.has(shown.phase);
  return (
    <div className="flex grow flex-col gap-4 p-6 max-lg:p-4 max-md:p-3">
      <title>Contests and challenges · Fulcrum</title>
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-2">
        <h1 ref={heading} tabIndex={-1} className="text-20 font-semibold">
          Contests
        </h1>
        <BackLink to={isTutor ? '/manager' : '/admin/classes'}>
          {isTutor ? 'Users and classes' : 'Classes'}
        </BackLink>
        <Button tone="primary" className="ml-auto !h-8 max-md:!h-11" onClick={() => setOpened('new')}>
          <Plus size={15} aria-hidden="true" />
          New contest
        </Button>
      </div>
      <ContestList
        rows={reading.data}
        reading={reading}
        shown={shown}
        onShow={(id) => setSearch({ contest: id })}
        placeholders={3}
        empty={
          <EmptyState title="No contests yet">
            A contest gives its entrants an account with the same money and rules, and ranks them.
          </EmptyState>
        }
      />
      {shown === undefined ? null : (
        <ContestView
          key={shown.id}
          shown={shown}
          hasRanking={shown.phase !== 'withdrawn'}
          actions={
            <>
              {shown.phase === 'withdrawn' ? null : (
                <ButtonLink
                  to={`${isTutor ? '/manager' : '/admin'}/projector?contest=${shown.id}`}
                  size="compact"
                  tone="quiet"
                >
                  Projector
                </ButtonLink>
              )}
              {shown.phase === 'withdrawn' || (isTutor && shown.class_id === null) ? null : (
                <>
                  {canWithdraw ? (
                    <Button size="compact" onClick={() => setOpened('withdraw')}>
                      Withdraw contest
                    </Button>
                  ) : null}
                  <Button size="compact" onClick={() => setOpened('edit')}>
                    Change contest
                  </Button>
                </>
              )}
            </>
          }
        />
      )}
      {shown === undefined && named !== null && reading.data !== undefined ? (
        <section aria-label="Contest of the address" className="panel">
          <EmptyState title="This contest does not exist">
            The address names a contest that this server does not have.
          </EmptyState>
        </section>
      ) : null}
      <StaffChallenges />
      {opened === 'withdraw' && shown !== undefined ? (
        <WithdrawDialog withdrawn={shown} heading={heading} onClose={() => setOpened(null)} />
      ) : null}
      {opened === 'new' || (opened === 'edit' && shown !== undefined) ? (
        <ContestDialog
          key={opened}
          edited={opened === 'edit' ? (shown ?? null) : null}
          onClose={() => setOpened(null)}
          onSaved={({ id }) => {
            setSearch({ contest: id });
            setOpened(null);
          }}
        />
      ) : null}
    </div>
  );
}
