/**
 * The registration screen (AUTH-16 to AUTH-28). After registration the guard leads to the dashboard
 * (RegistrationOnly). The code of an invitation is asked for where the server or the link has one (A117).
 */
import { checkRegistration, parseInvitationCode } from '@fulcrum/domain';
import { lazy, Suspense, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useSubmission } from '../../shared/form/index.ts';
import { Button, FormError, TextField } from '../../shared/ui/index.ts';
import { AuthColumn, preloadClient, secondaryLinkStyles, useConnection } from './AuthForm.tsx';
import { register } from './authentication.ts';
import { EmailField, NewPasswordFields, PhoneField, UsernameField } from './fields.tsx';

const InvitationField = lazy(() => import('./InvitationField.tsx'));

const names = ['invitationCode', 'email', 'username', 'phoneNumber', 'password', 'confirmPassword'] as const;

export default function RegisterPage() {
  /** The user's destination before the login, for the link back to it (A43). */
  const { state, search } = useLocation();
  const { connection, connect } = useConnection();
  const config = connection.status === 'ready' ? connection.config : null;
  const linkedCode = new URLSearchParams(search).get('code') ?? '';
  const needsCode = config?.registration === 'invited';
  const check = (fields: Readonly<Record<(typeof names)[number], string>>) => ({
    ...checkRegistration({ ...fields, phoneNumber: fields.phoneNumber.trim() }),
    invitationCode:
      needsCode && parseInvitationCode(fields.invitationCode) === null
        ? 'Enter the code of your invitation'
        : null,
  });
  const [refusals, setRefusals] = useState(0);
  const send = async (fields: Parameters<typeof register>[0]) => {
    const refusal = await register(fields);
    if (refusal !== null) setRefusals((count) => count + 1);
    return refusal;
  };
  const { errorOf, failure, pending, form } = useSubmission({ names, check, send });
  const isClosed = config?.registration === 'closed';
  return (
    <AuthColumn
      title="Create an account"
      lead="A paper account in USDT, on this server alone."
      connection={connection}
      onRetry={connect}
      fields={isClosed ? 1 : 5}
    >
      {isClosed ? (
        <p role="status" className="panel p-4 text-14">
          Registration is closed. Ask for an account{' '}
          {config.contactEmail === null ? (
            'where you got the address of this server.'
          ) : (
            <a href={`mailto:${config.contactEmail}`} className={secondaryLinkStyles}>
              {config.contactEmail}
            </a>
          )}
        </p>
      ) : (
        <form {...form} onFocus={preloadClient} className="flex flex-col gap-4">
          {needsCode || linkedCode !== '' ? (
            <Suspense fallback={<TextField label="Invitation code" readOnly value={linkedCode} />}>
              <InvitationField
                initialCode={linkedCode}
                refusals={refusals}
                error={errorOf('invitationCode')}
              />
            </Suspense>
          ) : null}
          {/* A password manager stores the password under the email, which the login form uses. */}
          <EmailField autoComplete="username" error={errorOf('email')} />
          <UsernameField autoComplete="nickname" error={errorOf('username')} />
          <PhoneField error={errorOf('phoneNumber')} />
          <NewPasswordFields errorOf={errorOf} />
          <Button type="submit" tone="primary" size="large" pending={pending} className="mt-2 w-full">
            Create account
          </Button>
          <FormError>{failure}</FormError>
        </form>
      )}
      <p className="mt-6 text-center text-14 text-text-2">
        Already have an account?{' '}
        <Link to="/login" state={state} className={secondaryLinkStyles}>
          Log in
        </Link>
      </p>
    </AuthColumn>
  );
}
