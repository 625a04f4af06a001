import { expect, test } from 'vitest';
import { actionWord, fieldWord, readDetail, valueWord } from './words.ts';

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
      { field: 'Entry price', before: '12,100', after: '−99.5' },
      { field: 'Close price', before: '–', after: '3' },
      { field: 'Size', before: '–', after: '1' },
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
