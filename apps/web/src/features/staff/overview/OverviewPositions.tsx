/** The positions below the users table: all closed positions (ADMIN-15), or all positions of the selected user (A76). */

import { texts } from '@fulcrum/contract/texts';
import { isUuid } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrapOrNull } from '../../../shared/supabase/index.ts';
import { Button, EmptyState, ReadError, Skeleton } from '../../../shared/ui/index.ts';
import { StaffPositions } from '../positions/StaffPositions.tsx';
import { UserPositions } from '../positions/UserPositions.tsx';
import type { ShownUser } from './useShownUser.ts';

interface OverviewPositionsProps {
  readonly shown: ShownUser | null;
  readonly onClose: () => void;
}

/** Reads the user's name: the URL contains only an id. */
function UserFromUrl({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { supabase } = useSignedIn();
  const isId = isUuid(id);
  const userQuery = useQuery<{ readonly id: string; readonly username: string } | null>({
    queryKey: ['staff', 'user-of-url', id],
    enabled: isId,
    queryFn: ({ signal }) =>
      unwrapOrNull(
        supabase.rest.from('users').select('id, username').eq('id', id).abortSignal(signal).maybeSingle(),
      ),
  });
  if (userQuery.data) return <UserPositions user={userQuery.data} onClose={onClose} arrival="address" />;
  if (userQuery.isError) {
    return (
      <div className="panel">
        <ReadError title={texts.loadUsersFailed} reading={userQuery} />
      </div>
    );
  }
  if (isId && userQuery.isPending) {
    return (
      <div aria-busy="true" className="panel h-64 p-4">
        <Skeleton className="h-4 w-48" />
      </div>
    );
  }
  return (
    <div className="panel">
      <EmptyState title={texts.userNotFound} action={<Button onClick={onClose}>Show all positions</Button>}>
        The user in this link does not exist. The account may have been deleted.
      </EmptyState>
    </div>
  );
}

export function OverviewPositions({ shown, onClose }: OverviewPositionsProps) {
  if (shown === null) return <StaffPositions status="closed" user={null} prefix="closed_" />;
  const { id, username } = shown;
  if (username === null) return <UserFromUrl id={id} onClose={onClose} />;
  return <UserPositions user={{ id, username }} onClose={onClose} />;
}
