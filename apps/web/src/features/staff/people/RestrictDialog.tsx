/** A72: a restricted trader opens nothing; what they have can still be closed. Lifting it is the same act the other way. */
import { useRef } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { rowsOf } from '../../../shared/supabase/index.ts';
import { announce } from '../../../shared/ui/index.ts';
import { useSubmission } from '../../accounts/index.ts';
import { FormDialog } from './FormDialog.tsx';
import { useOpenedPerson } from './opened.ts';
import { checkReason, ReasonField } from './ReasonField.tsx';
import { refusalOf } from './refusal.ts';
import { useRepeatable } from './useRepeatable.ts';

const canceledWords = (count: number): string =>
  count === 1 ? '1 waiting order was canceled.' : `${count} waiting orders were canceled.`;

export default function RestrictDialog() {
  const { person, onClose, onDone } = useOpenedPerson();
  const { supabase } = useSignedIn();
  const reason = useRef<HTMLInputElement>(null);
  const clientIdOf = useRepeatable();
  const { username } = person;
  const isLifting = person.restricted_at !== null;
  const failed = isLifting ? 'Failed to lift the restriction' : 'Failed to restrict user';

  const submission = useSubmission({
    names: ['reason'],
    check: (fields) => ({ reason: checkReason(fields.reason) }),
    send: async (fields) => {
      try {
        const { orders_canceled: canceled } = await rowsOf(
          supabase.rest.rpc('restrict_user', {
            p_user_id: person.id,
            p_restricted: !isLifting,
            p_reason: fields.reason,
            p_client_id: clientIdOf(fields.reason),
          }),
        );
        announce('success', isLifting ? `${username} may trade again` : `${username} is restricted`, {
          ...(canceled > 0 && { description: canceledWords(canceled) }),
        });
      } catch (cause) {
        return { text: refusalOf(failed, cause).text };
      }
      onDone();
      onClose();
      return null;
    },
  });

  return (
    <FormDialog
      title={isLifting ? `Lift the restriction of ${username}` : `Restrict ${username}`}
      description={
        isLifting
          ? 'They can open positions again, and are told so.'
          : 'They can sign in, close positions, cancel orders and chat, but open nothing. Their waiting orders are canceled, and they are told.'
      }
      submission={submission}
      submit={isLifting ? 'Lift restriction' : 'Restrict user'}
      tone={isLifting ? 'primary' : 'down'}
      initialFocus={reason}
    >
      <ReasonField field={reason} hint="For the audit log." error={submission.errorOf('reason')} />
    </FormDialog>
  );
}
