/** Edit User: profile, role, manager and a new password (ADMIN-46 to ADMIN-57, A80). */
import { texts } from '@fulcrum/contract/texts';
import { useState } from 'react';
import { FormDialog } from '../../../shared/form/FormDialog.tsx';
import { type SubmissionError, useSubmission } from '../../../shared/form/index.ts';
import { SelectField } from '../../../shared/form/SelectField.tsx';
import { log } from '../../../shared/log/log.ts';
import { reloadProfile, useSignedIn } from '../../../shared/session/index.ts';
import { PasswordField, showToast } from '../../../shared/ui/index.ts';
import { EmailField, UsernameField } from '../../identity/index.ts';
import type { UserDialogProps } from './dialog-props.ts';
import { needsOwnPassword, toFormRefusal } from './form-refusal.ts';
import { ManagerSelect } from './ManagerSelect.tsx';
import { OwnPasswordField } from './OwnPasswordField.tsx';
import { roles } from './roles.ts';
import { saveUser } from './save-user.ts';
import {
  describeConsequence,
  getUserChanges,
  toUserDraft,
  type UserField,
  userFields,
  validateEditedUser,
  withRole,
} from './user-form.ts';

export default function EditUserDialog({ user: editedUser, onClose, onDone }: UserDialogProps) {
  const { user, supabase } = useSignedIn();
  /** The user as stored on the server: a part of the edit may be saved and the rest refused. */
  const [stored, setStored] = useState<Parameters<typeof toUserDraft>[0]>(editedUser);
  const [draft, setDraft] = useState(() => toUserDraft(editedUser));
  const [password, setPassword] = useState('');
  const [needsPassword, setNeedsPassword] = useState(false);
  const isOwn = editedUser.id === user.id;
  const changes = getUserChanges(stored, draft);
  const isChanged = Object.keys(changes).length > 0 || password !== '';

  const submission = useSubmission<UserField>({
    names: userFields,
    check: validateEditedUser,
    send: async (fields): Promise<SubmissionError<UserField> | null> => {
      let isProfileSaved = false;
      try {
        const edit = { userId: editedUser.id, changes, password: fields.password };
        await saveUser(supabase, { ...edit, currentPassword: fields.currentPassword }, (saved) => {
          isProfileSaved = true;
          setStored(saved);
        });
      } catch (cause) {
        if (isProfileSaved) onDone();
        if (needsOwnPassword(cause)) setNeedsPassword(true);
        const refusal = toFormRefusal(texts.updateUserFailed, cause);
        return isProfileSaved && refusal.at === undefined
          ? { text: `${refusal.text} Everything except the password was saved.` }
          : refusal;
      }
      if (isOwn) {
        await reloadProfile().catch((cause: unknown) =>
          log.warn('The profile could not be read again', cause),
        );
      }
      showToast('success', `${fields.username.trim()} was saved`);
      onDone();
      onClose();
      return null;
    },
  });
  const { errorOf, fieldOf } = submission;
  const consequence = isOwn ? null : describeConsequence(stored, changes, password !== '');

  return (
    <FormDialog
      title={`Edit ${editedUser.username}`}
      submission={submission}
      onClose={onClose}
      submit="Save changes"
      isMuted={!isChanged}
      size="wide"
    >
      <div className="grid items-start gap-4 md:grid-cols-2">
        <UsernameField
          value={draft.username}
          onChange={(event) => setDraft({ ...draft, username: event.target.value })}
          error={errorOf('username')}
        />
        <EmailField
          value={draft.email}
          onChange={(event) => setDraft({ ...draft, email: event.target.value })}
          error={errorOf('email')}
        />
        <SelectField
          label="Role"
          name="role"
          value={draft.role}
          options={roles}
          onChange={(role) => setDraft(withRole(draft, role))}
        />
        {draft.role === 'trader' ? (
          <ManagerSelect
            value={draft.managerId}
            onChange={(managerId) => setDraft({ ...draft, managerId })}
            currentManagerId={stored.manager_id}
          />
        ) : (
          <span className="max-md:hidden" />
        )}
        <PasswordField
          label="New password"
          {...fieldOf('password')}
          autoComplete="new-password"
          hint="Optional. Leave it empty to keep the current password."
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <PasswordField
          label="Confirm new password"
          {...fieldOf('confirmPassword')}
          autoComplete="new-password"
        />
      </div>
      {needsPassword ? <OwnPasswordField error={errorOf('currentPassword')} /> : null}
      <p role="status" className="min-h-5 text-13 text-text-2">
        {consequence}
      </p>
    </FormDialog>
  );
}
