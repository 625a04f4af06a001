/** Selects all users that match a filter, on every page: at most as many as one bulk action takes. */
import type { Database } from '@fulcrum/contract/database';
import { useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { getErrorMessage, unwrap, useSupabase } from '../../../shared/supabase/index.ts';
import { showToast } from '../../../shared/ui/index.ts';

type FilterArgs = Database['public']['Functions']['find_user_ids']['Args'];

export function useSelectAll(filter: FilterArgs, onFound: (ids: readonly string[]) => void) {
  const { rest } = useSupabase();
  const [isSelecting, setSelecting] = useState(false);
  const selectAll = async () => {
    setSelecting(true);
    try {
      const { ids } = await unwrap(rest.rpc('find_user_ids', filter));
      onFound(ids);
    } catch (cause) {
      log.warn('The users that match could not be found', cause);
      showToast('error', getErrorMessage(cause, 'The users that match could not be selected'));
    } finally {
      setSelecting(false);
    }
  };
  return { isSelecting, selectAll } as const;
}
