/**
 * Links to files that are generated while they are sent. Invariants: a link works once, for a minute, in the session that
 * requested it; for any other caller it does not exist. Beyond the limit a user loses the oldest of their own links only.
 *
 * Known limitation: links are in memory, so none survives a restart, and beyond `linksMax` the oldest is dropped.
 */
import { randomBytes } from 'node:crypto';
import type { Caller, SignedIn } from '@fulcrum/contract';
import type { Clock } from '../../../platform/clock/index.ts';

const lifetimeMs = 60_000;
const linksMax = 1_000;
/** Maximum of unused links per user. */
const linksPerUserMax = 20;

interface StoredLink<Request> {
  readonly holder: SignedIn;
  readonly request: Request;
  readonly until: number;
}

export function createExportLinks<Request>(clock: Clock) {
  const links = new Map<string, StoredLink<Request>>();
  const forgetOld = () => {
    const now = clock.now();
    for (const [token, { until }] of links) if (until <= now || links.size >= linksMax) links.delete(token);
  };
  return {
    make(holder: SignedIn, request: Request): string {
      forgetOld();
      const own = [...links].filter(([, { holder: other }]) => other.actorId === holder.actorId);
      const tooMany = Math.max(0, own.length - linksPerUserMax + 1);
      for (const [token] of own.slice(0, tooMany)) links.delete(token);
      const token = randomBytes(32).toString('base64url');
      links.set(token, { holder, request, until: clock.now() + lifetimeMs });
      return token;
    },
    /** Returns the request of a link and voids it; undefined for a foreign, expired or used link. */
    redeem(
      token: string,
      caller: Caller,
    ): { readonly holder: SignedIn; readonly request: Request } | undefined {
      const link = links.get(token);
      if (!link || link.until <= clock.now() || !isHolder(caller, link.holder)) return undefined;
      links.delete(token);
      return link;
    },
  };
}

const isHolder = (caller: Caller, holder: SignedIn): boolean =>
  caller.role === holder.role &&
  caller.userId === holder.userId &&
  caller.actorId === holder.actorId &&
  caller.sessionId === holder.sessionId;
