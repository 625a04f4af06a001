/** Halting and resuming trading (`trading/halts.ts`). */
import type { ArgsOf, ResultOf, SignedIn } from '@fulcrum/contract';
import type { StaffDependencies } from '../dependencies.ts';

type HaltState = ResultOf<'halt_trading'>;

export function createHaltActions({ trading }: Pick<StaffDependencies, 'trading'>) {
  return {
    /** @throws AppError `reason_required`, `conflict` when it is halted already, `busy` */
    async halt_trading(caller: SignedIn, { p_reason }: ArgsOf<'halt_trading'>): Promise<HaltState> {
      return { halted: true, ...(await trading.halts.halt(caller, p_reason)) };
    },

    /** @throws AppError `reason_required`, `conflict` with why it stays halted, `busy` */
    async resume_trading(caller: SignedIn, { p_reason }: ArgsOf<'resume_trading'>): Promise<HaltState> {
      return { halted: false, ...(await trading.halts.resume(caller, p_reason)) };
    },
  };
}
