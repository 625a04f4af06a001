/** Halting and resuming trading (`trading/halts.ts`). */
import type { haltTrading, resumeTrading, SignedIn } from '@fulcrum/contract';
import type { z } from 'zod';
import type { StaffDependencies } from '../dependencies.ts';

type HaltState = z.input<typeof haltTrading.result>;

export function createHaltActions({ trading }: Pick<StaffDependencies, 'trading'>) {
  return {
    /** @throws AppError `reason_required`, `conflict` when it is halted already, `busy` */
    async halt_trading(
      caller: SignedIn,
      { p_reason }: z.output<typeof haltTrading.args>,
    ): Promise<HaltState> {
      return { halted: true, ...(await trading.halts.halt(caller, p_reason)) };
    },

    /** @throws AppError `reason_required`, `conflict` with why it stays halted, `busy` */
    async resume_trading(
      caller: SignedIn,
      { p_reason }: z.output<typeof resumeTrading.args>,
    ): Promise<HaltState> {
      return { halted: false, ...(await trading.halts.resume(caller, p_reason)) };
    },
  };
}
