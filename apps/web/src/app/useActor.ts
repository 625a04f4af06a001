/** Reads the original user and the reason of an impersonation; the token contains the id only. */
import { useEffect, useState } from 'react';
import { log } from '../shared/log/log.ts';
import type { SignedIn } from '../shared/session/index.ts';
import { type Supabase, unwrapOrNull } from '../shared/supabase/index.ts';

const readActor = (supabase: Supabase, signal: AbortSignal) =>
  unwrapOrNull(supabase.rest.rpc('get_acting').abortSignal(signal));
export type Actor = NonNullable<Awaited<ReturnType<typeof readActor>>>;

const retryEveryMs = 5_000;

/** Null while loading. The remaining time does not depend on it. */
export function useActor({ supabase, user: { id } }: SignedIn): Actor | null {
  const [known, setKnown] = useState<{ readonly id: string; readonly actor: Actor } | null>(null);
  const isKnown = known?.id === id;
  useEffect(() => {
    if (isKnown) return;
    const leaving = new AbortController();
    const ask = async () => {
      try {
        const actor = await readActor(supabase, leaving.signal);
        if (actor && !leaving.signal.aborted) setKnown({ id, actor });
      } catch (cause) {
        if (!leaving.signal.aborted) log.warn('The impersonation could not be read', cause);
      }
    };
    void ask();
    const timer = setInterval(() => void ask(), retryEveryMs);
    return () => {
      leaving.abort();
      clearInterval(timer);
    };
  }, [supabase, id, isKnown]);
  return isKnown ? known.actor : null;
}
