import { expect, test } from 'vitest';
import { toClosedRoe } from '../../../shared/account/index.ts';
import type { Position } from '../../../shared/supabase/index.ts';
import type { LastPrice, PriceStream } from '../../market/index.ts';
import {
  createEquitySource,
  createTotalPnlSource,
  followBalanceAfter,
  isNearLiquidation,
  openFigures,
} from './figures.ts';

const position = (over: Partial<Position>): Position =>
  ({
    id: 'p',
    symbol: 'BTCUSDT',
    side: 'BUY',
    entryPrice: 96_840,
    size: 0.4,
    leverage: 50,
    margin: 774.72,
    liquidationPrice: 95_000.04,
    markPrice: null,
    realizedPnl: null,
    rules: 'standard',
    feeRate: 0,
    status: 'open',
    ...over,
  }) as Position;
const bitcoin = position({});
const ether = position({
  symbol: 'ETHUSDT',
  side: 'SELL',
  entryPrice: 3_642.18,
  size: 3.5,
  leverage: 10,
  margin: 1_274.763,
});
const nvidia = position({ symbol: 'NVDA', entryPrice: 182.64, size: 40, leverage: 5, margin: 1_461.12 });

test('TRADE-49: PnL and ROE of the reference account', () => {
  expect(openFigures(bitcoin).pnl(97_482.6)).toBe(257.04);
  expect(openFigures(bitcoin).roe(97_482.6)).toBe(33.18);
  expect(openFigures(ether).pnl(3_611.4)).toBe(107.73);
  expect(openFigures(nvidia).roe(179.92)).toBe(-7.45);
});

test('a close books at most the loss of the margin', () => {
  expect(openFigures(bitcoin).booked(97_482.6)).toBe(257.04);
  expect(openFigures(bitcoin).booked(90_000)).toBe(-774.72);
});

test('the total follows every price and is unknown while one is missing', () => {
  const prices: Record<string, number> = { BTCUSDT: 97_482.6, ETHUSDT: 3_611.4 };
  const stream = {
    latest: (symbol: string) => (prices[symbol] ? ({ price: prices[symbol] } as LastPrice) : undefined),
  } as PriceStream;
  const total = createTotalPnlSource(stream, [bitcoin, ether, nvidia]);
  expect(total.get()).toBeNull();
  prices.NVDA = 179.92;
  expect(total.get()).toBeCloseTo(255.97, 8);
  expect(createTotalPnlSource(stream, []).get()).toBe(0);
});

test('the balance after the close includes the fees, and is unknown while the balance is', () => {
  const stream = { latest: () => ({ price: 97_482.6 }) as LastPrice } as unknown as PriceStream;
  expect(followBalanceAfter(stream, [bitcoin], 1_000).get()).toBe(1_257.04);
  // 0.1 % of 0.4 × 97,482.60.
  const charged = position({ feeRate: 0.001 });
  expect(followBalanceAfter(stream, [charged], 1_000).get()).toBe(1_218.04696);
  expect(followBalanceAfter(stream, [bitcoin], null).get()).toBeNull();
});

test('A108: equity is the balance and the result of closing at the marks, no loss beyond the margin', () => {
  const at = (price: number) => ({ latest: () => ({ price }) as LastPrice }) as unknown as PriceStream;
  const equity = (price: number, held: readonly Position[]) =>
    createEquitySource(at(price), held, 1_000).get();
  expect(equity(97_482.6, [bitcoin])).toBe(1_257.04);
  expect(equity(90_000, [bitcoin])).toBe(225.28);
  expect(equity(96_841, [position({ rules: 'as-specified' })])).toBe(1_020);
  expect(equity(1, [])).toBe(1_000);
});

test('ROE of a closed position comes from its booked result', () => {
  expect(toClosedRoe(position({ realizedPnl: 257.04, status: 'closed' }))).toBe(33.18);
  expect(toClosedRoe(bitcoin)).toBeNull();
});

test('the liquidation price warns within 5 % of the mark', () => {
  expect(isNearLiquidation(97_482.6, 95_000.04)).toBe(true);
  expect(isNearLiquidation(3_611.4, 3_988.19)).toBe(false);
  expect(isNearLiquidation(null, 1)).toBe(false);
});
