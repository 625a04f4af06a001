import { describe, expect, test } from 'vitest';
import { changeTicket, emptyTicket, type OrderIntent, repeatedIntent, type TicketAction } from './ticket.ts';

const stateAfter = (...actions: TicketAction[]) => actions.reduce(changeTicket, emptyTicket('BTCUSDT'));
const intent: OrderIntent = {
  clientId: 'one',
  symbol: 'BTCUSDT',
  side: 'BUY',
  size: '0.1',
  leverage: 10,
  entryPrice: 97_482.6,
  requiredMargin: '974.826',
};

test('TRADE-36: the leverage starts at 1 and stays within 1 to 125', () => {
  expect(emptyTicket('BTCUSDT').leverage).toBe(1);
  expect(stateAfter({ type: 'leverage', leverage: 500 }).leverage).toBe(125);
  expect(stateAfter({ type: 'leverage', leverage: 0 }).leverage).toBe(1);
});

test('TRADE-43: what is typed settles later, an amount from a button at once', () => {
  const typed = stateAfter({ type: 'typed', text: '0.15' });
  expect([typed.amountText, typed.settledText]).toEqual(['0.15', '']);
  expect(changeTicket(typed, { type: 'settled' }).settledText).toBe('0.15');
  expect(stateAfter({ type: 'amount', text: '2.093' }).settledText).toBe('2.093');
});

test('another pair empties the amount and keeps the leverage', () => {
  const state = stateAfter(
    { type: 'amount', text: '2' },
    { type: 'leverage', leverage: 25 },
    { type: 'pair', symbol: 'ETHUSDT' },
  );
  expect(state).toMatchObject({ symbol: 'ETHUSDT', amountText: '', leverage: 25 });
});

describe('placing', () => {
  test('a second click while pending starts no second order', () => {
    const pending = stateAfter({ type: 'submitted', intent });
    const again = changeTicket(pending, { type: 'submitted', intent: { ...intent, clientId: 'two' } });
    expect(again.pending?.clientId).toBe('one');
  });
  test('a lost answer keeps the client id for the same terms only', () => {
    const lost = stateAfter(
      { type: 'submitted', intent },
      { type: 'failed', message: 'Failed to place order', answered: false },
    );
    expect(repeatedIntent(lost, intent)).toBe(intent);
    expect(repeatedIntent(lost, { ...intent, size: '0.2' })).toBeNull();
    expect(repeatedIntent(lost, { ...intent, side: 'SELL' })).toBeNull();
  });
  test('a lost answer says so, and that pressing again is safe only while the form holds the same order', () => {
    const sent = stateAfter(
      { type: 'amount', text: '0.1' },
      { type: 'leverage', leverage: 10 },
      { type: 'submitted', intent },
    );
    const lost = { type: 'failed', message: 'No answer yet.', answered: false } as const;
    const hint = 'No answer yet. Pressing again sends the same order.';
    expect(changeTicket(sent, lost).error).toBe(hint);
    const changes: TicketAction[] = [
      { type: 'typed', text: '0.2' },
      { type: 'leverage', leverage: 11 },
    ];
    for (const change of changes) {
      expect(changeTicket(changeTicket(sent, change), lost).error).toBe('No answer yet.');
    }
    for (const change of [...changes, { type: 'pair', symbol: 'ETHUSDT' } as const]) {
      expect(changeTicket(changeTicket(sent, lost), change).error).toBeNull();
    }
  });
  test('what is typed while an order is pending survives its placing', () => {
    const typed = stateAfter(
      { type: 'amount', text: '0.1' },
      { type: 'submitted', intent },
      { type: 'typed', text: '0.25' },
      { type: 'placed' },
    );
    expect(typed).toMatchObject({ amountText: '0.25', pending: null });
  });
  test('a lost order is not forgotten over another order or another pair', () => {
    const other = { ...intent, clientId: 'two', size: '0.7' };
    const back = stateAfter(
      { type: 'submitted', intent },
      { type: 'failed', message: 'Failed to place order', answered: false },
      { type: 'submitted', intent: other },
      { type: 'placed' },
      { type: 'pair', symbol: 'ETHUSDT' },
      { type: 'pair', symbol: 'BTCUSDT' },
    );
    expect(repeatedIntent(back, intent)).toBe(intent);
    const answered = [{ type: 'submitted', intent }, { type: 'placed' }] as const;
    expect(repeatedIntent(answered.reduce<typeof back>(changeTicket, back), intent)).toBeNull();
  });
  test("an order that fails after a change of pair leaves the other pair's form alone", () => {
    const state = stateAfter(
      { type: 'submitted', intent },
      { type: 'pair', symbol: 'ETHUSDT' },
      { type: 'failed', message: 'Failed to place order', answered: false },
    );
    expect(state.error).toBeNull();
    expect(repeatedIntent(state, intent)).toBe(intent);
  });
  test('a refusal is an answer: the next try is a new order', () => {
    const refused = stateAfter(
      { type: 'submitted', intent },
      { type: 'failed', message: 'No', answered: true },
    );
    expect(refused.error).toBe('No');
    expect(repeatedIntent(refused, intent)).toBeNull();
  });
  test('a placed order empties the amount; typing takes an error away', () => {
    expect(
      stateAfter({ type: 'amount', text: '0.1' }, { type: 'submitted', intent }, { type: 'placed' }),
    ).toMatchObject({
      amountText: '',
      pending: null,
    });
    const failed = stateAfter(
      { type: 'submitted', intent },
      { type: 'failed', message: 'No', answered: true },
    );
    expect(changeTicket(failed, { type: 'typed', text: '1' }).error).toBeNull();
  });
});
