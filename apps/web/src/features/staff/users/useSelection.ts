/**
 * The selection for a bulk action, across pages. Another search or filter clears it; another order or page does not. Limit: as
 * many users as one bulk action takes.
 */
import { bulkUsersMax } from '@fulcrum/domain';
import { useCallback, useEffect, useState } from 'react';

const noSelection: ReadonlySet<string> = new Set();

/** `scope`: names the listed rows; another one clears the selection. */
export function useSelection(scope: string) {
  const [selected, setSelected] = useState(noSelection);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search or filter lists other users
  useEffect(() => setSelected(noSelection), [scope]);

  /** Adds or removes `ids`; ids beyond the limit are not added. */
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
  const clear = useCallback(() => setSelected(noSelection), []);
  return { selected, mark, replace, clear } as const;
}
export type Selection = ReturnType<typeof useSelection>;
