/**
 * A09 as the auditor reads it: the fields that staff may change of a position, and the consequences. The balance
 * changes only by the change of a closed position's realized PnL; the locked margin of an open one follows its terms.
 */
import type { EditCommand, PositionEdit } from '@fulcrum/domain';
import { compare, minus, over, plus, ratio, times, wholeAbove, wholeBelow } from './arithmetic.ts';
import type { AuditedPair } from './audited-market.ts';
import { isGoodReason, liquidationOf, marginOf, mostFunds } from './formulas.ts';
import {
  type AuditedAccount,
  type AuditedPosition,
  availableIn,
  type House,
  type Verdict,
} from './ledger-book.ts';

/** What an edit needs of the auditor. */
export interface EditedLedger {
  readonly house: House;
  pairOf(symbol: string): AuditedPair | undefined;
}

/** Undefined leaves it, null empties it. */
const after = <Value>(input: Value | null | undefined, current: Value): Value | null =>
  input === undefined ? current : input;

type Terms = Pick<AuditedPosition, 'side' | 'entry' | 'size' | 'leverage' | 'margin'>;

function termsAfter(position: AuditedPosition, edit: PositionEdit, pair: AuditedPair): Terms | null {
  const entry = after<bigint>(edit.entryPrice, position.entry);
  const size = after<bigint>(edit.size, position.size);
  const leverage = after(edit.leverage, position.leverage);
  const side = after<string>(edit.side, position.side);
  if (entry === null || (entry !== position.entry && (entry < pair.minPrice || entry > pair.maxPrice)))
    return null;
  if (size === null) return null;
  const isTradable = size >= pair.minQty && size <= pair.maxQty && size > 0n && size % pair.stepSize === 0n;
  if (size !== position.size && !isTradable) return null;
  if (leverage === null || !Number.isInteger(leverage) || leverage < 1 || leverage > 125) return null;
  if (side !== 'BUY' && side !== 'SELL') return null;
  const isSame = entry === position.entry && size === position.size && leverage === position.leverage;
  const margin = isSame ? position.margin : marginOf(entry, size, leverage);
  return margin === 0n ? null : { side, entry, size, leverage, margin };
}

/** Between the last tick before the entry and the tick where nothing of the margin is left. */
function isWithinMargin(input: bigint, { rules }: AuditedPosition, terms: Terms, tick: bigint): boolean {
  const { side, entry, size, leverage, margin } = terms;
  const perMove = rules === 'standard' ? 1n : BigInt(leverage);
  const reach = over(times(ratio(margin), ratio(100_000_000n)), ratio(size * perMove));
  const move = compare(reach, ratio(entry)) > 0n ? ratio(entry) : reach;
  const ticks = ratio(tick);
  if (side === 'BUY') {
    const last = wholeAbove(over(ratio(entry), ticks)) * tick - tick;
    const gone = wholeAbove(over(minus(ratio(entry), move), ticks)) * tick;
    const nearest = last > tick ? last : tick;
    let least = gone < last ? gone : last;
    if (least < tick) least = tick;
    return input >= least && input <= nearest;
  }
  const first = wholeBelow(over(ratio(entry), ticks)) * tick + tick;
  const gone = wholeBelow(over(plus(ratio(entry), move), ticks)) * tick;
  return input >= first && input <= (gone > first ? gone : first);
}

export function editPosition(
  auditor: EditedLedger,
  account: AuditedAccount,
  { positionId, edit, expectedVersion, reason }: EditCommand,
  at: number,
  touch: (position: AuditedPosition) => void,
): Verdict {
  const position = account.positions.find(({ id }) => id === positionId);
  if (!position) return ['position_not_found'];
  const faults: string[] = [];
  if (!isGoodReason(reason)) faults.push('reason_required');
  if (expectedVersion !== null && expectedVersion !== position.version) faults.push('changed_meanwhile');
  const pair = auditor.pairOf(position.symbol);
  if (!pair) return ['unknown_symbol'];
  const { closing } = position;

  const terms = termsAfter(position, edit, pair);
  if (!terms) faults.push('edit_value_invalid');
  const isOfClosed = [edit.closePrice, edit.realizedPnl, edit.closedAt].some(
    (input) => (input ?? null) !== null,
  );
  if (!closing && isOfClosed) faults.push('edit_field_of_closed');

  const isTime = (time: number | null): boolean =>
    time !== null && Number.isSafeInteger(time) && time >= 0 && time <= at;
  const createdAt = after(edit.createdAt, position.createdAt);
  if (createdAt !== position.createdAt && !isTime(createdAt)) faults.push('edit_value_invalid');
  let closePrice = closing?.price ?? null;
  let closedAt = closing?.at ?? null;
  let pnl = closing?.pnl ?? 0n;
  if (closing) {
    closePrice = after<bigint>(edit.closePrice, closing.price);
    closedAt = after(edit.closedAt, closing.at);
    pnl = after<bigint>(edit.realizedPnl, closing.pnl) ?? 0n;
    const isPrice = closePrice !== null && closePrice >= pair.minPrice && closePrice <= pair.maxPrice;
    if (closePrice !== closing.price && !isPrice) faults.push('edit_value_invalid');
    if (closedAt !== closing.at && !isTime(closedAt)) faults.push('edit_value_invalid');
    const isTimeEdited = createdAt !== position.createdAt || closedAt !== closing.at;
    if (isTimeEdited && createdAt !== null && closedAt !== null && createdAt > closedAt) {
      faults.push('edit_value_invalid');
    }
    const difference = pnl - closing.pnl;
    if (difference > mostFunds || difference < -mostFunds) faults.push('edit_value_invalid');
    if (terms && pnl < -terms.margin) faults.push('edit_loss_beyond_margin');
  }
  if (!terms || createdAt === null) return faults;

  const areTermsChanged =
    terms.entry !== position.entry ||
    terms.size !== position.size ||
    terms.leverage !== position.leverage ||
    terms.side !== position.side;
  const input = edit.liquidationPrice as bigint | null | undefined;
  const isOverride = input !== undefined && input !== null && input !== position.liquidation;
  if (isOverride && !isWithinMargin(input, position, terms, pair.tickSize))
    faults.push('edit_liquidation_price');
  let { liquidation } = position;
  if (isOverride) liquidation = input;
  else if (input === null || areTermsChanged) {
    liquidation = liquidationOf(position.rules, terms, pair.tickSize, position.feeRate);
  }

  const available = availableIn(account);
  const locked = closing ? 0n : terms.margin - position.margin;
  const earned = closing ? pnl - closing.pnl : 0n;
  if (available - locked + earned < 0n) faults.push('edit_exceeds_available');
  if (faults.length > 0) return faults;

  const isChanged =
    areTermsChanged ||
    liquidation !== position.liquidation ||
    createdAt !== position.createdAt ||
    closePrice !== (closing?.price ?? null) ||
    closedAt !== (closing?.at ?? null) ||
    earned !== 0n;
  if (!isChanged) return [];

  if (terms.side !== position.side) {
    position.takeProfit = null;
    position.stopLoss = null;
    position.initialStopLoss = null;
  }
  if (areTermsChanged || liquidation !== position.liquidation) position.isWarned = false;
  // A stop loss beyond the liquidation price is removed.
  const { stopLoss } = position;
  const isLong = terms.side === 'BUY';
  if (!closing && stopLoss !== null && (isLong ? stopLoss <= liquidation : stopLoss >= liquidation)) {
    position.stopLoss = null;
  }
  Object.assign(position, terms, { liquidation, createdAt, editedAt: at });
  if (closing && closePrice !== null && closedAt !== null) {
    position.uncorrected ??= closing;
    position.closing = { ...closing, price: closePrice, at: closedAt, pnl };
    account.balance += earned;
    auditor.house.pnl -= earned;
    for (const line of account.lines) if (line.of === position) line.amount = pnl;
  }
  account.notices.push('position_adjusted');
  touch(position);
  return [];
}
