/**
 * Who is selected for a bulk act, over several pages; another search or facet selects nobody again, another order or page
 * changes nothing. Limit: as many as one bulk act takes.
 */
import { bulkUsersMax } from '@fulcrum/domain';
import { useCallback, useEffect, useState } from 'react';
import { filterArgs, type UsersFilter } from './users-query.ts';

const nobody: ReadonlySet<string> = new Set();

export function useSelection(filter: UsersFilter) {
  const [selected, setSelected] = useState(nobody);
  const scope = JSON.stringify(filterArgs(filter));
  // biome-ignore lint/correctness/useExhaustiveDependencies: who is listed has changed
  useEffect(() => setSelected(nobody), [scope]);

  /** Adds or removes all of `ids`; what is beyond the limit is not added. */
  const mark = useCallback(
    (ids: readonly string[], as: 'selected' | 'not selected') =>
      setSelected((before) => {
        const next = new Set(before);
        for (const id of ids) {
          if (as === 'not selected') next.delete(id);
          else if (next.size < bulkUsersMax) next.add(id);
        }
        return next;
      }),
    [],
  );
  const replace = useCallback(
    (ids: readonly string[]) => setSelected(new Set(ids.slice(0, bulkUsersMax))),
    [],
  );
  const clear = useCallback(() => setSelected(nobody), []);
  return { selected, mark, replace, clear } as const;
}
export type Selection = ReturnType<typeof useSelection>;
