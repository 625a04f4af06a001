/**
 * While a price is held (A106) nothing is booked at the previous one (A110): a client that knows both could choose. A
 * command that ends a whole account therefore waits for the hold, instead of closing a part of it.
 */

import type { MarketView } from './commands.ts';
import type { Account, Refusal } from './types.ts';

/** Why some position of the account cannot be closed now, or null. */
export function endingRefusal(
  account: Pick<Account, 'openPositions'>,
  market: Pick<MarketView, 'quote'>,
): Refusal | null {
  for (const { symbol } of account.openPositions()) {
    if (market.quote(symbol)?.held) return { code: 'price_held', symbol };
  }
  return null;
}
