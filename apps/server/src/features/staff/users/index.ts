/** Users for staff: the list with its facets (`listing.ts`). */
import type { ArgsOf, SignedIn } from '@fulcrum/contract';
import type { StaffDependencies } from '../dependencies.ts';
import { readUserIds, readUserList } from './listing.ts';

export const createUserLists = ({ reader }: StaffDependencies) => ({
  /** Lists users with their manager, newest first; a manager gets assigned traders only (ADMIN-32, MGR-08). */
  list_users: (caller: SignedIn, args: ArgsOf<'list_users'>) => readUserList(reader, caller, args),
  find_user_ids: (caller: SignedIn, args: ArgsOf<'find_user_ids'>) => readUserIds(reader, caller, args),
});
