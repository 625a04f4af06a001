/** Replaces the whole app: the trading account of the address is not one of the signed-in user's. */
import { useEffect } from 'react';
import { openAccount } from '../shared/account-address/index.ts';
import { useSession } from '../shared/session/index.ts';
import { Brand, Button, EmptyState, PageSpinner } from '../shared/ui/index.ts';

/** A user who came otherwise, by a login or when an impersonation ended, gets the own pages at once. */
export default function AccountGone() {
  const isAtStart = useSession((session) => session.status === 'account-gone' && session.isAtStart);
  useEffect(() => {
    if (!isAtStart) openAccount(null, '/');
  }, [isAtStart]);
  if (!isAtStart) return <PageSpinner />;
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="panel w-full max-w-md pt-8">
        <div className="flex justify-center">
          <Brand />
        </div>
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
      </div>
    </main>
  );
}
