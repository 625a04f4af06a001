/** Conversations of traders with support, and who of support is there (docs/people.md). */
import { busy } from '@fulcrum/contract';
import type { Bus } from '../../platform/bus/index.ts';
import type { Timers } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { createAgents } from './agents.ts';

export interface SupportDependencies {
  readonly db: Database;
  readonly timers: Timers;
  readonly bus: Bus;
  readonly log: Log;
}

export function createSupport(_deps: SupportDependencies) {
  const agents = createAgents(_deps);
  const notYet = async (): Promise<never> => {
    throw busy();
  };
  return {
    writes: {
      'chat_sessions.insert': notYet,
      'chat_sessions.update': notYet,
      'chat_sessions.delete': notYet,
      'chat_messages.insert': notYet,
      'chat_messages.update': notYet,
      ...agents.writes,
    },
    procedures: {
      open_chat_session: notYet,
      get_chat_updates: notYet,
      mark_chat_read: notYet,
      rate_chat_session: notYet,
      ...agents.procedures,
    },
    /** The trader whose conversation it is; null when there is none of that id. */
    ownerOf: async (sessionId: string): Promise<string | null> => {
      const { rows } = await _deps.db.query<{ user_id: string }>(
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
