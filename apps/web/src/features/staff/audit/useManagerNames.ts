/** Names of the managers by id; the log stores ids only. */
import { useMemo } from 'react';
import { useManagers } from '../user-dialogs/managers.ts';
import type { GetManagerName } from './labels.ts';

export function useManagerNames(): GetManagerName {
  const { data: managers } = useManagers();
  return useMemo(() => {
    const names = new Map(managers?.map(({ id, username }) => [id, username]));
    return (id) => names.get(id);
  }, [managers]);
}
