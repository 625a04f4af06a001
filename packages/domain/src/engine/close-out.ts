/**
 * The end of a contest for one account: everything ends at the stored marks, which are the same for every entrant. Invariants: no other price
 * is read, so a decision that comes late, or after a restart, books the same; nothing is closed before the end; a repeat changes nothing.
 */
import { Changes } from './changes.ts';
import { closeOutAccount } from './closing.ts';
import { type ClosingMark, type Context, type Decision, type MarketView, refuse } from './commands.ts';
import { contestEndedAt } from './limits.ts';
import type { Account } from './types.ts';

/** The market as the marks say it was. It has no book: a net position ends at the mark, like any other. */
export const marketOfMarks = (
  market: Pick<MarketView, 'pair'>,
  marks: Readonly<Record<string, ClosingMark>>,
): MarketView => ({
  pair: (symbol) => market.pair(symbol),
  quote: (symbol) => {
    const mark = Object.hasOwn(marks, symbol) ? marks[symbol] : undefined;
    // A hold refuses what may wait (A110). The end does not wait: the held price was not accepted in time.
    return (
      mark && {
        ...{ price: mark.price, held: false },
        ...{ stale: mark.state !== 'live', marketOpen: mark.state !== 'shut' },
        ...(mark.source !== undefined && { source: mark.source }),
      }
    );
  },
});

export function decideCloseOut(account: Account, context: Context): Decision {
  if (contestEndedAt(context) === null) return refuse({ code: 'not_due' });
  const changes = new Changes(account.wallet, context);
  closeOutAccount(account, changes, 'program_end', context);
  return { outcome: 'accepted', subject: { kind: 'account' }, effects: changes.effects() };
}
