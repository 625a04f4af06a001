/** Users for staff: the list with its facets (`listing.ts`). */
import type { findUserIds, listUsers, SignedIn } from '@fulcrum/contract';
import type { z } from 'zod';
import type { StaffDependencies } from '../dependencies.ts';
import { readUserIds, readUserList } from './listing.ts';

export const createUserLists = ({ reader }: StaffDependencies) => ({
  /** Lists users with their manager, newest first; a manager gets assigned traders only (ADMIN-32, MGR-08). */
  list_users: (caller: SignedIn, args: z.output<typeof listUsers.args>) => readUserList(reader, caller, args),
  find_user_ids: (caller: SignedIn, args: z.output<typeof findUserIds.args>) =>
    readUserIds(reader, caller, args),
});
