/**
 * A98, A110: a position that cannot close now closes at the next price that trades, if its trader requests that. It
 * is the first price after the reopening, or the one that ends a hold.
 */
import { describe, expect, test } from 'vitest';
import {
  type Book,
  close,
  closedBook,
  contextAt,
  edit,
  feeRate,
  held,
  money,
  open,
  openedBook,
  price,
  protect,
  size,
} from '../../test/engine.ts';
import type { CloseAtReopenCommand, Context, TriggerCommand } from './commands.ts';
import { InvariantViolation } from './invariant.ts';
import { fires, type PositionTriggerKind, triggersOf } from './protection.ts';
import { assertPriced, assertSound } from './soundness.ts';
import type { Position } from './types.ts';

const shut = (more: Partial<Context> = {}) => contextAt({ marketOpen: false }, more);
const ask = (positionId: string, requested = true): CloseAtReopenCommand => ({
  kind: 'close_at_reopen',
  positionId,
  requested,
});
const reopening = (positionId: string, mark: string): TriggerCommand => ({
  kind: 'trigger',
  trigger: 'close_at_reopen',
  positionId,
  price: price(mark),
});
const kindsOf = (position: Position) => triggersOf(position).map(({ kind }) => kind);
/** BUY 1 at 100 and leverage 10, with a requested close at the reopening. */
function leaving(more: Parameters<typeof openedBook>[0] = {}): { book: Book; position: Position } {
  const { book, position } = openedBook(more);
  return { book, position: book.acceptPosition(ask(position.id), shut()) };
}

describe('asking', () => {
  test('while the market is shut: the position waits, and nothing is booked', () => {
    const { book, position } = openedBook();
    const { wallet } = book;
    const { effects } = book.accept(ask(position.id), shut());
    expect(book.position(position.id)).toMatchObject({ closeAtReopen: true, closing: null, version: 2 });
    expect(effects).toMatchObject({ ledger: [], transactions: [], notifications: [] });
    expect(book.wallet).toEqual({ ...wallet, version: wallet.version + 1 });
  });

  test.each([
    ['an open market', contextAt()],
    ['an open market with a stale price, which closes at the mark', contextAt({ stale: true })],
    ['a symbol that never had a price, which closes at the entry', contextAt(null)],
  ])('is refused for %s', (_, context) => {
    const { book, position } = openedBook();
    expect(book.refusal(ask(position.id), context)).toEqual({ code: 'market_open' });
  });

  test('ENG-3 A110: in an open market while a newer price is held back, and that closes it once it is accepted', () => {
    const { book, position } = openedBook();
    expect(book.acceptPosition(ask(position.id), contextAt(held))).toMatchObject({
      ...{ closeAtReopen: true, closing: null },
    });
    expect(book.acceptPosition(reopening(position.id, '92'), contextAt('92'))).toMatchObject({
      closeAtReopen: false,
      closing: { price: price('92'), priceSource: 'live', reason: 'manual', realizedPnl: money('-8') },
    });
  });

  test('is refused for what is closed or not there', () => {
    const { book, position } = closedBook();
    expect(book.refusal(ask(position.id), shut())).toEqual({ code: 'position_closed' });
    expect(book.refusal(ask('nothing'), shut())).toEqual({ code: 'position_not_found' });
  });

  test('twice leaves it as it is, even once the market is open', () => {
    const { book, position } = leaving();
    for (const context of [shut(), contextAt({ stale: true }), contextAt(held)]) {
      const { subject, effects } = book.accept(ask(position.id), context);
      expect(subject).toEqual({ kind: 'position', position });
      expect(effects.positions).toEqual([]);
    }
  });

  test('a restricted trader may', () => {
    const { book, position } = openedBook();
    book.accept({ kind: 'restrict', restricted: true, reason: 'a check' });
    expect(book.acceptPosition(ask(position.id), shut()).closeAtReopen).toBe(true);
  });
});

describe('taking it back', () => {
  test.each([
    ['shut', shut()],
    ['open', contextAt({ stale: true })],
    ['held', contextAt(held)],
  ])('is possible while the market is %s, and nothing fires any more', (_, context) => {
    const { book, position } = leaving();
    const accepted = book.acceptPosition(ask(position.id, false), context);
    expect(accepted).toMatchObject({ closeAtReopen: false, version: 3 });
    expect(kindsOf(accepted)).not.toContain('close_at_reopen');
    expect(book.refusal(reopening(position.id, '104'))).toEqual({ code: 'not_crossed' });
  });

  test('the withdrawal of no request changes nothing', () => {
    const { book, position } = openedBook();
    expect(book.accept(ask(position.id, false)).effects.positions).toEqual([]);
  });
});

describe('the reopening', () => {
  test('any price fires it, behind liquidation, stop loss and take profit and before a warning', () => {
    const { position } = leaving({ stopLossPrice: price('95'), takeProfitPrice: price('120') });
    expect(kindsOf(position)).toEqual([
      'liquidation',
      'stop_loss',
      'take_profit',
      'close_at_reopen',
      'margin_warning',
    ]);
    const waiting = triggersOf(position).find(({ kind }) => kind === 'close_at_reopen');
    for (const mark of ['0.00000001', '100', '90000000'])
      expect(waiting && fires(waiting, price(mark))).toBe(true);
  });

  test('closes at the price of the tick, whatever the price is by then, with fee, result and notification', () => {
    const { book, position } = openedBook();
    book.accept(ask(position.id), shut());
    const after = book.acceptPosition(reopening(position.id, '104'), contextAt('103'));
    expect(after).toMatchObject({
      closeAtReopen: false,
      closing: { price: price('104'), priceSource: 'live', reason: 'manual', realizedPnl: money('4') },
    });
    expect(book.wallet).toMatchObject({ available: money('1004'), margin: 0n });
    expect(book.notifications.map(({ kind }) => kind)).toEqual(['close_at_reopen']);
    expect(triggersOf(after)).toEqual([]);
  });

  test('the fee is that of any close', () => {
    const { book, position } = openedBook();
    const charged = { ...position, feeRate: feeRate('0.001') };
    book.positions.set(position.id, charged);
    book.accept(ask(position.id), shut());
    expect(book.acceptPosition(reopening(position.id, '104')).fees).toBe(money('0.104'));
  });

  test.each<[string, string, PositionTriggerKind]>([
    ['94', 'the stop loss', 'stop_loss'],
    ['80', 'the liquidation price', 'liquidation'],
    ['121', 'the take profit', 'take_profit'],
  ])('at %s, beyond %s, it is that which closes it, at the same price', (mark, _, reason) => {
    const { book, position } = leaving({ stopLossPrice: price('95'), takeProfitPrice: price('120') });
    const after = book.acceptPosition(reopening(position.id, mark), contextAt(mark));
    expect(after.closing).toMatchObject({ price: price(mark), reason });
    expect(book.notifications.map(({ kind }) => kind)).toEqual([reason]);
  });

  test('a price that would warn closes instead', () => {
    const { book, position } = leaving();
    expect(book.acceptPosition(reopening(position.id, '92')).closing?.reason).toBe('manual');
  });
});

describe('whatever else happens to the position', () => {
  test('a close by hand at the open market ends it, and the wish with it', () => {
    const { book, position } = leaving();
    expect(book.acceptPosition(close(position.id), contextAt({ stale: true }))).toMatchObject({
      closeAtReopen: false,
      closing: { priceSource: 'mark', reason: 'manual' },
    });
  });

  test('after a close of a part the rest still waits, and the part does not', () => {
    const { book, position } = leaving();
    const part = book.acceptPosition(close(position.id, { size: size('0.4') }), contextAt({ stale: true }));
    expect(part.closeAtReopen).toBe(false);
    expect(book.position(position.id)).toMatchObject({ size: size('0.6'), closeAtReopen: true });
  });

  test('a protection, an edit and a restriction leave it waiting', () => {
    const { book, position } = leaving();
    expect(book.acceptPosition(protect(position.id, null, price('95')), shut()).closeAtReopen).toBe(true);
    expect(book.acceptPosition(edit(position.id, { size: size('2') }), shut()).closeAtReopen).toBe(true);
    book.accept({ kind: 'restrict', restricted: true, reason: 'a check' }, shut());
    expect(book.position(position.id)?.closeAtReopen).toBe(true);
  });

  test('a reset and a deletion end it at once', () => {
    for (const command of [
      { kind: 'reset', startBalance: money('1000') },
      { kind: 'delete', reason: 'requested it' },
    ] as const) {
      const { book, position } = leaving();
      book.accept(command, shut());
      expect(book.position(position.id)).toMatchObject({ closeAtReopen: false });
      expect(book.position(position.id)?.closing).not.toBeNull();
    }
  });

  test('a new position waits for no reopening', () => {
    expect(openedBook().book.acceptPosition(open()).closeAtReopen).toBe(false);
  });
});

describe('what the invariants refuse', () => {
  const { book, position } = leaving();
  const { wallet } = book;
  const command = reopening(position.id, '104');
  const context = contextAt('104');
  const decision = book.decide(command, context);
  if (decision.outcome === 'refused') throw new Error(decision.refusal.code);
  const { effects } = decision;
  const changed = (more: Partial<Position>, before: Partial<Position> = {}) => ({
    ...effects,
    positions: effects.positions.map((row) => ({
      before: row.before && { ...row.before, ...before },
      after: { ...row.after, ...more },
    })),
  });

  test('a closed position that still waits', () => {
    expect(() => assertSound(wallet, effects)).not.toThrow();
    expect(() => assertSound(wallet, changed({ closeAtReopen: true }))).toThrow(InvariantViolation);
  });

  test('a tick that closes without a request, or at another price than its own', () => {
    expect(() => assertPriced(command, effects, context.market)).not.toThrow();
    const unasked = changed({}, { closeAtReopen: false });
    expect(() => assertPriced(command, unasked, context.market)).toThrow(InvariantViolation);
    const other = { ...command, price: price('105') };
    expect(() => assertPriced(other, effects, context.market)).toThrow(InvariantViolation);
  });

  test('a wish for the reopening of an open market', () => {
    const { book: other, position: still } = openedBook();
    const requested = other.decide(ask(still.id), shut());
    if (requested.outcome === 'refused') throw new Error(requested.refusal.code);
    expect(() => assertPriced(ask(still.id), requested.effects, contextAt().market)).toThrow(
      InvariantViolation,
    );
  });
});
