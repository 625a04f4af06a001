/** Replaces the whole app: the trading account of the address is not one of the signed-in user's. */
import { useEffect } from 'react';
import { openAccount } from '../shared/account-address/index.ts';
import { useSession } from '../shared/session/index.ts';
import { Button, EmptyState, PageSpinner } from '../shared/ui/index.ts';
import { WholeScreen } from './Unreachable.tsx';

/** A user who came otherwise, by a login or when an impersonation ended, gets the own pages at once. */
export default function AccountGone() {
  const isAtStart = useSession((session) => session.status === 'account-gone' && session.isAtStart);
  useEffect(() => {
    if (!isAtStart) openAccount(null, '/');
  }, [isAtStart]);
  if (!isAtStart) return <PageSpinner />;
  return (
    <WholeScreen>
      <EmptyState
        title="This account is not one of yours"
        action={
          <Button tone="primary" onClick={() => openAccount(null, '/')}>
            Open your main account
          </Button>
        }
      >
        It is gone, or the link is another user’s. You are still signed in.
      </EmptyState>
    </WholeScreen>
  );
}
