import { describe, expect, test } from 'vitest';
import { changeTicket, emptyTicket, type OrderIntent, repeatedIntent, type TicketAction } from './ticket.ts';

const stateAfter = (...actions: TicketAction[]) => actions.reduce(changeTicket, emptyTicket('BTCUSDT'));
const intent: OrderIntent = {
  clientId: 'one',
  symbol: 'BTCUSDT',
  type: 'MARKET',
  side: 'BUY',
  size: '0.1',
  entered: { unit: 'base', value: '0.1' },
  leverage: 10,
  price: '97482.6',
  takeProfitPrice: null,
  stopLossPrice: null,
  requiredMargin: '974.826',
};
const amountOf = (size: string) => ({ size, entered: { unit: 'base', value: size } }) as const;

test('TRADE-36: the leverage starts at 1 and stays within 1 to 125', () => {
  expect(emptyTicket('BTCUSDT').leverage).toBe(1);
  expect(stateAfter({ type: 'leverage', leverage: 500 }).leverage).toBe(125);
  expect(stateAfter({ type: 'leverage', leverage: 0 }).leverage).toBe(1);
});

test('TRADE-43: what is typed settles later, an amount from a button at once', () => {
  const typed = stateAfter({ type: 'typed', field: 'amount', text: '0.15' });
  expect([typed.typed.amount, typed.settled.amount]).toEqual(['0.15', '']);
  expect(changeTicket(typed, { type: 'settled' }).settled.amount).toBe('0.15');
  expect(stateAfter({ type: 'set', field: 'amount', text: '2.093' }).settled.amount).toBe('2.093');
});

test('another pair empties the amount and keeps the leverage', () => {
  const state = stateAfter(
    { type: 'set', field: 'amount', text: '2' },
    { type: 'leverage', leverage: 25 },
    { type: 'pair', symbol: 'ETHUSDT' },
  );
  expect(state).toMatchObject({ symbol: 'ETHUSDT', typed: { amount: '' }, leverage: 25 });
});

describe('A19, A20: the kind of order', () => {
  test('is Market first; a Limit starts at the price on screen and keeps what is typed', () => {
    expect(emptyTicket('BTCUSDT').type).toBe('MARKET');
    const limit = stateAfter({ type: 'orderType', orderType: 'LIMIT', price: '97482.60' });
    expect(limit).toMatchObject({ type: 'LIMIT', typed: { price: '97482.60' } });
    const typed = changeTicket(limit, { type: 'typed', field: 'price', text: '95600' });
    const stop = changeTicket(typed, { type: 'orderType', orderType: 'STOP', price: '97500.00' });
    expect(stop).toMatchObject({ type: 'STOP', typed: { price: '95600' }, settled: { price: '95600' } });
  });
  test('survives a change of pair, its price does not', () => {
    const state = stateAfter(
      { type: 'orderType', orderType: 'STOP', price: '97482.60' },
      { type: 'protects', protects: true },
      { type: 'set', field: 'takeProfit', text: '99000' },
      { type: 'pair', symbol: 'ETHUSDT' },
    );
    expect(state).toMatchObject({ type: 'STOP', protects: true, typed: { price: '', takeProfit: '' } });
  });
  test('a placed order keeps the price for the next one and empties the rest', () => {
    const limit = { ...intent, type: 'LIMIT', price: '95600' } as const;
    const placed = stateAfter(
      { type: 'orderType', orderType: 'LIMIT', price: '95600' },
      { type: 'set', field: 'amount', text: '0.1' },
      { type: 'set', field: 'stopLoss', text: '94000' },
      { type: 'submitted', intent: limit },
      { type: 'placed' },
    );
    expect(placed.typed).toEqual({ amount: '', unit: 'base', price: '95600', takeProfit: '', stopLoss: '' });
  });
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
    expect(repeatedIntent(lost, { ...intent, ...amountOf('0.2') })).toBeNull();
    expect(repeatedIntent(lost, { ...intent, side: 'SELL' })).toBeNull();
    expect(repeatedIntent(lost, { ...intent, takeProfitPrice: '99000' })).toBeNull();
  });
  test('another glance at the market is the same Market order, another price is another Limit', () => {
    const lost = { type: 'failed', message: 'No', answered: false } as const;
    const market = stateAfter({ type: 'submitted', intent }, lost);
    expect(repeatedIntent(market, { ...intent, price: '97500' })).toBe(intent);
    const limit = { ...intent, type: 'LIMIT' } as const;
    const limited = stateAfter({ type: 'submitted', intent: limit }, lost);
    expect(repeatedIntent(limited, { ...limit, price: '97500' })).toBeNull();
    expect(repeatedIntent(limited, intent)).toBeNull();
  });
  test('a lost answer says so, and that pressing again is safe only while the form holds the same order', () => {
    const sent = stateAfter(
      { type: 'set', field: 'amount', text: '0.1' },
      { type: 'leverage', leverage: 10 },
      { type: 'submitted', intent },
    );
    const lost = { type: 'failed', message: 'No answer yet.', answered: false } as const;
    const hint = 'No answer yet. Pressing again sends the same order.';
    expect(changeTicket(sent, lost).error).toBe(hint);
    const changes: TicketAction[] = [
      { type: 'typed', field: 'amount', text: '0.2' },
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
      { type: 'set', field: 'amount', text: '0.1' },
      { type: 'submitted', intent },
      { type: 'typed', field: 'amount', text: '0.25' },
      { type: 'placed' },
    );
    expect(typed).toMatchObject({ typed: { amount: '0.25' }, pending: null });
  });
  test('a lost order is not forgotten over another order or another pair', () => {
    const other = { ...intent, clientId: 'two', ...amountOf('0.7') };
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
      stateAfter(
        { type: 'set', field: 'amount', text: '0.1' },
        { type: 'submitted', intent },
        { type: 'placed' },
      ),
    ).toMatchObject({
      typed: { amount: '' },
      pending: null,
    });
    const failed = stateAfter(
      { type: 'submitted', intent },
      { type: 'failed', message: 'No', answered: true },
    );
    expect(changeTicket(failed, { type: 'typed', field: 'amount', text: '1' }).error).toBeNull();
  });
});

describe('the unit of the amount', () => {
  const typed = stateAfter({ type: 'typed', field: 'amount', text: '0.15' });
  const inQuote = changeTicket(typed, { type: 'unit', unit: 'quote', text: '14622.39' });
  test('switching it shows the converted amount at once and remembers what was typed', () => {
    expect(inQuote).toMatchObject({
      typed: { amount: '14622.39', unit: 'quote' },
      settled: { amount: '14622.39', unit: 'quote' },
      entered: { text: '0.15', unit: 'base' },
    });
  });
  test('what is typed then is what is remembered', () => {
    const retyped = changeTicket(inQuote, { type: 'typed', field: 'amount', text: '500' });
    expect(retyped.entered).toEqual({ text: '500', unit: 'quote' });
    expect(retyped.settled.amount).toBe('14622.39');
  });
  test('an emptied field has nothing to come back to', () => {
    const emptied = changeTicket(inQuote, { type: 'typed', field: 'amount', text: '' });
    const back = changeTicket(emptied, { type: 'unit', unit: 'base', text: '' });
    expect(back.entered).toEqual({ text: '', unit: 'base' });
  });
  test('outlives an order and a change of pair', () => {
    const sent = [{ type: 'submitted', intent }, { type: 'placed' }] as const;
    expect(sent.reduce<typeof inQuote>(changeTicket, inQuote).typed).toMatchObject({
      amount: '',
      unit: 'quote',
    });
    expect(changeTicket(inQuote, { type: 'pair', symbol: 'ETHUSDT' }).typed.unit).toBe('quote');
  });
  test('RULE-17: after a lost answer the same USDT at another price are the same order', () => {
    const quoted = { ...intent, entered: { unit: 'quote', value: '9748.26' } } as const;
    const lost = stateAfter(
      { type: 'submitted', intent: quoted },
      { type: 'failed', message: 'No', answered: false },
    );
    expect(repeatedIntent(lost, { ...quoted, size: '0.09999' })).toBe(quoted);
    expect(repeatedIntent(lost, { ...quoted, ...amountOf('0.1') })).toBe(quoted);
    const other = { ...quoted, size: '0.09999', entered: { unit: 'quote', value: '9748' } } as const;
    expect(repeatedIntent(lost, other)).toBeNull();
  });
});

describe('the question before an order', () => {
  const { clientId: _, requiredMargin: __, ...draft } = intent;
  const asked = stateAfter({ type: 'asked', draft });
  test('is withdrawn by any change of the form', () => {
    const changes: TicketAction[] = [
      { type: 'typed', field: 'amount', text: '0.2' },
      { type: 'set', field: 'stopLoss', text: '90000' },
      { type: 'leverage', leverage: 11 },
      { type: 'unit', unit: 'percent', text: '5' },
      { type: 'orderType', orderType: 'STOP', price: '98000' },
      { type: 'protects', protects: true },
      { type: 'pair', symbol: 'ETHUSDT' },
      { type: 'withdrawn' },
    ];
    expect(asked.asked).toBe(draft);
    for (const change of changes) expect(changeTicket(asked, change).asked, change.type).toBeNull();
  });
  test('stays while its order is pending and ends with the answer', () => {
    const pending = changeTicket(asked, { type: 'submitted', intent });
    expect(pending.asked).toBe(draft);
    expect(changeTicket(pending, { type: 'placed' }).asked).toBeNull();
    expect(changeTicket(pending, { type: 'failed', message: 'No', answered: true }).asked).toBeNull();
  });
  test('is not put while another order is pending', () => {
    const pending = stateAfter({ type: 'submitted', intent });
    expect(changeTicket(pending, { type: 'asked', draft }).asked).toBeNull();
  });
});

describe('figures that a calculator hands over', () => {
  const draft = {
    symbol: 'BTCUSDT',
    side: 'SELL',
    amount: '0.128',
    leverage: 25,
    stopLoss: '98000.00',
    takeProfit: null,
  } as const;
  test('fill the form at once, whatever unit amounts are usually typed in', () => {
    const filled = changeTicket(emptyTicket('BTCUSDT', 'quote'), { type: 'handed over', draft });
    expect(filled).toMatchObject({
      typed: { amount: '0.128', unit: 'base', stopLoss: '98000.00', takeProfit: '' },
      entered: { text: '0.128', unit: 'base' },
      leverage: 25,
      protects: true,
      workedOutFor: 'SELL',
      pending: null,
      asked: null,
    });
    expect(filled.settled).toBe(filled.typed);
  });
  test('leave alone what they say nothing about', () => {
    const before = stateAfter({ type: 'leverage', leverage: 7 }, { type: 'protects', protects: false });
    const bare = { ...draft, leverage: null, stopLoss: null };
    expect(changeTicket(before, { type: 'handed over', draft: bare })).toMatchObject({
      leverage: 7,
      protects: false,
    });
  });
  test('are not those of another pair', () => {
    const of = emptyTicket('ETHUSDT');
    expect(changeTicket(of, { type: 'handed over', draft })).toBe(of);
  });
  test('are forgotten as theirs with the order or with another pair', () => {
    const filled = stateAfter({ type: 'handed over', draft });
    const sent = { ...intent, size: '0.128' };
    const placed = changeTicket(changeTicket(filled, { type: 'submitted', intent: sent }), {
      type: 'placed',
    });
    expect(placed.workedOutFor).toBeNull();
    expect(changeTicket(filled, { type: 'pair', symbol: 'ETHUSDT' }).workedOutFor).toBeNull();
  });
});
