/**
 * The registration screen (AUTH-16 to AUTH-28). After registration the guard leads to the dashboard
 * (RegistrationOnly).
 */
import { checkRegistration } from '@fulcrum/domain';
import { Link, useLocation } from 'react-router';
import { useSubmission } from '../../shared/form/index.ts';
import { Button, FormError } from '../../shared/ui/index.ts';
import { AuthColumn, preloadClient, secondaryLinkStyles, useConnection } from './AuthForm.tsx';
import { register } from './authentication.ts';
import { EmailField, NewPasswordFields, PhoneField, UsernameField } from './fields.tsx';

const names = ['email', 'username', 'phoneNumber', 'password', 'confirmPassword'] as const;
const check: typeof checkRegistration = (fields) =>
  checkRegistration({ ...fields, phoneNumber: fields.phoneNumber.trim() });

export default function RegisterPage() {
  /** The user's destination before the login, for the link back to it (A43). */
  const { state } = useLocation();
  const { connection, connect } = useConnection();
  const { errorOf, failure, pending, form } = useSubmission({ names, check, send: register });
  return (
    <AuthColumn
      title="Create an account"
      lead="A paper account in USDT, on this server alone."
      connection={connection}
      onRetry={connect}
      fields={5}
    >
      <form {...form} onFocus={preloadClient} className="flex flex-col gap-4">
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
      <p className="mt-6 text-center text-14 text-text-2">
        Already have an account?{' '}
        <Link to="/login" state={state} className={secondaryLinkStyles}>
          Log in
        </Link>
      </p>
    </AuthColumn>
  );
}
