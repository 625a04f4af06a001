/**
 * Parses amounts as users type and paste them: `0.15`, `1.5k`, `1,250.5`, `0,15` where the comma can only be a decimal
 * separator, and figures with their unit, currency or grouping spaces: `0.05000 BTC`, `$100`, `1 000`.
 * Ambiguous input is an error. Invariant: a parsed amount is exact; nothing is rounded here.
 */
import { asSize, DecimalError, type PairLimits, parseDecimal, type Size } from '@fulcrum/domain';
import { stepOnGrid } from './step-on-grid.ts';

export type ParsedAmount =
  | { readonly kind: 'empty' }
  | { readonly kind: 'amount'; readonly size: Size }
  | { readonly kind: 'unreadable'; readonly reason: 'ambiguous' | 'malformed' | 'negative' };

const factors: Readonly<Record<string, bigint>> = { '': 1n, k: 1_000n, m: 1_000_000n };
const amountPattern = /^(?<figure>[\d.,]+)\s*(?<suffix>[km]?)$/;
const minusPattern = /^[-\u2212]/;
const plainPattern = /^(\d+\.?\d*|\.\d+)$/;
const commaGroupedPattern = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;
const dotGroupedPattern = /^[1-9]\d{0,2}(\.\d{3})+,\d*$/;
const decimalCommaPattern = /^\d*,\d+$/;
/** `1,500` means 1500 to some users and 1.5 to others. */
const ambiguousPattern = /^[1-9]\d{0,2},\d{3}$/;

/** What a copied figure has around it. */
const currencyPattern = /^[$€£¥]\s*/;
const unitPattern = /(?<=[\d.,km])\s*(?:[a-z]{2,10}|%)$/;
const groupingSpacePattern = /(?<=\d)[\s\u00a0\u202f](?=\d{3}(?!\d))/g;

/**
 * The figure with a decimal point and without grouping; 'ambiguous' when its comma has two meanings, null when it is invalid.
 */
function normalizeSeparators(figure: string): string | 'ambiguous' | null {
  if (plainPattern.test(figure)) return figure;
  if (ambiguousPattern.test(figure)) return 'ambiguous';
  if (commaGroupedPattern.test(figure)) return figure.replaceAll(',', '');
  if (dotGroupedPattern.test(figure)) return figure.replaceAll('.', '').replace(',', '.');
  return decimalCommaPattern.test(figure) ? figure.replace(',', '.') : null;
}

export function parseAmount(text: string): ParsedAmount {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === '') return { kind: 'empty' };
  if (minusPattern.test(trimmed)) {
    const isFigure = parseAmount(trimmed.replace(minusPattern, '')).kind === 'amount';
    return { kind: 'unreadable', reason: isFigure ? 'negative' : 'malformed' };
  }
  const bare = trimmed
    .replace(currencyPattern, '')
    .replace(unitPattern, '')
    .replaceAll(groupingSpacePattern, '');
  const { figure = '', suffix = '' } = amountPattern.exec(bare)?.groups ?? {};
  const dotted = normalizeSeparators(figure);
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

/** The amount `steps` steps away on the pair's grid, within its bounds; an amount off the grid moves to the next grid value. */
export function stepAmount(
  size: Size,
  steps: bigint,
  { minQty, maxQty, stepSize }: Pick<PairLimits, 'minQty' | 'maxQty' | 'stepSize'>,
): Size {
  return asSize(stepOnGrid(size, steps, { min: minQty, max: maxQty, step: stepSize }));
}
