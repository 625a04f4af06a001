/**
 * The annual base rate of financing (A113): the upper limit of the target range of the US federal funds rate, because positions
 * settle in USDT. Source: Federal Reserve Board, series DFEDTARU of FRED. A row holds from its UTC day on.
 *
 * Known limitation: one rate serves all markets, and the last row holds until the next one is added here.
 */
import { dayMs } from '../time.ts';

/** [days since 1970-01-01, basis points a year], the newest last. */
const rows: readonly (readonly [day: number, points: bigint])[] = [
  [0, 25n],
  [19_068, 50n], // 2022-03-17
  [19_117, 100n], // 2022-05-05
  [19_159, 175n], // 2022-06-16
  [19_201, 250n], // 2022-07-28
  [19_257, 325n], // 2022-09-22
  [19_299, 400n], // 2022-11-03
  [19_341, 450n], // 2022-12-15
  [19_390, 475n], // 2023-02-02
  [19_439, 500n], // 2023-03-23
  [19_481, 525n], // 2023-05-04
  [19_565, 550n], // 2023-07-27
  [19_985, 500n], // 2024-09-19
  [20_035, 475n], // 2024-11-08
  [20_076, 450n], // 2024-12-19
  [20_349, 425n], // 2025-09-18
  [20_391, 400n], // 2025-10-30
  [20_433, 375n], // 2025-12-11
];

/** A basis point in 1e-8. */
const POINT = 10_000n;

/** The rate of a year at an instant (ms since the epoch), as a fraction in 1e-8. */
export function baseRateAt(at: number): bigint {
  const day = Math.floor(at / dayMs);
  const [, points] = rows.findLast(([from]) => from <= day) ?? [0, 0n];
  return points * POINT;
}
