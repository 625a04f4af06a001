/** Changes of alerts by the user: each applies to the cached list at once when the server has answered. */
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryKeys } from '../../shared/query/index.ts';
import { useSignedIn } from '../../shared/session/index.ts';
import type { Alert } from '../../shared/supabase/index.ts';
import {
  type AlertTerms,
  changeAlert,
  createAlert,
  deleteAlert,
  type NewAlert,
  pauseAlert,
} from './queries.ts';

export function useAlertCommands() {
  const { accountId, supabase } = useSignedIn();
  const cache = useQueryClient();
  return useMemo(() => {
    const update = (apply: (alerts: readonly Alert[]) => readonly Alert[]) =>
      cache.setQueryData<readonly Alert[]>(queryKeys.alerts(accountId), (held) => held && apply(held));
    const replace = (row: Alert) => {
      update((held) =>
        held.some(({ id }) => id === row.id)
          ? held.map((one) => (one.id === row.id ? row : one))
          : [row, ...held],
      );
      return row;
    };
    return {
      create: async (alert: NewAlert) => replace(await createAlert(supabase, alert)),
      change: async (id: string, terms: Partial<AlertTerms>) =>
        replace(await changeAlert(supabase, id, terms)),
      pause: async (id: string) => replace(await pauseAlert(supabase, id)),
      remove: async (id: string) => {
        await deleteAlert(supabase, id);
        update((held) => held.filter((one) => one.id !== id));
      },
    };
  }, [cache, supabase, accountId]);
}
export type AlertCommands = ReturnType<typeof useAlertCommands>;
