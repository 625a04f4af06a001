/**
 * Saves an edit of a user: first what they are, then their password, because the first may be refused for a name that is
 * taken. Each step is done once; a second try after a refusal goes on where the first one stopped.
 */
import { rowsOf, type Supabase } from '../../../shared/supabase/index.ts';
import type { Person } from './acts.ts';
import type { UserChanges } from './user-form.ts';

interface Edit {
  readonly userId: string;
  readonly changes: UserChanges;
  /** '' leaves it as it is. */
  readonly password: string;
  /** The admin's own; '' when it was not asked for. */
  readonly currentPassword: string;
}

/** `onProfile` is called with the user as they then are, before the password is set. Rejects with a RequestError. */
export async function saveUser(
  supabase: Supabase,
  { userId, changes, password, currentPassword }: Edit,
  onProfile: (saved: Pick<Person, 'username' | 'email' | 'role' | 'manager_id'>) => void,
): Promise<void> {
  if (Object.keys(changes).length > 0) {
    const proof = currentPassword === '' ? {} : { current_password: currentPassword };
    onProfile(
      await rowsOf(supabase.rest.rpc('safe_update_user_profile', { user_id: userId, ...changes, ...proof })),
    );
  }
  if (password === '') return;
  await rowsOf(
    supabase.rest.rpc('admin_update_user_password', {
      p_user_id: userId,
      p_new_password: password,
      ...(currentPassword !== '' && { p_current_password: currentPassword }),
    }),
  );
}
