/** AUTH-42, AUTH-44, AUTH-53: nothing of a person stays in memory after that person left or another took over. */
import { type SessionState, useSession } from './session.ts';

const personOf = (state: SessionState): string | null =>
  state.status === 'signed-in' ? state.user.id : null;

/** `forget` is called whenever a session has ended or has become somebody else's, for the page's life. */
export function onPersonGone(forget: () => void): void {
  useSession.subscribe((now, before) => {
    const former = personOf(before);
    if (former !== null && personOf(now) !== former) forget();
  });
}
