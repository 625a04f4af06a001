/** Users for staff: the list with its facets (`listing.ts`) and bulk actions (`bulk.ts`). */
import type {
  assignUsersToManager,
  findUserIds,
  listUsers,
  restrictUsers,
  SignedIn,
} from '@fulcrum/contract';
import type { z } from 'zod';
import type { StaffDependencies } from '../dependencies.ts';
import { createBulkActions } from './bulk.ts';
import { readUserIds, readUserList } from './listing.ts';

export function createUserLists(deps: StaffDependencies) {
  const { db } = deps;
  const bulk = createBulkActions(deps);
  return {
    /** Lists users with their manager, newest first; a manager gets assigned traders only (ADMIN-32, MGR-08). */
    list_users: (caller: SignedIn, args: z.output<typeof listUsers.args>) => readUserList(db, caller, args),
    find_user_ids: (caller: SignedIn, args: z.output<typeof findUserIds.args>) =>
      readUserIds(db, caller, args),
    assign_users_to_manager: (caller: SignedIn, args: z.output<typeof assignUsersToManager.args>) =>
      bulk.assign(caller, args),
    restrict_users: (caller: SignedIn, args: z.output<typeof restrictUsers.args>) =>
      bulk.restrict(caller, args),
  };
}
