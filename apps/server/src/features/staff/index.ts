/** The admin area: staff's actions, their reads across accounts, and operations of the installation (docs/staff.md). */
import { procedureByName, type SignedIn } from '@fulcrum/contract';
import type { FairQueue } from '../../platform/fair-queue.ts';
import { createBulkPreview } from './actions/bulk-preview.ts';
import { createStaffActions } from './actions/index.ts';
import type { StaffDependencies } from './dependencies.ts';
import { createFileExports } from './exports/file-stream.ts';
import { createListExport } from './exports/lists.ts';
import { createTotals } from './metrics/index.ts';
import { createOperations } from './operations/index.ts';
import { createOverview } from './overview/index.ts';
import { createPositionExport } from './positions/export.ts';
import { createPositionList } from './positions/list.ts';
import { createQuickSearch } from './quick-search.ts';
import { createRecordLists } from './records.ts';
import { createUserLists } from './users/listing.ts';
import { createWalletLists } from './wallets/index.ts';

export type { ExportedFile } from './exports/file-stream.ts';

type Handler = (caller: SignedIn, args: never) => Promise<unknown>;

/** Runs handlers that only read within the read limiter, because their cost grows with the data. */
function limitReads<Handlers extends Record<string, Handler>>(
  handlers: Handlers,
  withReadSlot: FairQueue,
): Handlers {
  const guarded = Object.entries(handlers).map(([name, handler]) => {
    if (procedureByName.get(name)?.kind !== 'query') return [name, handler];
    const guard: Handler = (caller, args) => withReadSlot(caller.actorId, () => handler(caller, args));
    return [name, guard];
  });
  return Object.fromEntries(guarded) as Handlers;
}

export function createStaff(deps: StaffDependencies) {
  const exports = createFileExports(deps);
  const totals = createTotals(deps);
  return {
    procedures: {
      ...createStaffActions(deps),
      ...limitReads(
        {
          ...createUserLists(deps),
          ...createBulkPreview(deps),
          ...createQuickSearch(deps),
          list_positions: createPositionList(deps),
          export_positions: createPositionExport(deps, exports),
          ...createRecordLists(deps),
          export_list: createListExport(exports),
          ...createWalletLists(deps),
          ...createOverview(deps),
          ...totals.procedures,
          ...createOperations(deps),
        },
        deps.withReadSlot,
      ),
    },
    /** Files that are made while they are sent. */
    exports,
    /** Counts finished days of all users as they end. Returns the function that stops it. */
    start: totals.startCounting,
  };
}
