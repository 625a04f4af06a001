/**
 * Closes a position, whole or in part (A23). The price is the server's; a claimed price never counts and never refuses
 * (A18). A closed part gets an id of its own, the rest keeps everything else.
 */
import { asMoney, type Size, toDecimalString } from '../money.ts';
import { type AmountRange, isOnStep, type PairLimits } from '../pairs.ts';
import type { Account, Position } from './account.ts';
import { Changes } from './changes.ts';
import { closePosition, closePriceOf } from './closing.ts';
import { type CloseCommand, type Context, type Decision, refuse } from './commands.ts';
import { splitPosition } from './split.ts';

/**
 * Null when so much of `size` may be closed, else the range that a part has to keep to: whole steps that leave the rest
 * tradable. Where no part can do that, only the whole may be closed, and the range says just that.
 */
function checkPart(
  { minQty, stepSize }: Pick<PairLimits, 'minQty' | 'stepSize'>,
  size: Size,
  part: Size,
): AmountRange | null {
  const spare = size - minQty;
  if (part > 0n && part <= spare && isOnStep(part, stepSize)) return null;
  const step = toDecimalString(stepSize);
  if (spare < stepSize) return { min: toDecimalString(size), max: toDecimalString(size), step };
  return { min: step, max: toDecimalString(spare - (spare % stepSize)), step };
}

/** Takes the part off the position in the books, both open, and returns the part. */
function takeOff(changes: Changes, whole: Position, partSize: Size, partId: string): Position | null {
  const { part, rest } = splitPosition(whole, partSize, partId);
  if (part.margin === 0n) return null;
  changes.book('split', whole.id, [
    { account: 'user:margin', amount: asMoney(-part.margin) },
    { account: 'user:margin', amount: part.margin, sourceId: part.id },
  ]);
  changes.position(whole, rest);
  return changes.position(null, part);
}

export function decideClose(account: Account, command: CloseCommand, context: Context): Decision {
  const { positionId, size, reason } = command;
  const position = account.position(positionId);
  if (!position) return refuse({ code: 'position_not_found' });
  if (position.closing) return refuse({ code: 'position_closed' });
  const { symbol } = position;
  const isPart = size !== null && size !== position.size;
  if (isPart) {
    const pair = context.market.pair(symbol);
    if (!pair) return refuse({ code: 'unknown_symbol', symbol });
    const range = checkPart(pair, position.size, size);
    if (range) return refuse({ code: 'amount_out_of_range', range });
  }
  const quote = context.market.quote(symbol);
  if (quote && !quote.marketOpen) return refuse({ code: 'market_closed' });

  const changes = new Changes(account.wallet, context);
  const target = isPart ? takeOff(changes, position, size, context.newId()) : position;
  if (!target) return refuse({ code: 'amount_too_small' });
  const closed = closePosition(changes, target, { ...closePriceOf(position, quote), reason }, context);
  return {
    outcome: 'accepted',
    subject: { kind: 'position', position: closed },
    effects: changes.effects(),
  };
}
