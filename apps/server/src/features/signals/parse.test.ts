import { expect, test } from 'vitest';
import { parseSignal } from './parse.ts';

const parse = (fields: Record<string, unknown>) => parseSignal(JSON.stringify(fields));
const unit = 100_000_000n;

test('A119: an alert of a TradingView strategy, with texts for numbers', () => {
  expect(
    parse({
      ticker: 'BINANCE:BTCUSDT',
      action: 'sell',
      contracts: '0.25',
      market_position: 'short',
      market_position_size: '0.1',
      price: '50000.5',
      comment: 'ignored',
    }),
  ).toMatchObject({
    ...{ ticker: 'BINANCE:BTCUSDT', action: 'sell', stance: 'short', quantity: unit / 4n },
    ...{ stanceSize: unit / 10n, limitPrice: null, leverage: null, isValue: false },
  });
});

test('A119: the common shape, with a limit price, protection, leverage and an amount of money', () => {
  expect(
    parse({
      ticker: 'ETHUSDT',
      action: 'BUY',
      orderType: 'limit',
      limitPrice: 2000,
      quantity: 500,
      quantityType: 'dollar_amount',
      takeProfit: { limitPrice: '2100' },
      stopLoss: { type: 'stop', stopPrice: 1900 },
      leverage: '5x',
    }),
  ).toMatchObject({
    ...{ action: 'buy', quantity: 500n * unit, isValue: true, limitPrice: 2000n * unit },
    ...{ takeProfitPrice: 2100n * unit, stopLossPrice: 1900n * unit, leverage: 5 },
  });
  expect(parse({ ticker: 'ETHUSDT', action: 'buy', quantity: 1, stopLoss: '1900' })).toMatchObject({
    stopLossPrice: 1900n * unit,
  });
});

test('A119: the shape of 3Commas', () => {
  expect(
    parse({
      secret: 'x',
      tv_exchange: 'BINANCE',
      tv_instrument: 'BTCUSDT.P',
      action: 'buy',
      order: { amount: '0.01', currency_type: 'base' },
      strategy_info: { market_position: 'long', market_position_size: '0.01' },
    }),
  ).toMatchObject({ ticker: 'BTCUSDT.P', stance: 'long', quantity: unit / 100n, stanceSize: unit / 100n });
});

test.each([
  ['exit', { action: 'exit', exits: null }],
  ['close', { action: 'exit', exits: null }],
  ['exit long', { action: 'exit', exits: 'BUY' }],
  ['close_short', { action: 'exit', exits: 'SELL' }],
  ['cancel', { action: 'cancel', exits: null }],
])('action %s', (action, expected) => {
  expect(parse({ ticker: 'BTCUSDT', action })).toMatchObject(expected);
});

test('the market position alone is an action too', () => {
  expect(parse({ ticker: 'BTCUSDT', sentiment: 'flat' })).toMatchObject({ action: 'exit' });
  expect(parse({ ticker: 'BTCUSDT', sentiment: 'bearish', quantity: 1 })).toMatchObject({ action: 'sell' });
});

test('more than eight decimals and exponents are numbers, as strategies print them', () => {
  const quantityOf = (quantity: unknown) => parse({ ticker: 'BTCUSDT', action: 'buy', quantity }).quantity;
  expect(quantityOf('0.123456789')).toBe(12_345_679n);
  expect(quantityOf('1e-05')).toBe(1_000n);
  expect(quantityOf(0.1 + 0.2)).toBe(30_000_000n);
});

const trade = { ticker: 'BTCUSDT', action: 'buy', quantity: 1 };
test.each([
  ['no JSON', 'buy BTCUSDT', 'not JSON'],
  ['a list', '[]', 'not a JSON object'],
  ['no ticker', { action: 'buy' }, '"ticker" is missing'],
  ['no action', { ticker: 'BTCUSDT' }, '"action" is missing'],
  ['an unknown action', { ...trade, action: 'add' }, 'buy, sell, exit'],
  ['a name of every object', { ...trade, action: 'constructor' }, 'buy, sell, exit'],
  ['no quantity', { ticker: 'BTCUSDT', action: 'buy' }, '"quantity" is missing'],
  ['a quantity of 0', { ...trade, quantity: '0' }, 'above 0'],
  ['a negative quantity', { ...trade, quantity: -1 }, 'above 0'],
  ['a quantity that is no number', { ...trade, quantity: 'all' }, 'must be a number'],
  ['a quantity that is infinite', { ...trade, quantity: '1e999' }, 'must be a number'],
  ['a placeholder', { ...trade, action: '{{strategy.order.action}}' }, 'not replaced'],
  ['a placeholder for a number', { ...trade, quantity: '{{strategy.order.contracts}}' }, 'not replaced'],
  ['a share of the equity', { ...trade, quantityType: 'percent_of_equity' }, 'quantity type'],
  ['another order type', { ...trade, orderType: 'stop' }, 'market or limit'],
  ['a limit order without a price', { ...trade, orderType: 'limit' }, '"limitPrice"'],
  ['a stop loss in per cent', { ...trade, stopLoss: { percent: 5 } }, '"stopLoss"'],
  ['a stop loss that trails', { ...trade, stopLoss: { type: 'trailing_stop', stopPrice: 1 } }, '"stopLoss"'],
  ['another market position', { ...trade, sentiment: 'up' }, 'long, short or flat'],
  ['a name of every object for it', { ...trade, market_position: 'constructor' }, 'long, short or flat'],
  ['half a leverage', { ...trade, leverage: 1.5 }, '"leverage"'],
])('%s is refused with what to change', (_name, body, text) => {
  expect(() => parseSignal(typeof body === 'string' ? body : JSON.stringify(body))).toThrow(text);
});
