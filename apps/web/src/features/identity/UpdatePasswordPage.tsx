/**
 * Sets a new password for the signed-in user, usually after a recovery link (AUTH-35 to AUTH-40). Afterwards the
 * session ends and the login page confirms the new password.
 */
import { texts } from '@fulcrum/contract/texts';
import { checkConfirmation, checkNewPassword } from '@fulcrum/domain';
import { useEffect, useRef, useState } from 'react';
import { Link, Navigate } from 'react-router';
import { useSubmission } from '../../shared/form/index.ts';
import { log } from '../../shared/log/log.ts';
import { leave, useSession } from '../../shared/session/index.ts';
import { Button, ButtonLink, FormError, PasswordField } from '../../shared/ui/index.ts';
import { AuthColumn, preloadClient, secondaryLinkStyles, useConnection } from './AuthForm.tsx';
import { LogInAgainButton } from './LogInAgainButton.tsx';
import { passwordUpdated } from './password-updated.ts';
import { updatePassword } from './recovery.ts';
import { StepColumn, StepHeading } from './StepColumn.tsx';

const names = ['password', 'confirmPassword'] as const;
type Fields = Readonly<Record<(typeof names)[number], string>>;
const check = ({ password, confirmPassword }: Fields) => ({
  password: checkNewPassword(password),
  confirmPassword: checkConfirmation(password, confirmPassword),
});

interface NewPasswordProps {
  readonly email: string;
  readonly onUpdated: () => Promise<void>;
}

function NewPassword({ email, onUpdated }: NewPasswordProps) {
  const { connection, connect } = useConnection();
  const first = useRef<HTMLInputElement>(null);
  const send = async (fields: Fields) => {
    const failure = await updatePassword(fields);
    if (failure === null) await onUpdated();
    return failure;
  };
  const { fieldOf, failure, isSessionOver, pending, form } = useSubmission({ names, check, send });
  useEffect(() => first.current?.focus(), []);
  return (
    <AuthColumn
      title="New password"
      lead={`For ${email}. Other devices will have to log in again.`}
      connection={connection}
      onRetry={connect}
      fields={2}
    >
      <form {...form} onFocus={preloadClient} className="flex flex-col gap-5">
        {/* Names the password's account for a password manager. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          ref={first}
          label="New password"
          {...fieldOf('password')}
          autoComplete="new-password"
          required
        />
        <PasswordField
          label="Confirm password"
          {...fieldOf('confirmPassword')}
          autoComplete="new-password"
          required
        />
        <Button type="submit" tone="primary" size="large" pending={pending} className="mt-1 w-full">
          Update password
        </Button>
        <FormError>{failure}</FormError>
        {isSessionOver ? <LogInAgainButton /> : null}
      </form>
      <p className="mt-6 text-center text-14 text-text-2">
        Too long since you opened the link?{' '}
        <Link to="/reset-password" className={secondaryLinkStyles}>
          Request a new one
        </Link>
      </p>
    </AuthColumn>
  );
}

/** The server would refuse it (A45). */
function NotDuringImpersonation() {
  return (
    <StepColumn>
      <StepHeading>New password</StepHeading>
      <p className="mt-3 text-14 text-text-2">{texts.notWhileImpersonating}</p>
      <ButtonLink to="/" size="large" className="mt-8 w-full">
        Back to the account
      </ButtonLink>
    </StepColumn>
  );
}

export default function UpdatePasswordPage() {
  const session = useSession();
  const [updated, setUpdated] = useState(false);
  if (session.status !== 'signed-in') {
    return <Navigate to="/login" replace state={updated ? passwordUpdated : null} />;
  }
  const onUpdated = async () => {
    setUpdated(true);
    // The page is signed out either way; a server that missed the request ends the session when it expires.
    await leave(session.supabase).catch((cause: unknown) => log.warn('Logging out failed', cause));
  };
  if (session.impersonation) return <NotDuringImpersonation />;
  return <NewPassword email={session.user.email} onUpdated={onUpdated} />;
}
