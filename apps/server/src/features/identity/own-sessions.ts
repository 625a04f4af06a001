/** Lists and ends the caller's own sessions. Other users' sessions answer like missing ones. */
import { AppError, type ArgsOf, type ResultOf, type SessionRow, type SignedIn } from '@fulcrum/contract';
import type { Context } from './context.ts';
import * as sessions from './sessions.ts';

export function createOwnSessions({ db, revocations, now }: Context) {
  return {
    list: (caller: SignedIn): Promise<SessionRow[]> => sessions.listLiveSessions(db, caller, now()),

    /** Its tokens are void and its sockets are closed at once. @throws AppError `not_found` */
    async revoke(caller: SignedIn, args: ArgsOf<'revoke_session'>): Promise<ResultOf<'revoke_session'>> {
      const own = { userId: caller.userId, sessionId: args.p_id };
      const ended = await db.transaction((tx) => sessions.revokeOwn(tx, own, now()));
      if (ended.length === 0) throw new AppError('not_found', 'Session not found');
      revocations.announce(ended);
      return { id: args.p_id };
    },
  };
}
