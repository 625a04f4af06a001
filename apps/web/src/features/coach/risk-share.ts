/** Parses the share of the equity that one trade may risk, by the rules of amounts. */
import { toDecimalString } from '@fulcrum/domain';
import { parseAmount } from '../../shared/decimals/amount.ts';

/** In per cent; null for no limit, NaN for text that is no number. */
export function parseRiskShare(text: string): number | null {
  const typed = parseAmount(text);
  if (typed.kind === 'amount') return Number(toDecimalString(typed.size));
  return typed.kind === 'empty' ? null : Number.NaN;
}
