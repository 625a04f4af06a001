/** Replaces the whole app: the trading account of the address is not one of the signed-in user's. */
import { openAccount } from '../shared/account-address/index.ts';
import { Brand, Button, EmptyState } from '../shared/ui/index.ts';

export default function AccountGone() {
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
