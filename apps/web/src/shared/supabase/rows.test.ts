import { expect, test } from 'vitest';
import { fromWire } from './rows.ts';

test('a wire row reads in the camelCase names of the documents', () => {
  expect(fromWire({ id: 'w', available_balance: 8164.32, last_updated: null, high_24h: 2 })).toEqual({
    id: 'w',
    availableBalance: 8164.32,
    lastUpdated: null,
    high24h: 2,
  });
});
