/** Leverage and margin of a net position (A113). Invariant: neither leaves a position closer to its liquidation than a new one. */
import { isLeverage } from '../margin.ts';
import { asMoney, type Money } from '../money.ts';
import type { TradingPair } from '../pairs.ts';
import { greatestValueAt } from '../perpetual/brackets.ts';
import { initialMargin, netLiquidationPrice } from '../perpetual/net-position.ts';
import { rulesOf } from '../rule-sets.ts';
import { Changes } from './changes.ts';
import { type Context, type Decision, type LeverageCommand, type MarginCommand, refuse } from './commands.ts';
import { waitingOrder } from './net-orders.ts';
import { netPosition } from './net-trade.ts';
import { openablePrice } from './open.ts';
import { leverageRefusal } from './opening.ts';
import type { Account, Position, Refusal } from './types.ts';

type Net = Position & { readonly entryValue: Money };

/**
 * What the margin holds beyond the initial margin at this leverage; a loss so far counts against it. Only a price that trades
 * says how much that is (A37, A98, A110).
 */
function freeMargin(
  position: Net,
  leverage: number,
  pair: TradingPair,
  context: Context,
): { readonly free: bigint } | { readonly refusal: Refusal } {
  const openable = openablePrice(pair, null, context);
  if ('refusal' in openable) return openable;
  const pnl = rulesOf('perpetual').unrealizedPnl(position, openable.price);
  const initial = initialMargin(position.entryValue, leverage);
  // A very small position keeps a margin, too.
  return { free: position.margin + (pnl < 0n ? pnl : 0n) - (initial > 0n ? initial : 1n) };
}

/** Moves `amount` from the available balance into the margin, or out of it. */
function moveMargin(
  changes: Changes,
  position: Net,
  amount: Money,
  pair: TradingPair,
  leverage: number,
): Position {
  changes.book('margin', position.id, [
    { account: 'user:cash', amount: asMoney(-amount) },
    { account: 'user:margin', amount },
  ]);
  const next = { ...position, leverage, margin: asMoney(position.margin + amount) };
  const liquidationPrice = netLiquidationPrice(next, pair.type, pair.tickSize);
  return changes.setPosition(position, { ...next, liquidationPrice, marginWarned: false });
}

const isNet = (position: Position): position is Net => position.entryValue !== null;

/** A higher leverage sets margin of an open position free; a lower one needs the position closed first. */
export function decideLeverage(
  account: Account,
  { symbol, leverage }: LeverageCommand,
  context: Context,
): Decision {
  const pair = context.market.pair(symbol);
  if (!pair) return refuse({ code: 'unknown_symbol', symbol });
  if (!isLeverage(leverage)) return refuse({ code: 'leverage_invalid' });
  const capped = leverageRefusal(leverage, context);
  if (capped) return refuse(capped);
  const max = greatestValueAt(pair.type, leverage);
  if (max === null) return refuse({ code: 'position_too_large', leverage, max: asMoney(0n) });
  const waiting = waitingOrder(account, symbol);
  if (waiting && waiting.leverage !== leverage) {
    return refuse({ code: 'leverage_in_use', symbol, leverage: waiting.leverage });
  }
  const changes = new Changes(account.wallet, context);
  const position = netPosition(account, symbol);
  if (position && isNet(position) && position.leverage !== leverage) {
    if (leverage < position.leverage) {
      return refuse({ code: 'leverage_in_use', symbol, leverage: position.leverage });
    }
    if (position.entryValue > max) return refuse({ code: 'position_too_large', leverage, max });
    const tied =
      initialMargin(position.entryValue, position.leverage) - initialMargin(position.entryValue, leverage);
    const margin = freeMargin(position, leverage, pair, context);
    if ('refusal' in margin) return refuse(margin.refusal);
    const { free } = margin;
    const freed = free < tied ? free : tied;
    moveMargin(changes, position, asMoney(freed > 0n ? -freed : 0n), pair, leverage);
  }
  changes.setLeverage(symbol, leverage);
  return { outcome: 'accepted', subject: { kind: 'leverage', symbol, leverage }, effects: changes.effects() };
}

export function decideMargin(
  account: Account,
  { positionId, amount }: MarginCommand,
  context: Context,
): Decision {
  const position = account.position(positionId);
  if (!position) return refuse({ code: 'position_not_found' });
  if (position.closing) return refuse({ code: 'position_closed' });
  if (!isNet(position)) return refuse({ code: 'not_perpetual' });
  const { symbol, leverage } = position;
  const pair = context.market.pair(symbol);
  if (!pair) return refuse({ code: 'unknown_symbol', symbol });
  if (amount === 0n) return refuse({ code: 'margin_amount_invalid' });
  const { available } = account.wallet;
  if (amount > available) return refuse({ code: 'insufficient_balance', required: amount, available });
  if (amount < 0n) {
    const margin = freeMargin(position, leverage, pair, context);
    if ('refusal' in margin) return refuse(margin.refusal);
    const { free } = margin;
    if (-amount > free) return refuse({ code: 'margin_beyond_free', free: asMoney(free > 0n ? free : 0n) });
  }
  const changes = new Changes(account.wallet, context);
  const after = moveMargin(changes, position, amount, pair, leverage);
  return { outcome: 'accepted', subject: { kind: 'position', position: after }, effects: changes.effects() };
}
