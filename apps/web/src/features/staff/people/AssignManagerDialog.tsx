/** ADMIN-59: another manager for a trader, or none. */
import { texts } from '@fulcrum/contract/texts';
import { useRef, useState } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { rowsOf } from '../../../shared/supabase/index.ts';
import { announce } from '../../../shared/ui/index.ts';
import { useSubmission } from '../../accounts/index.ts';
import { FormDialog } from './FormDialog.tsx';
import { ManagerChoice } from './ManagerChoice.tsx';
import { useOpenedPerson } from './opened.ts';
import { refusalText } from './refusal.ts';

export default function AssignManagerDialog() {
  const { person, onClose, onDone } = useOpenedPerson();
  const { supabase } = useSignedIn();
  const select = useRef<HTMLSelectElement>(null);
  const [managerId, setManagerId] = useState(person.manager_id ?? '');

  const submission = useSubmission({
    names: [],
    check: () => ({}),
    send: async () => {
      try {
        await rowsOf(
          supabase.rest.rpc('assign_user_to_manager', {
            p_user_id: person.id,
            p_manager_id: managerId === '' ? null : managerId,
          }),
        );
      } catch (cause) {
        return refusalText(texts.assignManagerFailed, cause);
      }
      announce(
        'success',
        managerId === '' ? `${person.username} has no manager` : `${person.username} has a new manager`,
      );
      onDone();
      onClose();
      return null;
    },
  });

  return (
    <FormDialog
      title={`Assign manager of ${person.username}`}
      description="The manager sees this trader from now on. Whoever had them before does not, from the same moment."
      submission={submission}
      submit={managerId === '' ? 'Take manager away' : 'Assign manager'}
      isMuted={managerId === (person.manager_id ?? '')}
      initialFocus={select}
    >
      <ManagerChoice value={managerId} onChange={setManagerId} present={person.manager_id} select={select} />
    </FormDialog>
  );
}
