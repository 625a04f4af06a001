/** Support agents: their presence, their conversations and their metrics. */
import { createCurrentTrader } from './current-trader.ts';
import type { SupportDependencies } from './dependencies.ts';
import { createDetails } from './details.ts';
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
      get_support_presence: createPresenceAnswer({ db, clock: timers, presentIds: presence.there }),
      get_attended_trader: createCurrentTrader({ db }),
      get_support_metrics: createMetrics({ db, clock: timers }),
    },
    start: presence.start,
    stop: presence.stop,
  };
}
