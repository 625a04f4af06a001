/**
 * Handles an access token that the server refuses before it expires: the session was revoked, or an impersonation has ended.
 * One refresh decides: an ended session signs out, a live one continues.
 *
 * Invariant: a request is repeated only under the identity it was made for. Limit: one refresh in `pauseMs`, so that a server
 * that refuses everything does not get a refresh with every request.
 */
import { parseSubject } from './claims.ts';

const pauseMs = 10_000;

/** `refresh` resolves to the new access token, or to null when the session has ended or the server does not answer. */
export function createTokenRenewal(refresh: () => Promise<string | null>, now: () => number = Date.now) {
  let pendingRefresh: Promise<string | null> | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;

  const refreshOnce = (): Promise<string | null> => {
    if (pendingRefresh) return pendingRefresh;
    if (now() - lastAt < pauseMs) return Promise.resolve(null);
    lastAt = now();
    pendingRefresh = refresh().finally(() => {
      pendingRefresh = undefined;
    });
    return pendingRefresh;
  };

  /**
   * Returns the token with which to repeat a request refused with `refused`, or null when it must not be repeated. `current` is
   * the stored token, which another tab or request may have renewed already.
   */
  return async (refused: string, current: string | null): Promise<string | null> => {
    const token = current === refused ? await refreshOnce() : current;
    if (token === null || token === refused) return null;
    return parseSubject(token) === parseSubject(refused) ? token : null;
  };
}
