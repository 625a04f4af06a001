/** Ends the session on this device; the guards then show the login. */
import { useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { leave, useSignedIn } from '../../shared/session/index.ts';
import { announce } from '../../shared/ui/index.ts';

const nothing = async () => {};

/** `before` is awaited while there still is a session; what it could not do keeps nobody in. */
export function useLogout(before: () => Promise<void> = nothing): {
  readonly logout: () => void;
  readonly pending: boolean;
} {
  const { supabase } = useSignedIn();
  const [pending, setPending] = useState(false);
  const logout = () => {
    setPending(true);
    before()
      .catch((cause: unknown) => log.warn('What comes before a logout failed', cause))
      .then(() => leave(supabase))
      .catch((cause: unknown) => {
        log.warn('Logging out failed', cause);
        // The library forgets the session first; what stays is the one on the server.
        announce('info', 'Logged out on this device only', {
          description: 'The server did not answer. Log in and out again to end the session there too.',
        });
      })
      .finally(() => setPending(false));
  };
  return { logout, pending };
}
