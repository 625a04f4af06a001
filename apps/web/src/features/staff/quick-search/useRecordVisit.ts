/** Records a visit to a user's account once the account is known to exist. */
import { useEffect } from 'react';
import { useSignedIn } from '../../../shared/session/index.ts';
import { recordVisit } from './recent-users.ts';

export function useRecordVisit(userId: string, isThere: boolean): void {
  const { user } = useSignedIn();
  useEffect(() => {
    if (isThere) recordVisit(user.id, userId);
  }, [user.id, userId, isThere]);
}
