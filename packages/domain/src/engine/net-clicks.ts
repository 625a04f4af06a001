/** Trades of a `perpetual` account at a click (A113): what the market does not take at once expires. */
import { asSize } from '../money.ts';
import type { Side } from '../states.ts';
import { Changes } from './changes.ts';
import { type Context, type Decision, type OpenCommand, type ReverseCommand, refuse } from './commands.ts';
import { NO_SIZE } from './executions.ts';
import {
  adoptLeverage,
  type NetOrder,
  netLeverageRefusal,
  paidRefusal,
  protectionRefusal,
  reduceRefusal,
  takeFromBook,
} from './net-orders.ts';
import { readTerms } from './net-placement.ts';
import { checkTrade, openablePrice } from './open.ts';
import type { Account } from './types.ts';

/** A click: takes at the market, whatever is left expires. */
export function decideNetOpen(account: Account, command: OpenCommand, context: Context): Decision {
  const checked = checkTrade(command, context.market);
  if ('refusal' in checked) return refuse(checked.refusal);
  const terms = readTerms(command, {}, false, context.now);
  if ('refusal' in terms) return refuse(terms.refusal);
  const moved = openablePrice(checked.pair, command.expectedPrice, context);
  if ('refusal' in moved) return refuse(moved.refusal);
  return takeNow(
    account,
    {
      ...command,
      ...checked,
      ...terms,
      limit: null,
      orderId: null,
      arrivalPrice: command.arrivalPrice ?? null,
    },
    context,
  );
}

/** Closes the position and opens the same size on the other side, by one trade. */
export function decideNetReverse(account: Account, command: ReverseCommand, context: Context): Decision {
  const position = account.position(command.positionId);
  if (!position) return refuse({ code: 'position_not_found' });
  if (position.closing) return refuse({ code: 'position_closed' });
  const { symbol, leverage } = position;
  const size = asSize(2n * position.size);
  const side: Side = position.side === 'BUY' ? 'SELL' : 'BUY';
  const protection = { takeProfitPrice: null, stopLossPrice: null };
  const open = { kind: 'open', symbol, side, size, leverage, ...protection, timeInForce: 'FOK' } as const;
  const { expectedPrice, arrivalPrice } = command;
  return decideNetOpen(account, { ...open, expectedPrice, ...(arrivalPrice && { arrivalPrice }) }, context);
}

function takeNow(account: Account, order: NetOrder, context: Context): Decision {
  const { symbol } = order.pair;
  const refusal =
    netLeverageRefusal(account, symbol, order.leverage, context) ??
    reduceRefusal(account, order) ??
    protectionRefusal(order, context);
  if (refusal) return refuse(refusal);
  const changes = new Changes(account.wallet, context);
  adoptLeverage(account, changes, order);
  const taken = takeFromBook(account, changes, order, context);
  if ('refusal' in taken) return refuse(taken.refusal);
  if (taken.position === null) return refuse({ code: 'order_not_fillable', size: NO_SIZE });
  const lacking = paidRefusal(changes, account.wallet.available);
  if (lacking) return refuse(lacking);
  return {
    outcome: 'accepted',
    subject: { kind: 'position', position: taken.position },
    effects: changes.effects(),
  };
}
