import { expect, test } from 'vitest';
import { actionWord, fieldWord, readDetail, summaryOf, valueWord } from './words.ts';

test('an act is told in words, one that has none by its name', () => {
  expect(actionWord('funds.adjust')).toBe('Funds adjusted');
  expect(actionWord('margin.call_sent')).toBe('Margin call sent');
  expect(fieldWord('entry_price')).toBe('Entry price');
  expect(fieldWord('closed_at')).toBe('Closed');
  expect(fieldWord('manager_id')).toBe('Manager');
});

test('what changed stands side by side, also where one side has nothing', () => {
  expect(
    readDetail({
      id: 'p',
      before: { entry_price: 12100, close_price: null },
      after: { entry_price: -99.5, close_price: 3, size: 1 },
    }),
  ).toEqual({
    isChange: true,
    changes: [
      { field: 'Size', before: '–', after: '1' },
      { field: 'Entry price', before: '12,100', after: '−99.5' },
      { field: 'Close price', before: '–', after: '3' },
    ],
    facts: [{ field: 'ID', value: 'p' }],
  });
});

test('what is no change is told as it is', () => {
  expect(readDetail({ amount: 5, sessions: [], before: 'noon' })).toEqual({
    isChange: false,
    changes: [],
    facts: [
      { field: 'Amount', value: '5' },
      { field: 'Sessions', value: '–' },
      { field: 'Before', value: 'noon' },
    ],
  });
  expect(readDetail('text').facts).toEqual([{ field: 'Detail', value: 'text' }]);
});

test('a value says what it is: yes or no, a moment, what is not kept', () => {
  expect(valueWord(true)).toBe('Yes');
  expect(valueWord('2026-11-22T12:00:00.000Z')).toMatch(/^Nov 22, 2026 \d\d:\d\d$/);
  expect(valueWord('#0123456789abcdef')).toBe('Not kept (#0123456789abcdef)');
  expect(valueWord({ a: 1, b: ['x', 'y'] })).toBe('A 1, B x, y');
});

const position = {
  id: '0b0e8f0a-0000-4000-8000-000000000001',
  user_id: '0b0e8f0a-0000-4000-8000-000000000002',
  symbol: 'BTCUSDT',
  side: 'BUY',
  entry_price: 12100,
  size: 0.5,
  leverage: 10,
  margin: 605,
  close_price: null,
  realized_pnl: null,
  status: 'open',
  created_at: '2026-11-22T12:00:00.000Z',
  closed_at: null,
  version: 1,
  swap: 3,
};

test('A45: a position that was opened for somebody is told in words, without what is empty', () => {
  const { isChange, facts } = readDetail(position);
  expect(isChange).toBe(false);
  expect(facts.map(({ field, value }) => `${field}: ${value}`)).toEqual([
    'Symbol: BTCUSDT',
    'Side: BUY',
    'Status: open',
    'Size: 0.5',
    'Leverage: 10',
    'Entry price: 12,100',
    'Margin: 605',
    expect.stringMatching(/^Created: Nov 22, 2026/),
    // Of a later version.
    'Swap: 3',
  ]);
});

test('an act says in one line what it did', () => {
  expect(summaryOf(position)).toBe('BTCUSDT BUY 0.5 at 12,100');
  expect(summaryOf({ ...position, realized_pnl: -7.5 })).toBe('BTCUSDT BUY 0.5 at 12,100, PnL −7.50');
  expect(summaryOf({ amount: 500, before: { balance: 1 }, after: { balance: 10500 } })).toBe(
    '+500.00 USDT, balance 10,500.00',
  );
  expect(summaryOf({ before: { role: 'trader' }, after: { role: 'manager', phone: '1' } })).toBe(
    'Role trader → manager, 1 more',
  );
  // What was asked for before what follows from it, however the database keeps it.
  const edit = { before: { margin: 10, leverage: 10 }, after: { margin: 50, leverage: 2 } };
  expect(summaryOf(edit)).toBe('Leverage 10 → 2, 1 more');
  // Ids and what is not kept say nothing in a line.
  expect(summaryOf({ before: { manager_id: null }, after: { manager_id: position.id } })).toBe('Manager');
  const named = { before: { manager_id: null }, after: { manager_id: position.id } };
  expect(summaryOf(named, (id) => (id === position.id ? 'mona' : undefined))).toBe('Manager – → mona');
  expect(summaryOf({ before: { email: '#0123456789abcdef' }, after: { email: '#1123456789abcdef' } })).toBe(
    'Email',
  );
  expect(summaryOf({ sessions: [] })).toBeNull();
  expect(summaryOf('text')).toBeNull();
});
