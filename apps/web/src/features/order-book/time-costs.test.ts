import type { MarketType } from '@fulcrum/domain';
import { expect, test } from 'vitest';
import { heldCostText, timeCostTexts, timeLeftText } from './time-costs.ts';

const at = (iso: string): number => Date.parse(iso);
const timeCostText = (market: MarketType, now: number): string =>
  timeCostTexts(market, now).join(timeLeftText(market, now));

test('A113: the screen names the next funding, its rate, and that the premium is modelled as 0', () => {
  expect(timeCostText('crypto', at('2026-11-28T05:47:00Z'))).toBe(
    'Funding 0.0100 % in 2 h 13 min, modelled premium 0: a buy pays it, a sell receives it.',
  );
});

test('A113: the other markets show the financing rates of either side', () => {
  expect(timeCostText('forex', at('2026-11-28T20:30:00Z'))).toBe(
    'Financing in 30 min: a buy pays 6.25 % a year, a sell receives 1.25 %. Each day at 21:00 UTC, weekends too.',
  );
  // The base was 0.25 %.
  expect(timeCostText('stock', at('2021-06-01T20:00:00Z'))).toContain('a sell pays 2.25 %');
});

test('A113: a position shows its funding so far, and what follows at its mark', () => {
  const now = at('2026-11-28T05:47:00Z');
  const held = { side: 'BUY', size: 0.5, funding: -6.4 } as const;
  expect(heldCostText(held, 'crypto', 64_000, now)).toBe('Funding so far −6.40 USDT, next about −3.20.');
  const short = { side: 'SELL', size: 36_000, funding: 0 } as const;
  expect(heldCostText(short, 'forex', 1, now)).toBe('Financing so far 0.00 USDT, next about +1.25.');
});
