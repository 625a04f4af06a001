/**
 * The size that a partial close takes (A23). Invariant: the sent size is on the pair's step, and the rest that stays
 * open is still a tradable amount.
 */
import { texts } from '@fulcrum/contract/texts';
import {
  asMoney,
  asSize,
  divideRounded,
  isOnStep,
  multiplyDivide,
  type PairLimits,
  parseDecimal,
  type Size,
  toDecimalString,
  toNumber,
} from '@fulcrum/domain';
import { parseAmount } from '../../../shared/decimals/amount.ts';
import type { Position } from '../../../shared/supabase/index.ts';

export type ClosingSize =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly size: Size }
  | { readonly kind: 'wrong'; readonly text: string };

const toSize = ({ size }: Pick<Position, 'size'>): Size => asSize(parseDecimal(size));

/** Parses the size in the field. */
export function parseClosingSize(
  position: Pick<Position, 'size'>,
  text: string,
  limits: PairLimits,
): ClosingSize {
  const whole = toSize(position);
  const typed = parseAmount(text);
  if (typed.kind === 'amount' && typed.size === whole) return { kind: 'whole' };
  const { minQty, stepSize } = limits;
  // The rest must be tradable itself, so the largest part leaves the pair's smallest amount.
  const most = whole - minQty;
  const [min = '', max = '', step = ''] = [stepSize, most, stepSize].map(toDecimalString);
  if (typed.kind === 'amount' && typed.size > 0n && typed.size <= most && isOnStep(typed.size, stepSize)) {
    return { kind: 'part', size: typed.size };
  }
  const all = `${toDecimalString(whole)} closes it whole.`;
  if (most < stepSize) return { kind: 'wrong', text: `This position can only be closed whole. ${all}` };
  return { kind: 'wrong', text: `${texts.amountOutOfRange(min, max, step)} ${all}` };
}

/** A share of the position on the pair's step; the whole for 100 %. */
export function toShareSize(
  position: Pick<Position, 'size'>,
  sharePercent: number,
  { stepSize }: Pick<PairLimits, 'stepSize'>,
): Size {
  const whole = toSize(position);
  if (sharePercent === 100) return whole;
  return asSize(divideRounded(whole * BigInt(sharePercent), 100n * stepSize, 'floor') * stepSize);
}

/**
 * The part of the position that is closed: size and margin in proportion, the margin rounded down as in the engine.
 */
export function toPartialPosition(position: Position, size: Size): Position {
  const margin = multiplyDivide(parseDecimal(position.margin), size, toSize(position), 'floor');
  return { ...position, size: toNumber(size), margin: toNumber(asMoney(margin)) };
}

/** The rest that stays open after that part is closed: the rest of the size with the rest of the margin. */
export function getRemainder(
  position: Pick<Position, 'size' | 'margin'>,
  part: Pick<Position, 'size' | 'margin'>,
): { readonly size: number; readonly margin: number } {
  const rest = (whole: number, gone: number) => asMoney(parseDecimal(whole) - parseDecimal(gone));
  return {
    size: toNumber(rest(position.size, part.size)),
    margin: toNumber(rest(position.margin, part.margin)),
  };
}
