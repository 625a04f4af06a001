/**
 * What the address says of a list of users, and how it is changed: in place, without a step back for each letter. What was
 * asked for is shown at once, the address follows: the router takes its time, and a box must not lose its mark meanwhile.
 */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { inPlace, useAddressParams } from '../../../shared/in-place/index.ts';
import { readQuery, type UsersQuery, writeQuery } from './users-query.ts';

export function useUsersAddress(prefix: string, size: number) {
  const [address, setAddress] = useAddressParams();
  const read = useMemo(() => readQuery(address, prefix, size), [address, prefix, size]);
  const [asked, setAsked] = useState<UsersQuery | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address has caught up, or somebody else changed it
  useEffect(() => setAsked(null), [address]);
  const query = asked ?? read;
  /** Two changes before the next rendering build on each other. */
  const latest = useRef(query);
  useLayoutEffect(() => {
    latest.current = query;
  });
  const change = useCallback(
    (next: (held: UsersQuery) => UsersQuery) => {
      const wanted = next(latest.current);
      latest.current = wanted;
      setAsked(wanted);
      setAddress((before) => writeQuery(before, prefix, { query: wanted, size }), {
        replace: true,
        preventScrollReset: true,
        state: inPlace,
      });
    },
    [setAddress, prefix, size],
  );
  return { query, change } as const;
}
