/** Add User (ADMIN-34 to ADMIN-45): an account of any role; a trader begins with 10000 USDT. One's own session stays. */
import type { UserRole } from '@fulcrum/contract';
import { texts } from '@fulcrum/contract/texts';
import { useRef, useState } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { answerOf, messageOf, type Supabase } from '../../../shared/supabase/index.ts';
import { announce } from '../../../shared/ui/index.ts';
import {
  EmailField,
  NewPasswordFields,
  type Refusal,
  UsernameField,
  useSubmission,
} from '../../accounts/index.ts';
import { Choice } from './Choice.tsx';
import { FormDialog } from './FormDialog.tsx';
import { ManagerChoice } from './ManagerChoice.tsx';
import { OwnPassword } from './OwnPassword.tsx';
import { useOpened } from './opened.ts';
import { asksForProof, refusalOf } from './refusal.ts';
import { roleOf, roles } from './roles.ts';
import { checkNewUser, type UserField, type UserFields, userFields } from './user-form.ts';

interface NewUser extends Pick<UserFields, 'username' | 'email' | 'password' | 'currentPassword'> {
  readonly role: UserRole;
  readonly managerId: string;
}

/** @throws Error 'Failed to create user' when nobody is returned (ADMIN-45); RequestError */
async function createUser(supabase: Supabase, user: NewUser): Promise<void> {
  const created = await answerOf(
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

/** ADMIN-43 to ADMIN-45: beneath the form that it failed, in a notice why. */
function failed(cause: unknown): Refusal<UserField> {
  const refusal = refusalOf(texts.addUserFailed, cause);
  if (refusal.at !== 'currentPassword') {
    const isNobody = cause instanceof Error && cause.message === texts.registrationNoUser;
    const reason = isNobody ? texts.registrationNoUser : messageOf(cause, texts.unknownError);
    announce('error', texts.addUserError(reason), { id: 'add-user' });
  }
  return refusal.at === undefined ? { text: texts.addUserFailed } : refusal;
}

export default function AddUserDialog() {
  const { onClose, onDone } = useOpened();
  const { supabase } = useSignedIn();
  const [role, setRole] = useState<UserRole>('trader');
  const [managerId, setManagerId] = useState('');
  const first = useRef<HTMLInputElement>(null);
  const [isProofAsked, setProofAsked] = useState(false);

  const submission = useSubmission<UserField>({
    names: userFields,
    check: checkNewUser,
    send: async (fields) => {
      try {
        await createUser(supabase, { ...fields, role, managerId: role === 'trader' ? managerId : '' });
      } catch (cause) {
        if (asksForProof(cause)) setProofAsked(true);
        return failed(cause);
      }
      announce('success', `${fields.username.trim()} is added`);
      onDone();
      onClose();
      return null;
    },
  });
  const { errorOf } = submission;

  return (
    <FormDialog
      title="Add User"
      description={
        role === 'trader'
          ? 'A trader begins with 10,000.00 USDT.'
          : 'They sign in with this email and password. Their wallet is empty.'
      }
      submission={submission}
      submit="Add User"
      size="wide"
      initialFocus={first}
    >
      <div className="grid items-start gap-4 md:grid-cols-2">
        <UsernameField ref={first} autoComplete="off" error={errorOf('username')} />
        <EmailField autoComplete="off" error={errorOf('email')} />
        <NewPasswordFields errorOf={errorOf} />
        <Choice label="Role" name="role" value={role} onChange={(value) => setRole(roleOf(value))}>
          {roles.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Choice>
        {role === 'trader' ? (
          <ManagerChoice value={managerId} onChange={setManagerId} present={null} />
        ) : null}
      </div>
      {isProofAsked ? <OwnPassword error={errorOf('currentPassword')} /> : null}
    </FormDialog>
  );
}
