/** Conversations of traders with support, and the presence of support agents (docs/support.md). */
import type { SignedIn } from '@fulcrum/contract';
import { createFairQueue } from '../../platform/fair-queue.ts';
import { createCurrentTrader } from './current-trader.ts';
import { createChatDeletions } from './deletions.ts';
import type { SupportDependencies } from './dependencies.ts';
import { createDetails } from './details.ts';
import { createMessages } from './messages.ts';
import { createMetrics } from './metrics/index.ts';
import { createPictures } from './pictures.ts';
import { createPresenceAnswer } from './presence/answer.ts';
import { createPresence } from './presence/index.ts';
import { createReading } from './reading.ts';
import { createChatSearch } from './search.ts';
import { createSessions } from './sessions.ts';
import { createAssignment, createTeamAnswer } from './team.ts';
import { createTeamReplies } from './team-replies.ts';
import { createTriage } from './triage.ts';

/**
 * Changes of conversations wait for each other's locks, each with a database connection. A fair queue runs a few at a time,
 * so flooding one conversation leaves connections to others and to trading.
 */
const writeLimits = { runningMax: 4, waitingMax: 2_000, waitingOfOneMax: 100 };

export function createSupport(deps: SupportDependencies) {
  const { db, timers, bus, log } = deps;
  const details = createDetails({
    ...{ db, clock: timers, bus },
    onChosen: (userId, status) => presence.onChosen(userId, status),
  });
  const presence = createPresence({ timers, bus, log, details });
  const sessions = createSessions(deps);
  const messages = createMessages(deps);
  const reading = createReading(deps);
  const triage = createTriage(deps);
  const queue = createFairQueue(writeLimits);
  const withWriteSlot =
    <Rest extends readonly unknown[], Result>(
      handler: (caller: SignedIn, ...rest: Rest) => Promise<Result>,
    ) =>
    (caller: SignedIn, ...rest: Rest): Promise<Result> =>
      queue(caller.actorId, () => handler(caller, ...rest));
  return {
    writes: {
      'chat_sessions.insert': withWriteSlot(sessions.insert),
      'chat_sessions.update': withWriteSlot(sessions.close),
      'chat_sessions.delete': withWriteSlot(sessions.remove),
      'chat_messages.insert': withWriteSlot(messages.insert),
      'chat_messages.update': withWriteSlot(reading.update),
      'support_details.update': details.update,
    },
    procedures: {
      open_chat_session: withWriteSlot(sessions.open),
      get_chat_updates: reading.updates,
      mark_chat_read: withWriteSlot(reading.mark),
      rate_chat_session: withWriteSlot(sessions.rate),
      assign_chat_session: withWriteSlot(createAssignment(deps)),
      get_chat_tags: triage.get_chat_tags,
      tag_chat_session: withWriteSlot(triage.tag_chat_session),
      snooze_chat_session: withWriteSlot(triage.snooze_chat_session),
      delete_chat_tag: withWriteSlot(triage.delete_chat_tag),
      get_support_team: createTeamAnswer(deps),
      get_chat_pictures: createPictures(deps),
      search_chats: createChatSearch(deps),
      ...createTeamReplies(deps),
      get_support_presence: createPresenceAnswer({ db, clock: timers, presentIds: presence.there }),
      get_attended_trader: createCurrentTrader({ db }),
      get_support_metrics: createMetrics({ db, clock: timers }),
    },
    deletions: createChatDeletions(deps),
    /** The trader whose conversation it is; null when there is none of that id. */
    ownerOf: async (sessionId: string): Promise<string | null> => {
      const { rows } = await db.query<{ user_id: string }>(
        'select user_id from app.chat_sessions where id = $1',
        [sessionId],
        'chat_owner',
      );
      return rows[0]?.user_id ?? null;
    },
    start: presence.start,
    stop: presence.stop,
  };
}
