/** Names of managers, whom the log knows by their ids. */
import { useMemo } from 'react';
import { useManagers } from '../people/managers.ts';
import type { NameOf } from './words.ts';

export function useNameOf(): NameOf {
  const { data: managers } = useManagers();
  return useMemo(() => {
    const names = new Map(managers?.map(({ id, username }) => [id, username]));
    return (id) => names.get(id);
  }, [managers]);
}
