/** Amounts as clients send them. */
import { parseDecimal } from '@fulcrum/domain';

/** In units of 1e-8; null for one with more decimals, or too large. */
export function parseAmount(given: string | number): bigint | null {
  try {
    return parseDecimal(typeof given === 'number' ? String(given) : given);
  } catch {
    return null;
  }
}
