/** A45, ADMIN-19: acts as somebody for at most an hour; the account's owner sees nothing of it, the audit log everything. */
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { homeOf, useSignedIn } from '../../../shared/session/index.ts';
import { useSubmission } from '../../accounts/index.ts';
import { FormDialog } from './FormDialog.tsx';
import { useOpenedPerson } from './opened.ts';
import { checkReason, ReasonField } from './ReasonField.tsx';
import { refusalText } from './refusal.ts';
import { startActing } from './start-acting.ts';

export default function ImpersonateDialog() {
  const { person } = useOpenedPerson();
  const { supabase } = useSignedIn();
  const navigate = useNavigate();
  const reason = useRef<HTMLInputElement>(null);
  const { username } = person;

  const submission = useSubmission({
    names: ['reason'],
    check: (fields) => ({ reason: checkReason(fields.reason) }),
    send: async (fields) => {
      try {
        const target = await startActing(supabase, { userId: person.id, reason: fields.reason });
        // A dashboard of the trader's kind is not for other staff: they have an area of their own.
        if (target) await navigate(homeOf(target.role), { replace: true });
        return null;
      } catch (cause) {
        return refusalText(`Failed to impersonate ${username}`, cause);
      }
    },
  });

  return (
    <FormDialog
      title={`Impersonate ${username}`}
      description="You see and do what they can, for at most an hour. Chat, KYC, password and email stay off. Everything you do is in the audit log with both names."
      submission={submission}
      submit="Impersonate"
      initialFocus={reason}
    >
      <ReasonField
        field={reason}
        hint="Shown above every page while you do, and in the audit log."
        error={submission.errorOf('reason')}
      />
    </FormDialog>
  );
}
