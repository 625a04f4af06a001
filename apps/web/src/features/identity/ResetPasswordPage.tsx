/** Requests a reset link (AUTH-29 to AUTH-33). The answer is the same whether the account exists or not (A48). */
import { texts } from '@fulcrum/contract/texts';
import { checkEmail } from '@fulcrum/domain';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useSubmission } from '../../shared/form/index.ts';
import { Button, ButtonLink, FormError } from '../../shared/ui/index.ts';
import { AuthColumn, preloadClient, secondaryLinkStyles, useConnection } from './AuthForm.tsx';
import { EmailField } from './fields.tsx';
import { requestReset } from './recovery.ts';
import { StepColumn, StepHeading } from './StepColumn.tsx';

const names = ['email'] as const;
const check = ({ email }: { readonly email: string }) => ({ email: checkEmail(email) });

interface RequestedProps {
  /** This server writes mails into a folder instead of sending them. */
  readonly inOutbox: boolean;
  readonly onAgain: () => void;
}

function Requested({ inOutbox, onAgain }: RequestedProps) {
  const { state } = useLocation();
  return (
    <StepColumn>
      <StepHeading>{texts.checkYourEmail}</StepHeading>
      <p className="mt-3 text-14 text-text-2">{texts.resetRequested}</p>
      <p className="mt-3 text-14 text-text-2">
        The link works once, for 30 minutes. Opened in this browser or in another one, it leads to a new
        password.
      </p>
      {inOutbox ? (
        <p className="mt-3 text-14 text-text-2">
          This server is not connected to a mail service. Its operator finds the mail in the outbox folder and
          can give you the link.
        </p>
      ) : null}
      <ButtonLink to="/login" state={state} tone="primary" size="large" className="mt-8 w-full">
        Return to Login
      </ButtonLink>
      <p className="mt-6 text-center text-14 text-text-2">
        Nothing came?{' '}
        <button type="button" onClick={onAgain} className={secondaryLinkStyles}>
          Send it again
        </button>
      </p>
    </StepColumn>
  );
}

export default function ResetPasswordPage() {
  /** The user's destination before the login (A43). */
  const { state } = useLocation();
  const { connection, connect } = useConnection();
  /** The address of the latest request: a new request starts with it. */
  const [email, setEmail] = useState('');
  const [requested, setRequested] = useState(false);
  const send = async (fields: { readonly email: string }) => {
    const failure = await requestReset(fields);
    if (failure === null) {
      setEmail(fields.email);
      setRequested(true);
    }
    return failure;
  };
  const { errorOf, failure, pending, form } = useSubmission({ names, check, send });
  if (requested) {
    const inOutbox = connection.status === 'ready' && connection.config.mail === 'outbox';
    return <Requested inOutbox={inOutbox} onAgain={() => setRequested(false)} />;
  }
  return (
    <AuthColumn
      title="Reset password"
      lead="A link to a new password goes to your email."
      connection={connection}
      onRetry={connect}
      fields={1}
    >
      <form {...form} onFocus={preloadClient} className="flex flex-col gap-5">
        <EmailField autoComplete="username" defaultValue={email} required error={errorOf('email')} />
        <Button type="submit" tone="primary" size="large" pending={pending} className="mt-1 w-full">
          Send reset link
        </Button>
        <FormError>{failure}</FormError>
      </form>
      <p className="mt-6 text-center text-14 text-text-2">
        Remembered it?{' '}
        <Link to="/login" state={state} className={secondaryLinkStyles}>
          Return to Login
        </Link>
      </p>
    </AuthColumn>
  );
}
