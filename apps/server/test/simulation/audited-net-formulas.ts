/** Formulas of net positions (A113, A114) with the auditor's own copies of the published tables: brackets, fees and latencies. */
import {
  minus,
  nearest,
  over,
  plus,
  type Ratio,
  ratio,
  times,
  wholeAbove,
  wholeBelow,
} from './arithmetic.ts';
import type { AuditedPair } from './audited-market.ts';
import type { AuditedSide } from './formulas.ts';
import type { AuditedAccount } from './ledger-book.ts';

export const WHOLE = 100_000_000n;
export const units = (figure: bigint): Ratio => ratio(figure, WHOLE);
export const inUnits = (figure: Ratio): bigint => nearest(times(figure, ratio(WHOLE)));
export const other = (side: AuditedSide): AuditedSide => (side === 'BUY' ? 'SELL' : 'BUY');
export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Up to this value in USDT, greatest leverage, maintenance in 1/10,000, amount taken off. */
type Bracket = readonly [cap: bigint, leverage: number, points: bigint, off: bigint];
const ofCrypto: readonly Bracket[] = [
  [50_000n, 125, 40n, 0n],
  [250_000n, 100, 50n, 50n],
  [1_000_000n, 50, 100n, 1_300n],
  [10_000_000n, 20, 250n, 16_300n],
  [20_000_000n, 10, 500n, 266_300n],
  [50_000_000n, 5, 1_000n, 1_266_300n],
  [100_000_000n, 4, 1_250n, 2_516_300n],
  [200_000_000n, 3, 1_500n, 5_016_300n],
  [500_000_000n, 2, 2_500n, 25_016_300n],
];
const ofForex: readonly Bracket[] = [
  [250_000n, 125, 30n, 0n],
  [1_000_000n, 100, 50n, 500n],
  [5_000_000n, 50, 100n, 5_500n],
  [25_000_000n, 20, 250n, 80_500n],
  [100_000_000n, 10, 500n, 705_500n],
  [500_000_000n, 5, 1_000n, 5_705_500n],
];
const ofStocks: readonly Bracket[] = [
  [50_000n, 50, 100n, 0n],
  [250_000n, 25, 200n, 500n],
  [1_000_000n, 20, 250n, 1_750n],
  [5_000_000n, 10, 500n, 26_750n],
  [20_000_000n, 5, 1_000n, 276_750n],
  [100_000_000n, 2, 2_500n, 3_276_750n],
];
const ofCommodities: readonly Bracket[] = [
  [100_000n, 100, 50n, 0n],
  [500_000n, 50, 100n, 500n],
  [2_000_000n, 20, 250n, 8_000n],
  [10_000_000n, 10, 500n, 58_000n],
  [50_000_000n, 5, 1_000n, 558_000n],
  [200_000_000n, 2, 2_500n, 8_058_000n],
];
const brackets: Readonly<Record<string, readonly Bracket[]>> = {
  ...{ crypto: ofCrypto, forex: ofForex, stock: ofStocks, commodity: ofCommodities, index: ofCommodities },
};
const bracketsOf = ({ type }: Pick<AuditedPair, 'type'>): readonly Bracket[] => brackets[type] ?? [];
function bracketOf(value: bigint, pair: Pick<AuditedPair, 'type'>): Bracket {
  const known = bracketsOf(pair);
  const found = known.find(([cap]) => value <= cap * WHOLE) ?? known.at(-1);
  if (!found) throw new RangeError('no brackets');
  return found;
}
/** The greatest value of a position at this leverage; zero for a leverage that the market does not have. */
export const mostAt = (pair: AuditedPair, leverage: number): bigint =>
  (bracketsOf(pair).findLast(([, times]) => leverage <= times)?.[0] ?? 0n) * WHOLE;

/** Maker and taker in 1e-8, and the latency in ms. */
const profiles = {
  ideal: { maker: 0n, taker: 0n, latency: 0 },
  retail: { maker: 40_000n, taker: 60_000n, latency: 150 },
  pro: { maker: 20_000n, taker: 50_000n, latency: 0 },
  stress: { maker: 20_000n, taker: 50_000n, latency: 500 },
} as const;
export const netFees = profiles.pro;
export function profileOf({ terms: { fillProfile = '' } }: Pick<AuditedAccount, 'terms'>) {
  const known = Object.entries(profiles).find(([name]) => name === fillProfile);
  if (!known) throw new RangeError(`no profile ${fillProfile}`);
  return known[1];
}
export const feeOn = (value: bigint, rate: bigint): bigint => inUnits(times(units(value), units(rate)));
export const marginOn = (value: bigint, leverage: number): bigint =>
  wholeBelow(ratio(value, BigInt(leverage)));
export const entryOf = (value: bigint, size: bigint): bigint => inUnits(over(units(value), units(size)));

/** Margin + result = maintenance: BUY M + (qP - V) = r q P - c, SELL M + (V - qP) = r q P - c; to the tick towards the entry. */
export function netLiquidation(
  { side, size, value, margin }: { side: AuditedSide; size: bigint; value: bigint; margin: bigint },
  pair: Pick<AuditedPair, 'type' | 'tickSize'>,
): bigint {
  const [, , points, off] = bracketOf(value, pair);
  const tick = pair.tickSize;
  const rate = ratio(points, 10_000n);
  const [v, m, c, q] = [units(value), units(margin), ratio(off), units(size)];
  const entry = entryOf(value, size);
  if (side === 'BUY') {
    const exact = over(minus(minus(v, m), c), times(q, minus(ratio(1n), rate)));
    let ticks = wholeAbove(over(times(exact, ratio(WHOLE)), ratio(tick)));
    while (ticks * tick >= entry) ticks -= 1n;
    return (ticks < 1n ? 1n : ticks) * tick;
  }
  const exact = over(plus(plus(v, m), c), times(q, plus(ratio(1n), rate)));
  let ticks = wholeBelow(over(times(exact, ratio(WHOLE)), ratio(tick)));
  while (ticks * tick <= entry) ticks += 1n;
  // No trigger waits for more.
  return smaller(ticks, (2n ** 53n - 1n) / tick) * tick;
}
