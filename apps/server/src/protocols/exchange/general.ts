/** What needs no market and no account. */
import type { Clock } from '../../platform/clock/index.ts';
import type { DoorHandlers } from './handlers.ts';

export const createGeneralHandlers = (clock: Clock): Pick<DoorHandlers, 'ping' | 'serverTime'> => ({
  ping: () => ({}),
  serverTime: () => ({ serverTime: clock.now() }),
});
