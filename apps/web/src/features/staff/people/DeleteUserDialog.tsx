/** A73, ADMIN-29: deletes somebody for good. Typing the email proves that it is the one who is meant. */
import { texts } from '@fulcrum/contract/texts';
import { normaliseEmail } from '@fulcrum/domain';
import { useRef, useState } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { rowsOf } from '../../../shared/supabase/index.ts';
import { announce, TextField } from '../../../shared/ui/index.ts';
import { useSubmission } from '../../accounts/index.ts';
import { FormDialog } from './FormDialog.tsx';
import { useOpenedPerson } from './opened.ts';
import { checkReason, ReasonField } from './ReasonField.tsx';
import { refusalOf } from './refusal.ts';
import { useRepeatable } from './useRepeatable.ts';

export default function DeleteUserDialog() {
  const { person, onClose, onDone } = useOpenedPerson();
  const { supabase } = useSignedIn();
  const clientIdOf = useRepeatable();
  const reason = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const { username, email } = person;
  const isMeant = normaliseEmail(typed) === normaliseEmail(email);
  const isTrader = person.role === 'trader';

  const submission = useSubmission({
    names: ['reason', 'confirmation'],
    check: (fields) => ({
      reason: checkReason(fields.reason),
      confirmation: isMeant ? null : 'This is not their email.',
    }),
    send: async (fields) => {
      try {
        await rowsOf(
          supabase.rest.rpc('delete_user_with_data', {
            p_user_id: person.id,
            p_reason: fields.reason,
            p_client_id: clientIdOf(fields.reason),
          }),
        );
      } catch (cause) {
        return { text: refusalOf(texts.deleteUserFailed, cause).text };
      }
      announce('success', `${username} is deleted`);
      onDone();
      onClose();
      return null;
    },
  });

  return (
    <FormDialog
      title={`Delete ${username}`}
      description={
        <>
          <p>This cannot be undone. It deletes their wallet and positions.</p>
          <p className="mt-1.5">
            {isTrader
              ? 'Open positions are closed at the market first, and what is left is booked out. Orders, journal, chats and identity checks go too; transactions and the audit log stay without the name.'
              : 'They are signed out at once. What they did stays in the audit log without the name.'}
            {person.role === 'manager' ? ' Their traders have no manager then.' : null}
          </p>
        </>
      }
      submission={submission}
      submit="Delete user"
      tone="down"
      isMuted={!isMeant}
      initialFocus={reason}
    >
      <ReasonField field={reason} hint="For the audit log." error={submission.errorOf('reason')} />
      <TextField
        label={`Type ${email} to delete it`}
        name="confirmation"
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={submission.errorOf('confirmation')}
      />
    </FormDialog>
  );
}
