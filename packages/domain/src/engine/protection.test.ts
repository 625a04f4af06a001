import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asMoney, asPrice, asSize, type Price, parseDecimal, toDecimalString } from '../money.ts';
import { isLiquidated, ruleSetNames, rulesOf } from '../rules.ts';
import type { Side } from '../states.ts';
import type { Position } from './account.ts';
import { checkProtection, fires, marginWarningPrice, type Protection, triggersOf } from './protection.ts';

const price = (text: string) => asPrice(parseDecimal(text));
const pair = { tickSize: price('0.01'), minPrice: price('0.01'), maxPrice: price('1000000') };
const protection = (takeProfit: string | null, stopLoss: string | null): Protection => ({
  takeProfitPrice: takeProfit === null ? null : price(takeProfit),
  stopLossPrice: stopLoss === null ? null : price(stopLoss),
});
const long = { side: 'BUY', reference: price('100'), liquidationPrice: price('90.5') } as const;
const short = { side: 'SELL', reference: price('100'), liquidationPrice: price('109.5') } as const;

describe('A21: take profit and stop loss are checked against side and price', () => {
  test.each([
    [long, '100.01', '99.99', null],
    [long, null, null, null],
    [long, '100', null, 'take_profit_side'],
    [long, '99', null, 'take_profit_side'],
    [long, null, '100', 'stop_loss_side'],
    [long, null, '101', 'stop_loss_side'],
    [long, null, '90.5', 'stop_loss_beyond_liquidation'],
    [long, null, '90.51', null],
    [long, '100.001', null, 'off_tick'],
    [long, null, '0', 'out_of_range'],
    [long, '1000000.01', null, 'out_of_range'],
    [short, '99.99', '100.01', null],
    [short, '100', null, 'take_profit_side'],
    [short, null, '100', 'stop_loss_side'],
    [short, null, '109.5', 'stop_loss_beyond_liquidation'],
    [short, null, '109.49', null],
  ] as const)('%o with take profit %s and stop loss %s: %s', (terms, takeProfit, stopLoss, code) => {
    expect(checkProtection(terms, protection(takeProfit, stopLoss), pair)?.code ?? null).toBe(code);
  });
});

function positionAt(side: Side, entryPrice: Price, leverage: number, more: Partial<Position> = {}): Position {
  const rules = more.rules ?? 'standard';
  return {
    id: 'position',
    userId: 'trader',
    symbol: 'BTCUSDT',
    side,
    entryPrice,
    size: asSize(parseDecimal('1')),
    leverage,
    margin: asMoney(entryPrice / BigInt(leverage)),
    liquidationPrice: rulesOf(rules).liquidationPrice({
      side,
      entryPrice,
      leverage,
      tickSize: pair.tickSize,
    }),
    takeProfitPrice: null,
    stopLossPrice: null,
    rules,
    createdAt: 0,
    updatedAt: 0,
    closing: null,
    version: 1,
    accountVersion: 1,
    ...more,
  };
}

describe('A104: the margin warning', () => {
  test('lies at 80 % of the way to the liquidation price', () => {
    const at = (position: Position) => toDecimalString(marginWarningPrice(position));
    expect(at(positionAt('BUY', price('100'), 10))).toBe('92.4');
    expect(at(positionAt('SELL', price('100'), 10))).toBe('107.6');
  });

  test('comes before the liquidation and after the entry, whatever the position', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Side>('BUY', 'SELL'),
        fc.bigInt({ min: 100n, max: 10n ** 8n }),
        fc.integer({ min: 1, max: 125 }),
        fc.constantFrom(...ruleSetNames),
        (side, cents, leverage, rules) => {
          const position = positionAt(side, asPrice(cents * 1_000_000n), leverage, { rules });
          const warning = marginWarningPrice(position);
          const { entryPrice, liquidationPrice } = position;
          if (side === 'BUY') expect(liquidationPrice <= warning && warning <= entryPrice).toBe(true);
          else expect(entryPrice <= warning && warning <= liquidationPrice).toBe(true);
        },
      ),
    );
  });
});

describe('A05, A21: what an open position waits for', () => {
  test('liquidation first, then stop loss, take profit and the warning', () => {
    const position = positionAt('BUY', price('100'), 10, {
      stopLossPrice: price('95'),
      takeProfitPrice: price('120'),
    });
    expect(triggersOf(position)).toEqual([
      { kind: 'liquidation', price: price('90.5'), when: 'falls' },
      { kind: 'stop_loss', price: price('95'), when: 'falls' },
      { kind: 'take_profit', price: price('120'), when: 'rises' },
      { kind: 'margin_warning', price: price('92.4'), when: 'falls' },
    ]);
  });

  test('a closed position waits for nothing', () => {
    const closing = {
      price: price('100'),
      priceSource: 'live',
      reason: 'manual',
      realizedPnl: asMoney(0n),
      at: 1,
    } as const;
    expect(triggersOf(positionAt('BUY', price('100'), 10, { closing }))).toEqual([]);
  });

  test('the liquidation trigger fires exactly when the rules say that the position is liquidated', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Side>('BUY', 'SELL'),
        fc.integer({ min: 1, max: 125 }),
        fc.bigInt({ min: 1n, max: 30_000n }),
        (side, leverage, cents) => {
          const position = positionAt(side, price('100'), leverage);
          const mark = asPrice(cents * 1_000_000n);
          const [liquidation] = triggersOf(position);
          expect(liquidation && fires(liquidation, mark)).toBe(
            isLiquidated(side, position.liquidationPrice, mark),
          );
        },
      ),
    );
  });
});
