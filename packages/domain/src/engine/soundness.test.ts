import { describe, expect, test } from 'vitest';
import {
  amend,
  Book,
  cancel,
  close,
  contextAt,
  edit,
  feeRate,
  money,
  open,
  place,
  price,
  size,
} from '../../test/engine.ts';
import { asMoney, type Money } from '../money.ts';
import type { Command, Context } from './commands.ts';
import type { Effects, LedgerEntry } from './effects.ts';
import { InvariantViolation } from './invariant.ts';
import { assertPriced, assertSound } from './soundness.ts';
import type { Wallet } from './types.ts';

interface Step {
  readonly before: Wallet;
  readonly effects: Effects;
}
function stepOf(book: Book, command: Command, context: Context = contextAt()): Step {
  const decision = book.decide(command, context);
  if (decision.outcome === 'refused') throw new Error(`refused: ${decision.refusal.code}`);
  return { before: book.wallet, effects: decision.effects };
}

const opening = () => stepOf(new Book('1000'), open(), contextAt({}, { feeRate: feeRate('0.001') }));
const withPosition = () => {
  const book = new Book('1000');
  const position = book.acceptPosition(open({ stopLossPrice: price('95') }));
  return { book, position };
};
function closing() {
  const { book, position } = withPosition();
  return stepOf(book, close(position.id), contextAt('104'));
}
function splitting() {
  const { book, position } = withPosition();
  return stepOf(book, close(position.id, { size: size('0.25') }), contextAt('104'));
}
function stopping() {
  const { book, position } = withPosition();
  const { id: positionId } = position;
  return stepOf(book, { kind: 'trigger', trigger: 'stop_loss', positionId, price: price('94') });
}
function placing() {
  return stepOf(new Book('1000'), place());
}
function canceling() {
  const book = new Book('1000');
  return stepOf(book, cancel(book.acceptOrder(place()).id));
}
function amending() {
  const book = new Book('1000');
  return stepOf(book, amend(book.acceptOrder(place()).id, '99'));
}
function filling() {
  const book = new Book('1000');
  const { id: orderId } = book.acceptOrder(place());
  return stepOf(book, { kind: 'fill', orderId, price: price('99') });
}
function correcting() {
  const { book, position } = withPosition();
  book.accept(close(position.id), contextAt('104'));
  return stepOf(book, edit(position.id, { realizedPnl: money('6') }));
}
function losing() {
  const { book, position } = withPosition();
  book.accept(close(position.id), contextAt('104'));
  return stepOf(book, edit(position.id, { realizedPnl: money('-6') }));
}
function resizing() {
  const { book, position } = withPosition();
  return stepOf(book, edit(position.id, { size: size('2') }));
}
function depositing() {
  return stepOf(new Book('1000'), { kind: 'adjust', amount: money('5'), reason: 'a gift' });
}
function deleting() {
  return stepOf(withPosition().book, { kind: 'delete', reason: 'requested it' });
}

const plus = (amount: Money, more: bigint): Money => asMoney(amount + more);
const inWallet = (more: Partial<Wallet>) => (effects: Effects) => ({
  ...effects,
  wallet: { ...effects.wallet, ...more },
});
const inPosition =
  (more: Partial<Effects['positions'][number]['after']>) =>
  (effects: Effects): Effects => ({
    ...effects,
    positions: effects.positions.map(({ before, after }) => ({ before, after: { ...after, ...more } })),
  });
const inClosing =
  (more: Partial<NonNullable<Effects['positions'][number]['after']['closing']>>) =>
  (effects: Effects): Effects => ({
    ...effects,
    positions: effects.positions.map(({ before, after }) => ({
      before,
      after: { ...after, closing: after.closing && { ...after.closing, ...more } },
    })),
  });
const inOrder =
  (more: Partial<Effects['orders'][number]['after']>) =>
  (effects: Effects): Effects => ({
    ...effects,
    orders: effects.orders.map(({ before, after }) => ({ before, after: { ...after, ...more } })),
  });
const inExecution =
  (more: Partial<Effects['executions'][number]>) =>
  (effects: Effects): Effects => ({
    ...effects,
    executions: effects.executions.map((execution) => ({ ...execution, ...more })),
  });
const inEntries =
  (change: (entry: LedgerEntry) => LedgerEntry) =>
  (effects: Effects): Effects => ({
    ...effects,
    ledger: effects.ledger.map((group) => ({ ...group, entries: group.entries.map(change) })),
  });
const toCause = (sourceId: string) => inEntries((entry) => ({ ...entry, sourceId }));

const unsound: readonly (readonly [string, () => Step, (effects: Effects) => Effects])[] = [
  [
    'an unbalanced group',
    opening,
    (e) => ({ ...e, ledger: e.ledger.map((g) => ({ ...g, entries: g.entries.slice(1) })) }),
  ],
  ['an empty group', opening, (e) => ({ ...e, ledger: [...e.ledger, { ...e.ledger[0]!, entries: [] }] })],
  [
    'an entry of nothing',
    opening,
    (e) => ({
      ...e,
      ledger: [{ ...e.ledger[0]!, entries: [{ account: 'external', amount: asMoney(0n) }] }, ...e.ledger],
    }),
  ],
  ['money without a ledger row', opening, (e) => ({ ...e, ledger: [] })],
  ['a version that does not rise', opening, inWallet({ version: 0 })],
  ['a version that jumps', opening, inWallet({ version: 2 })],
  ["another account's wallet", opening, inWallet({ accountId: 'other' })],
  ['an available that the ledger does not give', opening, inWallet({ available: money('991') })],
  ['a margin without its position', opening, (e) => ({ ...e, positions: [] })],
  ['a position of another account version', opening, inPosition({ accountVersion: 9 })],
  ["another account's position", opening, inPosition({ accountId: 'other' })],
  ['a position that locks more than was taken', opening, inPosition({ margin: money('11') })],
  ['a position without a margin', opening, inPosition({ margin: asMoney(0n) })],
  ['a position that is never liquidated', opening, inPosition({ liquidationPrice: price('0') })],
  ['a fee without a charge', opening, inPosition({ fees: money('0.2') })],
  ['a fee that no position knows', opening, inPosition({ fees: asMoney(0n) })],
  ['a position whose version jumps', opening, inPosition({ version: 2 })],
  ['margin that another position locks', opening, toCause('another')],
  ['a history that leaves the fee out', opening, (e) => ({ ...e, transactions: [] })],
  [
    'a line that states more than its group',
    opening,
    (e) => ({ ...e, transactions: e.transactions.map((t) => ({ ...t, amount: plus(t.amount, -1n) })) }),
  ],
  [
    'a line without a group',
    closing,
    (e) => ({ ...e, transactions: e.transactions.map((t) => ({ ...t, id: 'nowhere' })) }),
  ],
  ['a result that the house did not pay', closing, inClosing({ realizedPnl: money('5') })],
  ['a position that opens again', closing, inPosition({ closing: null })],
  ['other rules than at the opening', closing, inPosition({ rules: 'as-specified' })],
  ['another fee rate than at the opening', closing, inPosition({ feeRate: feeRate('0.002') })],
  ['another symbol', closing, inPosition({ symbol: 'COARSE' })],
  ['a close that pays another position', closing, toCause('another')],
  [
    'insurance that earns',
    closing,
    (e) => ({
      ...e,
      ledger: e.ledger.map((group) => ({
        ...group,
        entries: group.entries.flatMap((entry): LedgerEntry[] =>
          entry.account === 'house:pnl'
            ? [
                { ...entry, amount: plus(entry.amount, -1n) },
                { account: 'insurance', amount: asMoney(1n) },
              ]
            : [entry],
        ),
      })),
    }),
  ],
  [
    'a part whose margin was never taken off the whole',
    splitting,
    (e) => ({ ...e, ledger: e.ledger.filter(({ kind }) => kind !== 'split') }),
  ],
  ['a stop loss that the price did not reach', stopping, inClosing({ price: price('95.01') })],
  ['a stop loss at an old price', stopping, inClosing({ priceSource: 'mark' })],
  ['a take profit that the position does not have', stopping, inClosing({ reason: 'take_profit' })],
  ['a liquidation at a price that is none', stopping, inClosing({ reason: 'liquidation' })],
  ['an opening without an execution', opening, (e) => ({ ...e, executions: [] })],
  ['an execution of another size', closing, inExecution({ size: size('0.5') })],
  ['an execution at another price', closing, inExecution({ price: price('105'), mid: price('105') })],
  ['a bought close of a long position', closing, inExecution({ side: 'BUY' })],
  ['an execution with another result', closing, inExecution({ realizedPnl: null })],
  ['an execution that charges nothing', opening, inExecution({ fee: asMoney(0n) })],
  ['an execution that does not explain its price', opening, inExecution({ spreadCost: price('0.01') })],
  ["another account's execution", opening, inExecution({ accountId: 'other' })],
  [
    'a fill without a position',
    opening,
    (e) => ({ ...e, executions: [...e.executions, { ...e.executions[0]!, positionId: 'another' }] }),
  ],
  [
    'a position that is filled twice',
    opening,
    (e) => ({ ...e, executions: [...e.executions, ...e.executions] }),
  ],
  ['an order that holds more than was taken', placing, inOrder({ reserved: money('11') })],
  ["another account's order", placing, inOrder({ accountId: 'other' })],
  ['an order of another account version', placing, inOrder({ accountVersion: 9 })],
  ['a reserve without its order', placing, (e) => ({ ...e, orders: [] })],
  ['a reserve of another order', placing, toCause('another')],
  ['an order that is FILLED and opened nothing', placing, inOrder({ status: 'FILLED' })],
  ['a final order that holds something', canceling, inOrder({ reserved: money('1') })],
  ['an order that is REJECTED for no reason', canceling, inOrder({ status: 'REJECTED' })],
  ['an order that waits although it is free', canceling, inOrder({ status: 'NEW' })],
  ['an order whose version does not rise', canceling, inOrder({ version: 1 })],
  ['an order that is filled and waits', filling, inOrder({ status: 'NEW' })],
  ['an order that names nothing', filling, inOrder({ positionId: null })],
  ['a corrected result without its line', correcting, (e) => ({ ...e, amended: [] })],
  [
    'a line that states another result',
    correcting,
    (e) => ({ ...e, amended: e.amended.map((a) => ({ ...a, amount: money('7') })) }),
  ],
  ['a corrected result beyond the margin', correcting, inClosing({ realizedPnl: money('-11') })],
  ['a closed position that closes otherwise', correcting, inClosing({ reason: 'staff' })],
  [
    'a larger position that locks no more',
    resizing,
    (e) => inWallet({ available: money('990'), margin: money('10') })({ ...e, ledger: [] }),
  ],
  ['a deposit that leaves the version', depositing, inWallet({ version: 0 })],
  ['a deposit that skips a version', depositing, inWallet({ version: 2 })],
  ['another wallet of the same trader', depositing, inWallet({ id: 'another' })],
  ['margin that moves for no position', resizing, (e) => ({ ...e, positions: [] })],
  [
    'a change of another position than the one that was',
    resizing,
    (e) => ({
      ...e,
      positions: e.positions.map(({ before, after }) => ({
        before: before && { ...before, id: 'another' },
        after,
      })),
    }),
  ],
  [
    'a result that is paid for no position',
    correcting,
    (e) => ({
      ...e,
      positions: [],
      amended: [],
      transactions: [
        { id: e.ledger[0]!.id, type: 'position_closed', amount: money('2'), description: 'Closed' },
      ],
    }),
  ],
  [
    'a fee that is charged for no position',
    opening,
    (e) => ({
      ...inWallet({ available: money('999.9'), margin: money('0') })(e),
      ledger: e.ledger.filter(({ kind }) => kind === 'fee'),
      positions: [],
    }),
  ],
  [
    'a fee that is paid to the trader',
    opening,
    (e) => ({
      ...inPosition({ fees: money('-0.1') })(inWallet({ available: money('990.1') })(e)),
      ledger: e.ledger.map((group) => ({
        ...group,
        entries: group.entries.map((entry) => ({
          ...entry,
          amount: group.kind === 'fee' ? asMoney(-entry.amount) : entry.amount,
        })),
      })),
      transactions: e.transactions.map((line) => ({ ...line, amount: asMoney(-line.amount) })),
    }),
  ],
  ['an order that becomes another one', amending, inOrder({ size: size('2') })],
  ['an order that changes sides', amending, inOrder({ side: 'SELL' })],
  ['an order that loses its stop loss', amending, inOrder({ stopLossPrice: price('95') })],
  ['a reserve that does not follow', amending, inOrder({ reserved: money('10') })],
  ['a price that moves as the order ends', filling, inOrder({ price: price('99') })],
  ['a price that moves as the order is canceled', canceling, inOrder({ price: price('99') })],
  ['a loss beyond the margin that there is', losing, inPosition({ margin: money('5') })],
  ['a deposit without a line in the history', depositing, (e) => ({ ...e, transactions: [] })],
  [
    'a deleted account that holds something',
    deleting,
    (e) => ({
      ...inWallet({ available: money('1000') })(e),
      ledger: e.ledger.filter(({ kind }) => kind !== 'withdrawal'),
      transactions: e.transactions.filter(({ type }) => type !== 'withdrawal'),
    }),
  ],
];

describe('the assertions that stay on in production', () => {
  test.each([
    ['an opening', opening],
    ['a close', closing],
    ['a partial close', splitting],
    ['a stop loss', stopping],
    ['an order', placing],
    ['a cancel', canceling],
    ['an amended order', amending],
    ['a fill', filling],
    ['a corrected result', correcting],
    ['a changed size', resizing],
    ['a deposit', depositing],
    ['a deletion', deleting],
  ] as const)('%s is sound', (_what, make) => {
    const { before, effects } = make();
    expect(() => assertSound(before, effects)).not.toThrow();
  });

  test.each(unsound)('%s is not written', (_what, make, tamper) => {
    const { before, effects } = make();
    expect(() => assertSound(before, tamper(effects))).toThrow(InvariantViolation);
  });

  test('an order that holds less than nothing is not written, though others hold enough', () => {
    const { before, effects } = canceling();
    const waits = inOrder({ status: 'NEW', reserved: money('-10') })(effects);
    const fresh = {
      ...waits,
      orders: waits.orders.map(({ after }) => ({ before: null, after: { ...after, version: 1 } })),
    };
    expect(() => assertSound({ ...before, orderMargin: money('10') }, fresh)).toThrow(
      'holds nothing or something',
    );
  });

  test('a balance below zero is not written, for any rows', () => {
    const { effects } = depositing();
    const before = { ...new Book('1000').wallet, available: money('-6') };
    const after = { ...effects, wallet: { ...effects.wallet, available: money('-1') } };
    expect(() => assertSound(before, after)).toThrow('no negative balance');
  });

  const limit = { kind: 'fill', orderId: 'order', price: price('99') } as const;
  const { market } = contextAt();
  test.each([
    ['an opening at another price than the market', open(), opening, contextAt('100.01').market],
    ['an opening at an old price', open(), opening, contextAt({ stale: true }).market],
    ['an opening while a newer price is held back', open(), opening, contextAt({ held: true }).market],
    [
      'a click that closes while a newer price is held back',
      close('id'),
      closing,
      contextAt({ price: price('104'), held: true }).market,
    ],
    ['an opening while the market is shut', open(), opening, contextAt({ marketOpen: false }).market],
    ['an opening without a price', open(), opening, contextAt(null).market],
    ['a fill at another price than the tick', { ...limit, price: price('98') }, filling, market],
    ['a click that closes at another price', close('id'), closing, market],
    [
      'a click that takes an old price for a live one',
      close('id'),
      closing,
      contextAt({ price: price('104'), stale: true }).market,
    ],
  ] as const)('A18 A20 A24 A37 A98 A110: %s is not written', (_what, command, make, other) => {
    const { effects } = make();
    expect(() => assertPriced(command, effects, other)).toThrow(InvariantViolation);
  });

  test('A20: a LIMIT that fills worse than at its price is not written', () => {
    const worse = inPosition({ entryPrice: price('101') })(filling().effects);
    const atTick = { ...limit, price: price('101') };
    expect(() => assertPriced(atTick, worse, market)).toThrow('fills at its price or better');
    expect(() => assertPriced(limit, filling().effects, market)).not.toThrow();
  });

  test('A20: a LIMIT that the tick which filled it would liquidate is not written', () => {
    const { effects } = filling();
    const atOwn = inPosition({ entryPrice: price('100') })(effects);
    expect(() => assertPriced({ ...limit, price: price('90.51') }, atOwn, market)).not.toThrow();
    const eaten = inPosition({ entryPrice: price('100'), liquidationPrice: price('90.51') })(effects);
    expect(() => assertPriced({ ...limit, price: price('90.51') }, eaten, market)).toThrow(
      'is not liquidated by the tick that fills it',
    );
  });

  test('decide asserts what it decides', () => {
    const book = new Book('1000');
    const { id } = book.acceptPosition(open());
    const stored = book.position(id);
    // A wallet that lost the margin of an open position: the next close would make it negative.
    book.wallet = { ...book.wallet, margin: money('9') };
    expect(stored?.margin).toBe(money('10'));
    expect(() => book.decide(close(id), contextAt())).toThrow(InvariantViolation);
  });
});
