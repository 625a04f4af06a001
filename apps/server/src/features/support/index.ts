/** Conversations of traders with support, and who of support is there (docs/people.md). */
import type { Bus } from '../../platform/bus/index.ts';
import type { Timers } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { createAgents } from './agents.ts';
import { createChatDeletions } from './deletions.ts';
import { createMessages } from './messages.ts';
import { createReading } from './reading.ts';
import { createSessions } from './sessions.ts';

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
  return {
    writes: {
      'chat_sessions.insert': sessions.insert,
      'chat_sessions.update': sessions.close,
      'chat_sessions.delete': sessions.remove,
      'chat_messages.insert': messages.insert,
      'chat_messages.update': reading.update,
      ...agents.writes,
    },
    procedures: {
      open_chat_session: sessions.open,
      get_chat_updates: reading.updates,
      mark_chat_read: reading.mark,
      rate_chat_session: sessions.rate,
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
