/** What the auditor knows of conditions (A113): the input that a type takes, and the prices that an order waits for. */
import type { PlaceCommand } from '@fulcrum/domain';
import { plus, type Ratio, ratio, times, wholeAbove, wholeBelow } from './arithmetic.ts';
import { type AuditedPair, isOffGrid, placementFaults } from './audited-market.ts';
import type { AuditedOrder } from './ledger-book.ts';

const withLimit = ['LIMIT', 'STOP', 'TAKE_PROFIT'];
const ofCondition = ['STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET', 'TRAILING_STOP_MARKET'];
const WHOLE = 100_000_000n;
// biome-ignore lint/plugin: the auditor shares no figure with the domain
const minute = 60_000;

export const isLimited = (type: string): boolean => withLimit.includes(type);
export const isWaitingForTrigger = ({ type, triggeredAt, status, isNet }: AuditedOrder): boolean =>
  isNet && ofCondition.includes(type) && triggeredAt === null && status === 'NEW';

/** Everything that is wrong with the input of an order of a net account, whatever the market. */
export function netPlacementFaults(
  command: PlaceCommand,
  pair: AuditedPair | undefined,
  at: number,
): string[] {
  const {
    type,
    price,
    triggerPrice = null,
    trailRate = null,
    closePosition = false,
    expiresAt = null,
  } = command;
  const hasLimit = isLimited(type);
  const isConditional = ofCondition.includes(type);
  const isTrailing = type === 'TRAILING_STOP_MARKET';
  const plain = placementFaults({ ...command, type: hasLimit ? 'LIMIT' : 'MARKET' }, pair);
  const faults = closePosition ? plain.filter((fault) => fault !== 'amount_out_of_range') : plain;
  if (type !== 'MARKET' && type !== 'LIMIT' && !isConditional) faults.push('order_type_invalid');
  const time = command.timeInForce ?? 'GTC';
  if (!['GTC', 'IOC', 'FOK', 'GTX', 'GTD'].includes(time)) faults.push('time_in_force_invalid');
  if (!hasLimit && (time === 'GTX' || time === 'GTD')) faults.push('time_in_force_invalid');
  const wait = expiresAt === null ? null : expiresAt - at;
  if ((time === 'GTD') !== (wait !== null)) faults.push('expiry_invalid');
  if (wait !== null && (wait < 10 * minute || wait > 366 * 1_440 * minute)) faults.push('expiry_invalid');
  const isAlien =
    (!isConditional && triggerPrice !== null) ||
    (!isTrailing && trailRate !== null) ||
    (isConditional && !hasLimit && price !== null) ||
    (closePosition && type !== 'STOP_MARKET' && type !== 'TAKE_PROFIT_MARKET') ||
    (closePosition &&
      (command.size !== 0n || command.takeProfitPrice !== null || command.stopLossPrice !== null));
  if (isAlien) faults.push('condition_not_expected');
  const tenth = WHOLE / 10n;
  if (
    isTrailing &&
    (trailRate === null || trailRate < tenth || trailRate > 200n * tenth || trailRate % tenth !== 0n)
  )
    faults.push('trail_rate_invalid');
  const needsTrigger = isConditional && !(isTrailing && triggerPrice === null);
  if (pair && needsTrigger && (triggerPrice === null || isOffGrid(triggerPrice, pair)))
    faults.push('trigger_price_invalid');
  return faults;
}

/** Whether this mark makes it an order: a stop where the market has gone against a position of the other side, else where it gained. */
export function isTriggered(order: AuditedOrder, mark: bigint): boolean {
  const { type, side, trigger, trail, peak } = order;
  const isUp = side === 'BUY';
  if (trail !== null) {
    if (peak === null) return false;
    const share = (part: bigint): Ratio => times(ratio(peak), plus(ratio(1n), ratio(part, 100n * WHOLE)));
    return isUp ? mark >= wholeAbove(share(trail)) : mark <= wholeBelow(share(-trail));
  }
  if (trigger === null) return false;
  const isStop = type === 'STOP' || type === 'STOP_MARKET';
  return isUp === isStop ? mark >= trigger : mark <= trigger;
}

/** Whether this mark is the best so far of a trailing stop that follows, or begins to. */
export function isFollowed(order: AuditedOrder, mark: bigint): boolean {
  const { side, trigger, trail, peak } = order;
  if (trail === null || !isWaitingForTrigger(order)) return false;
  if (peak !== null) return side === 'SELL' ? mark > peak : mark < peak;
  if (trigger === null) return true;
  return side === 'SELL' ? mark >= trigger : mark <= trigger;
}
