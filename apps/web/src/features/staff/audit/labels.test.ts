import { auditActions } from '@fulcrum/contract/audit-actions';
import { expect, test } from 'vitest';
import { actionGroups, actionLabel, fieldLabel, formatSummary, formatValue, parseDetail } from './labels.ts';

test('an action has a label, an unknown one a label made from its name', () => {
  expect(actionLabel('funds.adjust')).toBe('Funds adjusted');
  expect(actionLabel('margin.call_sent')).toBe('Margin call sent');
  expect(fieldLabel('entry_price')).toBe('Entry price');
  expect(fieldLabel('closed_at')).toBe('Closed');
  expect(fieldLabel('manager_id')).toBe('Manager');
});

test('every audit action has one label, and a row with a former name has the same', () => {
  const labelled = Object.values(actionGroups).flatMap((group) => Object.keys(group));
  expect(
    labelled.filter((action) => !/^(journal_entries|playbooks|playbook_trades)\./.test(action)).sort(),
  ).toEqual([...auditActions].sort());
  expect(actionLabel('user_created')).toBe('User created');
});

test('changes are listed side by side, also where one side is empty', () => {
  expect(
    parseDetail({
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

test('a detail without before and after is listed as facts', () => {
  expect(parseDetail({ amount: 5, sessions: [], before: 'noon' })).toEqual({
    isChange: false,
    changes: [],
    facts: [
      { field: 'Amount', value: '5' },
      { field: 'Sessions', value: '–' },
      { field: 'Before', value: 'noon' },
    ],
  });
  expect(parseDetail('text').facts).toEqual([{ field: 'Detail', value: 'text' }]);
});

test('values are formatted by kind: boolean, time, pseudonym', () => {
  expect(formatValue(true)).toBe('Yes');
  expect(formatValue('2026-11-22T12:00:00.000Z')).toMatch(/^Nov 22, 2026 \d\d:\d\d$/);
  expect(formatValue('#0123456789abcdef')).toBe('Not stored (#0123456789abcdef)');
  expect(formatValue({ a: 1, b: ['x', 'y'] })).toBe('A 1, B x, y');
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

test('A45: a position opened during an impersonation is listed without its empty columns', () => {
  const { isChange, facts } = parseDetail(position);
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

test('an action has a one-line summary', () => {
  expect(formatSummary(position)).toBe('BTCUSDT BUY 0.5 at 12,100');
  expect(formatSummary({ ...position, realized_pnl: -7.5 })).toBe('BTCUSDT BUY 0.5 at 12,100, PnL −7.50');
  expect(formatSummary({ amount: 500, before: { balance: 1 }, after: { balance: 10500 } })).toBe(
    '+500.00 USDT, balance 10,500.00',
  );
  expect(formatSummary({ before: { role: 'trader' }, after: { role: 'manager', phone: '1' } })).toBe(
    'Role trader → manager, 1 more',
  );
  // The edited column comes before the derived one, whatever order the database stores.
  const edit = { before: { margin: 10, leverage: 10 }, after: { margin: 50, leverage: 2 } };
  expect(formatSummary(edit)).toBe('Leverage 10 → 2, 1 more');
  // Ids and pseudonyms are left out of the summary.
  expect(formatSummary({ before: { manager_id: null }, after: { manager_id: position.id } })).toBe('Manager');
  const named = { before: { manager_id: null }, after: { manager_id: position.id } };
  expect(formatSummary(named, (id) => (id === position.id ? 'mona' : undefined))).toBe('Manager – → mona');
  expect(
    formatSummary({ before: { email: '#0123456789abcdef' }, after: { email: '#1123456789abcdef' } }),
  ).toBe('Email');
  expect(formatSummary({ sessions: [] })).toBeNull();
  expect(formatSummary('text')).toBeNull();
});
