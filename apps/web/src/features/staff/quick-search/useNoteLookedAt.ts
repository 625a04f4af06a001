/** Notes that somebody's account is looked at, once it is known that there is one. */
import { useEffect } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { noteLookedAt } from './recent.ts';

export function useNoteLookedAt(userId: string, isThere: boolean): void {
  const { user } = useSignedIn();
  useEffect(() => {
    if (isThere) noteLookedAt(user.id, userId);
  }, [user.id, userId, isThere]);
}
