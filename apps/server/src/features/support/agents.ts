/** The people of support: who is there, whom they attend to, and what they did. */
import { createAttended } from './attended.ts';
import { createDetails } from './details.ts';
import type { SupportDependencies } from './index.ts';
import { createMetrics } from './metrics/index.ts';
import { createPresenceAnswer } from './presence/answer.ts';
import { createPresence } from './presence/index.ts';

export function createAgents({ db, timers, bus, log }: SupportDependencies) {
  const details = createDetails({
    db,
    clock: timers,
    bus,
    onChosen: (userId, status) => presence.onChosen(userId, status),
  });
  const presence = createPresence({ timers, bus, log, details });
  return {
    writes: { 'support_details.update': details.update },
    procedures: {
      get_support_presence: createPresenceAnswer({ db, clock: timers, there: presence.there }),
      get_attended_trader: createAttended({ db }),
      get_support_metrics: createMetrics({ db, clock: timers }),
    },
    start: presence.start,
    stop: presence.stop,
  };
}
