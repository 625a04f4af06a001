/**
 * Sets take profit and stop loss of an open position (A21). The check uses the last price, however old, so that they
 * may be set while the market is closed. Without any price it uses the entry.
 */
import { priceDecimals } from '../pairs.ts';
import { Changes } from './changes.ts';
import { type Context, type Decision, type ProtectCommand, refuse } from './commands.ts';
import { firstStopOf } from './limits.ts';
import { checkProtection } from './protection.ts';
import type { Account, Protection } from './types.ts';

export function decideProtect(account: Account, command: ProtectCommand, context: Context): Decision {
  const position = account.position(command.positionId);
  if (!position) return refuse({ code: 'position_not_found' });
  if (position.closing) return refuse({ code: 'position_closed' });
  const { symbol, entryPrice } = position;
  const pair = context.market.pair(symbol);
  if (!pair) return refuse({ code: 'unknown_symbol', symbol });
  const reference = context.market.quote(symbol)?.price ?? entryPrice;
  // What is kept was checked when it was set; since then the price or the liquidation price may have passed it.
  const stated: Protection = {
    takeProfitPrice: command.takeProfitPrice ?? null,
    stopLossPrice: command.stopLossPrice ?? null,
  };
  const fault = checkProtection({ ...position, reference }, stated, pair);
  if (fault) return refuse({ code: 'protection_invalid', fault, decimals: priceDecimals(pair) });

  const { takeProfitPrice = position.takeProfitPrice, stopLossPrice = position.stopLossPrice } = command;
  const changes = new Changes(account.wallet, context);
  const after = changes.setPosition(position, {
    ...position,
    takeProfitPrice,
    stopLossPrice,
    initialStopLossPrice: firstStopOf(position, stopLossPrice, context),
  });
  return { outcome: 'accepted', subject: { kind: 'position', position: after }, effects: changes.effects() };
}
