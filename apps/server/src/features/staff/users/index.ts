/** People for staff: the list with its facets (`listing.ts`), and what is done to many at once (`bulk.ts`). */
import type {
  assignUsersToManager,
  findUserIds,
  listUsers,
  restrictUsers,
  SignedIn,
} from '@fulcrum/contract';
import type { z } from 'zod';
import type { StaffDependencies } from '../index.ts';
import { createBulkActs } from './bulk.ts';
import { idsOf, listOf } from './listing.ts';

export function createUserLists(deps: StaffDependencies) {
  const { db } = deps;
  const bulk = createBulkActs(deps);
  return {
    /** ADMIN-32, MGR-08. */
    list_users: (caller: SignedIn, args: z.output<typeof listUsers.args>) => listOf(db, caller, args),
    find_user_ids: (caller: SignedIn, args: z.output<typeof findUserIds.args>) => idsOf(db, caller, args),
    assign_users_to_manager: (caller: SignedIn, args: z.output<typeof assignUsersToManager.args>) =>
      bulk.assign(caller, args),
    restrict_users: (caller: SignedIn, args: z.output<typeof restrictUsers.args>) =>
      bulk.restrict(caller, args),
  };
}
