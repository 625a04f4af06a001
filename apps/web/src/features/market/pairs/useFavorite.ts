/** Stars for components: synchronised with the server at sign-in, toggled with a notice when the server refuses. */
import { useCallback, useEffect } from 'react';
import { log } from '../../../shared/log/log.ts';
import { useSignedIn } from '../../../shared/session/index.ts';
import { getErrorMessage } from '../../../shared/supabase/index.ts';
import { showToast } from '../../../shared/ui/index.ts';
import { syncFavorites, toggleFavorite } from './favorites.ts';

export function useSyncedFavorites(): void {
  const { user, supabase, impersonation } = useSignedIn();
  const isImpersonated = impersonation !== null;
  useEffect(() => {
    const leaving = new AbortController();
    syncFavorites(supabase, { userId: user.id, isImpersonated }, leaving.signal).catch((cause: unknown) => {
      if (!leaving.signal.aborted) log.warn('Favorites could not be read', cause);
    });
    return () => leaving.abort();
  }, [supabase, user.id, isImpersonated]);
}

export function useToggleFavorite(): (symbol: string) => void {
  const { user, supabase } = useSignedIn();
  return useCallback(
    (symbol) => {
      toggleFavorite(supabase, user.id, symbol).catch((cause: unknown) => {
        showToast('error', getErrorMessage(cause, 'The star could not be saved'), { id: 'favorite' });
      });
    },
    [supabase, user.id],
  );
}
