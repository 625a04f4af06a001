/**
 * Amounts as people type them: `0.15`, `1.5k`, `1,250.5`, and `0,15` where the comma can only be a decimal one. What may
 * be read in two ways is not guessed. Invariant: a read amount is exact; nothing is rounded here.
 */
import { asSize, DecimalError, type PairLimits, parseDecimal, type Size } from '@fulcrum/domain';
import { stepOnGrid } from './step.ts';

export type TypedAmount =
  | { readonly kind: 'empty' }
  | { readonly kind: 'amount'; readonly size: Size }
  | { readonly kind: 'unreadable'; readonly reason: 'ambiguous' | 'malformed' | 'negative' };

const factors: Readonly<Record<string, bigint>> = { '': 1n, k: 1_000n, m: 1_000_000n };
const typed = /^(?<figure>[\d.,]+)\s*(?<suffix>[km]?)$/;
const minus = /^[-\u2212]/;
const plain = /^(\d+\.?\d*|\.\d+)$/;
const groupedByComma = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;
const groupedByDot = /^[1-9]\d{0,2}(\.\d{3})+,\d*$/;
const oneComma = /^\d*,\d+$/;
/** `1,500` is fifteen hundred to one reader and one and a half to another. */
const eitherWay = /^[1-9]\d{0,2},\d{3}$/;

/** The figure with a dot and without grouping; null when its comma can be read in two ways or not at all. */
function withDot(figure: string): string | 'ambiguous' | null {
  if (plain.test(figure)) return figure;
  if (eitherWay.test(figure)) return 'ambiguous';
  if (groupedByComma.test(figure)) return figure.replaceAll(',', '');
  if (groupedByDot.test(figure)) return figure.replaceAll('.', '').replace(',', '.');
  return oneComma.test(figure) ? figure.replace(',', '.') : null;
}

export function readAmount(text: string): TypedAmount {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === '') return { kind: 'empty' };
  if (minus.test(trimmed)) {
    const isFigure = readAmount(trimmed.replace(minus, '')).kind === 'amount';
    return { kind: 'unreadable', reason: isFigure ? 'negative' : 'malformed' };
  }
  const { figure = '', suffix = '' } = typed.exec(trimmed)?.groups ?? {};
  const dotted = withDot(figure);
  if (dotted === 'ambiguous') return { kind: 'unreadable', reason: 'ambiguous' };
  const factor = factors[suffix];
  if (dotted === null || factor === undefined) return { kind: 'unreadable', reason: 'malformed' };
  const [whole = '', fraction = ''] = dotted.split('.');
  try {
    const units = parseDecimal(`${whole || '0'}${fraction === '' ? '' : `.${fraction}`}`);
    return { kind: 'amount', size: asSize(units * factor) };
  } catch (cause) {
    if (cause instanceof DecimalError) return { kind: 'unreadable', reason: 'malformed' };
    throw cause;
  }
}

/** The amount `steps` steps away on the pair's grid, within its bounds; an amount off the grid goes to the next one. */
export function stepAmount(
  size: Size,
  steps: bigint,
  { minQty, maxQty, stepSize }: Pick<PairLimits, 'minQty' | 'maxQty' | 'stepSize'>,
): Size {
  return asSize(stepOnGrid(size, steps, { least: minQty, most: maxQty, step: stepSize }));
}
