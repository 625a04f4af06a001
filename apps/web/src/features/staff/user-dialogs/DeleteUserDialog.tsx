/** Deletes a user permanently. Typing the email confirms the choice (A73, ADMIN-29). */
import { texts } from '@fulcrum/contract/texts';
import { normaliseEmail } from '@fulcrum/domain';
import { useState } from 'react';
import { FormDialog } from '../../../shared/form/FormDialog.tsx';
import { useRepeatableClientId, useSubmission } from '../../../shared/form/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap } from '../../../shared/supabase/index.ts';
import { showToast, TextField } from '../../../shared/ui/index.ts';
import type { UserDialogProps } from './dialog-props.ts';
import { toFormRefusal } from './form-refusal.ts';
import { ReasonField, validateReason } from './ReasonField.tsx';

export default function DeleteUserDialog({ user, onClose, onDone }: UserDialogProps) {
  const { supabase } = useSignedIn();
  const clientIdOf = useRepeatableClientId();
  const [typed, setTyped] = useState('');
  const { username, email } = user;
  const isConfirmed = normaliseEmail(typed) === normaliseEmail(email);
  const isTrader = user.role === 'trader';

  const submission = useSubmission({
    names: ['reason', 'confirmation'],
    check: (fields) => ({
      reason: validateReason(fields.reason),
      confirmation: isConfirmed ? null : 'This is not the email of this user.',
    }),
    send: async (fields) => {
      await unwrap(
        supabase.rest.rpc('delete_user_with_data', {
          p_user_id: user.id,
          p_reason: fields.reason,
          p_client_id: clientIdOf(fields.reason),
        }),
      );
      return () => {
        showToast('success', `${username} was deleted`);
        onDone();
        onClose();
      };
    },
    failed: (cause) => toFormRefusal(texts.deleteUserFailed, cause).text,
  });

  return (
    <FormDialog
      title={`Delete ${username}`}
      description={
        <>
          <p>This cannot be undone. It deletes their wallet and positions.</p>
          <p className="mt-1.5">
            {isTrader
              ? 'Open positions are closed at market price first, and the remaining balance is booked out. Orders, journal, chats and identity checks are deleted; transactions and the audit log stay without the name.'
              : 'The user is signed out at once. Their actions stay in the audit log without the name.'}
            {user.role === 'manager' ? ' Their traders will have no manager.' : null}
          </p>
        </>
      }
      submission={submission}
      onClose={onClose}
      submit="Delete user"
      tone="down"
      isMuted={!isConfirmed}
    >
      <ReasonField hint="Stored in the audit log." error={submission.errorOf('reason')} />
      <TextField
        label={`Type ${email} to confirm`}
        {...submission.fieldOf('confirmation')}
        type="email"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  );
}
