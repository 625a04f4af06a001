/** What the address says of one table of positions, and how it is changed: in place, without a step back for each letter. */
import { useCallback, useMemo } from 'react';
import { inPlace, useAddressParams } from '../../../shared/in-place/index.ts';
import { type PositionsQuery, readQuery, writeQuery } from './positions-query.ts';

export function usePositionsAddress(prefix: string) {
  const [address, setAddress] = useAddressParams();
  const query = useMemo(() => readQuery(address, prefix), [address, prefix]);
  const change = useCallback(
    (next: (held: PositionsQuery) => PositionsQuery) =>
      setAddress((before) => writeQuery(before, prefix, next(readQuery(before, prefix))), {
        replace: true,
        preventScrollReset: true,
        state: inPlace,
      }),
    [setAddress, prefix],
  );
  return { query, change } as const;
}
