/** Ends the session on this device; the guards then show the login. */
import { useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { leave, useSignedIn } from '../../shared/session/index.ts';
import { showToast } from '../../shared/ui/index.ts';

const nothing = async () => {};

/** `before` is awaited while the session is still valid; its failure does not prevent the logout. */
export function useLogout(before: () => Promise<void> = nothing): {
  readonly logout: () => void;
  readonly pending: boolean;
} {
  const { supabase } = useSignedIn();
  const [pending, setPending] = useState(false);
  const logout = () => {
    setPending(true);
    before()
      .catch((cause: unknown) => log.warn('The step before logging out failed', cause))
      .then(() => leave(supabase))
      .catch((cause: unknown) => {
        log.warn('Logging out failed', cause);
        // The library removes the local session first; only the server's session is left.
        showToast('info', 'Logged out on this device only', {
          description: 'The server did not answer. Log in and out again to end the session there too.',
        });
      })
      .finally(() => setPending(false));
  };
  return { logout, pending };
}
