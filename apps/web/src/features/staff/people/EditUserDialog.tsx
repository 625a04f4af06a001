/** Edit User (ADMIN-46 to ADMIN-57, A80): who somebody is, what they may, whose they are, and a new password. */
import { texts } from '@fulcrum/contract/texts';
import { useRef, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { reloadProfile, useSignedIn } from '../../../shared/session/index.ts';
import { announce, PasswordField } from '../../../shared/ui/index.ts';
import { EmailField, type Refusal, UsernameField, useSubmission } from '../../accounts/index.ts';
import { Choice } from './Choice.tsx';
import { FormDialog } from './FormDialog.tsx';
import { ManagerChoice } from './ManagerChoice.tsx';
import { OwnPassword } from './OwnPassword.tsx';
import { useOpenedPerson } from './opened.ts';
import { asksForProof, refusalOf } from './refusal.ts';
import { roleOf, roles } from './roles.ts';
import { saveUser } from './save-user.ts';
import {
  changesOf,
  checkEditedUser,
  consequenceOf,
  draftOf,
  type UserField,
  userFields,
  withRole,
} from './user-form.ts';

export default function EditUserDialog() {
  const { person, onClose, onDone } = useOpenedPerson();
  const { user, supabase } = useSignedIn();
  /** As the server has it: a part of the edit may be saved and the rest refused. */
  const [held, setHeld] = useState<Parameters<typeof draftOf>[0]>(person);
  const [draft, setDraft] = useState(() => draftOf(person));
  const [password, setPassword] = useState('');
  const first = useRef<HTMLInputElement>(null);
  const [isProofAsked, setProofAsked] = useState(false);
  const isOwn = person.id === user.id;
  const changes = changesOf(held, draft);
  const isChanged = Object.keys(changes).length > 0 || password !== '';

  const submission = useSubmission<UserField>({
    names: userFields,
    check: checkEditedUser,
    send: async (fields): Promise<Refusal<UserField> | null> => {
      let isProfileSaved = false;
      try {
        const edit = { userId: person.id, changes, password: fields.password };
        await saveUser(supabase, { ...edit, currentPassword: fields.currentPassword }, (saved) => {
          isProfileSaved = true;
          setHeld(saved);
        });
      } catch (cause) {
        if (isProfileSaved) onDone();
        if (asksForProof(cause)) setProofAsked(true);
        const refusal = refusalOf(texts.updateUserFailed, cause);
        return isProfileSaved && refusal.at === undefined
          ? { text: `${refusal.text} Everything but the password is saved.` }
          : refusal;
      }
      if (isOwn) {
        await reloadProfile().catch((cause: unknown) =>
          log.warn('The profile could not be read again', cause),
        );
      }
      announce('success', `${fields.username.trim()} is saved`);
      onDone();
      onClose();
      return null;
    },
  });
  const { errorOf } = submission;
  const consequence = isOwn ? null : consequenceOf(held, changes, password !== '');

  return (
    <FormDialog
      title={`Edit ${person.username}`}
      submission={submission}
      submit="Save changes"
      isMuted={!isChanged}
      size="wide"
      initialFocus={first}
    >
      <div className="grid items-start gap-4 md:grid-cols-2">
        <UsernameField
          ref={first}
          autoComplete="off"
          value={draft.username}
          onChange={(event) => setDraft({ ...draft, username: event.target.value })}
          error={errorOf('username')}
        />
        <EmailField
          autoComplete="off"
          value={draft.email}
          onChange={(event) => setDraft({ ...draft, email: event.target.value })}
          error={errorOf('email')}
        />
        <Choice
          label="Role"
          name="role"
          value={draft.role}
          onChange={(value) => setDraft(withRole(draft, roleOf(value)))}
        >
          {roles.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Choice>
        {draft.role === 'trader' ? (
          <ManagerChoice
            value={draft.managerId}
            onChange={(managerId) => setDraft({ ...draft, managerId })}
            present={held.manager_id}
          />
        ) : (
          <span className="max-md:hidden" />
        )}
        <PasswordField
          label="New password"
          name="password"
          autoComplete="new-password"
          hint="Optional. Leave it empty to keep the present one."
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={errorOf('password')}
        />
        <PasswordField
          label="Confirm new password"
          name="confirmPassword"
          autoComplete="new-password"
          error={errorOf('confirmPassword')}
        />
      </div>
      {isProofAsked ? <OwnPassword error={errorOf('currentPassword')} /> : null}
      <p role="status" className="min-h-5 text-13 text-text-2">
        {consequence}
      </p>
    </FormDialog>
  );
}
