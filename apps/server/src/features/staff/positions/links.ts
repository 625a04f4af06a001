/**
 * Links to files that are made while they are sent. Invariant: a link is good once, for a minute, in the session that asked for
 * it; to anybody else it is one that does not exist. Who asks for many loses the oldest of their own, and nobody else's.
 *
 * Known limitation: links are kept in memory, so none outlives a restart, and of more than `keptMax` the oldest goes first.
 */
import { randomBytes } from 'node:crypto';
import type { Caller, SignedIn } from '@fulcrum/contract';
import type { Clock } from '../../../platform/clock/index.ts';

const lifetimeMs = 60_000;
const keptMax = 1_000;
/** Each file that somebody waits for is one. */
const keptOfOneMax = 20;

interface Kept<Wanted> {
  readonly holder: SignedIn;
  readonly wanted: Wanted;
  readonly until: number;
}

export function createFileLinks<Wanted>(clock: Clock) {
  const kept = new Map<string, Kept<Wanted>>();
  const forgetOld = () => {
    const now = clock.now();
    for (const [token, { until }] of kept) if (until <= now || kept.size >= keptMax) kept.delete(token);
  };
  return {
    make(holder: SignedIn, wanted: Wanted): string {
      forgetOld();
      const own = [...kept].filter(([, { holder: other }]) => other.actorId === holder.actorId);
      const tooMany = Math.max(0, own.length - keptOfOneMax + 1);
      for (const [token] of own.slice(0, tooMany)) kept.delete(token);
      const token = randomBytes(32).toString('base64url');
      kept.set(token, { holder, wanted, until: clock.now() + lifetimeMs });
      return token;
    },
    /** What the link stands for, which it does no longer; undefined for one that is not this caller's, over or used. */
    follow(
      token: string,
      caller: Caller,
    ): { readonly holder: SignedIn; readonly wanted: Wanted } | undefined {
      const link = kept.get(token);
      if (!link || link.until <= clock.now() || !isHolder(caller, link.holder)) return undefined;
      kept.delete(token);
      return link;
    },
  };
}

const isHolder = (caller: Caller, holder: SignedIn): boolean =>
  caller.role === holder.role &&
  caller.userId === holder.userId &&
  caller.actorId === holder.actorId &&
  caller.sessionId === holder.sessionId;
