/** Says truthfully that this server cannot reset a password yet, and who can help. */
import { ButtonLink } from '../../shared/ui/index.ts';

export default function ResetPasswordPage() {
  return (
    <>
      <title>Reset password · Fulcrum</title>
      <h1 className="text-28 font-semibold tracking-[-0.02em]">Reset password</h1>
      <p className="mt-3 text-14 text-text-2">
        This version cannot send a reset link yet. Whoever runs this server can set a new password for you;
        until then your positions keep running and nothing in your account changes.
      </p>
      <ButtonLink to="/login" size="large" className="mt-6 w-full">
        Back to login
      </ButtonLink>
    </>
  );
}
