/** Conversations of traders with support, and who of support is there (docs/people.md). */
import type { SignedIn } from '@fulcrum/contract';
import type { Bus } from '../../platform/bus/index.ts';
import type { Timers } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { createFairQueue } from '../../platform/fair-queue.ts';
import type { Log } from '../../platform/log/index.ts';
import { createAgents } from './agents.ts';
import { createChatDeletions } from './deletions.ts';
import { createMessages } from './messages.ts';
import { createReading } from './reading.ts';
import { createSessions } from './sessions.ts';

/**
 * Changes of conversations wait for each other's locks, each with a connection to the database in its hand. So few at a time
 * have one, in turns: whoever floods a conversation keeps neither others nor trading from the rest of them.
 */
const changes = { runningMax: 4, waitingMax: 2_000, waitingOfOneMax: 100 };

export interface SupportDependencies {
  readonly db: Database;
  readonly timers: Timers;
  readonly bus: Bus;
  readonly log: Log;
}

export function createSupport(deps: SupportDependencies) {
  const agents = createAgents(deps);
  const sessions = createSessions(deps);
  const messages = createMessages(deps);
  const reading = createReading(deps);
  const queue = createFairQueue(changes);
  const inTurn =
    <Rest extends readonly unknown[], Result>(act: (caller: SignedIn, ...rest: Rest) => Promise<Result>) =>
    (caller: SignedIn, ...rest: Rest): Promise<Result> =>
      queue(caller.actorId, () => act(caller, ...rest));
  return {
    writes: {
      'chat_sessions.insert': inTurn(sessions.insert),
      'chat_sessions.update': inTurn(sessions.close),
      'chat_sessions.delete': inTurn(sessions.remove),
      'chat_messages.insert': inTurn(messages.insert),
      'chat_messages.update': inTurn(reading.update),
      ...agents.writes,
    },
    procedures: {
      open_chat_session: inTurn(sessions.open),
      get_chat_updates: reading.updates,
      mark_chat_read: inTurn(reading.mark),
      rate_chat_session: inTurn(sessions.rate),
      ...agents.procedures,
    },
    deletions: createChatDeletions(deps),
    /** The trader whose conversation it is; null when there is none of that id. */
    ownerOf: async (sessionId: string): Promise<string | null> => {
      const { rows } = await deps.db.query<{ user_id: string }>(
        'select user_id from app.chat_sessions where id = $1',
        [sessionId],
        'chat_owner',
      );
      return rows[0]?.user_id ?? null;
    },
    start: () => agents.start(),
    stop: () => agents.stop(),
  };
}
