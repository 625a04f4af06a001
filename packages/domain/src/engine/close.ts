/**
 * Closes a position, whole or in part (A23). The price is the server's; an expected price neither counts nor refuses
 * (A18). A closed part gets a new id, the rest keeps everything else. A position that another one's loss has closed
 * in the same decision is answered in that state (A111).
 */
import { type Price, type Size, toDecimalString } from '../money.ts';
import { type AmountRange, isOnStep, type PairLimits } from '../pairs.ts';
import { Changes } from './changes.ts';
import { closePriceOf, PositionCloser } from './closing.ts';
import { type CloseCommand, type Context, type Decision, refuse } from './commands.ts';
import { isExhausted, settlementAt } from './settlement.ts';
import { splitPosition } from './split.ts';
import type { Account, Position } from './types.ts';

/**
 * Null when this part of `size` may be closed, else the allowed range: whole steps that leave a tradable rest. Where
 * no part is allowed, the range allows only the whole.
 */
export function checkPart(
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

/**
 * Whether the part has a margin, and one that bears its loss if the whole's margin does. Both are rounded, and with a
 * gain on the other side the insurance must not bear such a loss (A111).
 */
export function canBeParted(position: Position, size: Size, price: Price): boolean {
  const { part } = splitPosition(position, size, '');
  if (part.margin === 0n) return false;
  return settlementAt(part, price).toInsurance === 0n || isExhausted(position, price);
}

export function decideClose(account: Account, command: CloseCommand, context: Context): Decision {
  const { positionId, size, reason, arrivalPrice } = command;
  const position = account.position(positionId);
  if (!position) return refuse({ code: 'position_not_found' });
  if (position.closing) return refuse({ code: 'position_closed' });
  const { symbol } = position;
  const isPart = size !== null && size !== position.size;
  const pair = context.market.pair(symbol);
  if (isPart) {
    if (!pair) return refuse({ code: 'unknown_symbol', symbol });
    const range = checkPart(pair, position.size, size);
    if (range) return refuse({ code: 'amount_out_of_range', range });
  }
  const quote = context.market.quote(symbol);
  if (quote && !quote.marketOpen) return refuse({ code: 'market_closed' });
  // A client that knows the held price could choose between the two (A110).
  if (quote?.held) return refuse({ code: 'price_stale' });
  const at = closePriceOf(position, quote);
  if (isPart && !canBeParted(position, size, at.price)) return refuse({ code: 'amount_too_small' });

  const changes = new Changes(account.wallet, context);
  const closer = new PositionCloser(account, changes, context);
  const terms = { ...at, reason, ...(arrivalPrice && { arrivalPrice }) };
  closer.liquidateExhausted(symbol, terms);
  const latest = changes.latest(position);
  // What the other side's loss has left may be too small to be split: then all of it closes.
  const takesPart = isPart && pair && !latest.closing && checkPart(pair, latest.size, size) === null;
  const requested = takesPart ? size : latest.size;
  const closable = closer.closableSize(latest, requested);
  if (closable === 0n) return refuse({ code: 'no_quote', symbol });
  const part = closable < latest.size ? closer.splitOff(latest, closable) : null;
  // The levels hold less than the whole, and their part is too small for a margin.
  if (!part && closable < latest.size && latest.entryValue !== null)
    return refuse({ code: 'amount_too_small' });
  const closed = closer.close(part ?? latest, terms);
  return {
    outcome: 'accepted',
    subject: { kind: 'position', position: closed },
    effects: changes.effects(),
  };
}
