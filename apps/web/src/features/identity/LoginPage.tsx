/** The login screen (AUTH-01 to AUTH-13). The guard decides where a successful login leads (VisitorOnly). */
import { checkLogin } from '@fulcrum/domain';
import Check from 'lucide-react/icons/check';
import Info from 'lucide-react/icons/info';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { useSubmission } from '../../shared/form/index.ts';
import { isDemoLogin, useSession } from '../../shared/session/index.ts';
import { Button, FormError, PasswordField } from '../../shared/ui/index.ts';
import { AuthColumn, preloadClient, secondaryLinkStyles, useConnection } from './AuthForm.tsx';
import { logIn } from './authentication.ts';
import { EmailField } from './fields.tsx';
import { isPasswordUpdated } from './password-updated.ts';

/** Published on purpose: the accounts exist only where the server reports `demo`. */
const demoAccount = { email: 'trader@fulcrum.local', password: 'fulcrum-demo' } as const;
const names = ['email', 'password'] as const;

function Notice({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <p
      role="status"
      className="mb-6 flex items-start gap-2 rounded-control border border-line bg-surface px-3.5 py-2.5 text-13"
    >
      {icon}
      {children}
    </p>
  );
}

export default function LoginPage() {
  const { connection, connect } = useConnection();
  const { errorOf, fieldOf, failure, pending, form } = useSubmission({
    names,
    check: checkLogin,
    send: logIn,
  });
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const { state } = useLocation();
  const isDemo = connection.status === 'ready' && connection.config.demo;

  const hasEnded = useSession((session) => session.status === 'signed-out' && session.hasEnded);

  const fillIn = useCallback(() => {
    if (email.current) email.current.value = demoAccount.email;
    if (password.current) password.current.value = demoAccount.password;
    email.current?.form?.requestSubmit();
  }, []);
  // From 'Try the demo' on the landing page: one click leads into the account.
  useEffect(() => {
    if (isDemo && isDemoLogin(state)) fillIn();
  }, [isDemo, state, fillIn]);

  return (
    <AuthColumn
      title="Log in"
      lead="Your positions kept running while you were away."
      connection={connection}
      onRetry={connect}
      fields={2}
      footer={
        isDemo ? (
          <p className="mt-6 flex items-center justify-between gap-3 rounded-control border border-line bg-surface py-2 pr-2 pl-3.5 text-12 text-text-2">
            <span>
              Demo account: <span className="text-text">{demoAccount.email}</span>
            </span>
            <Button onClick={fillIn} muted={pending}>
              Use it
            </Button>
          </p>
        ) : null
      }
    >
      {isPasswordUpdated(state) ? (
        <Notice icon={<Check size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-up" />}>
          Your password was changed. Please log in.
        </Notice>
      ) : hasEnded ? (
        <Notice icon={<Info size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />}>
          Your session ended. Log in to go on.
        </Notice>
      ) : null}
      <form {...form} onFocus={preloadClient} className="flex flex-col gap-5">
        <EmailField ref={email} autoComplete="username" error={errorOf('email')} />
        <PasswordField
          ref={password}
          label="Password"
          {...fieldOf('password')}
          autoComplete="current-password"
          action={
            <Link
              to="/reset-password"
              state={state}
              className={`-my-1 text-13 max-md:-my-3 ${secondaryLinkStyles}`}
            >
              Forgot password?
            </Link>
          }
        />
        <Button type="submit" tone="primary" size="large" pending={pending} className="mt-1 w-full">
          Log in
        </Button>
        <FormError>{failure}</FormError>
      </form>
      <p className="mt-6 text-center text-14 text-text-2">
        New here?{' '}
        <Link to="/register" state={state} className={secondaryLinkStyles}>
          Create an account
        </Link>
      </p>
    </AuthColumn>
  );
}
