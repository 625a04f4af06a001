/** Conditional orders, orders of a position and orders that end at an instant: A113. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amend,
  Book,
  cancel,
  close,
  contextAt,
  money,
  netContextAt,
  open,
  place,
  price,
  size,
} from '../../test/engine.ts';
import { asPercent, asPrice, parseDecimal } from '../money.ts';
import { dayMs } from '../time.ts';
import type { PlaceCommand } from './commands.ts';
import { conditionOf, followTriggerOf, trailLevel } from './conditions.ts';
import { fires, orderTriggerOf } from './protection.ts';
import type { Order } from './types.ts';

const percent = (text: string) => asPercent(parseDecimal(text));
const conditional = (type: string, side: string, amount: string, more: Partial<PlaceCommand> = {}) =>
  place({ type, side, size: size(amount), price: null, leverage: 20, ...more });
const buy = (amount: string) => open({ side: 'BUY', size: size(amount), leverage: 20 });
/** The tick that reached the order, in a market that is there. */
const reach = (book: Book, order: Pick<Order, 'id'>, at: string, more = {}) =>
  book.acceptOrder({ kind: 'fill', orderId: order.id, price: price(at) }, netContextAt(at, more));
const refusal = (book: Book, command: PlaceCommand, at = '100') =>
  book.refusal(command, netContextAt(at))?.code ?? null;

describe('A113: what waits for its trigger', () => {
  test.each([
    ['STOP_MARKET', 'BUY', '110', 'rises'],
    ['STOP_MARKET', 'SELL', '90', 'falls'],
    ['TAKE_PROFIT_MARKET', 'BUY', '90', 'falls'],
    ['TAKE_PROFIT_MARKET', 'SELL', '110', 'rises'],
  ] as const)('%s %s at %s waits until the market %s to it, and reserves nothing', (type, side, at, when) => {
    const book = new Book('1000');
    const order = book.acceptOrder(
      conditional(type, side, '2', { triggerPrice: price(at) }),
      netContextAt('100'),
    );
    expect(order).toMatchObject({ status: 'NEW', reserved: 0n, triggeredAt: null, price: null });
    expect(orderTriggerOf(order)).toEqual({ kind: 'stop', price: price(at), when });
    expect(book.wallet.available).toBe(money('1000'));
    const filled = reach(book, order, at, { now: 77_000 });
    expect(filled).toMatchObject({ status: 'FILLED', filledSize: size('2'), triggeredAt: 77_000 });
    expect(book.executions).toHaveLength(1);
    expect(book.executions[0]).toMatchObject({ orderId: order.id, mid: price(at), liquidity: 'taker' });
  });

  test('a limit order that is triggered takes what is within its limit, and waits with the rest', () => {
    const book = new Book('1000');
    const stop = conditional('STOP', 'BUY', '5', { triggerPrice: price('110'), price: price('110.02') });
    const order = book.acceptOrder(stop, netContextAt('100'));
    const after = reach(book, order, '110');
    expect(after).toMatchObject({ status: 'PARTIALLY_FILLED', filledSize: size('3') });
    expect(after.reserved).toBeGreaterThan(0n);
    expect(orderTriggerOf(after)).toMatchObject({ kind: 'limit', when: 'falls' });
    // A second tick does not trigger it again: it is a limit order now.
    const again = { kind: 'fill', orderId: order.id, price: price('111') } as const;
    expect(book.refusal(again, netContextAt('111'))?.code).toBe('not_crossed');
  });

  test('it is paid when it is triggered, with the leverage of then; what cannot be paid is rejected with the reason', () => {
    const book = new Book('1000');
    const stop = conditional('STOP_MARKET', 'BUY', '1', { triggerPrice: price('110') });
    const first = book.acceptOrder(stop, netContextAt('100'));
    const large = book.acceptOrder({ ...stop, size: size('900') }, netContextAt('100'));
    book.accept({ kind: 'set_leverage', symbol: first.symbol, leverage: 5 }, netContextAt('100'));
    expect(reach(book, first, '110')).toMatchObject({ status: 'FILLED', leverage: 5 });
    const [position] = book.openPositions();
    expect(position).toMatchObject({ leverage: 5, margin: money('22.002') });
    const fok = book.acceptOrder(
      { ...stop, size: size('900'), leverage: 5, timeInForce: 'FOK' },
      netContextAt('100'),
    );
    expect(reach(book, fok, '110')).toMatchObject({
      status: 'REJECTED',
      rejection: { code: 'order_not_fillable' },
    });
    book.accept({ kind: 'adjust', amount: money('-970'), reason: 'a correction' }, netContextAt('110'));
    expect(reach(book, large, '110')).toMatchObject({
      status: 'REJECTED',
      rejection: { code: 'insufficient_balance' },
    });
  });

  test('a market that does not trade triggers nothing: the order waits on', () => {
    const book = new Book('1000');
    const stop = conditional('STOP_MARKET', 'BUY', '1', { triggerPrice: price('110') });
    const order = book.acceptOrder(stop, netContextAt('100'));
    const fill = { kind: 'fill', orderId: order.id, price: price('110') } as const;
    for (const quote of [{ stale: true }, { marketOpen: false }, { stale: true, held: true }]) {
      const context = netContextAt({ price: price('110'), ...quote });
      expect(book.refusal(fill, context)?.code).toBe('not_crossed');
    }
    expect(book.refusal({ ...fill, price: price('109.99') }, netContextAt('110'))?.code).toBe('not_crossed');
    expect(reach(book, order, '110').status).toBe('FILLED');
  });

  test('bad input is refused in words, and nothing is placed', () => {
    const book = new Book('1000');
    const stop = (more: Partial<PlaceCommand>) => conditional('STOP_MARKET', 'BUY', '1', more);
    const at = { triggerPrice: price('110') };
    expect(refusal(book, stop({}))).toBe('trigger_price_invalid');
    expect(refusal(book, stop({ triggerPrice: price('110.005') }))).toBe('trigger_price_invalid');
    expect(refusal(book, stop({ triggerPrice: price('90') }))).toBe('trigger_reached');
    expect(refusal(book, stop({ ...at, price: price('110') }))).toBe('condition_not_expected');
    expect(refusal(book, stop({ ...at, trailRate: percent('1') }))).toBe('condition_not_expected');
    expect(refusal(book, stop({ ...at, timeInForce: 'GTX' }))).toBe('time_in_force_invalid');
    expect(refusal(book, stop({ ...at, reduceOnly: true }))).toBe('nothing_to_reduce');
    expect(refusal(book, stop({ ...at, closePosition: true }))).toBe('condition_not_expected');
    expect(refusal(book, { ...stop(at), type: 'STOP' })).toBe('order_price_invalid');
    expect(refusal(book, { ...stop(at), type: 'STOP_LOSS' })).toBe('order_type_invalid');
    expect(refusal(book, place({ leverage: 20, ...at }))).toBe('condition_not_expected');
    for (const rate of ['0.05', '0.15', '20.1']) {
      const trailing = conditional('TRAILING_STOP_MARKET', 'SELL', '1', { trailRate: percent(rate) });
      expect(refusal(book, trailing)).toBe('trail_rate_invalid');
    }
    expect(book.openOrders()).toEqual([]);
  });

  test('other rule sets have none of it', () => {
    const book = new Book('1000');
    const terms: Partial<PlaceCommand>[] = [
      { triggerPrice: price('90') },
      { trailRate: percent('1') },
      { closePosition: true },
      { expiresAt: 9e12 },
      { timeInForce: 'GTD' },
      { reduceOnly: true },
    ];
    for (const more of terms) expect(book.refusal(place(more))?.code).toBe('not_perpetual');
    expect(book.refusal(place({ type: 'STOP_MARKET' }))?.code).toBe('order_type_invalid');
  });

  test('trigger price, limit and size can be amended while it waits, against the market of then', () => {
    const book = new Book('1000');
    const stop = conditional('STOP', 'BUY', '1', { triggerPrice: price('110'), price: price('111') });
    const order = book.acceptOrder(stop, netContextAt('100'));
    const reached = { ...amend(order.id, '112'), triggerPrice: price('99') };
    expect(book.refusal(reached, netContextAt('100'))?.code).toBe('trigger_reached');
    const moved = { ...amend(order.id, '108'), triggerPrice: price('107'), size: size('3') };
    expect(book.acceptOrder(moved, netContextAt('100'))).toMatchObject({
      ...{ triggerPrice: price('107'), price: price('108'), size: size('3'), version: 2 },
    });
    const market = book.acceptOrder(
      conditional('STOP_MARKET', 'BUY', '1', { triggerPrice: price('110') }),
      netContextAt('100'),
    );
    expect(book.acceptOrder(amend(market.id, '105'), netContextAt('100'))).toMatchObject({
      ...{ triggerPrice: price('105'), price: null },
    });
  });
});

describe('A113: trailing stops', () => {
  const trailing = (side: string, rate: string, more: Partial<PlaceCommand> = {}) =>
    conditional('TRAILING_STOP_MARKET', side, '1', { trailRate: percent(rate), ...more });

  test('it follows the best price from the present one, and fires at its distance from that', () => {
    const book = new Book('1000');
    book.accept(buy('1'), netContextAt('100'));
    const order = book.acceptOrder(trailing('SELL', '2'), netContextAt('100'));
    expect(order).toMatchObject({ peakPrice: price('100') });
    expect(conditionOf(order)).toEqual({ price: price('98'), when: 'falls' });
    const followed = book.acceptOrder(
      { kind: 'follow', orderId: order.id, price: price('110') },
      netContextAt('109'),
    );
    expect(followed).toMatchObject({ peakPrice: price('110') });
    expect(conditionOf(followed)).toEqual({ price: price('107.8'), when: 'falls' });
    const worse = { kind: 'follow', orderId: order.id, price: price('109') } as const;
    expect(book.refusal(worse, netContextAt('109'))?.code).toBe('not_crossed');
    expect(reach(book, order, '107.79').status).toBe('FILLED');
    expect(book.openPositions()).toEqual([]);
  });

  test('with a trigger price it begins to follow there', () => {
    const book = new Book('1000');
    const order = book.acceptOrder(
      trailing('SELL', '2', { triggerPrice: price('105') }),
      netContextAt('100'),
    );
    expect([order.peakPrice, orderTriggerOf(order)]).toEqual([null, null]);
    expect(followTriggerOf(order)).toEqual({ price: price('105'), when: 'rises' });
    const begun = book.acceptOrder(
      { kind: 'follow', orderId: order.id, price: price('105.5') },
      netContextAt('105.5'),
    );
    expect(conditionOf(begun)).toEqual({ price: price('103.39'), when: 'falls' });
  });

  test('property: it fires where the market has come back by the whole distance, and not before', () => {
    const tick = fc.bigInt({ min: 100n, max: 10n ** 14n }).map(asPrice);
    const rate = fc.integer({ min: 1, max: 200 }).map((tenths) => percent(`${tenths / 10}`));
    fc.assert(
      fc.property(tick, tick, rate, fc.constantFrom('BUY', 'SELL'), (peak, mark, distance, side) => {
        const level = trailLevel(side, peak, distance);
        const moved = side === 'SELL' ? peak - mark : mark - peak;
        const isWhole = moved * 100n * 10n ** 8n >= peak * distance;
        const when = side === 'SELL' ? 'falls' : 'rises';
        expect(fires({ price: level, when }, mark)).toBe(isWhole);
      }),
    );
  });
});

describe('A113: orders of a position', () => {
  const closing = { closePosition: true, size: size('0'), triggerPrice: price('90') } as const;

  test('one that closes the position has its size when it is triggered, and there is one at each side of the market', () => {
    const book = new Book('1000');
    expect(refusal(book, conditional('STOP_MARKET', 'SELL', '0', closing))).toBe('nothing_to_reduce');
    book.accept(buy('2'), netContextAt('100'));
    const stop = book.acceptOrder(conditional('STOP_MARKET', 'SELL', '0', closing), netContextAt('100'));
    expect(stop).toMatchObject({ size: 0n, reduceOnly: true, boundPositionId: book.openPositions()[0]?.id });
    expect(refusal(book, conditional('STOP_MARKET', 'SELL', '0', closing))).toBe('close_order_exists');
    const profit = { ...closing, triggerPrice: price('110') };
    book.accept(conditional('TAKE_PROFIT_MARKET', 'SELL', '0', profit), netContextAt('100'));
    book.accept(buy('1'), netContextAt('100', { now: 9_000_000_000 }));
    expect(reach(book, stop, '89')).toMatchObject({ status: 'FILLED', size: size('3') });
    // The other one ends with the position.
    expect(book.openOrders()).toEqual([]);
    expect([...book.orders.values()].map(({ status }) => status)).toEqual(['FILLED', 'EXPIRED']);
  });

  test('they end with their position, however it ends', () => {
    const book = new Book('1000');
    const place = () => {
      const { id } = book.acceptPosition(buy('1'), netContextAt('100'));
      const order = book.acceptOrder(conditional('STOP_MARKET', 'SELL', '0', closing), netContextAt('100'));
      return { id, order };
    };
    const clicked = place();
    book.accept(close(clicked.id), netContextAt('101'));
    const flipped = place();
    book.accept(open({ side: 'SELL', size: size('2'), leverage: 20 }), netContextAt('100'));
    expect(book.order(clicked.order.id)?.status).toBe('EXPIRED');
    expect(book.order(flipped.order.id)?.status).toBe('EXPIRED');
    const order = { kind: 'fill', orderId: flipped.order.id, price: price('89') } as const;
    expect(book.refusal(order, netContextAt('89'))?.code).toBe('order_final');
  });

  test('one that is larger than its position ends with what it takes', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(buy('1'), netContextAt('100'));
    const limit = place({
      ...{ side: 'SELL', size: size('3'), price: price('99'), leverage: 20, boundPositionId: id },
    });
    expect(book.acceptOrder(limit, netContextAt('100'))).toMatchObject({
      ...{ status: 'EXPIRED', filledSize: size('1') },
    });
    // A reduce-only order of its own ends likewise.
    book.accept(buy('1'), netContextAt('100', { now: 9_000_000_000 }));
    const alone = { ...limit, boundPositionId: null, reduceOnly: true };
    expect(book.acceptOrder(alone, netContextAt('100', { now: 9_000_000_000 })).status).toBe('EXPIRED');
    expect([book.openPositions(), book.openOrders()]).toEqual([[], []]);
  });

  test('of several orders, one whose position is gone is stored as rejected', () => {
    const book = new Book('1000');
    const gone = conditional('STOP_MARKET', 'SELL', '0', { ...closing, keepRejected: true });
    expect(book.acceptOrder(gone, netContextAt('100'))).toMatchObject({
      ...{ status: 'REJECTED', size: 0n, boundPositionId: null, rejection: { code: 'nothing_to_reduce' } },
    });
    const { id } = book.acceptPosition(open({ size: size('2') }));
    const large = place({ side: 'SELL', size: size('9'), reduceOnly: true, boundPositionId: id });
    expect(book.acceptOrder({ ...large, keepRejected: true })).toMatchObject({
      ...{ status: 'REJECTED', rejection: { code: 'amount_out_of_range' } },
    });
  });
});

describe('A113: a ladder of closes by limit in the other rule sets', () => {
  const limit = (positionId: string, amount: string, at: string, more: Partial<PlaceCommand> = {}) =>
    place({
      ...{ side: 'SELL', size: size(amount), price: price(at), reduceOnly: true },
      ...{ boundPositionId: positionId, ...more },
    });

  test('each closes its part at the tick that reached it, reserves nothing and pays into its position', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(open({ size: size('2') }));
    const before = book.wallet.available;
    const half = book.acceptOrder(limit(id, '1', '110'));
    const rest = book.acceptOrder(limit(id, '1', '120'));
    expect([half.reserved, rest.reserved, book.wallet.available]).toEqual([0n, 0n, before]);
    const filled = book.acceptOrder(
      { kind: 'fill', orderId: half.id, price: price('111') },
      contextAt('111'),
    );
    expect(filled).toMatchObject({ status: 'FILLED', filledSize: size('1'), filledValue: money('111') });
    const part = book.position(filled.positionId ?? '');
    expect(part).toMatchObject({ splitFrom: id, closing: { price: price('111'), reason: 'manual' } });
    expect(part?.closing?.realizedPnl).toBe(money('11'));
    expect(book.position(id)).toMatchObject({ size: size('1'), closing: null });
    expect(book.executions.at(-1)).toMatchObject({ orderId: half.id, positionId: part?.id });
    // The part that no longer leaves a rest closes the whole.
    expect(
      book.acceptOrder({ kind: 'fill', orderId: rest.id, price: price('120') }, contextAt('120')),
    ).toMatchObject({
      status: 'FILLED',
      positionId: id,
    });
    expect(book.openPositions()).toEqual([]);
  });

  test('what its price liquidates on the other side is no fill of the order', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(open({ size: size('2') }));
    const short = book.acceptPosition(open({ side: 'SELL', leverage: 100 }));
    const order = book.acceptOrder(limit(id, '1', '110'));
    book.accept({ kind: 'fill', orderId: order.id, price: price('110') }, contextAt('110'));
    expect(book.position(short.id)?.closing?.reason).toBe('liquidation');
    const filled = book.executions.filter(({ orderId }) => orderId === order.id);
    expect(filled.map(({ size: traded }) => traded)).toEqual([book.order(order.id)?.filledSize]);
  });

  test('it ends with its position, can be amended and cancelled, and is refused where it makes no sense', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(open({ size: size('2') }));
    const code = (command: PlaceCommand) => book.refusal(command)?.code ?? null;
    expect(code(limit(id, '1', '110', { side: 'BUY' }))).toBe('nothing_to_reduce');
    expect(code(limit(id, '3', '110'))).toBe('amount_out_of_range');
    expect(code(limit('nobody', '1', '110'))).toBe('position_not_found');
    expect(code(limit(id, '1', '110', { takeProfitPrice: price('120') }))).toBe('condition_not_expected');
    expect(code(limit(id, '1', '110', { type: 'STOP' }))).toBe('not_perpetual');
    const order = book.acceptOrder(limit(id, '1', '110'));
    expect(book.acceptOrder(amend(order.id, '115'))).toMatchObject({ price: price('115'), reserved: 0n });
    const other = book.acceptOrder(limit(id, '1', '130'));
    book.accept(cancel(other.id));
    book.accept(close(id), contextAt('105'));
    expect([book.order(order.id)?.status, book.order(other.id)?.status]).toEqual(['EXPIRED', 'CANCELED']);
    expect(code(limit(id, '1', '110'))).toBe('position_closed');
  });
});

describe('A113: an order that ends at an instant', () => {
  const now = 1_700_000_000_000;
  const limit = (expiresAt: number | null) =>
    place({ leverage: 20, price: price('90'), timeInForce: 'GTD', expiresAt });

  test('it waits until then, and neither fills nor waits afterwards', () => {
    const book = new Book('1000');
    const end = now + 600_000;
    const order = book.acceptOrder(limit(end), netContextAt('100', { now }));
    const expire = { kind: 'expire', orderId: order.id } as const;
    expect(book.refusal(expire, netContextAt('100', { now: end - 1 }))?.code).toBe('not_crossed');
    // A tick of its last instant comes too late.
    const fill = { kind: 'fill', orderId: order.id, price: price('80') } as const;
    expect(book.acceptOrder(fill, netContextAt('80', { now: end }))).toMatchObject({
      ...{ status: 'EXPIRED', reserved: 0n, filledSize: 0n },
    });
    const second = book.acceptOrder(limit(end), netContextAt('100', { now }));
    expect(
      book.acceptOrder({ ...expire, orderId: second.id }, netContextAt('100', { now: end })).status,
    ).toBe('EXPIRED');
    expect(book.notifications.map(({ kind }) => kind)).toEqual(['order_expired', 'order_expired']);
    expect(book.wallet).toMatchObject({ available: money('1000'), orderMargin: 0n });
  });

  test('it ends between ten minutes and a year from now', () => {
    const book = new Book('1000');
    for (const end of [null, now, now + 599_999, now + 367 * dayMs, Number.NaN]) {
      expect(book.refusal(limit(end), netContextAt('100', { now }))?.code).toBe('expiry_invalid');
    }
    const untimed = place({ leverage: 20, expiresAt: now + 700_000 });
    expect(book.refusal(untimed, netContextAt('100', { now }))?.code).toBe('expiry_invalid');
  });
});

describe('A113: latency', () => {
  const now = 1_700_000_000_000;
  const retail = { fillProfile: 'retail', now } as const;
  const at = (mid: string, ms: number) => netContextAt(mid, { ...retail, now: now + ms });
  const market = place({ type: 'MARKET', price: null, leverage: 20 });

  test('an order is a row from its arrival on, and is filled on the book of its instant; the way between is a cost with a sign', () => {
    const book = new Book('1000');
    const order = book.acceptOrder(market, at('100', 0));
    expect(order).toMatchObject({
      status: 'NEW',
      reserved: 0n,
      dueAt: now + 150,
      arrivalPrice: price('100'),
    });
    expect([orderTriggerOf(order), book.executions]).toEqual([null, []]);
    const fill = { kind: 'fill', orderId: order.id, price: null } as const;
    expect(book.refusal(fill, at('101', 149))?.code).toBe('not_crossed');
    expect(book.acceptOrder(fill, at('101', 150))).toMatchObject({
      ...{ status: 'FILLED', dueAt: null, arrivalPrice: null },
    });
    expect(book.executions[0]).toMatchObject({
      ...{ mid: price('100'), latencyCost: price('1'), spreadCost: price('0.01'), price: price('101.01') },
    });
    // The other way, the market came towards the trader.
    const second = book.acceptOrder({ ...market, side: 'SELL' }, at('101', 5_000));
    book.accept({ ...fill, orderId: second.id }, at('102', 5_150));
    expect(book.executions[1]).toMatchObject({
      mid: price('101'),
      latencyCost: price('-1'),
      price: price('101.99'),
    });
  });

  test('an order that cannot be filled by then is rejected with the reason; where nothing trades it waits a second', () => {
    const book = new Book('1000');
    const named = { ...market, quoteId: 'q10000000000' };
    const order = book.acceptOrder(named, at('100', 0));
    const fill = { kind: 'fill', orderId: order.id, price: null } as const;
    const shut = netContextAt({ price: price('100'), stale: true }, { ...retail, now: now + 150 });
    expect(book.refusal(fill, shut)).toEqual({ code: 'not_crossed', next: { at: now + 1_150 } });
    const closed = netContextAt({ price: price('100'), marketOpen: false }, { ...retail, now: now + 150 });
    const other = book.acceptOrder(market, at('100', 0));
    expect(book.acceptOrder({ ...fill, orderId: other.id }, closed)).toMatchObject({
      ...{ status: 'REJECTED', rejection: { code: 'market_closed' } },
    });
    const third = book.acceptOrder(market, at('100', 0));
    const late = netContextAt({ price: price('100'), stale: true }, { ...retail, now: now + 30_150 });
    expect(book.acceptOrder({ ...fill, orderId: third.id }, late)).toMatchObject({
      ...{ status: 'REJECTED', rejection: { code: 'price_stale' } },
    });
    expect(book.acceptOrder(fill, at('101', 200))).toMatchObject({
      ...{ status: 'REJECTED', rejection: { code: 'quote_changed' } },
    });
    expect(book.wallet.available).toBe(money('1000'));
  });

  test('A104: an order whose time in force ends without a fill has expired; one that cannot be filled is rejected', () => {
    const book = new Book('1000');
    const fillAt = (command: PlaceCommand, mid: string, ms: number) => {
      const { id } = book.acceptOrder(command, at('100', ms));
      return book.acceptOrder({ kind: 'fill', orderId: id, price: null }, at(mid, ms + 150));
    };
    const ioc = place({ leverage: 20, price: price('100.5'), timeInForce: 'IOC' });
    expect(fillAt(ioc, '102', 0)).toMatchObject({ status: 'EXPIRED', filledSize: 0n });
    expect(book.notifications.map(({ kind }) => kind)).toEqual(['order_expired']);
    const fok = { ...ioc, timeInForce: 'FOK' } as const;
    expect(fillAt(fok, '102', 1_000)).toMatchObject({ status: 'REJECTED' });
    expect(book.notifications.at(-1)?.kind).toBe('order_rejected');
  });

  test('a click is decided again when its latency is over, with the middle of its arrival', () => {
    const book = new Book('1000');
    const click = { ...buy('1'), quoteId: null };
    const refused = book.refusal(click, at('100', 0));
    expect(refused).toEqual({ code: 'in_transit', until: now + 150, arrivalPrice: price('100') });
    const opened = book.acceptPosition({ ...click, arrivalPrice: price('100') }, at('100.5', 150));
    expect(book.executions[0]).toMatchObject({ mid: price('100'), latencyCost: price('0.5') });
    expect(book.refusal(close(opened.id), at('101', 5_000))?.code).toBe('in_transit');
    book.accept(close(opened.id, { arrivalPrice: price('101') }), at('100', 5_150));
    expect(book.executions[1]).toMatchObject({ mid: price('101'), latencyCost: price('1'), side: 'SELL' });
  });

  test('an order on its way is not called back or moved: that would be a choice between two prices', () => {
    const book = new Book('1000');
    const order = book.acceptOrder(market, at('100', 0));
    const until = { code: 'in_transit', until: now + 250, arrivalPrice: price('99') };
    expect(book.refusal(cancel(order.id), at('99', 100))).toEqual(until);
    expect(book.refusal(amend(order.id, '90'), at('99', 100))).toEqual(until);
    book.accept({ kind: 'fill', orderId: order.id, price: null }, at('99', 150));
    const late = { ...cancel(order.id), arrivalPrice: price('99') };
    expect(book.refusal(late, at('99', 250))).toMatchObject({ code: 'order_final', status: 'FILLED' });
  });

  test('an amendment that takes has it, too', () => {
    const book = new Book('1000');
    const limit = { ...market, type: 'LIMIT', price: price('95') };
    const order = book.acceptOrder(limit, at('100', 0));
    book.accept({ kind: 'fill', orderId: order.id, price: null }, at('100', 150));
    const moved = amend(order.id, '101');
    expect(book.refusal(moved, at('100', 1_000))?.code).toBe('in_transit');
    expect(book.acceptOrder({ ...moved, arrivalPrice: price('100') }, at('100.5', 1_150)).status).toBe(
      'FILLED',
    );
    expect(book.executions[0]).toMatchObject({ mid: price('100'), latencyCost: price('0.5') });
    // One that rests is taken back at once.
    const second = book.acceptOrder(limit, at('100', 9_000));
    book.accept({ kind: 'fill', orderId: second.id, price: null }, at('100', 9_150));
    expect(book.acceptOrder(cancel(second.id), at('100', 9_200)).status).toBe('CANCELED');
  });

  test('what waits in the market has none: a limit order fills as a maker, a stop at the tick', () => {
    const book = new Book('1000');
    const stop = conditional('STOP_MARKET', 'BUY', '1', { triggerPrice: price('110') });
    const order = book.acceptOrder(stop, at('100', 0));
    expect(order.dueAt).toBeNull();
    const fill = { kind: 'fill', orderId: order.id, price: price('110') } as const;
    expect(book.acceptOrder(fill, at('110', 10))).toMatchObject({ status: 'FILLED' });
    expect(book.executions[0]).toMatchObject({ mid: price('110'), latencyCost: 0n });
  });
});
