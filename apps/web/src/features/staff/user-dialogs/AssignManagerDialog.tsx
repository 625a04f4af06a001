/** Assigns another manager to a trader, or none (ADMIN-59). */
import { texts } from '@fulcrum/contract/texts';
import { useState } from 'react';
import { FormDialog } from '../../../shared/form/FormDialog.tsx';
import { useSubmission } from '../../../shared/form/index.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { unwrap } from '../../../shared/supabase/index.ts';
import { showToast } from '../../../shared/ui/index.ts';
import type { UserDialogProps } from './dialog-props.ts';
import { formatRefusal } from './form-refusal.ts';
import { ManagerSelect } from './ManagerSelect.tsx';

export default function AssignManagerDialog({ user, onClose, onDone }: UserDialogProps) {
  const { supabase } = useSignedIn();
  const [managerId, setManagerId] = useState(user.manager_id ?? '');

  const submission = useSubmission({
    names: [],
    check: () => ({}),
    send: async () => {
      await unwrap(
        supabase.rest.rpc('assign_user_to_manager', {
          p_user_id: user.id,
          p_manager_id: managerId === '' ? null : managerId,
        }),
      );
      return () => {
        showToast(
          'success',
          managerId === '' ? `${user.username} has no manager` : `${user.username} has a new manager`,
        );
        onDone();
        onClose();
      };
    },
    failed: (cause) => formatRefusal(texts.assignManagerFailed, cause),
  });

  return (
    <FormDialog
      title={`Assign manager of ${user.username}`}
      description="The new manager sees this trader from now on. The previous manager loses access at the same moment."
      submission={submission}
      onClose={onClose}
      submit={managerId === '' ? 'Remove manager' : 'Assign manager'}
      isMuted={managerId === (user.manager_id ?? '')}
    >
      <ManagerSelect value={managerId} onChange={setManagerId} currentManagerId={user.manager_id} />
    </FormDialog>
  );
}
