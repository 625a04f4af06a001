import type { WireAlgoOrder, WireOrder } from '@fulcrum/contract/exchange';
import { describe, expect, test } from 'vitest';
import { type AccountState, accountEvent, OrderTracker, type ReportedTrade } from './user-events.ts';

const order = (more: Partial<WireOrder>): WireOrder =>
  ({
    ...{
      orderId: 1000,
      clientOrderId: 'mine',
      symbol: 'BTCUSDT',
      side: 'BUY',
      type: 'LIMIT',
      origType: 'LIMIT',
    },
    ...{ status: 'NEW', timeInForce: 'GTC', price: '100', avgPrice: '0', origQty: '3', executedQty: '0' },
    ...{
      cumQty: '0',
      cumQuote: '0',
      stopPrice: '0',
      reduceOnly: false,
      closePosition: false,
      positionSide: 'BOTH',
    },
    ...{
      workingType: 'CONTRACT_PRICE',
      priceProtect: false,
      priceMatch: 'NONE',
      selfTradePreventionMode: 'NONE',
    },
    ...{ goodTillDate: 0, time: 1, updateTime: 2, ...more },
  }) as WireOrder;
const trade = (id: number, qty: string, quoteQty: string): ReportedTrade =>
  ({
    ...{ id, qty, quoteQty, price: '100', commission: '0.1', realizedPnl: '0', maker: true, time: 5 },
    ...{ isLiquidation: false, orderId: 1000 },
  }) as ReportedTrade;

const steps = (events: readonly object[]) =>
  events.map((event) => {
    const { o } = event as { o: { x?: string; X: string; z?: string; l?: string } };
    return [o.x, o.X, o.l, o.z];
  });

describe('an order', () => {
  test('of which several steps were committed between two reads is reported step by step', () => {
    const tracker = new OrderTracker();
    const filled = order({ status: 'FILLED', executedQty: '3', cumQuote: '300' });
    expect(steps(tracker.order(filled, [trade(1, '1', '100'), trade(2, '2', '200')], 9))).toEqual([
      ['NEW', 'NEW', '0', '0'],
      ['TRADE', 'PARTIALLY_FILLED', '1', '1'],
      ['TRADE', 'FILLED', '2', '3'],
    ]);
  });

  test('that was there before is not new, and its earlier fills count', () => {
    const tracker = new OrderTracker();
    tracker.begin([order({ status: 'PARTIALLY_FILLED', executedQty: '1', cumQuote: '100' })], []);
    const [event] = tracker.order(
      order({ status: 'FILLED', executedQty: '3', cumQuote: '310' }),
      [trade(2, '2', '210')],
      9,
    );
    expect(event).toMatchObject({
      e: 'ORDER_TRADE_UPDATE',
      o: { x: 'TRADE', X: 'FILLED', z: '3', ap: '103.33333333', t: 2, ps: 'BOTH', i: 1000, c: 'mine' },
    });
  });

  test('that ended before it was first read has its steps once, however often its row is read', () => {
    const tracker = new OrderTracker();
    const canceled = order({ status: 'CANCELED' });
    expect(steps(tracker.order(canceled, [], 1)).map(([execution]) => execution)).toEqual([
      ...['NEW', 'CANCELED'],
    ]);
    expect(tracker.order(canceled, [], 2)).toEqual([]);
  });

  test('that is amended, filled in part and canceled is reported so, and never again', () => {
    const tracker = new OrderTracker();
    tracker.order(order({}), [], 1);
    const amended = order({ price: '99' });
    expect(steps(tracker.order(amended, [], 2))).toEqual([['AMENDMENT', 'NEW', '0', '0']]);
    const canceled = order({ price: '99', status: 'CANCELED', executedQty: '1', cumQuote: '99' });
    expect(steps(tracker.order(canceled, [trade(3, '1', '99')], 3))).toEqual([
      ['TRADE', 'PARTIALLY_FILLED', '1', '1'],
      ['CANCELED', 'CANCELED', '0', '1'],
    ]);
  });
});

describe('a conditional order', () => {
  const algo = (more: Partial<WireAlgoOrder>): WireAlgoOrder =>
    ({
      ...{ algoId: 8, clientAlgoId: 'stop', algoStatus: 'NEW', actualOrderId: '', price: '0', quantity: '1' },
      ...{ triggerPrice: '90', symbol: 'BTCUSDT', ...more },
    }) as WireAlgoOrder;
  const states = (reported: { before: object[]; after: object[] }) =>
    [...reported.before, ...reported.after].map((event) => (event as { o: { X: string } }).o.X);

  test('goes from new over triggered to finished', () => {
    const tracker = new OrderTracker();
    expect(states(tracker.algo(algo({}), 1))).toEqual(['NEW']);
    expect(states(tracker.algo(algo({}), 2))).toEqual([]);
    expect(states(tracker.algo(algo({ triggerPrice: '91' }), 3))).toEqual(['NEW']);
    const finished = algo({ algoStatus: 'FINISHED', actualOrderId: '9', triggerPrice: '91' });
    expect(states(tracker.algo(finished, 4))).toEqual(['TRIGGERED', 'FINISHED']);
  });

  test('that ended before it was first read has its steps once', () => {
    const tracker = new OrderTracker();
    const canceled = algo({ algoStatus: 'CANCELED' });
    expect(states(tracker.algo(canceled, 1))).toEqual(['NEW', 'CANCELED']);
    expect(states(tracker.algo(canceled, 2))).toEqual([]);
  });

  test('that was refused when it was triggered gives the reason', () => {
    const tracker = new OrderTracker();
    tracker.begin([], [algo({})]);
    const reported = tracker.algo(algo({ algoStatus: 'REJECTED', reason: 'no money' }), 1);
    expect(reported.after).toEqual([
      expect.objectContaining({ o: expect.objectContaining({ X: 'REJECTED', rm: 'no money' }) }),
    ]);
    expect(reported.before).toEqual([]);
  });
});

describe('an account', () => {
  const state = (walletBalance: string, amount?: string, isolatedWallet = '10'): AccountState => ({
    walletBalance,
    crossWalletBalance: walletBalance,
    positions: new Map(
      amount === undefined
        ? []
        : [
            [
              'BTCUSDT',
              {
                ...{ symbol: 'BTCUSDT', positionAmt: amount, entryPrice: '100', breakEvenPrice: '100' },
                ...{ unRealizedProfit: '1', isolatedWallet },
              },
            ],
          ],
    ),
  });
  test.each([
    ['a trade', state('100'), state('99.9', '2'), true, { m: 'ORDER', bc: '0', pa: ['2'] }],
    ['the end of a position', state('100', '2'), state('105'), true, { m: 'ORDER', bc: '0', pa: ['0'] }],
    ['funding', state('100', '2'), state('99', '2', '9'), false, { m: 'FUNDING_FEE', bc: '0', pa: ['2'] }],
    [
      'moved margin',
      state('100', '2'),
      state('100', '2', '12'),
      false,
      { m: 'MARGIN_TRANSFER', bc: '0', pa: ['2'] },
    ],
    ['a payment', state('100'), state('150.5'), false, { m: 'DEPOSIT', bc: '50.5', pa: [] }],
    ['a withdrawal', state('100'), state('60'), false, { m: 'WITHDRAW', bc: '-40', pa: [] }],
  ])('%s', (_what, before, after, hasTraded, { m, bc, pa }) => {
    const event = accountEvent(before, after, { hasTraded, now: 7 });
    expect(event).toMatchObject({ a: { m, B: [{ a: 'USDT', wb: after.walletBalance, bc }] } });
    expect((event as { a: { P: { pa: string }[] } }).a.P.map((row) => row.pa)).toEqual(pa);
  });
  test('that differs in nothing but its unrealized result has no event', () => {
    expect(accountEvent(state('100', '2'), state('100', '2'), { hasTraded: false, now: 7 })).toBeNull();
  });
});
