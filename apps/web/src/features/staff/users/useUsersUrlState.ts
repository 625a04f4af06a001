/**
 * The state of a users list in the URL. Changes replace the history entry, so that a letter is no step back. A change shows at
 * once and the URL follows: a checkbox must not lose its mark while the router navigates.
 */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { inPlace, useUrlParams } from '../../../shared/url-state/index.ts';
import { parseQuery, type UsersQuery, writeQuery } from './users-query.ts';

export function useUsersUrlState(prefix: string, size: number) {
  const [address, setAddress] = useUrlParams();
  const urlQuery = useMemo(() => parseQuery(address, prefix, size), [address, prefix, size]);
  const [pendingQuery, setPendingQuery] = useState<UsersQuery | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the URL has caught up, or was changed from elsewhere
  useEffect(() => setPendingQuery(null), [address]);
  const query = pendingQuery ?? urlQuery;
  /** Two changes before the next render build on each other. */
  const latest = useRef(query);
  useLayoutEffect(() => {
    latest.current = query;
  });
  const change = useCallback(
    (next: (held: UsersQuery) => UsersQuery) => {
      const nextQuery = next(latest.current);
      latest.current = nextQuery;
      setPendingQuery(nextQuery);
      setAddress((before) => writeQuery(before, prefix, { query: nextQuery, size }), {
        replace: true,
        preventScrollReset: true,
        state: inPlace,
      });
    },
    [setAddress, prefix, size],
  );
  return { query, change } as const;
}
