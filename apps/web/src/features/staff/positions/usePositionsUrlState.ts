/** The state of one positions table in the URL. Changes replace the history entry, so that a letter is no step back. */
import { useCallback, useMemo } from 'react';
import { inPlace, useUrlParams } from '../../../shared/url-state/index.ts';
import { type PositionsQuery, parseQuery, writeQuery } from './positions-query.ts';

export function usePositionsUrlState(prefix: string) {
  const [address, setAddress] = useUrlParams();
  const query = useMemo(() => parseQuery(address, prefix), [address, prefix]);
  const change = useCallback(
    (next: (held: PositionsQuery) => PositionsQuery) =>
      setAddress((before) => writeQuery(before, prefix, next(parseQuery(before, prefix))), {
        replace: true,
        preventScrollReset: true,
        state: inPlace,
      }),
    [setAddress, prefix],
  );
  return { query, change } as const;
}
