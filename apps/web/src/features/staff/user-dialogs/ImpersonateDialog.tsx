/**
 * Starts an impersonation of at most one hour. The account's owner does not see it; the audit log records it (A45, ADMIN-19).
 */
import { useNavigate } from 'react-router';
import { homeOf, useSignedIn } from '../../../shared/session/index.ts';
import type { UserDialogProps } from './dialog-props.ts';
import { formatRefusal } from './form-refusal.ts';
import { ReasonDialog } from './ReasonDialog.tsx';
import { startImpersonation } from './start-impersonation.ts';

export default function ImpersonateDialog({ user, account, onClose }: UserDialogProps) {
  const { supabase } = useSignedIn();
  const navigate = useNavigate();
  const { username } = user;

  const send = async (reason: string): Promise<undefined> => {
    const target = await startImpersonation(supabase, { userId: user.id, accountId: account.id, reason });
    // Leads to the home of the user's role: only traders have the dashboard.
    if (target) await navigate(homeOf(target.role), { replace: true });
  };

  return (
    <ReasonDialog
      title={`Impersonate ${username}`}
      description={
        <>
          You see and do what this user can, for at most one hour. Chat, KYC, password and email are off. The
          audit log records every action with both names.
          {account.name === null ? null : (
            <>
              {' You begin in the account '}
              <bdi className="font-medium text-text">{account.name}</bdi>.
            </>
          )}
        </>
      }
      hint="Shown above every page during the impersonation, and stored in the audit log."
      send={send}
      failed={(cause) => formatRefusal(`Failed to impersonate ${username}`, cause)}
      onClose={onClose}
      submit="Impersonate"
    />
  );
}
