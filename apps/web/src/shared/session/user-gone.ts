/** Clears user data in memory when the user leaves or another one signs in (AUTH-42, AUTH-44, AUTH-53). */
import { type SessionState, useSession } from './session.ts';

const userIdOf = (state: SessionState): string | null =>
  state.status === 'signed-in' ? state.user.id : null;

/** Calls `clear` whenever a session has ended or its user has changed, for the page's life. */
export function onUserGone(clear: () => void): void {
  useSession.subscribe((now, before) => {
    const former = userIdOf(before);
    if (former !== null && userIdOf(now) !== former) clear();
  });
}
