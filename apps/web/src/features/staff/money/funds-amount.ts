/** The amount of a change of funds, as typed. */
import { asMoney, type Money, parseDecimal, toDecimalString } from '@fulcrum/domain';
import { parseAmount } from '../../../shared/decimals/amount.ts';

/** The step of the arrow keys and the maximum that the server accepts. */
export const fundsGrid = { min: 0n, max: parseDecimal(1_000_000_000), step: parseDecimal('0.01') };

interface ParsedFunds {
  /** Null while the text is no valid amount. */
  readonly amount: Money | null;
  readonly error: string | null;
}

const notPositiveText = 'Amount must be a positive number with at most 8 decimals.';

/** Zero is no change, but a balance to set. */
export function parseFunds(text: string, zero: 'refused' | 'allowed' = 'refused'): ParsedFunds {
  const typed = parseAmount(text);
  if (typed.kind === 'empty') return { amount: null, error: null };
  if (typed.kind === 'unreadable') {
    const parseError =
      typed.reason === 'ambiguous'
        ? 'This amount can be read in two ways. Please leave out the comma.'
        : notPositiveText;
    return { amount: null, error: parseError };
  }
  if (typed.size === 0n && zero === 'refused') return { amount: null, error: notPositiveText };
  return { amount: asMoney(typed.size), error: null };
}

/** The text after a number of steps with the arrow keys. */
export function stepFunds(amount: Money | null, steps: bigint): string {
  const next = (amount ?? 0n) + steps * fundsGrid.step;
  return next <= 0n ? '0' : toDecimalString(next > fundsGrid.max ? fundsGrid.max : next);
}
