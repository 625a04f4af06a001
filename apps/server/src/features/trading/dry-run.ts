/**
 * What requests of a trader would do, one after the other, as the engine would decide them now. Invariants: nothing is written, and
 * the engine's memory is not used; a refusal has the text of the command's refusal.
 *
 * Known limitation: an answer is as old as the read; the command decides again on the account of that time.
 */
import { AppError, texts } from '@fulcrum/contract';
import { type Account, type Command, type Decision, decide, type MarketContext } from '@fulcrum/domain';
import {
  type CloseArgs,
  type OpenArgs,
  toCancelCommand,
  toCloseCommand,
  toOpenCommand,
  toPlaceCommand,
  type UntrustedRow,
} from './command-input.ts';
import { type PreviewDependencies, readAccount } from './previews.ts';
import { refusalError } from './refusals.ts';

/** As the procedures `open_position` and `close_position` and the writes of `orders` take them. */
export type DryRunRequest =
  | { readonly kind: 'open'; readonly args: OpenArgs }
  | { readonly kind: 'place'; readonly row: UntrustedRow }
  | { readonly kind: 'close'; readonly args: CloseArgs }
  | { readonly kind: 'cancel'; readonly orderId: string };

/** The first refusal, or null. */
export type DryRun = (accountId: string, requests: readonly DryRunRequest[]) => Promise<AppError | null>;

function toCommand(request: DryRunRequest): Command {
  switch (request.kind) {
    case 'open':
      return toOpenCommand(request.args);
    case 'place':
      return toPlaceCommand(request.row, false);
    case 'close':
      return toCloseCommand(request.args);
    case 'cancel':
      return toCancelCommand(request.orderId);
  }
}

/** An account with a latency decides once that is over: here as if it were. */
function decideArrived(account: Account, command: Command, context: MarketContext): Decision {
  const decision = decide(account, command, context);
  if (decision.outcome === 'accepted' || decision.refusal.code !== 'in_transit') return decision;
  return decide(account, { ...command, arrivalPrice: decision.refusal.arrivalPrice } as Command, context);
}

export function createDryRun({ db, marketContextNow, mainTerms, isHalted }: PreviewDependencies): DryRun {
  return async (accountId, requests) => {
    const { account } = await readAccount(db, mainTerms, accountId, null);
    if (account.committed.isArchived) return new AppError('account_archived', texts.accountArchived);
    if (isHalted()) return new AppError('trading_halted', texts.tradingHalted);
    const context = marketContextNow();
    for (const request of requests) {
      const decision = decideArrived(account, toCommand(request), context);
      if (decision.outcome === 'refused') return refusalError(decision.refusal);
      account.apply(decision.effects, context.now);
    }
    return null;
  };
}
