/**
 * Every action of staff on accounts and the market, by the name of its procedure; those of identity checks, conversations and
 * contact messages are in their features. What the engine carries out is submitted by `account-commands.ts`; what changes the
 * rows or the memory of another feature is that feature's function. Invariant: none is possible during impersonation.
 */
import type { ArgsOf, SignedIn } from '@fulcrum/contract';
import { guardFromImpersonation } from '../../identity/index.ts';
import type { StaffDependencies } from '../dependencies.ts';
import { createAccountCommands, createBulkCommands } from './account-commands.ts';
import { createBulkActions } from './bulk.ts';
import { createUserCreation } from './create-user.ts';
import { createHaltActions } from './halts.ts';

export function createStaffActions(deps: StaffDependencies) {
  const { identity, market } = deps;
  const single = {
    ...createAccountCommands(deps),
    ...createHaltActions(deps),
    ...market.controls,
    admin_create_user: createUserCreation(deps),
    admin_update_user_password: identity.staff.changePassword,
    /** @throws AppError `not_found`, `invalid_argument` for who is no trader or no manager */
    assign_user_to_manager: (caller: SignedIn, args: ArgsOf<'assign_user_to_manager'>) =>
      identity.changeProfile(caller, {
        user_id: args.p_user_id,
        new_manager_id: args.p_manager_id ?? '',
      }),
  };
  return guardFromImpersonation({ ...single, ...createBulkActions(deps, single, createBulkCommands(deps)) });
}
