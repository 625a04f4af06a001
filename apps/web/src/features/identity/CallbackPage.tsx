/** `/auth/callback` (A42): a link from a mail signs in once and leads to the form for a new password. */
import { texts } from '@fulcrum/contract/texts';
import { useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { log } from '../../shared/log/log.ts';
import { ButtonLink, ErrorState, Spinner } from '../../shared/ui/index.ts';
import { type LinkOutcome, openRecoveryLink, parseRecoveryLink } from './recovery.ts';
import { StepColumn, StepHeading } from './StepColumn.tsx';

function LinkRefused() {
  return (
    <StepColumn>
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
    </StepColumn>
  );
}

interface LinkFailedProps {
  readonly title: string;
  readonly onRetry: () => void;
}

function LinkFailed({ title, onRetry }: LinkFailedProps) {
  return (
    <StepColumn>
      <title>Opening your link · Fulcrum</title>
      <div className="panel">
        <ErrorState
          title={title}
          detail="Your password was not changed. Please try the link again."
          onRetry={onRetry}
        />
      </div>
      <ButtonLink to="/login" size="large" className="mt-3 w-full">
        Return to Login
      </ButtonLink>
    </StepColumn>
  );
}

export default function CallbackPage() {
  const { search } = useLocation();
  const [outcome, setOutcome] = useState<LinkOutcome | null>(null);

  useEffect(() => {
    if (outcome !== null) return;
    let isUnmounted = false;
    const open = async () => {
      const result = await openRecoveryLink(parseRecoveryLink(search));
      if (!isUnmounted) setOutcome(result);
    };
    open().catch((cause: unknown) => log.error('Opening a recovery link failed', cause));
    return () => {
      isUnmounted = true;
    };
  }, [outcome, search]);

  if (outcome === 'opened') return <Navigate to="/update-password" replace />;
  if (outcome === 'refused') return <LinkRefused />;
  const retry = () => setOutcome(null);
  if (outcome === 'failed') return <LinkFailed title="The server does not answer" onRetry={retry} />;
  if (outcome === 'empty') return <LinkFailed title={texts.authUserMissing} onRetry={retry} />;
  return (
    <StepColumn>
      <StepHeading>Opening your link</StepHeading>
      <p className="mt-3 flex items-center gap-3 text-14 text-text-2">
        <Spinner size={16} />
        This takes a moment.
      </p>
    </StepColumn>
  );
}
