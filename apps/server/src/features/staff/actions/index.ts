/**
 * Every action of staff on accounts and the market, by the name of its procedure; those of identity checks, conversations and
 * contact messages are in their features. What the engine carries out is submitted by `account-commands.ts`; what changes the
 * rows or the memory of another feature is that feature's function. Invariant: none is possible during impersonation.
 */
import type { ArgsOf, ResultOf, SignedIn } from '@fulcrum/contract';
import { guardFromImpersonation } from '../../identity/index.ts';
import type { StaffDependencies } from '../dependencies.ts';
import { createAccountCommands, createBulkCommands } from './account-commands.ts';
import { createBulkActions } from './bulk.ts';
import { createUserCreation } from './create-user.ts';

export function createStaffActions(deps: StaffDependencies) {
  const { identity, market, trading } = deps;
  const single = {
    ...createAccountCommands(deps),
    ...market.controls,
    /** @throws AppError `reason_required`, `conflict` when it is halted already, `busy` */
    halt_trading: async (
      caller: SignedIn,
      { p_reason }: ArgsOf<'halt_trading'>,
    ): Promise<ResultOf<'halt_trading'>> => ({
      halted: true,
      ...(await trading.halts.halt(caller, p_reason)),
    }),
    /** @throws AppError `reason_required`, `conflict` with why it stays halted, `busy` */
    resume_trading: async (
      caller: SignedIn,
      { p_reason }: ArgsOf<'resume_trading'>,
    ): Promise<ResultOf<'resume_trading'>> => ({
      halted: false,
      ...(await trading.halts.resume(caller, p_reason)),
    }),
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
