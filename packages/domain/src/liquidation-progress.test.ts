import { expect, test } from 'vitest';
import { liquidationProgress } from './liquidation-progress.ts';
import { asPrice, parseDecimal, toNumber } from './money.ts';

const way = (entry: string, liquidation: string, mark: string) =>
  toNumber(
    liquidationProgress({
      entryPrice: asPrice(parseDecimal(entry)),
      liquidationPrice: asPrice(parseDecimal(liquidation)),
      markPrice: asPrice(parseDecimal(mark)),
    }),
  );

test.each([
  ['a long in profit', '100', '80', '130', 0],
  ['a long at its entry', '100', '80', '100', 0],
  ['a long that falls', '100', '80', '95', 25],
  ['a long at its liquidation', '100', '80', '80', 100],
  ['a long that gapped beyond', '100', '80', '40', 100],
  ['a short in profit', '100', '120', '90', 0],
  ['a short that rises', '100', '120', '116', 80],
  ['a third, never rounded up', '3', '6', '4', 33.33333333],
  ['a position that has no way to go', '100', '100', '100', 100],
])('%s', (_case, entry, liquidation, mark, expected) => {
  expect(way(entry, liquidation, mark)).toBe(expected);
});
