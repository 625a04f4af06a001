/**
 * What trading made of an account since an instant: the change of its equity, with what was paid in and out left aside, so
 * that a deposit is no gain and a withdrawal no loss.
 */
import { asMoney, asPercent, divideRounded, type Money, type Percent, UNIT } from './money.ts';

/** Where the account stood, and what became of it from outside since, USDT. */
export interface Standing {
  readonly equity: Money;
  /** Paid in less paid out. */
  readonly netDeposits: Money;
}

/** Equity now − equity then − net deposits since, USDT. */
export const resultSince = (equityNow: Money, { equity, netDeposits }: Standing): Money =>
  asMoney(equityNow - equity - netDeposits);

/**
 * The result in per cent of what there was to trade with, which is the equity then and, where more was paid in than out,
 * that too; two decimals, half away from zero. Null where that is nothing.
 */
export function returnSince(equityNow: Money, then: Standing): Percent | null {
  const base = then.equity + (then.netDeposits > 0n ? then.netDeposits : 0n);
  if (base <= 0n) return null;
  const hundredths = divideRounded(resultSince(equityNow, then) * 10_000n, base, 'half-away-from-zero');
  return asPercent((hundredths * UNIT) / 100n);
}
