/**
 * Staff edit a position (CALL-43, A09); its status never changes here. Invariants: the margin of an open position
 * follows its terms at once, from the available balance or back to it, so a close releases what was locked. An edited
 * PnL of a closed position is booked as a difference, and its loss stays within its margin. There is always a
 * liquidation price. Only differing fields count as edited, because a form may send the whole row. Fees, fee rate and
 * rule set stay those of the opening.
 */
import { isLeverage, requiredMargin } from '../margin.ts';
import { asMoney, asPrice, type Money, multiplyDivide, NO_MONEY, type Price } from '../money.ts';
import { checkAmount, roundToTick, type TradingPair } from '../pairs.ts';
import { rulesOf } from '../rule-sets.ts';
import { isLiquidated, mainRulesOf, type PositionTerms } from '../rules.ts';
import { isSide } from '../states.ts';
import { Changes } from './changes.ts';
import { type Context, type Decision, type EditCommand, type PositionEdit, refuse } from './commands.ts';
import { isReason, MAX_FUNDS } from './funds.ts';
import { mainRules } from './opening.ts';
import type { Account, Closing, EditableField, Position, Refusal } from './types.ts';

type Refused = { readonly refusal: Refusal };
const invalid = (field: EditableField): Refused => ({ refusal: { code: 'edit_value_invalid', field } });

const priceOutOfBounds = (field: 'entryPrice' | 'closePrice', pair: TradingPair): Refused => {
  const bounds = { min: pair.minPrice, max: pair.maxPrice, step: null };
  return { refusal: { code: 'edit_value_invalid', field, bounds } };
};

const sizeOutOfBounds = ({ minQty, maxQty, stepSize }: TradingPair): Refused => {
  const bounds = { min: minQty, max: maxQty, step: stepSize };
  return { refusal: { code: 'edit_value_invalid', field: 'size', bounds } };
};

/** The value after the edit; null is empty. */
const editedValue = <Value>(input: Value | null | undefined, current: Value): Value | null =>
  input === undefined ? current : input;

/** Prices of an edit may lie off the ticks (A26), as fill prices do. */
const isPriceOf = ({ minPrice, maxPrice }: TradingPair, price: Price): boolean =>
  price >= minPrice && price <= maxPrice;

/** Whether a time is in the past. Milliseconds since the epoch. */
const isPast = (at: number, now: number): boolean => Number.isSafeInteger(at) && at >= 0 && at <= now;

interface Edited<Part> {
  readonly next: Part;
  readonly isChanged: boolean;
}

function editTerms(
  position: Position,
  edit: PositionEdit,
  pair: TradingPair,
): Edited<PositionTerms> | Refused {
  const entryPrice = editedValue(edit.entryPrice, position.entryPrice);
  const isSameEntry = entryPrice === position.entryPrice;
  if (entryPrice === null || !(isSameEntry || isPriceOf(pair, entryPrice)))
    return priceOutOfBounds('entryPrice', pair);
  const size = editedValue(edit.size, position.size);
  const isSameSize = size === position.size;
  if (size === null || !(isSameSize || checkAmount(pair, size) === null)) return sizeOutOfBounds(pair);
  const leverage = editedValue(edit.leverage, position.leverage);
  if (leverage === null || !isLeverage(leverage)) return invalid('leverage');
  const side = editedValue<string>(edit.side, position.side);
  if (side === null || !isSide(side)) return invalid('side');

  // A split position holds a share of its margin; its terms alone would round differently.
  const isSameMargin = isSameEntry && isSameSize && leverage === position.leverage;
  const margin = isSameMargin ? position.margin : requiredMargin(entryPrice, size, leverage);
  if (margin === 0n) return invalid('size');
  const isChanged = !isSameMargin || side !== position.side;
  return { next: { side, entryPrice, size, leverage, margin }, isChanged };
}

/** An empty value means zero for the realized PnL only: a closed position has a close price and a close time. */
function editClosing(
  { closing }: Position,
  edit: PositionEdit,
  pair: TradingPair,
  now: number,
): Edited<Closing | null> | Refused {
  if (!closing) {
    for (const field of ['closePrice', 'realizedPnl', 'closedAt'] as const) {
      if ((edit[field] ?? null) !== null) return { refusal: { code: 'edit_field_of_closed', field } };
    }
    return { next: null, isChanged: false };
  }
  const price = editedValue(edit.closePrice, closing.price);
  const isSamePrice = price === closing.price;
  if (price === null || !(isSamePrice || isPriceOf(pair, price))) return priceOutOfBounds('closePrice', pair);
  const realizedPnl = editedValue(edit.realizedPnl, closing.realizedPnl) ?? NO_MONEY;
  const difference = realizedPnl - closing.realizedPnl;
  if (difference > MAX_FUNDS || difference < -MAX_FUNDS) return invalid('realizedPnl');
  const at = editedValue(edit.closedAt, closing.at);
  const isSameTime = at === closing.at;
  if (at === null || !(isSameTime || isPast(at, now))) return invalid('closedAt');
  return {
    next: { ...closing, price, realizedPnl, at },
    isChanged: !(isSamePrice && isSameTime && difference === 0n),
  };
}

function editCreation(
  position: Position,
  edit: PositionEdit,
  closing: Closing | null,
  now: number,
): Edited<number> | Refused {
  const createdAt = editedValue(edit.createdAt, position.createdAt);
  const isChanged = createdAt !== position.createdAt;
  if (createdAt === null || (isChanged && !isPast(createdAt, now))) return invalid('createdAt');
  // A clock that was set back may report a close before the opening; the edit is not the cause.
  const isTimeEdited = isChanged || closing?.at !== position.closing?.at;
  if (isTimeEdited && closing && createdAt > closing.at) return invalid(isChanged ? 'createdAt' : 'closedAt');
  return { next: createdAt, isChanged };
}

/**
 * The allowed ticks of a liquidation price: from where the margin is gone to the last one before the entry. PnL is
 * linear in the price under every rule set, so the margin is gone after entry × margin / (loss of a move by the whole
 * entry).
 */
function liquidationBounds(
  position: PositionTerms & Pick<Position, 'rules'>,
  tickSize: Price,
): { readonly min: Price; readonly max: Price } {
  const { side, entryPrice, margin } = position;
  const isLong = side === 'BUY';
  const beyond = isLong ? asPrice(0n) : asPrice(2n * entryPrice);
  const whole = -rulesOf(position.rules).realizedPnl(position, beyond);
  // The rest of a split may hold one unit more than its share.
  const reach = whole > margin ? multiplyDivide(entryPrice, margin, whole, 'floor') : entryPrice;
  if (isLong) {
    const max = asPrice(roundToTick(entryPrice, tickSize, 'ceiling') - tickSize);
    const gone = roundToTick(asPrice(entryPrice - reach), tickSize, 'ceiling');
    return { min: clamp(gone, tickSize, max), max: atLeast(max, tickSize) };
  }
  const min = asPrice(roundToTick(entryPrice, tickSize, 'floor') + tickSize);
  const gone = roundToTick(asPrice(entryPrice + reach), tickSize, 'floor');
  return { min, max: atLeast(gone, min) };
}
const atLeast = (price: Price, least: Price): Price => (price > least ? price : least);
/** `least` wins: no price is below one tick. */
const clamp = (price: Price, least: Price, most: Price): Price => atLeast(price < most ? price : most, least);

/** An override stays until the terms change without a new override, or until it is emptied. */
function editLiquidationPrice(
  position: Position,
  input: Price | null | undefined,
  { next: terms, isChanged: areTermsChanged }: Edited<PositionTerms>,
  { tickSize }: TradingPair,
): Edited<Price> | Refused {
  const { liquidationPrice: current, rules, feeRate } = position;
  if (input !== undefined && input !== null && input !== current) {
    const { min, max } = liquidationBounds({ ...terms, rules }, tickSize);
    if (input < min || input > max) return { refusal: { code: 'edit_liquidation_price', min, max } };
    return { next: input, isChanged: true };
  }
  if (input !== null && !areTermsChanged) return { next: current, isChanged: false };
  const computed = mainRulesOf(mainRules(rules)).liquidationPrice({ ...terms, tickSize, feeRate });
  return { next: computed, isChanged: computed !== current };
}

interface EditOutcome {
  readonly edited: Position;
  readonly isChanged: boolean;
}

function applyEdit(
  position: Position,
  edit: PositionEdit,
  pair: TradingPair,
  now: number,
): EditOutcome | Refused {
  const terms = editTerms(position, edit, pair);
  if ('refusal' in terms) return terms;
  const closing = editClosing(position, edit, pair, now);
  if ('refusal' in closing) return closing;
  const created = editCreation(position, edit, closing.next, now);
  if ('refusal' in created) return created;
  const liquidation = editLiquidationPrice(position, edit.liquidationPrice, terms, pair);
  if ('refusal' in liquidation) return liquidation;
  const { margin, side } = terms.next;
  if (closing.next && closing.next.realizedPnl < -margin) {
    return { refusal: { code: 'edit_loss_beyond_margin', margin } };
  }
  // Take profit and stop loss lie on the wrong sides of the other side, and the first stop no longer measures its
  // risk.
  const { takeProfitPrice, stopLossPrice, initialStopLossPrice } =
    side === position.side ? position : unprotected;
  // A stop loss beyond the liquidation price never triggers, so it must not be stored.
  const isForestalled =
    closing.next === null && stopLossPrice !== null && isLiquidated(side, liquidation.next, stopLossPrice);
  return {
    isChanged: terms.isChanged || closing.isChanged || created.isChanged || liquidation.isChanged,
    edited: {
      ...position,
      ...terms.next,
      liquidationPrice: liquidation.next,
      takeProfitPrice,
      stopLossPrice: isForestalled ? null : stopLossPrice,
      initialStopLossPrice,
      // The new liquidation price has caused no warning yet.
      marginWarned: position.marginWarned && !terms.isChanged && !liquidation.isChanged,
      createdAt: created.next,
      editedAt: now,
      closing: closing.next,
    },
  };
}
const unprotected = { takeProfitPrice: null, stopLossPrice: null, initialStopLossPrice: null };

/** Books the amounts that the edit moves. Returns the change of the balance, null without one. */
function bookEdit(changes: Changes, before: Position, after: Position): Money | null {
  const { id } = before;
  if (!before.closing || !after.closing) {
    const locked = asMoney(after.margin - before.margin);
    changes.book('adjustment', id, [
      { account: 'user:cash', amount: asMoney(-locked) },
      { account: 'user:margin', amount: locked },
    ]);
    return null;
  }
  const { realizedPnl } = after.closing;
  const earned = asMoney(realizedPnl - before.closing.realizedPnl);
  if (earned === 0n) return null;
  changes.book('adjustment', id, [
    { account: 'user:cash', amount: earned },
    { account: 'house:pnl', amount: asMoney(-earned) },
  ]);
  changes.amendTransaction(id, realizedPnl);
  return earned;
}

/**
 * An edit without a difference is accepted. It changes neither the position nor its version and notifies no trader.
 */
export function decideEdit(account: Account, command: EditCommand, context: Context): Decision {
  const { positionId, edit, expectedVersion, reason } = command;
  const position = account.position(positionId);
  if (!position) return refuse({ code: 'position_not_found' });
  if (!isReason(reason)) return refuse({ code: 'reason_required' });
  if (expectedVersion !== null && expectedVersion !== position.version) {
    return refuse({ code: 'changed_meanwhile', expectedVersion, current: position });
  }
  const { symbol } = position;
  const pair = context.market.pair(symbol);
  if (!pair) return refuse({ code: 'unknown_symbol', symbol });
  const outcome = applyEdit(position, edit, pair, context.now);
  if ('refusal' in outcome) return refuse(outcome.refusal);

  const { wallet } = account;
  const changes = new Changes(wallet, context);
  if (!outcome.isChanged) {
    return { outcome: 'accepted', subject: { kind: 'position', position }, effects: changes.effects() };
  }
  const amount = bookEdit(changes, position, outcome.edited);
  if (changes.wallet.available < 0n) {
    const required = asMoney(wallet.available - changes.wallet.available);
    return refuse({ code: 'edit_exceeds_available', required, available: wallet.available });
  }
  const edited = changes.setPosition(position, outcome.edited);
  changes.notify('position_adjusted', { position: edited, before: position, amount });
  return { outcome: 'accepted', subject: { kind: 'position', position: edited }, effects: changes.effects() };
}
