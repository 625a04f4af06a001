/** The back office: what staff read across accounts, and the platform in their hands (docs/back-office.md). */
import { procedureByName, type SignedIn } from '@fulcrum/contract';
import type { Clock, Timers } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { FairQueue } from '../../platform/fair-queue.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Accounts } from '../accounts/index.ts';
import type { Market } from '../market/index.ts';
import type { Trading } from '../trading/index.ts';
import { createHouseMetrics } from './metrics/index.ts';
import { createOperations } from './operations/index.ts';
import { createOverview } from './overview/index.ts';
import { createPositionLists } from './positions/index.ts';
import { createQuickSearch } from './quick-search.ts';
import { createUserLists } from './users/index.ts';
import { createWalletLists } from './wallets/index.ts';

export interface StaffDependencies {
  readonly db: Database;
  /** Turns for what reads a lot. */
  readonly inTurn: FairQueue;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly accounts: Accounts;
  readonly market: Market;
  readonly trading: Trading;
}

export type { ExportedFile } from './positions/index.ts';

type Handler = (caller: SignedIn, args: never) => Promise<unknown>;

/** The handlers; those that only read take turns, for what they read grows with the firm. */
function readingInTurn<Handlers extends Record<string, Handler>>(
  handlers: Handlers,
  inTurn: FairQueue,
): Handlers {
  const guarded = Object.entries(handlers).map(([name, handler]) => {
    if (procedureByName.get(name)?.kind !== 'query') return [name, handler];
    const guard: Handler = (caller, args) => inTurn(caller.actorId, () => handler(caller, args));
    return [name, guard];
  });
  return Object.fromEntries(guarded) as Handlers;
}

export function createStaff(deps: StaffDependencies) {
  const positions = createPositionLists(deps);
  const house = createHouseMetrics(deps);
  return {
    procedures: readingInTurn(
      {
        ...createUserLists(deps),
        ...createQuickSearch(deps),
        ...positions.procedures,
        ...createWalletLists(deps),
        ...createOverview(deps),
        ...house.procedures,
        ...createOperations(deps),
      },
      deps.inTurn,
    ),
    /** Files that are made while they are sent. */
    exports: positions.exports,
    /** Counts the days of the house as they end. Returns what stops it. */
    start: house.startCounting,
  };
}
