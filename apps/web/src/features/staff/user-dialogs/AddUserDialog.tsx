/**
 * Add User: creates an account of any role; a trader starts with 10000 USDT. The admin's own session stays (ADMIN-34 to
 * ADMIN-45).
 */
import type { UserRole } from '@fulcrum/contract';
import { texts } from '@fulcrum/contract/texts';
import { useState } from 'react';
import { FormDialog } from '../../../shared/form/FormDialog.tsx';
import { type SubmissionError, useSubmission } from '../../../shared/form/index.ts';
import { SelectField } from '../../../shared/form/SelectField.tsx';
import { useSignedIn } from '../../../shared/session/index.ts';
import { getErrorMessage, type Supabase, unwrapOrNull } from '../../../shared/supabase/index.ts';
import { showToast } from '../../../shared/ui/index.ts';
import { EmailField, NewPasswordFields, UsernameField } from '../../identity/index.ts';
import type { DialogProps } from './dialog-props.ts';
import { needsOwnPassword, toFormRefusal } from './form-refusal.ts';
import { ManagerSelect } from './ManagerSelect.tsx';
import { OwnPasswordField } from './OwnPasswordField.tsx';
import { roles } from './roles.ts';
import { type UserField, type UserFields, userFields, validateNewUser } from './user-form.ts';

interface NewUser extends Pick<UserFields, 'username' | 'email' | 'password' | 'currentPassword'> {
  readonly role: UserRole;
  readonly managerId: string;
}

/** @throws Error 'Failed to create user' when the response contains no user (ADMIN-45); RequestError */
async function createUser(supabase: Supabase, user: NewUser): Promise<void> {
  const created = await unwrapOrNull(
    supabase.rest.rpc('admin_create_user', {
      p_username: user.username,
      p_email: user.email,
      p_password: user.password,
      p_role: user.role,
      ...(user.managerId !== '' && { p_manager_id: user.managerId }),
      ...(user.currentPassword !== '' && { p_current_password: user.currentPassword }),
    }),
  );
  if (created === null) throw new Error(texts.registrationNoUser);
}

/** Shows the stated text below the form and the reason in a toast (ADMIN-43 to ADMIN-45). */
function toRefusal(cause: unknown): SubmissionError<UserField> {
  const refusal = toFormRefusal(texts.addUserFailed, cause);
  if (refusal.at !== 'currentPassword') {
    const isUserMissing = cause instanceof Error && cause.message === texts.registrationNoUser;
    const reason = isUserMissing ? texts.registrationNoUser : getErrorMessage(cause, texts.unknownError);
    showToast('error', texts.addUserError(reason), { id: 'add-user' });
  }
  return refusal.at === undefined ? { text: texts.addUserFailed } : refusal;
}

export default function AddUserDialog({ onClose, onDone }: DialogProps) {
  const { supabase } = useSignedIn();
  const [role, setRole] = useState<UserRole>('trader');
  const [managerId, setManagerId] = useState('');
  const [needsPassword, setNeedsPassword] = useState(false);

  const submission = useSubmission<UserField>({
    names: userFields,
    check: validateNewUser,
    send: async (fields) => {
      await createUser(supabase, { ...fields, role, managerId: role === 'trader' ? managerId : '' });
      return () => {
        showToast('success', `${fields.username.trim()} was added`);
        onDone();
        onClose();
      };
    },
    failed: (cause) => {
      if (needsOwnPassword(cause)) setNeedsPassword(true);
      return toRefusal(cause);
    },
  });
  const { errorOf } = submission;

  return (
    <FormDialog
      title="Add User"
      description={
        role === 'trader'
          ? 'A trader starts with 10,000.00 USDT.'
          : 'They sign in with this email and password. Their wallet is empty.'
      }
      submission={submission}
      onClose={onClose}
      submit="Add User"
      size="wide"
    >
      <div className="grid items-start gap-4 md:grid-cols-2">
        <UsernameField error={errorOf('username')} />
        <EmailField error={errorOf('email')} />
        <NewPasswordFields errorOf={errorOf} />
        <SelectField label="Role" name="role" value={role} options={roles} onChange={setRole} />
        {role === 'trader' ? (
          <ManagerSelect value={managerId} onChange={setManagerId} currentManagerId={null} />
        ) : null}
      </div>
      {needsPassword ? <OwnPasswordField error={errorOf('currentPassword')} /> : null}
    </FormDialog>
  );
}
