/**
 * Reverses a position in one decision: closes it whole, then opens the other side with the same size and leverage at
 * the same price, without take profit and stop loss. It is judged as an opening (A18, A22, A37, A98, A110), and its
 * cost may be paid with what the close sets free. Invariant: a reverse that may not open closes nothing.
 */
import { oppositeOf } from '../states.ts';
import { Changes } from './changes.ts';
import { PositionCloser } from './closing.ts';
import { type Context, type Decision, type ReverseCommand, refuse } from './commands.ts';
import { checkTrade, marketOpening, openablePrice } from './open.ts';
import { openPosition } from './opening.ts';
import type { Account } from './types.ts';

export function decideReverse(
  account: Account,
  { positionId, expectedPrice }: ReverseCommand,
  context: Context,
): Decision {
  const position = account.position(positionId);
  if (!position) return refuse({ code: 'position_not_found' });
  if (position.closing) return refuse({ code: 'position_closed' });
  const { symbol, leverage } = position;
  const pair = context.market.pair(symbol);
  if (!pair) return refuse({ code: 'unknown_symbol', symbol });
  const openable = openablePrice(pair, expectedPrice, context);
  if ('refusal' in openable) return refuse(openable.refusal);

  const changes = new Changes(account.wallet, context);
  const closer = new PositionCloser(account, changes, context);
  const at = { price: openable.price, source: 'live' } as const;
  closer.liquidateExhausted(symbol, at);
  const latest = changes.latest(position);
  // This price liquidates it for the other side (A111), so nothing is left to reverse.
  if (latest.closing) return refuse({ code: 'position_closed' });
  closer.close(latest, { ...at, reason: 'manual' });

  const { size } = latest;
  const trade = checkTrade({ symbol, side: oppositeOf(latest.side), leverage, size }, context.market);
  if ('refusal' in trade) return refuse(trade.refusal);
  const input = { ...trade, size, leverage, takeProfitPrice: null, stopLossPrice: null };
  const { restricted, openPositionCount } = account;
  const after = { wallet: changes.wallet, restricted, openPositionCount: openPositionCount - 1 };
  const opening = marketOpening(after, input, expectedPrice, context);
  if ('refusal' in opening) return refuse(opening.refusal);
  const opened = openPosition(changes, opening.terms, context);
  return {
    outcome: 'accepted',
    subject: { kind: 'position', position: opened },
    effects: changes.effects(),
  };
}
