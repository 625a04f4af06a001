import { describe, expect, test } from 'vitest';
import {
  emptyTicket,
  findRepeatedIntent,
  type OrderIntent,
  startTicket,
  type TicketAction,
  ticketReducer,
} from './ticket.ts';

const stateAfter = (...actions: TicketAction[]) => actions.reduce(ticketReducer, emptyTicket('BTCUSDT'));
const intent: OrderIntent = {
  clientId: 'one',
  symbol: 'BTCUSDT',
  type: 'MARKET',
  side: 'BUY',
  size: '0.1',
  entered: { unit: 'base', value: '0.1' },
  leverage: 10,
  price: '97482.6',
  distances: null,
  netTerms: null,
  takeProfitPrice: null,
  stopLossPrice: null,
  requiredMargin: '974.826',
};
const amountOf = (size: string) => ({ size, entered: { unit: 'base', value: size } }) as const;

test('A113: after a lost answer an order that only reduces is not the same as one that may open', () => {
  const net = { ...intent, type: 'LIMIT', netTerms: { timeInForce: 'GTC', reduceOnly: true } } as const;
  const sent: TicketAction[] = [
    { type: 'orderType', orderType: 'LIMIT', price: '' },
    { type: 'netTerms', netTerms: net.netTerms },
    { type: 'submitted', intent: net },
  ];
  const lost: TicketAction = { type: 'failed', message: 'No answer.', answered: false };
  expect(stateAfter({ type: 'leverage', leverage: 10 }, ...sent, lost).error).toMatch(/Pressing again/);
  const opens: TicketAction = { type: 'netTerms', netTerms: { timeInForce: 'GTC', reduceOnly: false } };
  const changed = stateAfter({ type: 'leverage', leverage: 10 }, ...sent, opens, lost);
  expect(changed.error).toBe('No answer.');
  expect(
    findRepeatedIntent(changed, { ...net, netTerms: { timeInForce: 'GTC', reduceOnly: false } }),
  ).toBeNull();
  expect(findRepeatedIntent(changed, net)).toBe(net);
});

test('TRADE-36: the leverage starts at 1 and stays within 1 to 125', () => {
  expect(emptyTicket('BTCUSDT').leverage).toBe(1);
  expect(stateAfter({ type: 'leverage', leverage: 500 }).leverage).toBe(125);
  expect(stateAfter({ type: 'leverage', leverage: 0 }).leverage).toBe(1);
});

test('TRADE-43: typed input settles later, an amount from a button at once', () => {
  const typed = stateAfter({ type: 'typed', field: 'amount', text: '0.15' });
  expect([typed.typed.amount, typed.settled.amount]).toEqual(['0.15', '']);
  expect(ticketReducer(typed, { type: 'settled' }).settled.amount).toBe('0.15');
  expect(stateAfter({ type: 'set', field: 'amount', text: '2.093' }).settled.amount).toBe('2.093');
});

test('another pair clears the amount and keeps the leverage', () => {
  const state = stateAfter(
    { type: 'set', field: 'amount', text: '2' },
    { type: 'leverage', leverage: 25 },
    { type: 'pair', symbol: 'ETHUSDT' },
  );
  expect(state).toMatchObject({ symbol: 'ETHUSDT', typed: { amount: '' }, leverage: 25 });
});

describe('A19, A20: the order type', () => {
  test('is Market first; a Limit starts at the price on screen, and a Stop does not take the price of a Limit', () => {
    expect(emptyTicket('BTCUSDT').type).toBe('MARKET');
    const limit = stateAfter({ type: 'orderType', orderType: 'LIMIT', price: '97482.60' });
    expect(limit).toMatchObject({ type: 'LIMIT', typed: { price: '97482.60' } });
    const typed = ticketReducer(limit, { type: 'typed', field: 'price', text: '95600' });
    const stop = ticketReducer(typed, { type: 'orderType', orderType: 'STOP', price: '97500.00' });
    expect(stop).toMatchObject({
      type: 'STOP',
      typed: { price: '97500.00' },
      settled: { price: '97500.00' },
    });
    const market = ticketReducer(typed, { type: 'orderType', orderType: 'MARKET', price: '97500.00' });
    const back = ticketReducer(market, { type: 'orderType', orderType: 'LIMIT', price: '97500.00' });
    expect(back).toMatchObject({ type: 'LIMIT', typed: { price: '95600' } });
  });
  test('and leverage, unit and protection of a pair come back with it', () => {
    const memory = { leverage: 25, type: 'STOP', unit: 'quote', protects: true } as const;
    const state = stateAfter({ type: 'pair', symbol: 'ETHUSDT', memory });
    expect(state).toMatchObject({ leverage: 25, type: 'STOP', protects: true, typed: { unit: 'quote' } });
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
  test('a placed order keeps the price for the next one and clears the rest', () => {
    const limit = { ...intent, type: 'LIMIT', price: '95600' } as const;
    const placed = stateAfter(
      { type: 'orderType', orderType: 'LIMIT', price: '95600' },
      { type: 'set', field: 'amount', text: '0.1' },
      { type: 'set', field: 'stopLoss', text: '94000' },
      { type: 'submitted', intent: limit },
      { type: 'placed' },
    );
    expect(placed.typed).toEqual({
      amount: '',
      unit: 'base',
      price: '95600',
      takeProfit: '',
      stopLoss: '',
      protectionUnit: 'price',
    });
  });
});

describe('placing', () => {
  test('a second click while pending starts no second order', () => {
    const pending = stateAfter({ type: 'submitted', intent });
    const again = ticketReducer(pending, { type: 'submitted', intent: { ...intent, clientId: 'two' } });
    expect(again.pending?.clientId).toBe('one');
  });
  test('a lost answer keeps the client id for the same terms only', () => {
    const lost = stateAfter(
      { type: 'submitted', intent },
      { type: 'failed', message: 'Failed to place order', answered: false },
    );
    expect(findRepeatedIntent(lost, intent)).toBe(intent);
    expect(findRepeatedIntent(lost, { ...intent, ...amountOf('0.2') })).toBeNull();
    expect(findRepeatedIntent(lost, { ...intent, side: 'SELL' })).toBeNull();
    expect(findRepeatedIntent(lost, { ...intent, takeProfitPrice: '99000' })).toBeNull();
  });
  test('another market price is the same Market order, another limit price is another Limit', () => {
    const lost = { type: 'failed', message: 'No', answered: false } as const;
    const market = stateAfter({ type: 'submitted', intent }, lost);
    expect(findRepeatedIntent(market, { ...intent, price: '97500' })).toBe(intent);
    const limit = { ...intent, type: 'LIMIT' } as const;
    const limited = stateAfter({ type: 'submitted', intent: limit }, lost);
    expect(findRepeatedIntent(limited, { ...limit, price: '97500' })).toBeNull();
    expect(findRepeatedIntent(limited, intent)).toBeNull();
  });
  test('a lost answer is reported; the hint that repeating is safe needs an unchanged form', () => {
    const sent = stateAfter(
      { type: 'set', field: 'amount', text: '0.1' },
      { type: 'leverage', leverage: 10 },
      { type: 'submitted', intent },
    );
    const lost = { type: 'failed', message: 'No answer yet.', answered: false } as const;
    const hint = 'No answer yet. Pressing again sends the same order.';
    expect(ticketReducer(sent, lost).error).toBe(hint);
    const changes: TicketAction[] = [
      { type: 'typed', field: 'amount', text: '0.2' },
      { type: 'leverage', leverage: 11 },
    ];
    for (const change of changes) {
      expect(ticketReducer(ticketReducer(sent, change), lost).error).toBe('No answer yet.');
    }
    for (const change of [...changes, { type: 'pair', symbol: 'ETHUSDT' } as const]) {
      expect(ticketReducer(ticketReducer(sent, lost), change).error).toBeNull();
    }
  });
  test('input typed while an order is pending survives its placement', () => {
    const typed = stateAfter(
      { type: 'set', field: 'amount', text: '0.1' },
      { type: 'submitted', intent },
      { type: 'typed', field: 'amount', text: '0.25' },
      { type: 'placed' },
    );
    expect(typed).toMatchObject({ typed: { amount: '0.25' }, pending: null });
  });
  test('a lost order survives another order and another pair', () => {
    const other = { ...intent, clientId: 'two', ...amountOf('0.7') };
    const back = stateAfter(
      { type: 'submitted', intent },
      { type: 'failed', message: 'Failed to place order', answered: false },
      { type: 'submitted', intent: other },
      { type: 'placed' },
      { type: 'pair', symbol: 'ETHUSDT' },
      { type: 'pair', symbol: 'BTCUSDT' },
    );
    expect(findRepeatedIntent(back, intent)).toBe(intent);
    const answered = [{ type: 'submitted', intent }, { type: 'placed' }] as const;
    expect(findRepeatedIntent(answered.reduce<typeof back>(ticketReducer, back), intent)).toBeNull();
  });
  test("an order that fails after a change of pair leaves the other pair's form unchanged", () => {
    const state = stateAfter(
      { type: 'submitted', intent },
      { type: 'pair', symbol: 'ETHUSDT' },
      { type: 'failed', message: 'Failed to place order', answered: false },
    );
    expect(state.error).toBeNull();
    expect(findRepeatedIntent(state, intent)).toBe(intent);
  });
  test('a refusal is an answer: the next attempt is a new order', () => {
    const refused = stateAfter(
      { type: 'submitted', intent },
      { type: 'failed', message: 'No', answered: true },
    );
    expect(refused.error).toBe('No');
    expect(findRepeatedIntent(refused, intent)).toBeNull();
  });
  test('a placed order clears the amount; typing clears an error', () => {
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
    expect(ticketReducer(failed, { type: 'typed', field: 'amount', text: '1' }).error).toBeNull();
  });
});

describe('the unit of the amount', () => {
  const typed = stateAfter({ type: 'typed', field: 'amount', text: '0.15' });
  const inQuote = ticketReducer(typed, { type: 'unit', unit: 'quote', text: '14622.39' });
  test('a switch converts the amount at once and remembers the typed one', () => {
    expect(inQuote).toMatchObject({
      typed: { amount: '14622.39', unit: 'quote' },
      settled: { amount: '14622.39', unit: 'quote' },
      entered: { text: '0.15', unit: 'base' },
    });
  });
  test('later input replaces the remembered amount', () => {
    const retyped = ticketReducer(inQuote, { type: 'typed', field: 'amount', text: '500' });
    expect(retyped.entered).toEqual({ text: '500', unit: 'quote' });
    expect(retyped.settled.amount).toBe('14622.39');
  });
  test('a cleared field has nothing to restore', () => {
    const emptied = ticketReducer(inQuote, { type: 'typed', field: 'amount', text: '' });
    const back = ticketReducer(emptied, { type: 'unit', unit: 'base', text: '' });
    expect(back.entered).toEqual({ text: '', unit: 'base' });
  });
  test('outlives an order and a change of pair', () => {
    const sent = [{ type: 'submitted', intent }, { type: 'placed' }] as const;
    expect(sent.reduce<typeof inQuote>(ticketReducer, inQuote).typed).toMatchObject({
      amount: '',
      unit: 'quote',
    });
    expect(ticketReducer(inQuote, { type: 'pair', symbol: 'ETHUSDT' }).typed.unit).toBe('quote');
  });
  test('After a lost answer the same USDT at another price are the same order', () => {
    const quoted = { ...intent, entered: { unit: 'quote', value: '9748.26' } } as const;
    const lost = stateAfter(
      { type: 'submitted', intent: quoted },
      { type: 'failed', message: 'No', answered: false },
    );
    expect(findRepeatedIntent(lost, { ...quoted, size: '0.09999' })).toBe(quoted);
    expect(findRepeatedIntent(lost, { ...quoted, ...amountOf('0.1') })).toBe(quoted);
    const other = { ...quoted, size: '0.09999', entered: { unit: 'quote', value: '9748' } } as const;
    expect(findRepeatedIntent(lost, other)).toBeNull();
  });
});

describe('the unit of take profit and stop loss', () => {
  const percent = {
    type: 'protectionUnit',
    protectionUnit: 'percent',
    takeProfit: '4',
    stopLoss: '2',
  } as const;
  const inPercent = stateAfter({ type: 'protects', protects: true }, percent);
  const sent = [{ type: 'submitted', intent }, { type: 'placed' }] as const;
  test('a distance stays for the next order, a price does not', () => {
    const { typed } = sent.reduce<typeof inPercent>(ticketReducer, inPercent);
    expect(typed).toMatchObject({ protectionUnit: 'percent', takeProfit: '4', stopLoss: '2' });
    const priced = stateAfter({ type: 'set', field: 'stopLoss', text: '94000' }, ...sent);
    expect(priced.typed).toMatchObject({ protectionUnit: 'price', stopLoss: '' });
  });
  test('a distance comes back with its pair, and is none of another pair', () => {
    const other = ticketReducer(inPercent, { type: 'pair', symbol: 'ETHUSDT' });
    expect(other.typed).toMatchObject({ protectionUnit: 'price', stopLoss: '' });
    const memory = { protectionUnit: 'percent', stopLoss: '2' } as const;
    const back = ticketReducer(other, { type: 'pair', symbol: 'BTCUSDT', memory });
    expect(back.settled).toMatchObject({ protectionUnit: 'percent', stopLoss: '2', takeProfit: '' });
  });
  test('prices of a calculator are prices', () => {
    const draft = {
      symbol: 'BTCUSDT',
      amount: '0.1',
      leverage: 5,
      takeProfit: null,
      stopLoss: '94000',
      side: 'BUY',
    } as const;
    expect(ticketReducer(inPercent, { type: 'handed over', draft }).typed).toMatchObject({
      protectionUnit: 'price',
      stopLoss: '94000',
    });
  });
  test('after a lost answer the same distances at another price are the same order', () => {
    const first = {
      ...intent,
      distances: 'percent 4 2',
      takeProfitPrice: '101381.91',
      stopLossPrice: '95532.95',
    };
    const lost = stateAfter(
      { type: 'submitted', intent: first },
      { type: 'failed', message: 'No', answered: false },
    );
    expect(findRepeatedIntent(lost, { ...first, takeProfitPrice: '101400', stopLossPrice: '95550' })).toBe(
      first,
    );
    expect(findRepeatedIntent(lost, { ...first, distances: 'percent 4 3' })).toBeNull();
    expect(findRepeatedIntent(lost, { ...first, distances: null })).toBeNull();
  });
});

test('a reset returns the form to a first time, but not an order on its way', () => {
  const state = stateAfter(
    { type: 'leverage', leverage: 20 },
    { type: 'orderType', orderType: 'LIMIT', price: '95600' },
    { type: 'protects', protects: true },
    { type: 'set', field: 'stopLoss', text: '94000' },
    { type: 'submitted', intent },
    { type: 'reset', unit: 'base' },
  );
  expect(state).toEqual({ ...emptyTicket('BTCUSDT'), pending: intent, sent: state.sent });
  expect(state.sent.stopLoss).toBe('94000');
});

describe('the confirmation before an order', () => {
  const { clientId: _, requiredMargin: __, ...draft } = intent;
  const awaiting = stateAfter({ type: 'confirm', draft });
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
    expect(awaiting.confirming).toBe(draft);
    for (const change of changes) expect(ticketReducer(awaiting, change).confirming, change.type).toBeNull();
  });
  test('stays while its order is pending and ends with the answer', () => {
    const pending = ticketReducer(awaiting, { type: 'submitted', intent });
    expect(pending.confirming).toBe(draft);
    expect(ticketReducer(pending, { type: 'placed' }).confirming).toBeNull();
    expect(ticketReducer(pending, { type: 'failed', message: 'No', answered: true }).confirming).toBeNull();
  });
  test('is not shown while another order is pending', () => {
    const pending = stateAfter({ type: 'submitted', intent });
    expect(ticketReducer(pending, { type: 'confirm', draft }).confirming).toBeNull();
  });
});

describe('figures from a calculator', () => {
  const draft = {
    symbol: 'BTCUSDT',
    side: 'SELL',
    amount: '0.128',
    leverage: 25,
    stopLoss: '98000.00',
    takeProfit: null,
  } as const;
  test('fill the form at once, whatever the preferred unit', () => {
    const filled = ticketReducer(emptyTicket('BTCUSDT', 'quote'), { type: 'handed over', draft });
    expect(filled).toMatchObject({
      typed: { amount: '0.128', unit: 'base', stopLoss: '98000.00', takeProfit: '' },
      entered: { text: '0.128', unit: 'base' },
      leverage: 25,
      protects: true,
      workedOutFor: 'SELL',
      pending: null,
      confirming: null,
    });
    expect(filled.settled).toBe(filled.typed);
  });
  test('leave other fields unchanged', () => {
    const before = stateAfter({ type: 'leverage', leverage: 7 }, { type: 'protects', protects: false });
    const bare = { ...draft, leverage: null, stopLoss: null };
    expect(ticketReducer(before, { type: 'handed over', draft: bare })).toMatchObject({
      leverage: 7,
      protects: false,
    });
  });
  test('are ignored for another pair', () => {
    const of = emptyTicket('ETHUSDT');
    expect(ticketReducer(of, { type: 'handed over', draft })).toBe(of);
  });
  test('are no longer marked as calculated after the order or a change of pair', () => {
    const filled = stateAfter({ type: 'handed over', draft });
    const sent = { ...intent, size: '0.128' };
    const placed = ticketReducer(ticketReducer(filled, { type: 'submitted', intent: sent }), {
      type: 'placed',
    });
    expect(placed.workedOutFor).toBeNull();
    expect(ticketReducer(filled, { type: 'pair', symbol: 'ETHUSDT' }).workedOutFor).toBeNull();
  });
});

test('an amount by risk shows its stop loss, and is chosen for one pair alone', () => {
  expect(startTicket('BTCUSDT', { unit: 'risk' }, 'base')).toMatchObject({ protects: true });
  const risky = stateAfter({ type: 'unit', unit: 'risk', text: '' });
  const other = ticketReducer(risky, { type: 'pair', symbol: 'ETHUSDT' });
  expect(other.typed.unit).toBe('base');
  const back = ticketReducer(other, {
    type: 'pair',
    symbol: 'BTCUSDT',
    memory: { unit: 'risk', protects: false },
  });
  expect(back).toMatchObject({ protects: true, typed: { unit: 'risk' } });
});
