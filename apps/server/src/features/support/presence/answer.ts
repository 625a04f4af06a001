/**
 * Who of support is there, as a trader is told: by name, never how many sockets. Invariant: nobody counts who has no
 * socket and lost the last one more than a minute ago.
 *
 * Known limitation: the typical first response is up to a minute old.
 */
import type { getSupportPresence, SignedIn } from '@fulcrum/contract';
import type { z } from 'zod';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { type Answered, firstResponse } from '../metrics/index.ts';

const dayMs = 86_400_000;
const typicalDays = 30;
const typicalKeptMs = 60_000;
const namedMax = 20;

interface Agent {
  readonly username: string;
  readonly status: 'available' | 'busy';
}

export interface PresenceAnswerDependencies {
  readonly db: Database;
  readonly clock: Pick<Clock, 'now'>;
  /** Ids of who has a socket, or may come back. */
  readonly there: () => string[];
}

export function createPresenceAnswer({ db, clock, there }: PresenceAnswerDependencies) {
  let typical: { readonly at: number; readonly answer: Promise<Answered> } | null = null;

  /** One reckoning for everybody who asks within a minute; a failed one is not kept. */
  function typicalFirstResponse(): Promise<Answered> {
    const now = clock.now();
    if (typical && Math.abs(now - typical.at) < typicalKeptMs) return typical.answer;
    const answer = firstResponse(db, new Date(now - typicalDays * dayMs), new Date(now));
    const kept = { at: now, answer };
    typical = kept;
    answer.catch(() => {
      if (typical === kept) typical = null;
    });
    return answer;
  }

  return async (_caller: SignedIn): Promise<z.input<typeof getSupportPresence.result>> => {
    const [{ rows: agents }, { n, median }] = await Promise.all([
      db.query<Agent>(
        `select u.username, d.status from app.support_details d join app.users u on u.id = d.user_id
         where d.user_id = any($1) and d.status <> 'offline'
         order by d.status, u.username limit ${namedMax}`,
        [there()],
        'support_there',
      ),
      typicalFirstResponse(),
    ]);
    return { status: agents[0]?.status ?? 'offline', agents, typical_first_response_s: median, n };
  };
}
