/** `/auth/callback` (A42): a link from a mail signs in, once, and leads on to a new password. */
import { useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { log } from '../../shared/log/log.ts';
import { ButtonLink, ErrorState, Spinner } from '../../shared/ui/index.ts';
import { type LinkOutcome, openRecoveryLink, recoveryLinkOf } from './recovery.ts';
import { StepHeading } from './StepHeading.tsx';

function Refused() {
  return (
    <>
      <StepHeading>This link no longer works</StepHeading>
      <p className="mt-3 text-14 text-text-2">
        A reset link works once and for 30 minutes, and a newer one takes its place. Nothing was changed just
        now: if you set a password with this link before, it holds.
      </p>
      <ButtonLink to="/reset-password" tone="primary" size="large" className="mt-8 w-full">
        Request a new link
      </ButtonLink>
      <ButtonLink to="/login" size="large" className="mt-3 w-full">
        Return to Login
      </ButtonLink>
    </>
  );
}

export default function CallbackPage() {
  const { search } = useLocation();
  const [outcome, setOutcome] = useState<LinkOutcome | null>(null);

  useEffect(() => {
    if (outcome !== null) return;
    let isLeft = false;
    const open = async () => {
      const settled = await openRecoveryLink(recoveryLinkOf(search));
      if (!isLeft) setOutcome(settled);
    };
    open().catch((cause: unknown) => log.error('Opening a recovery link failed', cause));
    return () => {
      isLeft = true;
    };
  }, [outcome, search]);

  if (outcome === 'opened') return <Navigate to="/update-password" replace />;
  if (outcome === 'refused') return <Refused />;
  if (outcome === 'failed') {
    return (
      <div className="panel">
        <title>Opening your link · Fulcrum</title>
        <ErrorState
          title="The server does not answer"
          detail="Your password was not changed. Please try the link again."
          onRetry={() => setOutcome(null)}
        />
      </div>
    );
  }
  return (
    <>
      <StepHeading>Opening your link</StepHeading>
      <p className="mt-3 flex items-center gap-3 text-14 text-text-2">
        <Spinner size={16} />
        This takes a moment.
      </p>
    </>
  );
}
