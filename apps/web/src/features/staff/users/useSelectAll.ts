/**
 * Selects all users that match a filter, on every page: at most as many as one bulk action takes. Invariant: an answer for another
 * filter than the present one selects no one.
 */
import type { Database } from '@fulcrum/contract/database';
import { useEffect, useRef, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { getErrorMessage, unwrap, useSupabase } from '../../../shared/supabase/index.ts';
import { showToast } from '../../../shared/ui/index.ts';

type FilterArgs = Database['public']['Functions']['find_user_ids']['Args'];

export function useSelectAll(filter: FilterArgs, onFound: (ids: readonly string[]) => void) {
  const { rest } = useSupabase();
  const [isSelecting, setSelecting] = useState(false);
  const scope = JSON.stringify(filter);
  const presentScope = useRef(scope);
  useEffect(() => {
    presentScope.current = scope;
  });
  const selectAll = async () => {
    setSelecting(true);
    try {
      const { ids } = await unwrap(rest.rpc('find_user_ids', filter));
      if (presentScope.current === scope) onFound(ids);
    } catch (cause) {
      log.warn('The users that match could not be found', cause);
      showToast('error', getErrorMessage(cause, 'The users that match could not be selected'));
    } finally {
      setSelecting(false);
    }
  };
  return { isSelecting, selectAll } as const;
}
