/**
 * Saves an edit of a user: first the profile, which may be refused for a taken name, then the password. Each step runs once; a
 * repeat after a refusal continues at the refused step.
 */
import { type Supabase, unwrap } from '../../../shared/supabase/index.ts';
import type { UserSummary } from './actions.ts';
import type { UserChanges } from './user-form.ts';

interface Edit {
  readonly userId: string;
  readonly changes: UserChanges;
  /** '' leaves the password unchanged. */
  readonly password: string;
  /** The admin's own password; '' when the server did not ask for it. */
  readonly currentPassword: string;
}

/** Calls `onProfile` with the saved user before the password is set. Rejects with a RequestError. */
export async function saveUser(
  supabase: Supabase,
  { userId, changes, password, currentPassword }: Edit,
  onProfile: (saved: Pick<UserSummary, 'username' | 'email' | 'role' | 'manager_id'>) => void,
): Promise<void> {
  if (Object.keys(changes).length > 0) {
    const proof = currentPassword === '' ? {} : { current_password: currentPassword };
    onProfile(
      await unwrap(supabase.rest.rpc('safe_update_user_profile', { user_id: userId, ...changes, ...proof })),
    );
  }
  if (password === '') return;
  await unwrap(
    supabase.rest.rpc('admin_update_user_password', {
      p_user_id: userId,
      p_new_password: password,
      ...(currentPassword !== '' && { p_current_password: currentPassword }),
    }),
  );
}
