/**
 * The bell of another account also has the notifications of the main account, which has the user's id. Those about the user (a
 * restriction, an identity check, a chat) are about every account.
 */
import { useSession } from '../../shared/session/index.ts';
import type { Notification } from '../../shared/supabase/index.ts';

type Owned = Pick<Notification, 'userId' | 'symbol' | 'kind'>;

/** Whether it is about the money or the trades of another account than this page's. */
export function isOfOtherAccount({ userId, symbol, kind }: Owned): boolean {
  const session = useSession.getState();
  const isForeign = session.status === 'signed-in' && session.accountId !== userId;
  return isForeign && (symbol !== null || kind === 'funds_changed' || kind === 'account_reset');
}

export const nameAccount = ({ message }: Pick<Notification, 'message'>): string => `Main account: ${message}`;
