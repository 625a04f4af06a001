/** Ends the session on this device; the guards then show the login. */
import { useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { leave, useSignedIn } from '../../shared/session/index.ts';
import { announce } from '../../shared/ui/index.ts';

export function useLogout(): { readonly logout: () => void; readonly pending: boolean } {
  const { supabase } = useSignedIn();
  const [pending, setPending] = useState(false);
  const logout = () => {
    setPending(true);
    leave(supabase)
      .catch((cause: unknown) => {
        log.warn('Logging out failed', cause);
        announce('error', 'You are still logged in', {
          description: 'The server did not answer. Please try again.',
        });
      })
      .finally(() => setPending(false));
  };
  return { logout, pending };
}
