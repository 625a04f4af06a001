/**
 * The trading result of an account since an instant: the change of its equity without deposits and withdrawals. A
 * deposit is no gain and a withdrawal no loss.
 */
import { asMoney, asPercent, divideRounded, type Money, type Percent, UNIT } from './money.ts';

/** The equity at an instant and the net deposits since, USDT. */
export interface EquityBaseline {
  readonly equity: Money;
  /** Paid in less paid out. */
  readonly netDeposits: Money;
}

/** Equity now − equity then − net deposits since, USDT. */
export const resultSince = (equityNow: Money, { equity, netDeposits }: EquityBaseline): Money =>
  asMoney(equityNow - equity - netDeposits);

/**
 * The result in per cent of the capital: the equity at the instant, plus the net deposits where they are positive.
 * Two decimals, half away from zero; null for a capital of zero.
 */
export function returnSince(equityNow: Money, then: EquityBaseline): Percent | null {
  const base = then.equity + (then.netDeposits > 0n ? then.netDeposits : 0n);
  if (base <= 0n) return null;
  const hundredths = divideRounded(resultSince(equityNow, then) * 10_000n, base, 'half-away-from-zero');
  return asPercent((hundredths * UNIT) / 100n);
}
