/**
 * The agents present, as a trader sees them: names, never socket counts. Invariant: an agent whose last socket closed more
 * than a minute ago is absent.
 *
 * Known limitation: the typical first response is up to a minute old.
 */
import type { ResultOf, SignedIn } from '@fulcrum/contract';
import { dayMs, type PresentSupportStatus } from '@fulcrum/domain';
import { createTtlCache } from '../../../platform/cache/ttl-cache.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/database/index.ts';
import { type Answered, firstResponse } from '../metrics/index.ts';

const typicalDays = 30;
const typicalCachedForMs = 60_000;
const agentsMax = 20;

interface Agent {
  readonly username: string;
  readonly status: PresentSupportStatus;
}

interface PresenceAnswerDependencies {
  readonly db: Database;
  readonly clock: Pick<Clock, 'now'>;
  /** Ids of who has a socket, or may come back. */
  readonly presentIds: () => string[];
}

export function createPresenceAnswer({ db, clock, presentIds }: PresenceAnswerDependencies) {
  const typical = createTtlCache<Answered>(clock, { ttlMs: typicalCachedForMs, max: 1 });
  const typicalFirstResponse = () =>
    typical.get('', () => {
      const now = clock.now();
      return firstResponse(db, new Date(now - typicalDays * dayMs), new Date(now));
    });

  return async (_caller: SignedIn): Promise<ResultOf<'get_support_presence'>> => {
    const [{ rows: agents }, { n, median }] = await Promise.all([
      db.query<Agent>(
        `select u.username, d.status from app.support_details d join app.users u on u.id = d.user_id
         where d.user_id = any($1) and d.status <> 'offline'
         order by d.status, u.username limit ${agentsMax}`,
        [presentIds()],
        'support_there',
      ),
      typicalFirstResponse(),
    ]);
    return { status: agents[0]?.status ?? 'offline', agents, typical_first_response_s: median, n };
  };
}
