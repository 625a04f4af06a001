/** Leaves a form whose session ended elsewhere (ERR-42), because nothing can be sent any more. */
import { useState } from 'react';
import { log } from '../../shared/log/log.ts';
import { leave, useSignedIn } from '../../shared/session/index.ts';
import { Button } from '../../shared/ui/index.ts';

export function LogInAgainButton() {
  const { supabase } = useSignedIn();
  const [pending, setPending] = useState(false);
  const logInAgain = () => {
    setPending(true);
    leave(supabase)
      .catch((cause: unknown) => log.warn('Leaving an ended session failed', cause))
      .finally(() => setPending(false));
  };
  return (
    <Button onClick={logInAgain} pending={pending} className="self-start">
      Log in again
    </Button>
  );
}
