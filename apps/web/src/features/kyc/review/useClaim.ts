/**
 * The claim of an open case. Opening a free case claims it, leaving it releases it; between them it runs out unless it is
 * renewed. Invariant: a release follows the claim that it ends, also when the case is closed before the answer.
 */
import { useEffect, useRef, useState } from 'react';
import { newClientId } from '../../../shared/ids/index.ts';
import { log } from '../../../shared/log/log.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { showToast } from '../../../shared/ui/index.ts';
import { type Claim, claimCase, type KycCase, releaseCase, toClaim } from './cases.ts';

export function useClaim({ verification: { id }, claim: atOpening }: KycCase, isOpen: boolean) {
  const { supabase, user } = useSignedIn();
  const [claim, setClaim] = useState<Claim | null>(() => toClaim(atOpening));
  const [pending, setPending] = useState(false);
  /** The claims of this case, one after the other. */
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const isFree = atOpening === null;

  const send = (takesOver: boolean) => {
    const args = { p_id: id, p_take_over: takesOver, p_client_id: newClientId() };
    const sent = last.current.then(async () => setClaim(await claimCase(supabase, args)));
    last.current = sent.catch(() => undefined);
    return sent;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once per case and its decision
  useEffect(() => {
    if (!isOpen) return;
    if (isFree) send(false).catch((cause: unknown) => log.warn('Claiming an identity check failed', cause));
    return () => {
      last.current = last.current
        .then(() => releaseCase(supabase, id))
        .catch((cause: unknown) => log.warn('Releasing an identity check failed', cause));
    };
  }, [id, isOpen]);

  // A claim ends by its time.
  useEffect(() => {
    if (claim === null) return;
    const timer = setTimeout(() => setClaim(null), Math.max(0, claim.until - Date.now()));
    return () => clearTimeout(timer);
  }, [claim]);

  return {
    claim,
    isOwn: claim?.user_id === user.id,
    pending,
    request: (takesOver: boolean) => {
      setPending(true);
      send(takesOver)
        .catch((cause: unknown) => {
          log.warn('Claiming an identity check failed', cause);
          showToast('error', 'The check could not be claimed. Please try again.');
        })
        .finally(() => setPending(false));
    },
  } as const;
}
