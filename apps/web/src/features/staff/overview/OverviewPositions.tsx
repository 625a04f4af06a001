/** Beneath the users: the closed positions of everybody (ADMIN-15), or all positions of the person who was chosen (A76). */

import { texts } from '@fulcrum/contract/texts';
import { isUuid } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { useSignedIn } from '../../../shared/session/index.ts';
import { answerOf } from '../../../shared/supabase/index.ts';
import { Button, EmptyState, ErrorState, Skeleton } from '../../../shared/ui/index.ts';
import { StaffPositions } from '../positions/StaffPositions.tsx';
import { UserPositions } from '../positions/UserPositions.tsx';
import type { ShownPerson } from './useShownPerson.ts';

interface OverviewPositionsProps {
  readonly shown: ShownPerson | null;
  readonly onClose: () => void;
}

/** The address names an id only. */
function PersonOfAddress({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { supabase } = useSignedIn();
  const isId = isUuid(id);
  const person = useQuery<{ readonly id: string; readonly username: string } | null>({
    queryKey: ['staff', 'person', id],
    enabled: isId,
    queryFn: ({ signal }) =>
      answerOf(
        supabase.rest.from('users').select('id, username').eq('id', id).abortSignal(signal).maybeSingle(),
      ),
  });
  if (person.data) return <UserPositions user={person.data} onClose={onClose} arrival="address" />;
  if (person.isError) {
    return (
      <div className="panel">
        <ErrorState
          title={texts.loadUsersFailed}
          onRetry={() => void person.refetch()}
          retrying={person.isFetching}
        />
      </div>
    );
  }
  if (isId && person.isPending) {
    return (
      <div aria-busy="true" className="panel h-64 p-4">
        <Skeleton className="h-4 w-48" />
      </div>
    );
  }
  return (
    <div className="panel">
      <EmptyState
        title={texts.userNotFound}
        action={<Button onClick={onClose}>Show everybody’s positions</Button>}
      >
        The address names somebody who does not exist.
      </EmptyState>
    </div>
  );
}

export function OverviewPositions({ shown, onClose }: OverviewPositionsProps) {
  if (shown === null) return <StaffPositions status="closed" user={null} prefix="closed_" />;
  const { id, username } = shown;
  if (username === null) return <PersonOfAddress id={id} onClose={onClose} />;
  return <UserPositions user={{ id, username }} onClose={onClose} />;
}
