/**
 * What a page does when the server no longer takes its access token although it has not run out: the session was revoked,
 * or acting as somebody else has ended. One refresh settles which: an ended session signs out, a living one goes on.
 *
 * Invariant: a request is sent again only under the identity it was made for. Limit: one refresh in `pauseMs`, so that a
 * server that refuses everything is not asked for tokens with every request.
 */
import { subjectOf } from './claims.ts';

const pauseMs = 10_000;

/** `refresh` answers the new access token, null when the session is over or the server does not answer. */
export function createRenewal(refresh: () => Promise<string | null>, now: () => number = Date.now) {
  let underWay: Promise<string | null> | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;

  const refreshed = (): Promise<string | null> => {
    if (underWay) return underWay;
    if (now() - lastAt < pauseMs) return Promise.resolve(null);
    lastAt = now();
    underWay = refresh().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };

  /**
   * The token with which to repeat a request that `refused` was not enough for; null when it is not to be repeated.
   * `current` is the stored one, which another tab or request may have renewed already.
   */
  return async (refused: string, current: string | null): Promise<string | null> => {
    const token = current === refused ? await refreshed() : current;
    if (token === null || token === refused) return null;
    return subjectOf(token) === subjectOf(refused) ? token : null;
  };
}
